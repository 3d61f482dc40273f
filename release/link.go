package release

import (
	"bytes"
	"context"
	"hash/maphash"

	"anonymooc/idmap"
	"anonymooc/tables"
)

// Link tells a domain of the id map who is whom: first by the tables that link
// identifiers, then by whatever else says whose row it is, for people whom no
// such table names. A table is believed before a log: whoever works in another's
// place is logged under both. After it everybody who has a row of their own is
// known, so that they are found wherever else they are mentioned.
func (d *Discovery) Link(ctx context.Context, domain *idmap.Domain, limits tables.Limits) (idmap.Conflicts, error) {
	l := linker{context: ctx, domain: domain, limits: limits, pairs: newPairSet()}
	var all idmap.Conflicts
	for _, read := range []func(*Source) error{l.linking, l.others} {
		for i := range d.Sources {
			if err := read(&d.Sources[i]); err != nil {
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
	context context.Context
	domain  *idmap.Domain
	limits  tables.Limits
	pairs   *pairSet
}

// linking reads a table that links identifiers.
func (l *linker) linking(s *Source) error {
	if s.Plan.Tabular() == nil || len(s.Table.Links) == 0 {
		return nil
	}
	in, err := s.Read(l.context)
	if err != nil {
		return err
	}
	defer in.Close()
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

// longestDescription is what the id map takes; a longer name or city is nobody's.
const longestDescription = 16 << 10

// identifiers makes identifiers of the cells that hold one.
func identifiers(kinds []idmap.Kind, cells []tables.Cell) []idmap.Identifier {
	var ids []idmap.Identifier
	for i, c := range cells {
		if value, ok := c.Identifier(kinds[i]); ok {
			ids = append(ids, idmap.Identifier{Kind: kinds[i], Value: string(value)})
		}
	}
	return ids
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

// others reads whose rows any other file holds. Most rows repeat somebody known
// by then: only records with a new pair are parsed.
func (l *linker) others(s *Source) error {
	people := s.Table.Person
	if s.Plan.Tabular() != nil && len(s.Table.Links) > 0 || len(people) == 0 {
		return nil
	}
	if s.Plan.Tabular() == nil && len(s.Table.Links) > 0 {
		people = s.Table.Links
	}
	kinds, err := kindsOf(people)
	if err != nil {
		return err
	}
	columns := make([]string, len(people))
	for i, p := range people {
		columns[i] = p.Column
	}
	in, err := s.Read(l.context)
	if err != nil {
		return err
	}
	defer in.Close()
	ids := l.domain.Resolver()
	claim := func(cells []tables.Cell) error { return l.claim(ids, identifiers(kinds, cells)) }
	if format := s.Plan.Tabular(); format != nil {
		return tables.Scan(s.Name, format, in, l.limits, columns, claim)
	}
	return tables.ScanRecords(s.Name, s.Plan.Documents(), in, l.limits, columns, l.pairs.skipIn(s.Plan.Documents()), claim)
}

// claim says that the identifiers of a row are one person's, unless a table, or an
// earlier run, has said whose they are.
func (l *linker) claim(ids *idmap.Resolver, row []idmap.Identifier) error {
	fresh := false
	for _, id := range row {
		_, known := ids.Known(id.Kind, []byte(id.Value))
		fresh = fresh || !known
		if id.Kind != idmap.UserID && ids.HasUserID(id.Kind, []byte(id.Value)) {
			return nil
		}
	}
	if !fresh && len(row) < 2 {
		return nil
	}
	return l.domain.Claim(row...)
}

// pairSet remembers by hash which lines' people are known.
type pairSet struct {
	seed maphash.Seed
	seen map[uint64]struct{}
}

func newPairSet() *pairSet {
	return &pairSet{maphash.MakeSeed(), map[uint64]struct{}{}}
}

// skipIn is skip for text; the fields of a BSON document are cheap to find.
func (p *pairSet) skipIn(format tables.Documents) func(record []byte) bool {
	if format == (tables.BSON{}) {
		return func([]byte) bool { return false }
	}
	return p.skip
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
