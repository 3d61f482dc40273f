package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"anonymooc/forum/corpus/mongo"
	"anonymooc/internal/fault"
	"anonymooc/internal/secret"
	"anonymooc/internal/source"
	"anonymooc/release"
)

// mongoFlags say where a forum is read from a server, and written to one.
type mongoFlags struct {
	from        string
	database    string
	collections []string

	to         string
	toDatabase string
}

// add adds the flags of commands that read a forum.
func (f *mongoFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.from, "forum-mongo", "", "MongoDB `server` to read the forum from: file:PATH (0600) or env:NAME of its connection string, - to be asked, mongodb://… if it has no password")
	flags.StringVar(&f.database, "forum-db", "", "the forum's database there (default: the one the connection string names, else "+mongo.DefaultDatabase+")")
	flags.StringSliceVar(&f.collections, "forum-collection", []string{mongo.DefaultCollection}, "collections to read there")
}

// addTarget adds the flags of run that write the anonymised forum to a server.
func (f *mongoFlags) addTarget(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.to, "forum-mongo-out", "", "MongoDB `server` to write the released forum to as well, named as for --forum-mongo")
	flags.StringVar(&f.toDatabase, "forum-out-db", "", "the database there (default: the one the connection string names)")
}

// argumentsOrServer is arguments, the last of which is an export: one less is
// needed when the forum or the tables come from a server.
func argumentsOrServer(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("forum-mongo") || cmd.Flags().Changed("database-from") {
			return arguments(least-1, most, what)(cmd, args)
		}
		return arguments(least, most, what)(cmd, args)
	}
}

// open connects to the source, if there is one, and gives its collections.
func (f *mongoFlags) open(ctx context.Context) (*mongo.Server, []source.File, error) {
	if f.from == "" {
		if f.database != "" {
			return nil, nil, fault.New(fault.Usage, "--forum-db names a database, and no flag a server").WithHint("--forum-mongo names the server")
		}
		return nil, nil, nil
	}
	server, err := connect(ctx, f.from, f.database)
	if err != nil {
		return nil, nil, err
	}
	files, err := server.Files(ctx, f.collections)
	if err != nil {
		return nil, nil, errors.Join(err, server.Close())
	}
	return server, files, nil
}

func connect(ctx context.Context, spec, database string) (*mongo.Server, error) {
	address, err := mongo.Address(spec, secret.Ask)
	if err != nil {
		return nil, err
	}
	return mongo.Open(ctx, mongo.Options{URI: address, Database: database})
}

// openTarget connects to the target, if there is one, and makes sure that it is
// not the source.
func (f *mongoFlags) openTarget(ctx context.Context, source *mongo.Server) (*mongo.Server, error) {
	if f.to == "" {
		return nil, nil
	}
	target, err := connect(ctx, f.to, f.toDatabase)
	if err != nil {
		return nil, err
	}
	if source != nil {
		if err := mongo.Apart(ctx, source, target, f.collections); err != nil {
			return nil, errors.Join(err, target.Close())
		}
	}
	return target, nil
}

// tellChange warns of a forum that did not stay the same while it was read.
func tellChange(tell io.Writer, server *mongo.Server) {
	if server != nil && server.Changed() {
		fmt.Fprintln(tell, "warning: the forum was written to while it was read: what was changed in between is released as it was read last (see docs/sources/mongodb.md)")
	}
}

// load writes the forum files of a published release to the target.
func load(ctx context.Context, out io.Writer, target *mongo.Server, result *release.Result, replace bool) error {
	loaded := map[string]string{}
	for _, o := range result.Manifest.Outputs {
		if !strings.HasPrefix(o.Table, "forum") {
			continue
		}
		file := source.OnDisk(filepath.Join(result.Out, filepath.FromSlash(o.Path)))
		file.Name = o.Path
		collection, ok := strings.CutSuffix(strings.TrimSuffix(path.Base(o.Path), source.CodecOf(o.Path).Suffix()), ".bson")
		if !ok {
			return fault.New(fault.Usage, "only a forum in BSON can be written to a server").At(o.Path, 0, "").
				WithHint("the release is complete; mongoimport reads its JSON into a collection")
		}
		if other, twice := loaded[collection]; twice {
			return fault.New(fault.Usage, "two files of the release would be one collection: this and %s", other).At(o.Path, 0, "").
				WithHint("the release is complete; mongorestore puts its files where you say")
		}
		loaded[collection] = o.Path
		did, err := target.Load(ctx, collection, replace, func() (io.ReadCloser, error) { return file.Read(ctx) })
		if err != nil {
			var f *fault.Fault
			if errors.As(err, &f) && f.Hint == "" {
				f.WithHint("the release itself is complete")
			}
			return err
		}
		what := "written to the server"
		if did.Already {
			what = "on the server already"
		}
		if _, err := fmt.Fprintf(out, "%s: %s documents, %s as %s\n", o.Path, thousands(did.Documents), what, collection); err != nil {
			return err
		}
	}
	if len(loaded) == 0 {
		return fault.New(fault.Usage, "the release holds no forum to be written to a server").WithHint("leave out --forum-mongo-out")
	}
	return nil
}

// forumsAmong keeps the files of a server that hold posts.
func forumsAmong(files []source.File) []source.File {
	return slices.DeleteFunc(slices.Clone(files), func(f source.File) bool { return f.Name != "contents.bson" && f.Name != "forum.bson" })
}
