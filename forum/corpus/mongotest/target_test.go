package mongotest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"anonymooc/forum/corpus/mongo"
	"anonymooc/internal/fault"
)

// from gives bytes as often as they are asked for.
func from(data []byte) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
}

func collectionsOf(t *testing.T, db *server, database string) []string {
	t.Helper()
	names, err := db.client().Database(database).ListCollectionNames(context.Background(), bson.D{})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

// TestLoading: what is written is what is read; nothing is written twice or over
// something else, and an unfinished copy never has the name.
func TestLoading(t *testing.T) {
	db := start(t)
	ctx := context.Background()
	s := open(t, mongo.Options{URI: uri(db.uri()), Database: "research"})
	data := marshal(t, posts(2003)...)
	if did, err := s.Load(ctx, "contents", false, from(data)); err != nil || did.Documents != 2003 || did.Already {
		t.Fatalf("%+v, %v", did, err)
	}
	if got, err := read(t, open(t, mongo.Options{URI: uri(db.uri()), Database: "research"}), "contents"); err != nil || !bytes.Equal(got, data) {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	// A run that was killed before it could tell: the same again changes nothing.
	if did, err := s.Load(ctx, "contents", false, from(data)); err != nil || !did.Already {
		t.Errorf("%+v, %v", did, err)
	}
	other := marshal(t, posts(1001)...)
	var f *fault.Fault
	if _, err := s.Load(ctx, "contents", false, from(other)); !errors.As(err, &f) || f.Code != fault.Usage {
		t.Errorf("a collection with other documents: %v", err)
	}
	if did, err := s.Load(ctx, "contents", true, from(other)); err != nil || did.Documents != 1001 {
		t.Errorf("%+v, %v", did, err)
	}
	// Damaged data, a document that is too long and an _id that is there twice
	// leave the collection as it was.
	long := marshal(t, append(post(1)[:4:4], bson.E{Key: "body", Value: strings.Repeat("x", 17<<20)}))
	for name, wrong := range map[string][]byte{"cut": data[:len(data)-1], "long": append(bytes.Clone(other), long...), "twice": append(bytes.Clone(other), marshal(t, post(5))...),
		"utf-8": append(bytes.Clone(other), marshal(t, append(post(1500)[:4:4], bson.E{Key: "body", Value: "\xff\xfe"}))...)} {
		if _, err := s.Load(ctx, "contents", true, from(wrong)); err == nil {
			t.Errorf("%s was loaded", name)
		}
		if got, err := read(t, open(t, mongo.Options{URI: uri(db.uri()), Database: "research"}), "contents"); err != nil || !bytes.Equal(got, other) {
			t.Errorf("after %s there are %d bytes, %v", name, len(got), err)
		}
	}
	// What those left is swept away by the next.
	if did, err := s.Load(ctx, "contents", true, from(data)); err != nil || did.Documents != 2003 {
		t.Errorf("%+v, %v", did, err)
	}
	if names := collectionsOf(t, db, "research"); !slices.Equal(names, []string{"contents"}) {
		t.Errorf("the target holds %v", names)
	}
	if did, err := s.Load(ctx, "users", false, from(nil)); err != nil || did.Documents != 0 {
		t.Errorf("an empty collection: %+v, %v", did, err)
	}
}

// TestLoadKilled: a target that dies in the middle holds no collection of the
// name, and the next load is whole.
func TestLoadKilled(t *testing.T) {
	db := start(t)
	ctx := context.Background()
	data := marshal(t, posts(3001)...)
	s := open(t, mongo.Options{URI: uri(db.uri() + "?serverSelectionTimeoutMS=500"), Database: "research"})
	reads := 0
	half := func() (io.ReadCloser, error) {
		if reads++; reads == 1 {
			return io.NopCloser(bytes.NewReader(data)), nil
		}
		return io.NopCloser(io.MultiReader(bytes.NewReader(data[:len(data)/2]), killing{db}, bytes.NewReader(data[len(data)/2:]))), nil
	}
	if _, err := s.Load(ctx, "contents", false, half); err == nil {
		t.Fatal("a dead server took everything")
	}
	db.begin()
	if names := collectionsOf(t, db, "research"); slices.Contains(names, "contents") || len(names) != 1 {
		t.Errorf("the target holds %v", names)
	}
	s = open(t, mongo.Options{URI: uri(db.uri()), Database: "research"})
	if did, err := s.Load(ctx, "contents", false, from(data)); err != nil || did.Documents != 3001 {
		t.Fatalf("%+v, %v", did, err)
	}
	if names := collectionsOf(t, db, "research"); !slices.Equal(names, []string{"contents"}) {
		t.Errorf("the target holds %v", names)
	}
}

// killing is a reader that kills a server when it is read.
type killing struct{ *server }

func (k killing) Read([]byte) (int, error) {
	k.kill()
	return 0, io.EOF
}

// TestTheSourceIsNoTarget: under whatever name.
func TestTheSourceIsNoTarget(t *testing.T) {
	db, elsewhere := start(t), start(t)
	db.insert("forum", "contents", 11)
	ctx := context.Background()
	source := open(t, mongo.Options{URI: uri(db.uri() + "forum")})
	_, port, _ := strings.Cut(db.address, ":")
	for _, c := range []struct {
		target string
		apart  bool
	}{
		{db.uri() + "forum", false}, {"mongodb://localhost:" + port + "/forum", false}, {"mongodb://127.0.0.2:" + port + "/forum?directConnection=true&serverSelectionTimeoutMS=500", false},
		{db.uri() + "research", true}, {elsewhere.uri() + "forum", true},
	} {
		target, err := mongo.Open(ctx, mongo.Options{URI: uri(c.target)})
		if err != nil {
			t.Logf("%s cannot be reached here", strings.Replace(c.target, port, "PORT", 1)) // the server listens on one address only
			continue
		}
		err = mongo.Apart(ctx, source, target, []string{"contents"})
		if (err == nil) != c.apart {
			t.Errorf("%s: %v", strings.Replace(c.target, port, "PORT", 1), err)
		}
		target.Close()
	}
	if names := collectionsOf(t, db, "forum"); !slices.Equal(names, []string{"contents"}) {
		t.Errorf("the source holds %v", names)
	}
}

// BenchmarkHundredThousand reads and writes 100,000 posts. The server's own speed
// is the limit: it is measured beside, by the driver alone.
func BenchmarkHundredThousand(b *testing.B) {
	const n = 100_000
	db := start(b)
	data := marshal(b, posts(n)...)
	ctx := context.Background()
	for b.Loop() {
		begin := time.Now()
		if _, err := open(b, mongo.Options{URI: uri(db.uri()), Database: "forum"}).Load(ctx, "contents", true, from(data)); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(n/time.Since(begin).Seconds(), "written_and_read_back/s")
		begin = time.Now()
		got, err := read(b, open(b, mongo.Options{URI: uri(db.uri()), Database: "forum"}), "contents")
		if err != nil || !bytes.Equal(got, data) {
			b.Fatalf("%d bytes, %v", len(got), err)
		}
		b.ReportMetric(n/time.Since(begin).Seconds(), "read/s")
		begin = time.Now()
		cursor, err := db.client().Database("forum").Collection("contents").Find(ctx, bson.D{})
		if err != nil {
			b.Fatal(err)
		}
		for cursor.Next(ctx) {
		}
		b.ReportMetric(n/time.Since(begin).Seconds(), "driver_alone/s")
	}
}
