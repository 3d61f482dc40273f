package mongo

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"

	"anonymooc/internal/fault"
)

// Loaded says what Load did.
type Loaded struct {
	Documents int64
	Already   bool // the collection held the same documents before
}

// Load puts the documents of a BSON file into a fresh collection of the server,
// reads them back, and gives it its name only then. What a killed Load left is
// removed first. A collection that is there with the same documents is left as it
// is; one with others is replaced only if the caller says so.
//
// open gives the file as often as it is called.
func (s *Server) Load(ctx context.Context, collection string, replace bool, open func() (io.ReadCloser, error)) (Loaded, error) {
	wanted, err := digestFile(open)
	if err != nil {
		return Loaded{}, err
	}
	names, err := s.names(ctx)
	if err != nil {
		return Loaded{}, err
	}
	there := slices.Contains(names, collection)
	if there {
		have, err := s.digest(ctx, collection)
		if err != nil {
			return Loaded{}, err
		}
		if have == wanted {
			return Loaded{Documents: wanted.count, Already: true}, s.sweep(ctx, names, collection)
		}
		if !replace {
			return Loaded{}, fault.New(fault.Usage, "the target has this collection already, with other documents").At(collection, 0, "").
				WithHint("name another database with --forum-out-db, or pass --replace")
		}
	}
	partial := collection + partialMark + hex.EncodeToString(wanted.sum[:6])
	if err := s.sweep(ctx, names, collection); err != nil {
		return Loaded{}, err
	}
	if err := s.fill(ctx, partial, collection, open); err != nil {
		return Loaded{}, err
	}
	have, err := s.digest(ctx, partial)
	if err != nil {
		return Loaded{}, err
	}
	if have != wanted {
		return Loaded{}, fault.New(fault.Failure, "the target does not hold what was written: %d of %d documents, or others", have.count, wanted.count).At(collection, 0, "").
			WithHint("is somebody else writing to the target? The unfinished collection is called %s", partial)
	}
	return Loaded{Documents: wanted.count}, s.rename(ctx, partial, collection, there)
}

// partialMark stands between a collection's name and what tells whose unfinished
// copy it is.
const partialMark = "-partial-"

// sweep removes what killed runs left of a collection.
func (s *Server) sweep(ctx context.Context, names []string, collection string) error {
	for _, name := range names {
		if strings.HasPrefix(name, collection+partialMark) {
			if err := s.database.Collection(name).Drop(ctx); err != nil {
				return explain(err)
			}
		}
	}
	return nil
}

// The most that is sent to a server at once.
const (
	bulkDocuments = 500
	bulkBytes     = 8 << 20
)

// largest is the longest document that a server takes.
const largest = 16 << 20

