package mongotest

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"

	drivermongo "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"anonymooc/forum/corpus/mongo"
	"anonymooc/internal/fault"
	"anonymooc/internal/sqltest"
)

// TestOnPostgreSQL: the same on a server that keeps its documents elsewhere and
// asks for a password.
func TestOnPostgreSQL(t *testing.T) {
	postgres := sqltest.PostgreSQL(t)
	postgres.Run("", "CREATE DATABASE ferretdb")
	db := start(t, serverPG+"=postgres://"+postgres.Address+"/ferretdb")
	with := func(password string) string {
		return "mongodb://" + postgres.User + ":" + url.QueryEscape(password) + "@" + db.address + "/?authMechanism=PLAIN"
	}
	ctx := context.Background()
	client, err := drivermongo.Connect(options.Client().ApplyURI(with(sqltest.Password)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Disconnect(ctx) }()
	var documents []any
	for _, d := range posts(1201) {
		documents = append(documents, d)
	}
	if _, err := client.Database("forum").Collection("contents").InsertMany(ctx, documents); err != nil {
		t.Fatal(err)
	}
	var sent commands
	want := marshal(t, posts(1201)...)
	s := open(t, mongo.Options{URI: uri(with(sqltest.Password)), Database: "forum", Monitor: sent.monitor()})
	if got, err := read(t, s, "contents"); err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	sent.onlyReading(t)
	target := open(t, mongo.Options{URI: uri(with(sqltest.Password)), Database: "research"})
	if err := mongo.Apart(ctx, s, target, []string{"contents"}); err != nil {
		t.Error(err)
	}
	if err := mongo.Apart(ctx, s, open(t, mongo.Options{URI: uri(with(sqltest.Password)), Database: "forum"}), []string{"contents"}); err == nil {
		t.Error("the source is a target")
	}
	if did, err := target.Load(ctx, "contents", false, from(want)); err != nil || did.Documents != 1201 {
		t.Fatalf("%+v, %v", did, err)
	}
	// FerretDB passes on what PostgreSQL says as an error of its own.
	_, err = mongo.Open(ctx, mongo.Options{URI: uri(with("s3cret-of-bob")), Database: "forum"})
	var f *fault.Fault
	if !errors.As(err, &f) || !strings.Contains(err.Error(), "refuses") || strings.Contains(err.Error()+f.Hint, "s3cret") {
		t.Errorf("%v", err)
	}
}
