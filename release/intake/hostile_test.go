package intake_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"anonymooc/internal/fault"
	"anonymooc/release/intake"
	"anonymooc/release/intake/packtest"
)

var honest = []packtest.Member{{Name: "auth_user.csv", Data: []byte("id,username\n1,ada\n")}, {Name: "logs/tracking.log", Data: bytes.Repeat([]byte("{}\n"), 5000)}}

// write puts a package into a new folder.
func write(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// readAll opens a delivery and reads all of it, as a run does.
func readAll(path string, keys *intake.Keyring) (files map[string]string, err error) {
	export, err := intake.Open(context.Background(), []string{path}, intake.Options{Keys: keys})
	if err != nil {
		return nil, err
	}
	defer export.Close() // only ever read from
	files = map[string]string{}
	for _, f := range export.Files {
		in, err := f.Open(context.Background())
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(in)
		if err = errors.Join(err, in.Close()); err != nil {
			return nil, err
		}
		files[f.Name] = string(data)
	}
	return files, export.Whole(context.Background())
}

// refused makes sure that a package is refused with a place, a hint, and words.
func refused(t *testing.T, path string, keys *intake.Keyring, words string) {
	t.Helper()
	_, err := readAll(path, keys)
	var f *fault.Fault
	if !errors.As(err, &f) {
		t.Fatalf("error %v", err)
	}
	if !strings.Contains(f.What, words) {
		t.Errorf("%v; wanted %q", err, words)
	}
	if f.Hint == "" {
		t.Errorf("no hint: %v", err)
	}
	if strings.Contains(err.Error(), "ada") {
		t.Errorf("a value in the message: %v", err)
	}
}

// TestNames: no member's name leads out of the release, or onto another.
func TestNames(t *testing.T) {
	for words, names := range map[string][]string{
		"leads out of the archive": {"../auth_user.csv", "a/../../b.csv", "..", "a/.."},
		"absolute name":            {"/etc/passwd"},
		"backslash":                {`..\auth_user.csv`, `a\b.csv`},
		"drive":                    {"C:auth_user.csv", "c:/x.csv"},
		"control character":        {"auth\x1b[2J.csv", "a\nb.csv"},
		"UTF-8":                    {"donn\xe9es.csv"},
	} {
		for _, name := range names {
			members := append([]packtest.Member{{Name: name, Data: []byte("x")}}, honest...)
			t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
				refused(t, write(t, "export.zip", packtest.Zip(t, members, zip.Deflate)), nil, words)
				archive := rawTar(t, tar.Header{Typeflag: tar.TypeReg, Name: name, Size: 1}, "x")
				refused(t, write(t, "export.tar", archive), nil, words)
				refused(t, write(t, "export.tar.gz", packtest.Gzip(t, archive)), nil, words)
			})
		}
	}
	for words, names := range map[string][2]string{
		"same name, or would":           {"Auth_User.csv", "auth_user.csv"},
		"have the same name, or would":  {"e\u0301t\u00e9.csv", "\u00e9te\u0301.csv"},
		"members of the archive have":   {"a.csv", "a.csv"},
		"two members of the archive":    {"x.sql", "x.sql.gpg"},
		"a file and a folder of":        {"a", "A/b.csv"},
		"two members of the archive ha": {"dir/./a.csv", "dir/a.csv"},
	} {
		members := []packtest.Member{{Name: names[0], Data: []byte("1")}, {Name: names[1], Data: []byte("2")}}
		t.Run(fmt.Sprintf("%q", names), func(t *testing.T) {
			refused(t, write(t, "export.zip", packtest.Zip(t, members, zip.Store)), nil, words)
			refused(t, write(t, "export.tgz", packtest.Gzip(t, packtest.Tar(t, members))), nil, words)
		})
	}
	folder := t.TempDir()
	packtest.Write(t, folder, []packtest.Member{{Name: "x.sql"}, {Name: "x.sql.gpg"}})
	refused(t, folder, nil, "would be one in the release")
}

