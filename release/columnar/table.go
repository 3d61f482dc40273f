package columnar

import (
	"path/filepath"

	"anonymooc/release/records"
)

// candidates are the kinds that all values of a column so far are of.
type candidates struct {
	any   bool
	kinds [moment + 1]bool
}

// order is in which kinds are preferred where a value is of several.
var order = [...]kind{integer, decimal, day, moment}

func (c *candidates) see(plain []byte) {
	if !c.any {
		c.any = true
		for _, k := range order {
			c.kinds[k] = true
		}
	}
	for _, k := range order {
		if c.kinds[k] {
			_, c.kinds[k] = k.value(plain)
		}
	}
}

func (c *candidates) kind() kind {
	for _, k := range order {
		if c.kinds[k] {
			return k
		}
	}
	return text
}

// null reports whether a field is NULL. An empty field of a text is an empty
// text: edX leaves empty what a person was asked and did not say.
func null(raw []byte) bool { return string(raw) == "NULL" || string(raw) == `\N` }

// types reads the files of one table and tells the type of each column by its
// name.
func types(dir string, files []File) (map[string]kind, error) {
	seen := map[string]*candidates{}
	for _, f := range files {
		header, format, err := headerOf(dir, f)
		if err != nil {
			return nil, err
		}
		columns := make([]*candidates, len(header))
		for i, name := range header {
			if seen[name] == nil {
				seen[name] = &candidates{}
			}
			columns[i] = seen[name]
		}
		var fields records.Fields
		err = records.Walk(filepath.Join(dir, filepath.FromSlash(f.Path)), format, func(_ int64, record []byte) bool {
			fields.Read(record, format)
			for i, plain := range fields.Values {
				if i < len(columns) && len(plain) > 0 && !null(fields.Raw[i]) {
					columns[i].see(plain)
				}
			}
			return true
		})
		if err != nil {
			return nil, unreadable(f.Path)
		}
	}
	kinds := map[string]kind{}
	for name, c := range seen {
		kinds[name] = c.kind()
	}
	return kinds, nil
}

// headerOf reads the names of a table's columns.
func headerOf(dir string, f File) ([]string, records.Format, error) {
	head, err := records.Beginning(filepath.Join(dir, filepath.FromSlash(f.Path)))
	if err != nil {
		return nil, "", unreadable(f.Path)
	}
	format := records.FormatOf(f.Path, head)
	return records.Header(head, format), format, nil
}

// tableReader turns records of a table into rows.
type tableReader struct {
	format records.Format
	fields records.Fields
}

func (r *tableReader) row(s *sheet, _ int64, record []byte) {
	r.fields.Read(record, r.format)
	for i, plain := range r.fields.Values {
		if i >= len(s.columns) || null(r.fields.Raw[i]) {
			continue
		}
		if v, ok := s.columns[i].kind.value(plain); ok {
			s.set(i, v)
		}
	}
	s.end()
}
