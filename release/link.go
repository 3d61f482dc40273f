package release

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"io"

	"anonymooc/idmap"
	"anonymooc/tables"
	"anonymooc/tables/jsonedit"
)

// link tells the id map who is whom: first by the tables that link identifiers,
// then by logs and forums, for people whom no table names. A table is believed
// before a log: whoever works in another's place is logged under both.
func (r *run) link() error {
	for _, records := range []bool{false, true} {
		for i := range r.found.Sources {
			s := &r.found.Sources[i]
			if (s.Table.Shape == "json") != records || !records && len(s.Table.Links) == 0 {
				continue
			}
			if err := r.context.Err(); err != nil {
				return err
			}
			if err := r.linkFile(s); err != nil {
				return err
			}
		}
		conflicts, err := r.domain.Settle()
		if err != nil {
			return err
		}
		for _, c := range conflicts {
			r.warn("identities: %s: %d of kind %s (see docs/identity.md)", c.Sort, c.Count, c.Kind)
		}
		r.result.Conflicts = append(r.result.Conflicts, conflicts...)
	}
	return r.names()
}

func (r *run) linkFile(s *Source) error {
	in, err := s.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	if s.Table.Shape == "json" {
		return r.linkRecords(s, in)
	}
	var columns []string
	for _, l := range s.Table.Links {
		columns = append(columns, l.Column)
	}
	for _, d := range s.Table.Describe {
		columns = append(columns, d.Column)
	}
	links := len(s.Table.Links)
	kinds, err := kindsOf(s.Table.Links)
	if err != nil {
		return err
	}
	return tables.Scan(s.Name, s.Plan.Tabular(), in, r.limits, columns, func(cells []tables.Cell) error {
		ids := identifiers(kinds, cells[:links])
		if len(ids) == 0 {
			return nil
		}
		if err := r.domain.Claim(ids...); err != nil {
			return err
		}
		var attributes []idmap.Attribute
		for i, d := range s.Table.Describe {
			if text := bytes.TrimSpace(cells[links+i].Text); len(text) > 0 {
				attributes = append(attributes, idmap.Attribute{Name: d.As, Value: string(text)})
			}
		}
		return r.domain.Describe(ids[0], attributes...)
	})
}

// identifiers makes identifiers of the cells that hold one.
func identifiers(kinds []idmap.Kind, cells []tables.Cell) []idmap.Identifier {
	var ids []idmap.Identifier
	for i, c := range cells {
		text := bytes.TrimSpace(c.Text)
		if len(text) == 0 || c.Type == jsonedit.Bool || kinds[i] == idmap.UserID && !isNumber(text) {
			continue
		}
		ids = append(ids, idmap.Identifier{Kind: kinds[i], Value: string(text)})
	}
	return ids
}

func isNumber(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(text) > 0
}

func kindsOf(columns []tables.PersonColumn) ([]idmap.Kind, error) {
	kinds := make([]idmap.Kind, len(columns))
	for i, c := range columns {
		kind, err := idmap.ParseKind(c.Kind)
		if err != nil {
			return nil, err
		}
		kinds[i] = kind
	}
	return kinds, nil
}

// linkRecords reads the pairs of a log or forum. Most lines repeat a username
// that is known by then: only lines with a new one are parsed.
func (r *run) linkRecords(s *Source, in io.Reader) error {
	pairs := s.Table.Links
	if len(pairs) == 0 {
		pairs = s.Table.Person
	}
	kinds, err := kindsOf(pairs)
	if err != nil || len(pairs) < 2 {
		return err
	}
	columns := make([]string, len(pairs))
	for i, p := range pairs {
		columns[i] = p.Column
	}
	ids := r.domain.Resolver()
	return tables.ScanRecords(s.Name, in, r.limits, columns, r.pairsSeen.skip, func(cells []tables.Cell) error {
		pair := identifiers(kinds, cells)
		if len(pair) < 2 {
			return nil
		}
		for _, id := range pair {
			if _, known := ids.Known(id.Kind, []byte(id.Value)); known && id.Kind != idmap.UserID {
				return nil
			}
		}
		return r.domain.Claim(pair...)
	})
}

// pairSet remembers by hash which lines' people are known.
type pairSet struct {
	seed maphash.Seed
	seen map[uint64]struct{}
}

func newPairSet() *pairSet {
	return &pairSet{maphash.MakeSeed(), map[uint64]struct{}{}}
}

// skip reports whether a record's pair of usernames and ids was met before. It
// looks at the bytes behind every "username" and "user_id" of the record, in
// whatever object they stand, and so never takes a new pair for an old one.
func (p *pairSet) skip(record []byte) bool {
	var h maphash.Hash
	h.SetSeed(p.seed)
	for _, key := range [...]string{`username"`, `user_id"`, `author_id"`} {
		for rest := record; ; {
			i := bytes.Index(rest, []byte(key))
			if i < 0 {
				break
			}
			rest = rest[i+len(key):]
			value := rest
			if end := bytes.IndexAny(value, ",}\n"); end >= 0 {
				value = value[:end]
			}
			h.Write(value)
			h.WriteByte(0)
		}
		h.WriteByte(1)
	}
	sum := h.Sum64()
	if _, ok := p.seen[sum]; ok {
		return true
	}
	p.seen[sum] = struct{}{}
	return false
}

// names fills the index of full names that scrub looks for.
func (r *run) names() error {
	index := tables.NewNameIndex()
	err := r.domain.Roster(func(e idmap.Entry) error {
		r.result.People++
		first, last := "", ""
		for _, a := range e.Attributes {
			switch a.Name {
			case "name":
				index.Add(a.Value, e.Pseudonym)
			case "first_name":
				first = a.Value
			case "last_name":
				last = a.Value
			}
		}
		if first != "" && last != "" {
			index.Add(fmt.Sprintf("%s %s", first, last), e.Pseudonym)
		}
		return nil
	})
	r.session.Names = index
	return err
}
