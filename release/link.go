package release

import (
	"bytes"
	"context"
	"hash/maphash"
	"io"

	"anonymooc/idmap"
	"anonymooc/tables"
	"anonymooc/tables/jsonedit"
)

// Link tells a domain of the id map who is whom: first by the tables that link
// identifiers, then by logs and forums, for people whom no table names. A table
// is believed before a log: whoever works in another's place is logged under
// both.
func (d *Discovery) Link(ctx context.Context, domain *idmap.Domain, limits tables.Limits) (idmap.Conflicts, error) {
	l := linker{domain: domain, limits: limits, pairs: newPairSet()}
	var all idmap.Conflicts
	for _, records := range []bool{false, true} {
		for i := range d.Sources {
			s := &d.Sources[i]
			if (s.Table.Shape == "json") != records || !records && len(s.Table.Links) == 0 {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := l.file(s); err != nil {
				return nil, err
			}
		}
		conflicts, err := domain.Settle()
		if err != nil {
			return nil, err
		}
		all = append(all, conflicts...)
	}
	return all, nil
}

// linker reads files for who is whom.
type linker struct {
	domain *idmap.Domain
	limits tables.Limits
	pairs  *pairSet
}

func (l *linker) file(s *Source) error {
	in, err := s.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	if s.Table.Shape == "json" {
		return l.records(s, in)
	}
	var columns []string
	for _, link := range s.Table.Links {
		columns = append(columns, link.Column)
	}
	for _, d := range s.Table.Describe {
		columns = append(columns, d.Column)
	}
	links := len(s.Table.Links)
	kinds, err := kindsOf(s.Table.Links)
	if err != nil {
		return err
	}
	return tables.Scan(s.Name, s.Plan.Tabular(), in, l.limits, columns, func(cells []tables.Cell) error {
		ids := identifiers(kinds, cells[:links])
		if len(ids) == 0 {
			return nil
		}
		if err := l.domain.Claim(ids...); err != nil {
			return err
		}
		var attributes []idmap.Attribute
		for i, d := range s.Table.Describe {
			if text := bytes.TrimSpace(cells[links+i].Text); len(text) > 0 && len(text) <= longestDescription {
				attributes = append(attributes, idmap.Attribute{Name: d.As, Value: string(text)})
			}
		}
		return l.domain.Describe(ids[0], attributes...)
	})
}

// What the id map takes. The transform empties and counts longer identifiers;
// a longer name or city is nobody's.
const (
	longestIdentifier  = 1024
	longestDescription = 16 << 10
)

// identifiers makes identifiers of the cells that hold one.
func identifiers(kinds []idmap.Kind, cells []tables.Cell) []idmap.Identifier {
	var ids []idmap.Identifier
	for i, c := range cells {
		text := bytes.TrimSpace(c.Text)
		if len(text) == 0 || len(text) > longestIdentifier || c.Type == jsonedit.Bool || kinds[i] == idmap.UserID && !isNumber(text) {
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

// records reads the pairs of a log or forum. Most lines repeat a username
// that is known by then: only lines with a new one are parsed.
func (l *linker) records(s *Source, in io.Reader) error {
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
	ids := l.domain.Resolver()
	return tables.ScanRecords(s.Name, in, l.limits, columns, l.pairs.skip, func(cells []tables.Cell) error {
		pair := identifiers(kinds, cells)
		if len(pair) < 2 {
			return nil
		}
		for _, id := range pair {
			if id.Kind != idmap.UserID && ids.HasUserID(id.Kind, []byte(id.Value)) {
				return nil // a table, or an earlier log, has said whose it is
			}
		}
		return l.domain.Claim(pair...)
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

// Names makes the index of names that scrub looks for.
func Names(domain *idmap.Domain) (*tables.NameIndex, error) {
	index := tables.NewNameIndex()
	err := domain.Descriptions(func(person idmap.Pseudonym, attributes []idmap.Attribute) error {
		first, last := "", ""
		for _, a := range attributes {
			switch a.Name {
			case "name":
				index.Add(a.Value, person)
			case "first_name":
				first = a.Value
			case "last_name":
				last = a.Value
			}
		}
		index.Add(first+" "+last, person)
		return nil
	})
	return index, err
}
