package mongotest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"anonymooc/forum/corpus"
	"anonymooc/forum/corpus/mongo"
	"anonymooc/internal/fault"
	"anonymooc/internal/secret"
)

// commands notes what is sent.
type commands struct {
	mu   sync.Mutex
	seen []string
}

func (c *commands) monitor() *event.CommandMonitor {
	return &event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if !slices.Contains(c.seen, e.CommandName) {
			c.seen = append(c.seen, e.CommandName)
		}
	}}
}

// onlyReading makes sure that nothing could have changed the source.
func (c *commands) onlyReading(t *testing.T) {
	t.Helper()
	for _, name := range c.seen {
		if !slices.Contains(reading, name) {
			t.Errorf("%s was sent to the source", name)
		}
	}
}

// reading are the commands that change nothing.
var reading = []string{"hello", "isMaster", "ismaster", "find", "getMore", "killCursors", "listCollections", "saslStart", "saslContinue", "endSessions", "ping"}

func open(t testing.TB, o mongo.Options) *mongo.Server {
	t.Helper()
	s, err := mongo.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func uri(s string) secret.Secret { return secret.New([]byte(s)) }

// read reads a collection whole.
func read(t testing.TB, s *mongo.Server, collection string) ([]byte, error) {
	t.Helper()
	files, err := s.Files(context.Background(), []string{collection})
	if err != nil {
		return nil, err
	}
	in, err := files[0].Open(context.Background())
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(in)
}

// TestReading: a collection is read whole, in the order of its ids, as often as
// wanted, and nothing but reading commands is sent.
func TestReading(t *testing.T) {
	db := start(t)
	db.insert("forum", "contents", 2503)
	var sent commands
	s := open(t, mongo.Options{URI: uri(db.uri()), Database: "forum", Monitor: sent.monitor()})
	want := marshal(t, posts(2503)...)
	for range 2 {
		got, err := read(t, s, "contents")
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes are read, not %d: %v", len(got), len(want), err)
		}
	}
	files, err := s.Files(context.Background(), []string{"contents"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(files...)
	if err != nil || c.Index().Len() != 2503 {
		t.Fatalf("%v", err)
	}
	// What is written later is left out, what is changed is noticed.
	if s.Changed() {
		t.Error("the collection is said to have changed")
	}
	late := post(70_000)
	if _, err := db.client().Database("forum").Collection("contents").InsertOne(context.Background(), late); err != nil {
		t.Fatal(err)
	}
	if got, err := read(t, s, "contents"); err != nil || !bytes.Equal(got, want) || s.Changed() {
		t.Errorf("a later post is read: %d bytes, %v", len(got), err)
	}
	if _, err := db.client().Database("forum").Collection("contents").DeleteOne(context.Background(), bson.D{{Key: "_id", Value: post(17)[0].Value}}); err != nil {
		t.Fatal(err)
	}
	if got, err := read(t, s, "contents"); err != nil || len(got) >= len(want) || !s.Changed() {
		t.Errorf("a deleted post is not noticed: %d bytes, %v", len(got), err)
	}
	sent.onlyReading(t)
	if !slices.Contains(sent.seen, "getMore") {
		t.Errorf("%v: one batch held everything", sent.seen)
	}
}

// TestAbsent: what is not there is told, and an empty collection is a forum.
func TestAbsent(t *testing.T) {
	db := start(t)
	if err := db.client().Database("forum").CreateCollection(context.Background(), "contents"); err != nil {
		t.Fatal(err)
	}
	s := open(t, mongo.Options{URI: uri(db.uri() + "forum")})
	if got, err := read(t, s, "contents"); err != nil || len(got) != 0 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	var f *fault.Fault
	if _, err := read(t, s, "none"); !errors.As(err, &f) || f.Code != fault.Usage {
		t.Errorf("%v", err)
	}
}

// TestKilledInTheMiddle: a server that comes back is read on behind the last post;
// one that does not is a fault that names no server.
func TestKilledInTheMiddle(t *testing.T) {
	db := start(t)
	db.insert("forum", "contents", 2501)
	want := marshal(t, posts(2501)...)
	for _, comesBack := range []bool{true, false} {
		s := open(t, mongo.Options{URI: uri(db.uri() + "forum?serverSelectionTimeoutMS=500&connectTimeoutMS=500"), Patience: map[bool]time.Duration{true: time.Minute, false: time.Second}[comesBack]})
		files, err := s.Files(context.Background(), []string{"contents"})
		if err != nil {
			t.Fatal(err)
		}
		in, err := files[0].Open(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(want)/3)
		if _, err := io.ReadFull(in, got); err != nil {
			t.Fatal(err)
		}
		db.kill()
		if comesBack {
			time.AfterFunc(1500*time.Millisecond, db.begin)
		}
		rest, err := io.ReadAll(in)
		in.Close()
		switch {
		case comesBack && (err != nil || !bytes.Equal(append(got, rest...), want)):
			t.Fatalf("%d bytes of %d, %v", len(got)+len(rest), len(want), err)
		case !comesBack && err == nil:
			t.Fatal("a dead server was read to its end")
		case !comesBack:
			var f *fault.Fault
			if !errors.As(err, &f) || !strings.Contains(err.Error(), "cannot be reached") || strings.Contains(err.Error()+f.Hint, "127.0.0.1") {
				t.Errorf("%v", err)
			}
		}
	}
}

// TestForgottenCursor: a server that forgets a cursor is asked again from there.
func TestForgottenCursor(t *testing.T) {
	db := start(t)
	db.insert("forum", "contents", 2003)
	var mu sync.Mutex
	var cursors []int64
	monitor := &event.CommandMonitor{Succeeded: func(_ context.Context, e *event.CommandSucceededEvent) {
		if id, ok := e.Reply.Lookup("cursor", "id").AsInt64OK(); ok && id != 0 {
			mu.Lock()
			cursors = append(cursors, id)
			mu.Unlock()
		}
	}}
	s := open(t, mongo.Options{URI: uri(db.uri() + "forum"), Monitor: monitor})
	files, err := s.Files(context.Background(), []string{"contents"})
	if err != nil {
		t.Fatal(err)
	}
	in, err := files[0].Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	want := marshal(t, posts(2003)...)
	got := make([]byte, 1000)
	if _, err := io.ReadFull(in, got); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	kill := bson.A{}
	for _, id := range cursors {
		kill = append(kill, id)
	}
	mu.Unlock()
	if len(kill) == 0 {
		t.Fatal("no cursor was left open")
	}
	err = db.client().Database("forum").RunCommand(context.Background(), bson.D{{Key: "killCursors", Value: "contents"}, {Key: "cursors", Value: kill}}).Err()
	if err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(in)
	if err != nil || !bytes.Equal(append(got, rest...), want) {
		t.Fatalf("%d bytes of %d, %v", len(got)+len(rest), len(want), err)
	}
}

// TestIdsOfSeveralTypes: they are all read, though no comparison reaches them all.
func TestIdsOfSeveralTypes(t *testing.T) {
	db := start(t)
	target := db.client().Database("forum").Collection("contents")
	documents := []any{bson.D{{Key: "_id", Value: "text"}}, post(1), bson.D{{Key: "_id", Value: int32(4)}}, bson.D{{Key: "_id", Value: 4.5}}}
	if _, err := target.InsertMany(context.Background(), documents); err != nil {
		t.Fatal(err)
	}
	got, err := read(t, open(t, mongo.Options{URI: uri(db.uri() + "forum")}), "contents")
	if err != nil || len(got) != len(marshal(t, bson.D{{Key: "_id", Value: "text"}}, post(1), bson.D{{Key: "_id", Value: int32(4)}}, bson.D{{Key: "_id", Value: 4.5}})) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestLargeDocument: a document of nearly 16 MiB comes through.
func TestLargeDocument(t *testing.T) {
	db := start(t)
	d := append(post(1)[:4:4], bson.E{Key: "body", Value: strings.Repeat("Bonjour à tous. ", 1_048_000*16/17)})
	want := marshal(t, d)
	if len(want) < 15<<20 || len(want) > 16<<20 {
		t.Fatalf("%d bytes", len(want))
	}
	client := db.client()
	if _, err := client.Database("forum").Collection("contents").InsertOne(context.Background(), d, options.InsertOne()); err != nil {
		t.Fatal(err)
	}
	got, err := read(t, open(t, mongo.Options{URI: uri(db.uri() + "forum")}), "contents")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
	}
}

// TestWrongCredentials: whoever is not let in hears so, and reads no password.
func TestWrongCredentials(t *testing.T) {
	db := start(t)
	for _, address := range []string{
		"mongodb://bob:s3cret-of-bob@" + db.address + "/forum?authSource=admin",
		"mongodb://bob:s3cret-of-bob@127.0.0.1:1/forum?serverSelectionTimeoutMS=300",
		"mongodb://bob:s3cret-of-bob@" + db.address + "/forum?tls=true&serverSelectionTimeoutMS=300",
		"mongodb://bob:s3cret-of-bob@[::1/forum",
		"mongodb://bob:s3cret%zz@host/forum",
	} {
		_, err := mongo.Open(context.Background(), mongo.Options{URI: uri(address)})
		var f *fault.Fault
		if !errors.As(err, &f) {
			t.Errorf("%v", err)
			continue
		}
		t.Log(f, "/", f.Hint)
		if text := err.Error(); strings.Contains(text, "s3cret") || strings.Contains(text, "bob") || strings.Contains(text, "127.0.0.1") {
			t.Errorf("the message tells: %s", text)
		}
	}
}
