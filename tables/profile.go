package tables

import (
	"bytes"
	"hash/maphash"
	"io"
	"sort"

	"anonymooc/tables/geo"
	"anonymooc/tables/jsonedit"
)

// Profile is what is found in one column or JSON path, without any of its
// values: how often it is filled, how many values differ, what shapes they have.
type Profile struct {
	Column   string           `json:"column"`
	Values   int64            `json:"values"`
	Nulls    int64            `json:"nulls"`
	Distinct int64            `json:"distinct"` // at most distinctLimit is counted
	Shapes   map[string]int64 `json:"shapes"`   // integer, number, date, e-mail, ip, url, id, json, word, text
	Rule     string           `json:"rule,omitempty"`

	seen map[uint64]struct{}
}

const (
	distinctLimit = 100_000
	profilePaths  = 2000
)

// Survey reads a whole file and profiles its columns, those of tables in their
// order, JSON paths by name. Paths beyond the first two thousand are not told
// apart.
func Survey(p *Plan, in io.Reader, limits Limits) ([]*Profile, int64, error) {
	s := &surveyor{seed: maphash.MakeSeed(), byName: map[string]*Profile{}}
	if p.json != nil {
		err := s.records(p, in, limits)
		sort.Slice(s.list, func(i, j int) bool { return s.list[i].Column < s.list[j].Column })
		return s.list, s.rows, err
	}
	var columns []string
	for _, c := range p.columns {
		columns = append(columns, c.name)
		s.profile(c.name).Rule = c.column.describe()
	}
	if len(columns) == 0 {
		return nil, 0, nil // a file that is copied whole has no columns
	}
	err := Scan(p.File, p.Tabular(), in, limits, columns, func(cells []Cell) error {
		s.rows++
		for i, cell := range cells {
			s.add(s.list[i], cell)
		}
		return nil
	})
	return s.list, s.rows, err
}

type surveyor struct {
	seed   maphash.Seed
	byName map[string]*Profile
	list   []*Profile
	rows   int64
	plan   *jsonPlan
}

func (s *surveyor) profile(name string) *Profile {
	p := s.byName[name]
	if p == nil {
		if len(s.list) >= profilePaths {
			return s.list[len(s.list)-1]
		}
		p = &Profile{Column: name, Shapes: map[string]int64{}, seen: map[uint64]struct{}{}}
		s.byName[name] = p
		s.list = append(s.list, p)
	}
	return p
}

func (s *surveyor) add(p *Profile, c Cell) {
	p.Values++
	if c.null() {
		p.Nulls++
		return
	}
	if len(p.seen) < distinctLimit {
		p.seen[maphash.Bytes(s.seed, c.Text)] = struct{}{}
		p.Distinct = int64(len(p.seen))
	}
	p.Shapes[shapeOf(c)]++
}

// records profiles documents; those that cannot be read are left to the run.
func (s *surveyor) records(p *Plan, in io.Reader, limits Limits) error {
	s.plan = p.json
	editor := jsonedit.NewEditor(p.json.paths, s)
	format := p.Documents()
	var out []byte
	return eachDocument(p.File, format, in, limits, func(record []byte) error {
		s.rows++
		if edited, err := format.edit(editor, out[:0], record); err == nil {
			out = edited
		}
		return nil
	})
}

// Value implements jsonedit.Handler.
func (s *surveyor) Value(dst []byte, rule jsonedit.Rule, v jsonedit.Scalar) ([]byte, []byte, jsonedit.Outcome, error) {
	p := s.byName[string(v.Path.Bytes())]
	if p == nil {
		p = s.profile(v.Path.String())
		p.Rule = s.plan.rules[rule].column.describe()
	}
	s.add(p, Cell{v.Text, v.Type})
	return dst, nil, jsonedit.Keep, nil
}

// Key implements jsonedit.Handler.
func (*surveyor) Key(dst []byte, _ string, _ bool) ([]byte, bool) { return dst, false }

// KeyedByPeople implements jsonedit.Handler.
func (*surveyor) KeyedByPeople(*jsonedit.Path) bool { return false }

// shapeOf names the shape of a value.
func shapeOf(c Cell) string {
	text := bytes.TrimSpace(c.Text)
	switch {
	case c.Type == jsonedit.Bool:
		return "boolean"
	case digitsOnly(text):
		return "integer"
	case looksEmail(text):
		return "e-mail"
	case jsonedit.LooksEmbedded(text):
		return "json"
	case isContentID(text):
		return "content id"
	case isURL(text):
		return "url"
	case len(text) >= 16 && hexOnly(bytes.ReplaceAll(text, []byte{'-'}, nil)):
		return "hex id"
	}
	if _, ok := parseNumber(text); ok {
		return "number"
	}
	if _, _, _, ok := parseDate(text); ok {
		return "date"
	}
	if _, ok := geo.ParseAddr(text); ok {
		return "ip address"
	}
	if isProse(text) {
		return "text"
	}
	return "word"
}

// Suggest proposes a rule for a column that none names, by the shape of its
// values. It never proposes to keep: that is for a person to decide.
func (p *Profile) Suggest() (action, role, why string) {
	most, count := "", int64(0)
	for shape, n := range p.Shapes {
		if n > count || n == count && shape < most {
			most, count = shape, n
		}
	}
	switch {
	case p.Shapes["e-mail"] > 0:
		return "pseudonym, kind: email", DirectIdentifier, "values shaped like e-mail addresses"
	case p.Shapes["ip address"] > 0:
		return "geolocate", DirectIdentifier, "values shaped like IP addresses"
	case most == "json":
		return "json", Sensitive, "JSON: name the paths that hold people or text"
	case p.Shapes["text"] > 0:
		return "text", FreeText, "running text"
	case most == "url":
		return "url", DirectIdentifier, "URLs may name people"
	case p.Distinct*2 > p.Values-p.Nulls:
		return "drop", DirectIdentifier, "nearly every row has a value of its own"
	}
	return "drop", QuasiIdentifier, "nothing is known of it"
}