// rawTar makes an archive of one entry.
func rawTar(t *testing.T, header tar.Header, data string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	if err := w.WriteHeader(&header); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestSpecialMembers: links, devices and files with holes are refused.
func TestSpecialMembers(t *testing.T) {
	for _, c := range []struct {
		header tar.Header
		words  string
	}{
		{tar.Header{Typeflag: tar.TypeSymlink, Name: "auth_user.csv", Linkname: "/etc/passwd"}, "a link"},
		{tar.Header{Typeflag: tar.TypeLink, Name: "auth_user.csv", Linkname: "b"}, "a link"},
		{tar.Header{Typeflag: tar.TypeChar, Name: "null", Devmajor: 1, Devminor: 3}, "no ordinary file"},
		{tar.Header{Typeflag: tar.TypeBlock, Name: "sda"}, "no ordinary file"},
		{tar.Header{Typeflag: tar.TypeFifo, Name: "pipe"}, "no ordinary file"},
		{tar.Header{Typeflag: tar.TypeDir, Name: "../outside/"}, "a folder whose name"},
		{tar.Header{Typeflag: tar.TypeDir, Name: "../"}, "a folder whose name"},
		{tar.Header{Typeflag: tar.TypeDir, Name: "/"}, "a folder whose name"},
	} {
		archive := rawTar(t, c.header, "")
		refused(t, write(t, "export.tar", archive), nil, c.words)
		refused(t, write(t, "export.tar.zst", packtest.Zstd(t, archive)), nil, c.words)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	header := &zip.FileHeader{Name: "auth_user.csv"}
	header.SetMode(os.ModeSymlink | 0o777)
	f, err := w.CreateHeader(header)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "/etc/passwd")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	refused(t, write(t, "export.zip", out.Bytes()), nil, "a link")
}

// zipWith makes a zip whose directory says something about its only member.
func zipWith(t *testing.T, change func(directory []byte)) []byte {
	t.Helper()
	data := packtest.Zip(t, honest[:1], zip.Store)
	at := bytes.Index(data, []byte("PK\x01\x02"))
	change(data[at:])
	return data
}

// TestZipsThatCannotBeRead are refused when they are listed.
func TestZipsThatCannotBeRead(t *testing.T) {
	flag := func(bits uint16) func([]byte) {
		return func(d []byte) { binary.LittleEndian.PutUint16(d[8:], binary.LittleEndian.Uint16(d[8:])|bits) }
	}
	method := func(m uint16) func([]byte) { return func(d []byte) { binary.LittleEndian.PutUint16(d[10:], m) } }
	refused(t, write(t, "e.zip", zipWith(t, flag(1))), nil, "encrypted by a password")
	refused(t, write(t, "e.zip", zipWith(t, method(99))), nil, "encrypted by a password")
	refused(t, write(t, "e.zip", zipWith(t, method(14))), nil, "rare compression (method 14)")
	refused(t, write(t, "e.zip", zipWith(t, func(d []byte) { d[16] ^= 1 })), nil, "a member of the zip is damaged")
	refused(t, write(t, "e.zip", zipWith(t, func(d []byte) { binary.LittleEndian.PutUint32(d[24:], 5) })), nil, "the zip is damaged")
	refused(t, write(t, "e.zip", zipWith(t, func(d []byte) { binary.LittleEndian.PutUint32(d[24:], 500) })), nil, "the zip")
	refused(t, write(t, "e.zip", zipWith(t, func(d []byte) { binary.LittleEndian.PutUint32(d[42:], 1<<30) })), nil, "the zip")
	refused(t, write(t, "e.zip", []byte("this is no zip at all")), nil, "the zip is damaged")
	refused(t, write(t, "e.zip", nil), nil, "the zip is damaged")
}

// TestOverlap: a small zip whose members are one another's bytes is refused.
func TestOverlap(t *testing.T) {
	data := packtest.Zip(t, []packtest.Member{{Name: "a", Data: bytes.Repeat([]byte("a"), 1000)}, {Name: "b", Data: bytes.Repeat([]byte("b"), 1000)}}, zip.Store)
	first := bytes.Index(data, []byte("PK\x01\x02"))
	second := first + bytes.Index(data[first+4:], []byte("PK\x01\x02")) + 4
	copy(data[second+42:second+46], data[first+42:first+46]) // b lies where a does
	refused(t, write(t, "export.zip", data), nil, "lie in one another")
}

// TestBombs: what unpacks to much more than it is gets refused before it is read,
// or while it is.
func TestBombs(t *testing.T) {
	zeros := make([]byte, 65<<20)
	bomb := []packtest.Member{{Name: "auth_user.csv", Data: zeros}}
	refused(t, write(t, "e.zip", packtest.Zip(t, bomb, zip.Deflate)), nil, "more than 400 times")
	refused(t, write(t, "e.tar.gz", packtest.Gzip(t, packtest.Tar(t, bomb))), nil, "more than 400 times")
	refused(t, write(t, "e.tar.zst", packtest.Zstd(t, packtest.Tar(t, bomb))), nil, "more than 400 times")
	keys := packtest.NewKeys(t)
	refused(t, write(t, "e.csv.gpg", keys.GPG(t, zeros)), ring(t, keys, ""), "more than 400 times")
	many := make([]packtest.Member, 100_001)
	for i := range many {
		many[i].Name = fmt.Sprint(i)
	}
	refused(t, write(t, "e.zip", packtest.Zip(t, many, zip.Store)), nil, "more than 100000 files")
	refused(t, write(t, "e.tar", packtest.Tar(t, many)), nil, "more than 100000 files")
}

// TestCut: no package that lost its end is taken for a whole one, wherever it was
// cut.
func TestCut(t *testing.T) {
	keys := packtest.NewKeys(t)
	opens := ring(t, keys, "")
	archive := packtest.Tar(t, honest)
	for name, data := range map[string][]byte{
		"e.zip": packtest.Zip(t, honest, zip.Deflate), "e.tar": archive, "e.tar.gz": packtest.Gzip(t, archive), "e.tar.zst": packtest.Zstd(t, archive),
		"e.tar.gz.gpg": keys.GPG(t, packtest.Gzip(t, archive)), "e.tar.age": keys.AgeFile(t, archive), "e.csv.gpg": keys.GPG(t, honest[1].Data),
		"e.csv.age": keys.AgeFile(t, honest[1].Data), "e.tar.asc": keys.ASC(t, archive), "e.zip.age": keys.AgeFile(t, packtest.Zip(t, honest, zip.Deflate)),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := readAll(write(t, name, data), opens); err != nil {
				t.Fatal(err)
			}
			least := len(data) - 1
			switch name {
			case "e.tar": // two blocks of zeros end an archive, and one is enough
				least = len(data) - 2*512
			case "e.tar.asc": // the last line and the checksum are no part of the message
				least = bytes.LastIndex(data, []byte("\n=")) - 1
			}
			for _, size := range []int{0, 1, 30, len(data) / 3, len(data) / 2, 512, 1024, 1536, least - 20, least} {
				if size < 0 || size > least {
					continue
				}
				_, err := readAll(write(t, name, data[:size]), opens)
				var f *fault.Fault
				if !errors.As(err, &f) || f.Hint == "" {
					t.Errorf("cut at %d of %d: %v", size, len(data), err)
				}
			}
		})
	}
}

