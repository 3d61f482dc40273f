package verify

import (
	"bytes"
	"context"
	"hash/maphash"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"anonymooc/release/records"
)

// exportFile is one file of the export, beside the release's.
type exportFile struct {
	name   string // on disk
	path   string // below its export folder
	schema *schema
}

// exports lists the files of the export folders with the schema of the file of
// the release that was made of each; Schema.output is nil where there is none.
func (v *verifier) exports() ([]exportFile, error) {
	var all []exportFile
	for _, folder := range v.request.Source {
		files, err := records.List(folder)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if !file.Regular {
				continue
			}
			name := filepath.Join(folder, filepath.FromSlash(file.Path))
			head, err := records.Beginning(name)
			if err != nil {
				return nil, unreadable(file.Path)
			}
			e := exportFile{name: name, path: file.Path}
			released := file.Path
			if v.manifest != nil {
				released = v.manifest.madeOf(filepath.Base(folder), file.Path)
			}
			e.schema = newSchema(released, records.FormatOf(file.Path, head), v.manifest)
			if e.schema.format == records.CSV || e.schema.format == records.TSV {
				e.schema.header(records.Header(head, e.schema.format))
			}
			all = append(all, e)
		}
	}
	return all, nil
}

// madeOf finds the file of the release that was made of a file of the export:
// the one of the same path, or of the same path below the export's own name.
func (m *Manifest) madeOf(export, file string) string {
	candidates := []string{file, path.Join(export, file), records.PlainName(file), records.PlainName(path.Join(export, file))}
	for _, o := range m.Outputs {
		for _, c := range candidates {
			if filepath.ToSlash(o.Path) == c || o.Source == c || records.PlainName(filepath.ToSlash(o.Path)) == c {
				return filepath.ToSlash(o.Path)
			}
		}
	}
	return file
}

// harvest hands over the identifiers that the export itself holds, so that the
// judge need not believe the id map: whatever stands in a column or path for
// people, sessions, keys and links, unless its rule is to keep it. It takes in
// the values that join files, too. Blocks are read on all workers.
func (v *verifier) harvest(ctx context.Context, exports []exportFile, joins joinSets, add func(Known)) error {
	all := &harvested{seen: map[uint64]struct{}{}, add: add}
	workers := make([]*harvester, v.request.Jobs)
	for i := range workers {
		workers[i] = &harvester{all: all, recent: make([]uint64, recentPairs), joins: joinSets{}}
	}
	for _, e := range exports {
		if err := harvestFile(ctx, e, workers); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return unreadable(e.path)
		}
	}
	for _, h := range workers {
		joins.merge(h.joins)
	}
	return nil
}

