package columnar

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/parquet-go/parquet-go"
	"golang.org/x/sync/errgroup"

	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
	"anonymooc/release/records"
)

// File is a file of a release.
type File struct {
	Path   string // with slashes, below the release
	Table  string
	Format string // as the manifest says: csv, tsv, json lines, json, bson; others are passed over
}

// Copy is a Parquet file and what it was made of.
type Copy struct {
	Path    string   `json:"path"`
	Of      string   `json:"of"`
	Rows    int64    `json:"rows"`
	Bytes   int64    `json:"bytes"`
	SHA256  string   `json:"sha256"`
	Columns []Column `json:"columns"`
}

// Request says what to write.
type Request struct {
	Release string // folder
	Files   []File
	Out     string // folder; empty for the release's
	Jobs    int    // 0 for one a core
	Limit   int    // bytes of a batch, 0 for the default
	Told    func(path string)
}

// batchSize is how much of a file becomes one group of rows. A core holds one
// batch at a time.
const batchSize = 32 << 20

// Write writes the Parquet of all files that have one, each whole or not at all.
func Write(ctx context.Context, request Request) ([]Copy, error) {
	w := writer{Request: request, kinds: map[string]map[string]kind{}}
	if w.Out == "" {
		w.Out = w.Release
	}
	if w.Jobs <= 0 {
		w.Jobs = runtime.GOMAXPROCS(0)
	}
	if w.Limit <= 0 {
		w.Limit = batchSize
	}
	names := w.names()
	var copies []Copy
	for i, f := range w.Files {
		if names[i] == "" {
			continue
		}
		if w.Told != nil {
			w.Told(names[i])
		}
		made, err := w.file(ctx, f, names[i])
		if err != nil {
			return nil, err
		}
		copies = append(copies, made)
	}
	return copies, nil
}

type writer struct {
	Request
	kinds map[string]map[string]kind // by table and column; read when first asked for
}

// schemas are the tables whose records are JSON and have columns here.
var schemas = map[string][]jsonPath{"tracking_log": events, "forum": posts}

// names gives the Parquet file of each file, "" for none. Two files, as x.csv and
// x.json, do not share one.
func (w *writer) names() []string {
	taken := map[string]int{}
	for _, f := range w.Files {
		taken[f.Path]++
	}
	names := make([]string, len(w.Files))
	for i, f := range w.Files {
		if f.documents() && schemas[f.Table] == nil || !f.documents() && !f.tabular() {
			continue
		}
		plain := records.PlainName(f.Path)
		names[i] = strings.TrimSuffix(plain, path.Ext(plain)) + ".parquet"
		if taken[names[i]] > 0 {
			names[i] = f.Path + ".parquet"
		}
		taken[names[i]]++
	}
	return names
}

func (f File) tabular() bool { return f.Format == "csv" || f.Format == "tsv" }

// rows turns records into the rows of a sheet.
type rows interface {
	row(s *sheet, line int64, record []byte)
}

// file writes one Parquet file.
func (w *writer) file(ctx context.Context, f File, name string) (Copy, error) {
	columns, format, reader, err := w.reader(f)
	if err != nil {
		return Copy{}, err
	}
	place := filepath.Join(w.Out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return Copy{}, cannotWrite(name)
	}
	file, err := safefile.Create(place, 0o644)
	if err != nil {
		return Copy{}, cannotWrite(name)
	}
	defer file.Abort()
	out := &hashed{to: file, hash: sha256.New()}
	schema := schemaOf(f.Table, columns)
	to := parquet.NewGenericWriter[any](out, schema, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("anonymooc", "1", ""),
		parquet.DictionaryMaxBytes(1<<20), parquet.DataPageStatistics(true))
	read := reading{writer: w, context: ctx, file: f, format: format, columns: columns, reader: reader, to: to}
	count, err := read.all()
	if err != nil {
		return Copy{}, err
	}
	if err := to.Close(); err != nil {
		return Copy{}, cannotWrite(name)
	}
	if err := file.Commit(); err != nil {
		return Copy{}, cannotWrite(name)
	}
	return Copy{Path: name, Of: f.Path, Rows: count, Bytes: out.size, SHA256: hex.EncodeToString(out.hash.Sum(nil)), Columns: columns}, nil
}

// documents reports whether the records are objects: lines of JSON, or what
// records.Open gives as such.
func (f *File) documents() bool {
	return f.Format == "json lines" || f.Format == "json" || f.Format == "bson"
}

