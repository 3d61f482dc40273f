package intake

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc64"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"anonymooc/internal/fault"
)

// mongoPart is a stretch of a collection in an archive.
type mongoPart struct {
	collection string
	documents  []bson.D
	last       bool
}

// mongoDump writes an archive as mongodump does (mongo-tools, common/archive):
// stretches of the collections take turns.
func mongoDump(t testing.TB, collections []string, parts []mongoPart) []byte {
	t.Helper()
	marshal := func(d bson.D) []byte {
		b, err := bson.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	end := []byte{0xff, 0xff, 0xff, 0xff}
	out := binary.LittleEndian.AppendUint32(nil, archiveMagic)
	out = append(out, marshal(bson.D{{Key: "concurrent_collections", Value: int32(4)}, {Key: "version", Value: "0.1"}, {Key: "server_version", Value: "4.4.29"}, {Key: "tool_version", Value: "100.9.4"}})...)
	for _, c := range collections {
		out = append(out, marshal(bson.D{{Key: "db", Value: "forum"}, {Key: "collection", Value: c}, {Key: "metadata", Value: `{"indexes":[]}`}, {Key: "size", Value: int32(0)}, {Key: "type", Value: "collection"}})...)
	}
	out = append(out, end...)
	sums := map[string]uint64{}
	for _, p := range parts {
		header := bson.D{{Key: "db", Value: "forum"}, {Key: "collection", Value: p.collection}, {Key: "EOF", Value: false}, {Key: "CRC", Value: int64(0)}}
		if p.last {
			header[2].Value, header[3].Value = true, int64(sums[p.collection])
		}
		out = append(out, marshal(header)...)
		for _, d := range p.documents {
			b := marshal(d)
			sums[p.collection] = crc64.Update(sums[p.collection], crc64.MakeTable(crc64.ECMA), b)
			out = append(out, b...)
		}
		out = append(out, end...)
	}
	return out
}

func mongoParts() []mongoPart {
	d := func(id string) bson.D { return bson.D{{Key: "_id", Value: id}} }
	return []mongoPart{
		{"contents", []bson.D{d("1"), d("2")}, false}, {"users", []bson.D{d("u")}, false}, {"contents", []bson.D{d("3")}, false}, {"users", nil, true}, {"contents", nil, true},
	}
}

// TestArchivesOfMongodump: an archive is the files that mongodump writes without
// --archive, alone, in a folder and packed.
func TestArchivesOfMongodump(t *testing.T) {
	data := mongoDump(t, []string{"contents", "users", "subscriptions"}, append(mongoParts(), mongoPart{"subscriptions", nil, true}))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(data)
	z.Close()
	dir := t.TempDir()
	for name, content := range map[string][]byte{"plain.archive": data, "folder/dump.archive.gz": packed.Bytes(), "packed.archive.gz": packed.Bytes()} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for given, prefix := range map[string]string{"plain.archive": "", "packed.archive.gz": "", "folder": "dump/"} {
		path := filepath.Join(dir, given)
		if !Holds(path) {
			t.Errorf("%s is no export", given)
		}
		export, err := Open(context.Background(), []string{path}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer export.Close()
		want := map[string]string{"forum/contents.bson": "123", "forum/users.bson": "u", "forum/subscriptions.bson": ""}
		if len(export.Files) != len(want) {
			t.Fatalf("%s has %d files", given, len(export.Files))
		}
		for _, f := range export.Files {
			in, err := f.Open(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			raw, err := io.ReadAll(in)
			in.Close()
			ids := ""
			for rest := raw; err == nil && len(rest) > 0; {
				n := binary.LittleEndian.Uint32(rest)
				ids += bson.Raw(rest[:n]).Lookup("_id").StringValue()
				rest = rest[n:]
			}
			if expected, ok := want[strings.TrimPrefix(f.Name, prefix)]; !ok || ids != expected || err != nil {
				t.Errorf("%s: %s holds %q, %v", given, f.Name, ids, err)
			}
		}
	}
}

// TestDamagedArchivesOfMongodump: what is cut, altered or leads elsewhere is told,
// never given as whole.
func TestDamagedArchivesOfMongodump(t *testing.T) {
	whole := mongoDump(t, []string{"contents", "users"}, mongoParts())
	read := func(data []byte) error {
		path := filepath.Join(t.TempDir(), "x.archive")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		export, err := Open(context.Background(), []string{path}, Options{})
		if err != nil {
			return err
		}
		defer export.Close()
		for _, f := range export.Files {
			in, err := f.Open(context.Background())
			if err != nil {
				return err
			}
			_, err = io.Copy(io.Discard, in)
			in.Close()
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err := read(whole); err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) - 4 { // the last mark alone may be missing
		if err := read(whole[:n]); err == nil {
			t.Fatalf("%d of %d bytes are an archive", n, len(whole))
		}
	}
	altered := bytes.Replace(bytes.Clone(whole), []byte("\x02\x00\x00\x002\x00"), []byte("\x02\x00\x00\x009\x00"), 1)
	for name, data := range map[string][]byte{
		"altered": altered, "none": []byte("{\"_id\": 1}\n"),
		"up":    mongoDump(t, []string{"../../contents"}, nil),
		"nul":   mongoDump(t, []string{"con\x01tents"}, nil),
		"extra": mongoDump(t, []string{"contents", "users", "absent"}, mongoParts()),
	} {
		var f *fault.Fault
		if err := read(data); !errors.As(err, &f) || f.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzArchiveOfMongodump: whatever the bytes, there are files or a fault.
func FuzzArchiveOfMongodump(f *testing.F) {
	f.Add(mongoDump(f, []string{"contents", "users"}, mongoParts()))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "x.archive")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		export, err := Open(context.Background(), []string{path}, Options{})
		if err != nil {
			return
		}
		defer export.Close()
		for _, file := range export.Files {
			if in, err := file.Open(context.Background()); err == nil {
				_, _ = io.Copy(io.Discard, in)
				in.Close()
			}
		}
	})
}
