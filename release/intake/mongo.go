package intake

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc64"
	"io"
	"path"
	"path/filepath"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"anonymooc/internal/fault"
	"anonymooc/internal/source"
)

// An archive of mongodump (--archive, with or without --gzip) holds collections,
// each cut into stretches that take turns:
//
//	magic │ header │ one description a collection │ end │ stretch │ stretch │ …
//	stretch: {db, collection, EOF, CRC} │ documents │ end
//
// An export has each collection as a file of its own, as mongodump without
// --archive writes them: forum.archive.gz is forum/cs_comments_service/contents.bson
// and so on. Each is read from the archive's beginning. The descriptions (indexes,
// options) are no files.

// isMongoArchive tells archives by their names.
func isMongoArchive(name string) bool {
	base := strings.TrimSuffix(filepath.Base(name), source.CodecOf(name).Suffix())
	return strings.HasSuffix(strings.ToLower(base), ".archive")
}

// mongoArchive lists the collections of an archive that was delivered alone.
func (e *Export) mongoArchive(ctx context.Context, at, prefix string) error {
	return e.collections(ctx, source.OnDisk(at), prefix)
}

// collectionsFolder is where the collections of an archive among other files stand.
func collectionsFolder(name string) string {
	base := strings.TrimSuffix(name, source.CodecOf(name).Suffix())
	return base[:len(base)-len(".archive")] + "/"
}

// collections lists the collections of an archive below a prefix.
func (e *Export) collections(ctx context.Context, archive source.File, prefix string) error {
	names, err := described(ctx, archive)
	if err != nil {
		return err
	}
	for _, n := range names {
		name, ok := n.fileName()
		if !ok {
			return fault.New(fault.Failure, "the archive has a collection whose name is no file's").At(archive.Name, 0, "").
				WithHint("dump the collections of the forum only: mongodump --db cs_comments_service --archive=…")
		}
		e.Files = append(e.Files, source.File{
			Name: prefix + name, Size: source.Unknown, Stamp: archive.Stamp,
			Open: func(ctx context.Context) (io.ReadCloser, error) { return openCollection(ctx, archive, n) },
		})
	}
	return nil
}

// namespace is a collection and its database.
type namespace struct{ database, collection string }

// fileName is the collection's name as mongodump would write it; false for one that
// would lead elsewhere.
func (n namespace) fileName() (string, bool) {
	name := path.Join(n.database, n.collection+".bson")
	if n.collection == "" || strings.ContainsAny(n.database+n.collection, "/\\\x00") || !filepath.IsLocal(filepath.FromSlash(name)) || strings.HasPrefix(n.database, ".") {
		return "", false
	}
	for _, c := range name {
		if c < ' ' || c == 0x7f {
			return "", false
		}
	}
	return name, true
}

const (
	archiveMagic = 0x8199e26d
	archiveEnd   = 0xffffffff
	// largestDocument bounds what is believed of a length: 16 MiB, and what the
	// server adds.
	largestDocument = 17 << 20
	// mostCollections bounds a list that somebody may have made up.
	mostCollections = 100_000
)

// archiveReader reads documents and the marks between them.
type archiveReader struct {
	in       *bufio.Reader
	file     *source.Text
	name     string
	document []byte
}

func openArchive(ctx context.Context, archive source.File) (*archiveReader, error) {
	text, err := archive.Read(ctx)
	if err != nil {
		return nil, err
	}
	r := &archiveReader{in: bufio.NewReaderSize(text, 1<<18), file: text, name: archive.Name}
	var magic [4]byte
	if _, err := io.ReadFull(r.in, magic[:]); err != nil || binary.LittleEndian.Uint32(magic[:]) != archiveMagic {
		return nil, errors.Join(r.wrong(err, "the file is called an archive and is none of mongodump").WithHint("make it with mongodump --archive=FILE, or give it another name"), text.Close())
	}
	return r, nil
}

// wrong is a fault of the archive, or what its file said before.
func (r *archiveReader) wrong(err error, what string) *fault.Fault {
	var known *fault.Fault
	if errors.As(err, &known) {
		return known
	}
	return fault.New(fault.Failure, "%s", what).At(r.name, 0, "")
}

func (r *archiveReader) damaged(err error) error {
	return r.wrong(err, "the archive is damaged, or was cut off").WithHint("dump the collections again, and copy the file as binary")
}