// fill inserts the documents in order, many at a time.
func (s *Server) fill(ctx context.Context, partial, collection string, open func() (io.ReadCloser, error)) error {
	// An empty forum is a collection too.
	if err := s.database.CreateCollection(ctx, partial); err != nil {
		return explain(err)
	}
	in, err := open()
	if err != nil {
		return err
	}
	defer in.Close()
	target := s.database.Collection(partial)
	var bulk []any
	size := 0
	flush := func() error {
		if len(bulk) == 0 {
			return nil
		}
		ctx, cancel := context.WithTimeout(ctx, perRequest)
		defer cancel()
		_, err := target.InsertMany(ctx, bulk, options.InsertMany().SetOrdered(true))
		bulk, size = bulk[:0], 0
		if err != nil {
			return explain(err)
		}
		return nil
	}
	err = eachDocument(in, func(number int64, document bson.Raw) error {
		if len(document) > largest {
			return fault.New(fault.Failure, "document %d is longer than the 16 MiB that a server takes", number).At(FileName(collection), 0, "").
				WithHint("names became longer pseudonyms in it; the release's file holds it whole")
		}
		if len(bulk) == bulkDocuments || size+len(document) > bulkBytes {
			if err := flush(); err != nil {
				return err
			}
		}
		bulk = append(bulk, document)
		size += len(document)
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// rename gives a finished collection its name.
func (s *Server) rename(ctx context.Context, partial, collection string, there bool) error {
	name := s.database.Name() + "."
	admin := s.client.Database("admin")
	order := bson.D{{Key: "renameCollection", Value: name + partial}, {Key: "to", Value: name + collection}}
	if there {
		err := admin.RunCommand(ctx, append(slices.Clone(order), bson.E{Key: "dropTarget", Value: true})).Err()
		if err == nil {
			return nil
		}
		var command mongo.CommandError
		if !errors.As(err, &command) || command.Code != codeNotImplemented {
			return explain(err)
		}
		// A server that cannot replace while it renames.
		if err := s.database.Collection(collection).Drop(ctx); err != nil {
			return explain(err)
		}
	}
	if err := admin.RunCommand(ctx, order).Err(); err != nil {
		return explain(err)
	}
	return nil
}

// codeNotImplemented is the code of what a server knows and does not do.
const codeNotImplemented = 238

// digest stands for the documents of a collection, whatever their order.
type digest struct {
	count int64
	sum   [sha256.Size]byte
}

func (d *digest) add(document []byte) {
	d.count++
	one, carry := sha256.Sum256(document), uint16(0)
	for i := range d.sum { // addition, so that the same document twice is not none
		carry += uint16(d.sum[i]) + uint16(one[i])
		d.sum[i] = byte(carry)
		carry >>= 8
	}
}

func digestFile(open func() (io.ReadCloser, error)) (d digest, err error) {
	in, err := open()
	if err != nil {
		return d, err
	}
	defer in.Close()
	err = eachDocument(in, func(_ int64, document bson.Raw) error { d.add(document); return nil })
	return d, err
}

func (s *Server) digest(ctx context.Context, collection string) (d digest, err error) {
	cursor, err := s.database.Collection(collection).Find(ctx, bson.D{}, options.Find().SetBatchSize(batch))
	if err != nil {
		return d, explain(err)
	}
	defer cursor.Close(context.WithoutCancel(ctx))
	for cursor.Next(ctx) {
		d.add(cursor.Current)
	}
	if err := cursor.Err(); err != nil {
		return d, explain(err)
	}
	return d, nil
}

// eachDocument reads BSON documents one behind the other; each is the visitor's.
func eachDocument(in io.Reader, visit func(number int64, document bson.Raw) error) error {
	r := bufio.NewReaderSize(in, 1<<18)
	for number := int64(1); ; number++ {
		var head [4]byte
		if _, err := io.ReadFull(r, head[:]); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return cutOff(number)
		}
		length := int32(binary.LittleEndian.Uint32(head[:]))
		if length < 5 || length > 4*largest {
			return cutOff(number)
		}
		document := make(bson.Raw, length)
		copy(document, head[:])
		if _, err := io.ReadFull(r, document[4:]); err != nil {
			return cutOff(number)
		}
		if err := visit(number, document); err != nil {
			return err
		}
	}
}

func cutOff(number int64) error {
	return fault.New(fault.Failure, "document %d of the release is damaged", number).WithHint("make the release again")
}

// Apart makes sure that a target's collection is not the source's, whatever name
// and address each was reached by: a marker that is written to the target must not
// be seen by the source, nor may both belong to one replica set.
func Apart(ctx context.Context, source, target *Server, collections []string) error {
	if !strings.EqualFold(source.database.Name(), target.database.Name()) {
		return nil // a server has both
	}
	refusal := fault.New(fault.Usage, "the target is the source: the forum would be replaced by its anonymised copy").At(strings.Join(collections, ", "), 0, "").
		WithHint("name another database with --forum-out-db, or another server")
	same, err := sameSet(ctx, source, target)
	if err != nil {
		return err
	}
	if same {
		return refusal
	}
	var random [12]byte
	if _, err := rand.Read(random[:]); err != nil {
		return err
	}
	marker := "anonymooc-marker-" + hex.EncodeToString(random[:])
	written := target.database.Collection(marker)
	if _, err := written.InsertOne(ctx, bson.D{{Key: "_id", Value: marker}}); err != nil {
		return explain(err)
	}
	primary := options.Collection().SetReadPreference(readpref.Primary())
	err = source.database.Collection(marker, primary).FindOne(ctx, bson.D{{Key: "_id", Value: marker}}).Err()
	drop, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if dropped := written.Drop(drop); dropped != nil && err != nil {
		return explain(dropped)
	}
	switch {
	case err == nil:
		return refusal
	case !errors.Is(err, mongo.ErrNoDocuments):
		return explain(err)
	}
	return nil
}

// sameSet reports whether two servers are of one replica set.
func sameSet(ctx context.Context, source, target *Server) (bool, error) {
	var of [2]struct {
		SetName string   `bson:"setName"`
		Hosts   []string `bson:"hosts"`
	}
	for i, s := range [...]*Server{source, target} {
		if err := s.database.RunCommand(ctx, bson.D{{Key: "hello", Value: 1}}).Decode(&of[i]); err != nil {
			return false, explain(err)
		}
	}
	if of[0].SetName == "" || of[0].SetName != of[1].SetName {
		return false, nil
	}
	return slices.ContainsFunc(of[0].Hosts, func(host string) bool { return slices.Contains(of[1].Hosts, host) }), nil
}
