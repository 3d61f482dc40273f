package verify

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"io"
	"strconv"

	"anonymooc/internal/fold"
	"anonymooc/release/records"
)

// talk knows who takes part in which conversation of a forum, and what they are
// called: a first name alone is looked for where its owner writes.
type talk struct {
	seed    maphash.Seed
	threads map[uint64]map[uint32]struct{}
	names   map[uint32][]spelledName
	merged  map[uint64]map[uint64]nameOf // by thread, filled before the workers start
}

type spelledName struct {
	hash uint64
	nameOf
}

// post is what of a forum document tells the conversation it belongs to.
type post struct {
	ID     json.RawMessage `json:"_id"`
	Thread json.RawMessage `json:"comment_thread_id"`
	Author json.RawMessage `json:"author_id"`
	Name   string          `json:"author_username"`
}

func newTalk() *talk {
	return &talk{seed: maphash.MakeSeed(), threads: map[uint64]map[uint32]struct{}{}, names: map[uint32][]spelledName{}}
}

// thread is the conversation of a document.
func (t *talk) thread(p *post) uint64 {
	id := p.Thread
	if len(id) == 0 || string(id) == "null" {
		id = p.ID
	}
	return maphash.Bytes(t.seed, bytes.ReplaceAll(id, []byte{' '}, nil))
}

// read takes in the documents of one forum file.
func (t *talk) read(r io.Reader) error {
	return records.Blocks(r, records.Lines, func(b records.Block) error {
		records.Each(b, records.Lines, func(_ int64, line []byte) {
			var p post
			if json.Unmarshal(line, &p) != nil {
				return // the checker reads it as text
			}
			thread := t.thread(&p)
			for _, author := range [...][]byte{bytes.Trim(p.Author, `"`), bytes.TrimPrefix([]byte(p.Name), []byte{'u'})} {
				n, err := strconv.ParseUint(string(author), 10, 32)
				if err != nil {
					continue
				}
				if t.threads[thread] == nil {
					t.threads[thread] = map[uint32]struct{}{}
				}
				t.threads[thread][uint32(n)] = struct{}{}
			}
		})
		return nil
	})
}

// name takes in the names of those who write, and merges them by conversation.
func (t *talk) name(people People) {
	writers := map[uint32]bool{}
	for _, thread := range t.threads {
		for person := range thread {
			writers[person] = true
		}
	}
	if len(writers) == 0 {
		return
	}
	var split splitter
	for known := range people {
		if known.Person == 0 || !writers[known.Person] || known.Kind != FirstName && known.Kind != LastName && known.Kind != FullName {
			continue
		}
		kind := numberOf(known.Kind)
		for _, span := range split.split([]byte(known.Value)) {
			word := fold.KeyString(known.Value[span.start:span.end])
			if len([]rune(word)) < 3 || particles[word] {
				continue
			}
			common := known.Common || ordinary(FirstName, word)
			t.names[known.Person] = append(t.names[known.Person], spelledName{span.hash, nameOf{kind, common}})
		}
	}
	t.merged = make(map[uint64]map[uint64]nameOf, len(t.threads))
	for thread, people := range t.threads {
		names := map[uint64]nameOf{}
		for person := range people {
			for _, name := range t.names[person] {
				have, twice := names[name.hash] // an ordinary word is one for all who are called so
				name.common = name.common || have.common
				if twice {
					name.kind = max(name.kind, have.kind) // a first or last name, rather than part of a whole one
				}
				names[name.hash] = name.nameOf
			}
		}
		t.merged[thread] = names
	}
	t.threads, t.names = nil, nil
}

// particles are parts of names that name nobody.
var particles = words("van von der den del dela della des les las los dos das the saint sainte mac ben bin abu ibn")

// participants gives the names of those who take part in a document's conversation.
func (t *talk) participants(line []byte) map[uint64]nameOf {
	var p post
	if json.Unmarshal(line, &p) != nil {
		return nil
	}
	return t.merged[t.thread(&p)]
}
