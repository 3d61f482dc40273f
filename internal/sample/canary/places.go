package canary

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// addresses finds the places of a URL that hold people: those of usernames,
// of user ids and of e-mails. The value ends where the place does.
var addresses = regexp.MustCompile(`/(?:u|accounts)/([^/?&#"'\\\s<>]+)|[?&](?:user|username)=([^&#"'\\\s<>]+)` +
	`|/(?:users|user|progress)/([0-9]+)|[?&]user_id=([0-9]+)` +
	`|[?&]e?mail=([^&#"'\\\s<>]+)`)

// addressKinds gives the kind of identifier each group of addresses holds.
var addressKinds = [...]string{"", "username", "username", "user_id", "user_id", "email"}

// searchAddresses judges the people in a text's URLs.
func (x *index) searchAddresses(folded string, report func(*Canary)) {
	for _, found := range addresses.FindAllStringSubmatch(folded, -1) {
		for group, value := range found[1:] {
			for _, c := range x.inURL[valueKey(addressKinds[group+1], value)] {
				report(c)
			}
		}
	}
}

// columns follows a table's records, which may span lines.
type columns struct {
	table  string
	tab    bool
	names  []string
	record []byte // the record so far, when it is not complete
}

func newColumns(file string) *columns {
	table, ok := tableName(file)
	if !ok {
		return nil
	}
	return &columns{table: table, tab: strings.HasSuffix(file, ".sql")}
}

// searchColumns judges common identifiers by the column they stand in.
func (x *index) searchColumns(t *columns, line []byte, report func(*Canary, string)) {
	if t == nil {
		return
	}
	t.record = append(t.record, line...)
	cells, whole := t.split()
	if !whole {
		return
	}
	t.record = t.record[:0]
	if t.names == nil {
		t.names = cells
		t.names[0] = strings.TrimPrefix(t.names[0], "\uFEFF")
		return
	}
	for i, cell := range cells {
		if i == len(t.names) {
			return
		}
		x.judge(t.table+"."+t.names[i], cell, "", report)
		x.searchJSON([]byte(cell), report)
	}
}

// split gives the cells of the record, and whether it is complete: a record
// with an odd number of quotes goes on in the next line.
func (t *columns) split() ([]string, bool) {
	text := strings.TrimRight(string(t.record), "\r\n")
	if t.tab {
		cells := strings.Split(text, "\t")
		for i := range cells {
			cells[i] = unescapeJSON(cells[i])
		}
		return cells, true
	}
	if strings.Count(text, `"`)%2 == 1 {
		return nil, false
	}
	var cells []string
	for rest := text; ; {
		var cell string
		if strings.HasPrefix(rest, `"`) {
			end := 1
			for end < len(rest) && (rest[end] != '"' || strings.HasPrefix(rest[end:], `""`)) {
				if rest[end] == '"' {
					end++
				}
				end++
			}
			cell = strings.ReplaceAll(rest[1:min(end, len(rest))], `""`, `"`)
			rest = rest[min(end+1, len(rest)):]
		} else {
			end := strings.IndexByte(rest+",", ',')
			cell, rest = rest[:end], rest[end:]
		}
		cells = append(cells, cell)
		if !strings.HasPrefix(rest, ",") {
			return cells, true
		}
		rest = rest[1:]
	}
}

// searchJSON judges common identifiers by the JSON key they stand under, in
// the document of a line and in the documents inside its strings.
func (x *index) searchJSON(line []byte, report func(*Canary, string)) {
	document := bytes.TrimLeft(line, " \t\uFEFF")
	if !bytes.HasPrefix(document, []byte("[{")) {
		start := bytes.IndexByte(document, '{') // a logger's prefix may stand before it
		if start < 0 {
			return
		}
		document = document[start:]
	}
	x.walk(document, "", "", 0, report)
}

// walk reads a document token by token, so that repeated keys are all seen and
// what comes before a damage is judged.
func (x *index) walk(document []byte, key, code string, depth int, report func(*Canary, string)) {
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber()
	type level struct {
		object bool
		key    string // key whose value comes next, or that of the array
		isKey  bool
	}
	levels := []level{{key: key}}
	for {
		token, err := d.Token()
		if err != nil {
			return
		}
		top := &levels[len(levels)-1]
		switch value := token.(type) {
		case json.Delim:
			switch value {
			case '{':
				levels = append(levels, level{object: true, isKey: true})
				continue
			case '[':
				levels = append(levels, level{key: top.key})
				continue
			}
			levels = levels[:len(levels)-1]
			top = &levels[len(levels)-1]
		case string:
			if top.object && top.isKey {
				x.judge(levels[len(levels)-2].key, value, code, report) // a key is judged as what the object stands under
				top.key, top.isKey = value, false
				continue
			}
			x.judge(top.key, value, code, report)
			if depth < maxDepth && strings.ContainsAny(value, "{[\"") {
				inner := strings.TrimSpace(value)
				if strings.HasPrefix(inner, "{") || strings.HasPrefix(inner, "[") || strings.HasPrefix(inner, `"`) {
					x.walk([]byte(inner), top.key, strings.TrimPrefix(code+"+json", "+"), depth+1, report)
				}
			}
		case json.Number:
			x.judge(top.key, value.String(), code, report)
		}
		if top.object {
			top.isKey = true
		}
	}
}