// reader tells the columns of a file and how its records become rows.
func (w *writer) reader(f File) ([]Column, records.Format, func() rows, error) {
	if schema := schemas[f.Table]; f.documents() {
		return columnsOf(schema), records.Lines, func() rows { return newPathReader(schema) }, nil
	}
	header, format, err := headerOf(w.Release, f)
	if err != nil {
		return nil, "", nil, err
	}
	if w.kinds[f.Table] == nil {
		var same []File
		for _, other := range w.Files {
			if other.Table == f.Table && other.tabular() {
				same = append(same, other)
			}
		}
		if w.kinds[f.Table], err = types(w.Release, same); err != nil {
			return nil, "", nil, err
		}
	}
	columns := make([]Column, len(header))
	for i, name := range header {
		columns[i] = newColumn(name, w.kinds[f.Table][name])
	}
	return columns, format, func() rows { return &tableReader{format: format} }, nil
}

// reading is one file on its way into Parquet.
type reading struct {
	*writer
	context context.Context
	file    File
	format  records.Format
	columns []Column
	reader  func() rows
	to      *parquet.GenericWriter[any]
}

// batch is a run of blocks that becomes one group of rows.
type batch struct {
	blocks []records.Block
	ready  chan group
}

type group struct {
	*parquet.ConcurrentRowGroupWriter
	rows int64
	err  error
}

// all makes the groups of rows on all cores and writes them in order.
func (r *reading) all() (int64, error) {
	in, err := records.Open(filepath.Join(r.Release, filepath.FromSlash(r.file.Path)))
	if err != nil {
		return 0, unreadable(r.file.Path)
	}
	defer in.Close()
	tasks, ctx := errgroup.WithContext(r.context)
	work, order := make(chan batch), make(chan batch, r.Jobs)
	tasks.Go(func() error {
		defer close(work)
		defer close(order)
		return r.batches(ctx, in, work, order)
	})
	for range r.Jobs {
		tasks.Go(func() error {
			for b := range work {
				b.ready <- r.group(b)
			}
			return nil
		})
	}
	count := int64(0)
	tasks.Go(func() error {
		for b := range order {
			select {
			case g := <-b.ready:
				if g.err != nil {
					return g.err
				}
				if _, err := g.Commit(); err != nil {
					return cannotWrite(r.file.Path)
				}
				count += g.rows
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return count, tasks.Wait()
}

// batches cuts the file; every batch goes to the workers and to the writer.
func (r *reading) batches(ctx context.Context, in io.Reader, work, order chan<- batch) error {
	next, size := batch{ready: make(chan group, 1)}, 0
	send := func() error {
		for _, to := range [...]chan<- batch{order, work} {
			select {
			case to <- next:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		next, size = batch{ready: make(chan group, 1)}, 0
		return nil
	}
	var stopped error
	err := records.Blocks(in, r.format, func(b records.Block) error {
		next.blocks = append(next.blocks, b)
		if size += len(b.Data); size >= r.Limit {
			stopped = send()
		}
		return stopped
	})
	if stopped != nil {
		return stopped
	}
	if err != nil {
		return unreadable(r.file.Path)
	}
	if len(next.blocks) > 0 {
		return send()
	}
	return nil
}

// group makes one group of rows.
func (r *reading) group(b batch) group {
	g := group{ConcurrentRowGroupWriter: r.to.BeginRowGroup()}
	reader, s := r.reader(), newSheet(r.columns)
	header := b.blocks[0].Number == 0 && (r.format == records.CSV || r.format == records.TSV)
	for i, block := range b.blocks {
		records.Each(block, r.format, func(line int64, record []byte) {
			if header {
				header = false
				return
			}
			reader.row(s, line, record)
			g.rows++
		})
		b.blocks[i].Data = nil
		if g.err = s.write(g.ConcurrentRowGroupWriter); g.err != nil {
			return g
		}
	}
	g.err = g.Flush()
	return g
}

// hashed counts and hashes what is written.
type hashed struct {
	to   io.Writer
	hash hash.Hash
	size int64
}

func (h *hashed) Write(p []byte) (int, error) {
	n, err := h.to.Write(p)
	h.size += int64(n)
	h.hash.Write(p[:n])
	return n, err
}

func unreadable(file string) error {
	return fault.New(fault.Failure, "cannot be read to its end").At(file, 0, "").WithHint("the file may be cut off or damaged")
}

func cannotWrite(file string) error {
	return fault.New(fault.Failure, "cannot be written as Parquet").At(file, 0, "").WithHint("is there space left, and may the folder be written to?")
}
