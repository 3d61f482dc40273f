package mongo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"anonymooc/internal/fault"
)

// batch is how many documents a server sends at once.
const batch = 1000

// bounds say what of a collection is read: what was there the first time.
type bounds struct {
	empty bool
	last  bson.RawValue // the greatest _id
	// together says that all _ids are of one type: only then does a comparison
	// reach all of them, because MongoDB compares within a type.
	together bool
	sum      []byte // of the first whole reading
}

// opener makes a source.File's Open.
func (s *Server) opener(collection string) func(context.Context) (io.ReadCloser, error) {
	return func(ctx context.Context) (io.ReadCloser, error) {
		limit, err := s.limits(ctx, collection)
		if err != nil {
			return nil, err
		}
		return &reader{context: ctx, server: s, name: collection, collection: s.database.Collection(collection), bounds: limit, hash: sha256.New()}, nil
	}
}

// limits finds the first and the last _id of a collection, once.
func (s *Server) limits(ctx context.Context, collection string) (*bounds, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.bounds[collection]; b != nil {
		return b, nil
	}
	ends := [2]bson.RawValue{}
	for i, order := range [...]int{1, -1} {
		ctx, cancel := context.WithTimeout(ctx, perRequest)
		raw, err := s.database.Collection(collection).FindOne(ctx, bson.D{}, options.FindOne().SetSort(bson.D{{Key: "_id", Value: order}}).SetProjection(bson.D{{Key: "_id", Value: 1}})).Raw()
		cancel()
		if errors.Is(err, mongo.ErrNoDocuments) {
			s.bounds[collection] = &bounds{empty: true}
			return s.bounds[collection], nil
		}
		if err != nil {
			return nil, explain(err)
		}
		ends[i] = raw.Lookup("_id")
	}
	b := &bounds{last: ends[1], together: bracket(ends[0].Type) == bracket(ends[1].Type)}
	s.bounds[collection] = b
	return b, nil
}

// bracket is the type within which MongoDB compares a value.
func bracket(t bson.Type) bson.Type {
	switch t {
	case bson.TypeInt32, bson.TypeInt64, bson.TypeDecimal128:
		return bson.TypeDouble
	case bson.TypeSymbol:
		return bson.TypeString
	}
	return t
}

// reader gives a collection as one file of BSON, sorted by _id.
type reader struct {
	context    context.Context
	server     *Server
	name       string
	collection *mongo.Collection
	bounds     *bounds
	cursor     *mongo.Cursor
	last       bson.RawValue // _id of the last document that was read
	quiet      time.Time     // since when nothing was read; zero when all is well
	tries      int
	rest       []byte
	hash       hash.Hash
	ended      bool
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.ended {
			return 0, io.EOF
		}
		if err := r.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Close lets the server forget the cursor.
func (r *reader) Close() error {
	r.forget()
	return nil
}

func (r *reader) forget() {
	if r.cursor == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_ = r.cursor.Close(ctx) // a cursor that cannot be closed ends by itself
	r.cursor = nil
}

// next reads a document, or notes the end.
func (r *reader) next() error {
	for {
		if r.bounds.empty {
			r.ended = true
			return nil
		}
		err := r.step()
		if err == nil {
			return nil
		}
		if err := r.wait(err); err != nil {
			return err
		}
	}
}

// step reads a document from the cursor, or from a new one behind the last.
func (r *reader) step() error {
	ctx := r.context
	if r.cursor == nil || r.cursor.RemainingBatchLength() == 0 { // the server is asked
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, perRequest)
		defer cancel()
	}
	if r.cursor == nil {
		cursor, err := r.collection.Find(ctx, r.filter(), options.Find().SetSort(bson.D{{Key: "_id", Value: 1}}).SetBatchSize(batch))
		if err != nil {
			return err
		}
		r.cursor = cursor
	}
	if !r.cursor.Next(ctx) {
		if err := r.cursor.Err(); err != nil {
			return err
		}
		r.end()
		return nil
	}
	document := r.cursor.Current
	id, err := document.LookupErr("_id")
	if err != nil {
		return fault.New(fault.Failure, "a document has no _id").At(FileName(r.name), 0, "")
	}
	r.last = bson.RawValue{Type: id.Type, Value: bytes.Clone(id.Value)}
	r.quiet, r.tries = time.Time{}, 0
	r.hash.Write(document)
	r.rest = document
	return nil
}

// filter asks for what is behind the last document and was there at first.
func (r *reader) filter() bson.D {
	if !r.bounds.together {
		return bson.D{}
	}
	within := bson.D{{Key: "$lte", Value: r.bounds.last}}
	if !r.last.IsZero() {
		within = append(within, bson.E{Key: "$gt", Value: r.last})
	}
	return bson.D{{Key: "_id", Value: within}}
}

// end compares the reading with the first one.
func (r *reader) end() {
	r.ended = true
	sum := r.hash.Sum(nil)
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	if r.bounds.sum == nil {
		r.bounds.sum = sum
	} else if !bytes.Equal(r.bounds.sum, sum) {
		r.server.changed[r.name] = true
	}
}

// wait pauses before a broken connection is tried again, or gives up.
func (r *reader) wait(err error) error {
	r.forget()
	if ended := r.context.Err(); ended != nil {
		return ended
	}
	if !passes(err) {
		return explain(err)
	}
	if !r.last.IsZero() && !r.bounds.together {
		return fault.New(fault.Failure, "the connection to the forum's server broke, and _ids of several types do not tell where to go on").At(FileName(r.name), 0, "").
			WithHint("start again, or dump the collection with mongodump and read the dump")
	}
	now := time.Now()
	if r.quiet.IsZero() {
		r.quiet = now
	}
	if now.Sub(r.quiet) > r.server.patience {
		return explain(err)
	}
	pause := min(100*time.Millisecond<<min(r.tries, 6), 5*time.Second)
	r.tries++
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-r.context.Done():
		return r.context.Err()
	}
}
