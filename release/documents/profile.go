package documents

import (
	"errors"
	"hash/maphash"
	"io"
	"strconv"
	"strings"

	"anonymooc/internal/fault"
	"anonymooc/tables/risk/readback"
)

// maxDistinct is how many different values of a column are counted; beyond it a
// document says "more than".
const maxDistinct = 1 << 16

// columnProfile looks at the values of one column. It keeps hashes, no values.
type columnProfile struct {
	seen  map[uint64]struct{}
	many  bool
	forms formSet // that every value so far has
	any   bool
	nulls int64
}

// formSet is the types that all values of a column could be.
type formSet uint8

const (
	isInteger formSet = 1 << iota
	isNumber
	isYear
	isDate
	isDateTime
	isObject
)

// formNames from the most special to the least.
var formNames = []struct {
	form formSet
	name string
}{{isYear, "year"}, {isInteger, "integer"}, {isNumber, "number"}, {isDate, "date"}, {isDateTime, "datetime"}, {isObject, "object"}}

// profile finds the types and the numbers of different values of a table.
func profile(path string, f *File) error {
	if !f.tabular() {
		return nil
	}
	header, err := headerOf(path)
	if err != nil {
		return err
	}
	profiles := make([]columnProfile, len(header))
	for i := range profiles {
		profiles[i] = columnProfile{seen: map[uint64]struct{}{}, forms: ^formSet(0)}
	}
	seed := maphash.MakeSeed()
	err = readback.Rows(path, header, func(cells []string) {
		for i, cell := range cells {
			if cell == "" {
				profiles[i].nulls++
				continue
			}
			profiles[i].add(seed, cell)
		}
	})
	if err != nil {
		return err
	}
	for i, name := range header {
		for j := range f.Columns {
			c := &f.Columns[j]
			if c.Name == name {
				p := &profiles[i]
				c.Type, c.Distinct, c.Many, c.Nulls = p.typeName(), int64(len(p.seen)), p.many, p.nulls
			}
		}
	}
	return nil
}

func headerOf(path string) ([]string, error) {
	in, err := readback.Open(path)
	if err != nil {
		return nil, fault.New(fault.Failure, "a file that the manifest names cannot be read").At(path, 0, "").
			WithHint("is the release complete?")
	}
	defer in.Close()
	header, _, err := readback.NewTable(in)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(fault.Failure, "the header cannot be read").At(path, 1, "")
	}
	return header, nil
}

func (p *columnProfile) add(seed maphash.Seed, cell string) {
	p.any = true
	if !p.many {
		hash := maphash.String(seed, cell)
		if _, known := p.seen[hash]; !known && len(p.seen) == maxDistinct {
			p.many = true
		} else {
			p.seen[hash] = struct{}{}
		}
	}
	if p.forms != 0 {
		p.forms &= formsOf(cell)
	}
}

func (p *columnProfile) typeName() string {
	if p.any {
		for _, f := range formNames {
			if p.forms&f.form != 0 {
				return f.name
			}
		}
	}
	return "string"
}

// formsOf returns all the types that a value could be.
func formsOf(cell string) formSet {
	var forms formSet
	if n, err := strconv.ParseInt(cell, 10, 64); err == nil && cell[0] != '+' && (cell[0] != '0' || cell == "0") {
		forms |= isInteger | isNumber
		if n >= 1880 && n <= 2100 {
			forms |= isYear
		}
	} else if strings.IndexFunc(cell, func(r rune) bool { return !strings.ContainsRune("0123456789.-eE", r) }) < 0 {
		if _, err := strconv.ParseFloat(cell, 64); err == nil {
			forms |= isNumber
		}
	}
	if isDay(cell) {
		switch {
		case len(cell) == len("2006-01-02"):
			forms |= isDate
		case strings.ContainsRune(" T", rune(cell[len("2006-01-02")])):
			forms |= isDateTime
		}
	}
	if cell[0] == '{' && cell[len(cell)-1] == '}' {
		forms |= isObject
	}
	return forms
}

// isDay reports whether a value starts with YYYY-MM-DD.
func isDay(cell string) bool {
	const form = "0000-00-00"
	if len(cell) < len(form) {
		return false
	}
	for i := range len(form) {
		if form[i] == '-' != (cell[i] == '-') || form[i] == '0' && (cell[i] < '0' || cell[i] > '9') {
			return false
		}
	}
	return true
}
