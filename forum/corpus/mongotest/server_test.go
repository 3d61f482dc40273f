package mongotest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/FerretDB/FerretDB/ferretdb"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// The test's binary is the server too, in a process of its own that can be killed.
const (
	serverOf = "MONGOTEST_SERVER"   // the folder of its SQLite files
	serverPG = "MONGOTEST_POSTGRES" // or the URL of its PostgreSQL database
	serverAt = "MONGOTEST_ADDRESS"
)

func TestMain(m *testing.M) {
	if os.Getenv(serverAt) != "" {
		os.Exit(serve())
	}
	os.Exit(m.Run())
}

// serve runs a FerretDB until it is told to end.
func serve() int {
	config := &ferretdb.Config{
		Listener: ferretdb.ListenerConfig{TCP: os.Getenv(serverAt)},
		Logger:   slog.New(slog.NewTextHandler(io.Discard, nil)), Handler: "sqlite", SQLiteURL: "file:" + os.Getenv(serverOf) + "/",
	}
	if url := os.Getenv(serverPG); url != "" {
		config.Handler, config.PostgreSQLURL = "postgresql", url
	}
	f, err := ferretdb.New(config)
	if err != nil {
		fmt.Println("failed:", err)
		return 1
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go func() { // the parent's end of the pipe closes when the parent dies
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	fmt.Println("ready")
	if err := f.Run(ctx); err != nil {
		return 1
	}
	return 0
}

// server is a FerretDB in a process of its own.
type server struct {
	t       testing.TB
	dir     string
	address string
	extra   []string
	mu      sync.Mutex
	process *exec.Cmd
	stdin   io.Closer
}

// start starts a server on a free port.
func start(t testing.TB, extra ...string) *server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, dir: t.TempDir(), address: listener.Addr().String(), extra: extra}
	listener.Close()
	t.Cleanup(s.kill)
	s.begin()
	return s
}

// begin starts the process, again after a kill, on the same files.
func (s *server) begin() {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.process = exec.Command(os.Args[0])
	s.process.Env = append(append(os.Environ(), serverOf+"="+s.dir, serverAt+"="+s.address, "TMPDIR="+s.dir), s.extra...)
	s.process.Dir = s.dir
	var err error
	if s.stdin, err = s.process.StdinPipe(); err != nil {
		s.t.Fatal(err)
	}
	out, err := s.process.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != "ready" {
		s.t.Fatalf("the server says %q, %v", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
}

// kill ends the process as a power cut does.
func (s *server) kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil {
		return
	}
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
	s.stdin.Close()
	s.process = nil
}

func (s *server) uri() string { return "mongodb://" + s.address + "/" }

// client is a plain connection of the driver, to prepare and to look.
func (s *server) client() *mongo.Client {
	s.t.Helper()
	client, err := mongo.Connect(options.Client().ApplyURI(s.uri()).SetServerSelectionTimeout(20 * time.Second))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = client.Disconnect(context.Background()) })
	return client
}

// someone writes a post: ids and texts are told by its number.
func post(i int) bson.D {
	id := bson.ObjectID{0x52, 0xee, 0x7a, 0, 0, 0, 0, 0, 0, byte(i >> 16), byte(i >> 8), byte(i)}
	thread := bson.ObjectID{0x52, 0xee, 0x7a, 0, 0, 0, 0, 0, 0, byte(i &^ 7 >> 16), byte(i &^ 7 >> 8), byte(i &^ 7)}
	d := bson.D{
		{Key: "_id", Value: id}, {Key: "_type", Value: "Comment"}, {Key: "author_id", Value: fmt.Sprint(1 + i%97)}, {Key: "author_username", Value: fmt.Sprintf("learner%d", 1+i%97)},
		{Key: "body", Value: fmt.Sprintf("Merci à tous, message %d : la leçon était très claire.", i)}, {Key: "course_id", Value: "a/b/c"},
		{Key: "created_at", Value: bson.DateTime(1391421072000 + int64(i)*1000)}, {Key: "votes", Value: bson.D{{Key: "up", Value: bson.A{fmt.Sprint(1 + i%89)}}, {Key: "count", Value: int32(1)}}},
		{Key: "endorsed", Value: false}, {Key: "depth", Value: int64(i % 3)},
	}
	if i%8 == 0 {
		d[1].Value = "CommentThread"
		return append(d, bson.E{Key: "title", Value: fmt.Sprintf("Question %d", i)})
	}
	return append(d, bson.E{Key: "comment_thread_id", Value: thread})
}

// insert fills a collection with posts, in an order that is not that of their ids.
func (s *server) insert(database, collection string, posts int) {
	s.t.Helper()
	target := s.client().Database(database).Collection(collection)
	for from := 0; from < posts; from += 1000 {
		var documents []any
		for i := from; i < min(from+1000, posts); i++ {
			documents = append(documents, post((i*7+3)%posts))
		}
		if posts%7 == 0 {
			s.t.Fatal("a number of posts that 7 divides makes some twice")
		}
		if _, err := target.InsertMany(context.Background(), documents); err != nil {
			s.t.Fatal(err)
		}
	}
}

// marshal gives documents as they stand in a file.
func marshal(t testing.TB, documents ...bson.D) []byte {
	t.Helper()
	var out []byte
	for _, d := range documents {
		b, err := bson.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b...)
	}
	return out
}

// posts are the first posts in the order of their ids.
func posts(n int) []bson.D {
	all := make([]bson.D, n)
	for i := range all {
		all[i] = post(i)
	}
	return all
}

func writeFile(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