// next reads a document, valid until the next call; ended is true at a mark.
func (r *archiveReader) next() (document bson.Raw, ended bool, err error) {
	var head [4]byte
	if _, err := io.ReadFull(r.in, head[:]); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, false, io.EOF
		}
		return nil, false, r.damaged(err)
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n == archiveEnd {
		return nil, true, nil
	}
	if n < 5 || n > largestDocument {
		return nil, false, r.damaged(nil)
	}
	if cap(r.document) < int(n) {
		r.document = make([]byte, n, 2*n)
	}
	r.document = r.document[:n]
	copy(r.document, head[:])
	if _, err := io.ReadFull(r.in, r.document[4:]); err != nil {
		return nil, false, r.damaged(err)
	}
	return r.document, false, nil
}

// namespaceOf reads which collection a header or a description is about.
func namespaceOf(document bson.Raw) (n namespace, ok bool) {
	database, first := document.Lookup("db").StringValueOK()
	collection, second := document.Lookup("collection").StringValueOK()
	return namespace{database, collection}, first && second && document.Validate() == nil
}

// described lists the collections that an archive says it holds.
func described(ctx context.Context, archive source.File) ([]namespace, error) {
	r, err := openArchive(ctx, archive)
	if err != nil {
		return nil, err
	}
	defer r.file.Close()
	if _, ended, err := r.next(); err != nil || ended { // the header: versions
		return nil, r.damaged(err)
	}
	var names []namespace
	seen := map[namespace]bool{}
	for {
		document, ended, err := r.next()
		if err != nil {
			return nil, r.damaged(err)
		}
		if ended {
			return names, nil
		}
		n, ok := namespaceOf(document)
		if !ok || len(names) == mostCollections {
			return nil, r.damaged(nil)
		}
		if kind, _ := document.Lookup("type").StringValueOK(); kind == "timeseries" || kind == "view" {
			return nil, fault.New(fault.Failure, "the archive holds a view or a time series, which no forum has").At(archive.Name, 0, "").
				WithHint("dump the collections of the forum only: mongodump --db cs_comments_service --archive=…")
		}
		if !seen[n] {
			seen[n] = true
			names = append(names, n)
		}
	}
}

// openCollection gives the documents of one collection.
func openCollection(ctx context.Context, archive source.File, n namespace) (io.ReadCloser, error) {
	r, err := openArchive(ctx, archive)
	if err != nil {
		return nil, err
	}
	for { // the header and the descriptions have been read before
		_, ended, err := r.next()
		if err != nil {
			return nil, errors.Join(r.damaged(err), r.file.Close())
		}
		if ended {
			return &collection{archiveReader: r, namespace: n}, nil
		}
	}
}

// crcTable is that of mongodump.
var crcTable = crc64.MakeTable(crc64.ECMA)

// collection picks the documents of one collection out of an archive.
type collection struct {
	*archiveReader
	namespace
	inside  bool // a stretch of this collection
	between bool // a header comes
	begun   bool
	whole   bool // its end was read, and its sum was right
	sum     uint64
	rest    []byte
}

// Read implements io.Reader.
func (c *collection) Read(p []byte) (int, error) {
	for len(c.rest) == 0 {
		if c.whole {
			return 0, io.EOF
		}
		if err := c.step(); err != nil {
			return 0, err
		}
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// step reads the next document of the archive, whatever it is.
func (c *collection) step() error {
	document, ended, err := c.next()
	switch {
	case err == io.EOF: // without this collection's end
		return c.damaged(nil)
	case err != nil:
		return err
	case !c.begun || c.between:
		return c.header(document, ended)
	case ended:
		c.between = true
	case c.inside:
		c.sum = crc64.Update(c.sum, crcTable, document)
		c.rest = document
	}
	return nil
}

// header reads what a stretch is about.
func (c *collection) header(document bson.Raw, ended bool) error {
	if ended {
		return c.damaged(nil)
	}
	c.begun, c.between = true, false
	n, ok := namespaceOf(document)
	if !ok {
		return c.damaged(nil)
	}
	c.inside = n == c.namespace
	if last, _ := document.Lookup("EOF").BooleanOK(); !last || !c.inside {
		return nil
	}
	if sum, ok := document.Lookup("CRC").AsInt64OK(); !ok || uint64(sum) != c.sum {
		return c.damaged(nil)
	}
	c.whole = true
	return nil
}

// Close closes the archive.
func (c *collection) Close() error { return c.file.Close() }
