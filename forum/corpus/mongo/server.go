// Package mongo reads the collections of a forum from a MongoDB server, and
// writes anonymised ones to another.
//
//	Address (file, environment, prompt) ─► Open ─► Files ─► source.File: BSON ─► release, forum
//	                                         │       └ find by _id, batch by batch, on again behind
//	                                         │         the last _id when the connection breaks
//	                                         └► Load: a verified BSON file ─► contents-partial-… ─► contents
//
// From a source nothing but reading commands is sent: hello, find, getMore,
// killCursors, listCollections and what logging in takes. A connection string is
// a secret: no message, log or manifest holds it, nor the names of servers.
//
// A collection is read several times during a run, and a server goes on living
// meanwhile: what is written behind the last _id of the first reading is left
// out, what is changed before it is released as it was read last. Changed tells
// whether something was. Who needs one moment of a forum reads a dump.
package mongo

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"

	"anonymooc/internal/fault"
	"anonymooc/internal/secret"
	"anonymooc/internal/source"
)

// Options say which server, and what of it.
type Options struct {
	URI      secret.Secret
	Database string // empty: the one that the URI names
	// Patience is how long a broken connection is tried again without anything
	// having been read; 0 for a minute.
	Patience time.Duration
	// Monitor hears of every command that is sent; nil for nobody.
	Monitor *event.CommandMonitor
}

// Server is an open connection to one database.
type Server struct {
	client   *mongo.Client
	database *mongo.Database
	patience time.Duration

	mu      sync.Mutex
	bounds  map[string]*bounds
	changed map[string]bool
}

// Old and new forums keep their posts in cs_comments_service.contents.
const (
	DefaultDatabase   = "cs_comments_service"
	DefaultCollection = "contents"
)

// perRequest bounds what one answer may take.
const perRequest = 2 * time.Minute

// Open connects and asks what there is, so that a wrong address or password is told
// at once.
func Open(ctx context.Context, o Options) (*Server, error) {
	settings := options.Client().ApplyURI(string(o.URI.Reveal())).SetAppName("anonymooc").SetMaxPoolSize(4)
	if err := settings.Validate(); err != nil {
		// The reason may quote the string.
		return nil, fault.New(fault.Usage, "the connection string of the forum's server cannot be read").
			WithHint("it looks like mongodb://user:password@host:27017/?authSource=admin, with %%40 for an @ in the password")
	}
	if settings.ServerSelectionTimeout == nil {
		settings.SetServerSelectionTimeout(10 * time.Second)
	}
	if settings.ConnectTimeout == nil {
		settings.SetConnectTimeout(10 * time.Second)
	}
	if settings.ReadPreference == nil {
		settings.SetReadPreference(readpref.PrimaryPreferred())
	}
	if o.Monitor != nil {
		settings.SetMonitor(o.Monitor)
	}
	name := o.Database
	if name == "" {
		name = databaseOf(string(o.URI.Reveal()))
	}
	client, err := mongo.Connect(settings)
	if err != nil {
		return nil, explain(err)
	}
	s := &Server{client: client, database: client.Database(name), patience: o.Patience, bounds: map[string]*bounds{}, changed: map[string]bool{}}
	if s.patience == 0 {
		s.patience = time.Minute
	}
	if _, err := s.names(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// names lists the collections that the user may see.
func (s *Server) names(ctx context.Context) ([]string, error) {
	names, err := s.database.ListCollectionNames(ctx, bson.D{}, options.ListCollections().SetNameOnly(true).SetAuthorizedCollections(true))
	if err != nil {
		return nil, explain(err)
	}
	return names, nil
}

// databaseOf is the database that a connection string names in its path.
func databaseOf(uri string) string {
	_, rest, _ := strings.Cut(uri, "://")
	if _, path, ok := strings.Cut(rest, "/"); ok {
		if name, _, _ := strings.Cut(path, "?"); name != "" {
			return name
		}
	}
	return DefaultDatabase
}

// Close ends the connection.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = s.client.Disconnect(ctx) // there is nothing left to lose
	return nil
}

// Files are the collections of a forum as files of BSON, called as mongodump
// would: contents.bson. A collection of another name is a forum.bson.
func (s *Server) Files(ctx context.Context, collections []string) ([]source.File, error) {
	names, err := s.names(ctx)
	if err != nil {
		return nil, err
	}
	var files []source.File
	for _, collection := range collections {
		if !slices.Contains(names, collection) {
			return nil, fault.New(fault.Usage, "the database of the forum's server has no such collection").At(FileName(collection), 0, "").
				WithHint("--forum-db names the database, --forum-collection the collection: contents in most forums")
		}
		file := source.File{Name: FileName(collection), Size: source.Unknown}
		if slices.ContainsFunc(files, func(f source.File) bool { return f.Name == file.Name }) {
			return nil, fault.New(fault.Usage, "two collections would be one file of the release").At(file.Name, 0, "").
				WithHint("read them in two runs")
		}
		file.Open = s.opener(collection)
		files = append(files, file)
	}
	return files, nil
}

// FileName is the name of a collection's file in a release.
func FileName(collection string) string {
	switch collection {
	case "contents", "users", "subscriptions":
		return collection + ".bson"
	}
	return "forum.bson"
}

// Changed reports whether a collection was not the same each time it was read.
func (s *Server) Changed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, changed := range s.changed {
		if changed {
			return true
		}
	}
	return false
}