// harvestFile lets the workers read the blocks of one file.
func harvestFile(ctx context.Context, e exportFile, workers []*harvester) error {
	r, err := records.Open(e.name)
	if err != nil {
		return err
	}
	defer r.Close()
	group, ctx := errgroup.WithContext(ctx)
	work := make(chan records.Block)
	for _, h := range workers {
		h.open(e.schema)
		group.Go(func() error {
			for b := range work {
				h.block(b)
			}
			return nil
		})
	}
	group.Go(func() error {
		defer close(work)
		return records.Blocks(r, e.schema.format, func(b records.Block) error {
			select {
			case work <- b:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	})
	return group.Wait()
}

type harvester struct {
	schema *schema
	table  []personColumn // what the columns of a table hold
	fields records.Fields
	leaves leafReader
	joins  joinSets
	all    *harvested
	recent []uint64 // hashes of what this worker met lately
}

// harvested is what the workers hand over identifiers to.
type harvested struct {
	sync.Mutex
	seen map[uint64]struct{} // their hashes
	add  func(Known)
}

// personColumn is a column that holds identifiers.
type personColumn struct {
	column int
	kind   Kind
	common bool
}

// open makes the harvester ready for the records of another file.
func (h *harvester) open(s *schema) {
	h.schema, h.table = s, h.table[:0]
	h.leaves.tree = newTree(s, func(w *way) bool { return w.kind != "" || w.join != "" })
	for i, column := range s.columns {
		if w := h.leaves.tree.way([]string{column.name}); w.kind != "" {
			h.table = append(h.table, personColumn{i, w.kind, w.common})
		}
	}
}

// block reads the records of a block; that of a table begins with its header.
func (h *harvester) block(b records.Block) {
	header := b.Number == 0 && (h.schema.format == records.CSV || h.schema.format == records.TSV)
	records.Each(b, h.schema.format, func(_ int64, record []byte) {
		if header {
			header = false
			return
		}
		h.record(record)
	})
}

// once hands over an identifier the first time it is met.
func (h *harvester) once(kind Kind, value []byte, common bool) {
	hash := maphash.Bytes(joinSeed, value) + uint64(numberOf(kind))
	slot := &h.recent[hash%recentPairs]
	if *slot == hash {
		return
	}
	*slot = hash
	h.all.Lock()
	defer h.all.Unlock()
	if _, twice := h.all.seen[hash]; !twice {
		h.all.seen[hash] = struct{}{}
		h.all.add(Known{Kind: kind, Value: string(value), Common: common})
	}
}

func (h *harvester) record(record []byte) {
	switch h.schema.format {
	case records.CSV, records.TSV:
		h.fields.Read(record, h.schema.format)
		h.joins.row(h.schema, &h.fields)
		for _, column := range h.table {
			if i := column.column; i < len(h.fields.Values) && !records.IsNull(h.fields.Raw[i]) {
				h.take(column.kind, column.common, h.fields.Values[i])
			}
		}
	case records.Lines:
		if start := bytes.IndexByte(record, '{'); start >= 0 {
			h.leaves.tree.begin()
			leaves, _ := h.leaves.read(bytes.TrimSpace(record[start:]))
			h.joins.post(&h.leaves, leaves)
			for i := range leaves {
				if w := leaves[i].spot.way; w.kind != "" {
					h.take(w.kind, w.common, h.leaves.text(&leaves[i]))
				}
			}
		}
	}
}

// take keeps a value that identifies somebody.
func (h *harvester) take(kind Kind, common bool, value []byte) {
	if len(value) == 0 || len(value) > 512 {
		return
	}
	value = bytes.TrimSpace(value)
	switch {
	case kind == External: // whatever it looks like
		kind = shapeOf(value)
	case kind == Token && (len(value) < 16 || shapeOf(value) != Token):
		if kind = URL; !bytes.Contains(value, []byte("://")) {
			return
		}
	case kind == Email && bytes.IndexByte(value, '@') <= 0:
		return
	}
	if kind == "" || masked(value) {
		return
	}
	if kind == URL {
		h.link(value)
		return
	}
	h.once(kind, value, common)
}

// link keeps the part of a URL that nobody else's has: its long hexadecimal words.
func (h *harvester) link(value []byte) {
	for _, word := range bytes.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("/?&=#.:", r) }) {
		if len(word) >= 16 && shapeOf(word) == Token {
			h.once(Token, word, false)
		}
	}
}

// harvestedKind tells what kind of identifier a column of the export, or a path by
// its last key, holds, "" for none. External stands for what must be told by its shape.
func harvestedKind(table, name string) Kind {
	switch table + "." + name {
	case "auth_userprofile.name", "certificates_generatedcertificate.name":
		return FullName
	case "certificates_generatedcertificate.key":
		return Token
	}
	switch name {
	case "username", "author_username", "target_username", "editor_username", "retired_username":
		return Username
	case "email", "user_email":
		return Email
	case "full_name":
		return FullName
	case "phone_number":
		return Phone
	case "session", "sessionid", "csrfmiddlewaretoken", "verify_uuid", "download_uuid", "download_url", "certificate_id",
		"certificate_url", "submission_uuid", "$oid", "anonymous_user_id", "anonymous_student_id", "hash_id", "session_id":
		return Token
	case "student_id", "scorer_id", "user", "student", "instructor", "unique_student_identifier", "member", "owner":
		return External
	}
	return ""
}

// shapeOf tells what kind of identifier a value looks like; "" for numbers and
// words that may be anything.
func shapeOf(value []byte) Kind {
	if bytes.IndexByte(value, '@') > 0 {
		return Email
	}
	digits, hexadecimal := 0, 0
	for _, c := range value {
		if _, ok := hexDigit(c); ok {
			hexadecimal++
		} else if c != '-' {
			return ""
		}
		if c >= '0' && c <= '9' {
			digits++
		}
	}
	if hexadecimal >= 16 && digits > 0 && digits < hexadecimal {
		return Token
	}
	return ""
}