// TestSomethingFollows: what stands behind an archive or message is not lost
// without a word.
func TestSomethingFollows(t *testing.T) {
	keys := packtest.NewKeys(t)
	archive := packtest.Tar(t, honest)
	twice := bytes.Repeat(archive, 2)
	refused(t, write(t, "e.tar", twice), nil, "something follows the end of the archive")
	refused(t, write(t, "e.tar.gz", packtest.Gzip(t, twice)), nil, "something follows the end of the archive")
	opens := ring(t, keys, "")
	refused(t, write(t, "e.csv.gpg", bytes.Repeat(keys.GPG(t, []byte("id\n1\n")), 2)), opens, "something follows the OpenPGP message")
	refused(t, write(t, "e.csv.asc", bytes.Repeat(append(keys.ASC(t, []byte("id\n1\n")), '\n'), 2)), opens, "something follows the OpenPGP message")
	refused(t, write(t, "e.csv.age", append(keys.AgeFile(t, []byte("id\n1\n")), "more"...)), opens, "damaged")
	if _, err := readAll(write(t, "e.csv.asc", append(keys.ASC(t, []byte("id\n1\n")), '\n')), opens); err != nil {
		t.Error(err)
	}
}

// TestArchivesInArchives stay files, which no rule names: nothing is unpacked
// without end.
func TestArchivesInArchives(t *testing.T) {
	inner := packtest.Zip(t, honest, zip.Deflate)
	files, err := readAll(write(t, "e.tar", packtest.Tar(t, []packtest.Member{{Name: "inner.zip", Data: inner}})), nil)
	if err != nil || files["inner.zip"] != string(inner) {
		t.Errorf("%d files, %v", len(files), err)
	}
}

// FuzzOpen: whatever the bytes, a package is read or refused by a fault.
func FuzzOpen(f *testing.F) {
	keys := packtest.NewKeys(f)
	opens := ring(f, keys, "invented")
	small := []packtest.Member{{Name: "a.csv", Data: []byte("id\n1\n")}, {Name: "b/c.csv.gz", Data: packtest.Gzip(f, []byte("x\n"))}}
	names := []string{"e.zip", "e.tar", "e.tar.gz", "e.tar.zst", "e.csv.gpg", "e.csv.age", "e.tar.gpg", "e.zip.gpg"}
	for kind, data := range [][]byte{
		packtest.Zip(f, small, zip.Deflate), packtest.Tar(f, small), packtest.Gzip(f, packtest.Tar(f, small)), packtest.Zstd(f, packtest.Tar(f, small)),
		keys.GPG(f, small[0].Data), keys.AgeFile(f, small[0].Data), keys.Plain(f, packtest.Tar(f, small)), packtest.SymmetricGPG("invented")(f, packtest.Zip(f, small, zip.Store)),
	} {
		f.Add(uint8(kind), data)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		path := filepath.Join(dir, names[int(kind)%len(names)])
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := readAll(path, opens)
		var known *fault.Fault
		if err != nil && (!errors.As(err, &known) || known.Hint == "") {
			t.Fatalf("no fault, or no hint: %v", err)
		}
	})
}

// TestNoFile: what is no file is refused, and not waited for.
func TestNoFile(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "export.zip")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, pipe, nil, "no ordinary file")
	refused(t, filepath.Join(t.TempDir(), "nowhere.tar.gz"), nil, "cannot be opened")
	refused(t, filepath.Join(t.TempDir(), "nowhere.csv.gpg"), nil, "cannot be opened")
	refused(t, write(t, "notes.txt", []byte("x")), nil, "no folder and no package")
	if intake.Holds(pipe) != true || intake.Holds(filepath.Dir(pipe)) != true || intake.Holds("x.csv.gpg") {
		t.Error("deliveries are not told from files")
	}
}

// TestFoldersInArchives are nothing of their own, whatever plain name they have.
func TestFoldersInArchives(t *testing.T) {
	for _, name := range []string{"./", "a..b/", "./course/", "course/"} {
		files, err := readAll(write(t, "e.tar", rawTar(t, tar.Header{Typeflag: tar.TypeDir, Name: name}, "")), nil)
		if err != nil || len(files) != 0 {
			t.Errorf("%s in a tar: %v, %v", name, files, err)
		}
		files, err = readAll(write(t, "e.zip", packtest.Zip(t, []packtest.Member{{Name: name}}, zip.Store)), nil)
		if err != nil || len(files) != 0 {
			t.Errorf("%s in a zip: %v, %v", name, files, err)
		}
	}
	refused(t, write(t, "e.zip", packtest.Zip(t, []packtest.Member{{Name: "../x/"}}, zip.Store)), nil, "a folder whose name")
}
