package canary

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// index finds canaries in folded text and at the places where people stand.
type index struct {
	patterns []pattern
	starts   [1 << 16]bool        // first two bytes of any pattern
	byStart  map[[3]byte][]int    // patterns by their first three bytes
	kindsAt  map[string][]string  // kinds of identifier by the column or key they stand at
	common   map[string][]*Canary // common identifiers by kind and folded value
	inURL    map[string][]*Canary // usernames, e-mails and user ids by kind and folded value
}

// pattern is a value that gives somebody away wherever it stands.
type pattern struct {
	value  string // folded
	canary *Canary
	digits bool // all digits: only digits beside it make it part of something else
	glued  bool // so long that it needs no boundary
}

// shortest is how many letters a value needs to be judged wherever it stands.
const shortest = 4

func newIndex(canaries []Canary, options Options) *index {
	x := &index{byStart: map[[3]byte][]int{}, kindsAt: map[string][]string{}, common: map[string][]*Canary{}, inURL: map[string][]*Canary{}}
	type key struct {
		value, kind string
		person      int
	}
	seen := map[key]bool{}
	for i := range canaries {
		c := &canaries[i]
		if byPeople(c.Altered) && !options.Altered {
			continue
		}
		values := strings.FieldsFunc(c.Value, func(r rune) bool { return r == '\r' || r == '\n' })
		if c.Common {
			values = nil
			if options.Phrases && c.Phrase != "" {
				values = []string{strings.TrimSpace(c.Phrase)}
			}
			k := valueKey(c.Kind, Fold(c.Value))
			x.common[k] = append(x.common[k], c)
		}
		x.addPlace(c)
		for _, value := range values {
			folded := Fold(strings.TrimSpace(value))
			k := key{folded, c.Kind, c.Person}
			if utf8.RuneCountInString(folded) < shortest || seen[k] {
				continue
			}
			seen[k] = true
			x.addPattern(pattern{
				value: folded, canary: c, glued: len(folded) >= 16,
				digits: strings.Trim(folded, "0123456789") == "",
			})
		}
		if c.Kind == "username" || c.Kind == "email" || c.Kind == "user_id" {
			k := valueKey(c.Kind, Fold(c.Value))
			x.inURL[k] = append(x.inURL[k], c)
		}
	}
	return x
}

// byPeople tells spellings that people changed from codes and letter case.
func byPeople(altered string) bool {
	switch altered {
	case "misspelt", "elongated", "spaced", "initial":
		return true
	}
	return false
}

func (x *index) addPattern(p pattern) {
	x.patterns = append(x.patterns, p)
	x.starts[int(p.value[0])<<8|int(p.value[1])] = true
	start := [3]byte([]byte(p.value[:3]))
	x.byStart[start] = append(x.byStart[start], len(x.patterns)-1)
}

// addPlace notes that identifiers of the canary's kind fill a column or stand
// under a key. There, and there only, common ones are judged.
func (x *index) addPlace(c *Canary) {
	if !c.Whole {
		return
	}
	place := lastKey(c.Where)
	if table, ok := tableName(c.File); ok && place == c.Where {
		place = table + "." + place
	}
	if place != "" && !slices.Contains(x.kindsAt[place], c.Kind) {
		x.kindsAt[place] = append(x.kindsAt[place], c.Kind)
	}
}

func valueKey(kind, value string) string { return kind + "\x00" + value }

// judge reports the common identifiers that value is, if such stand at place.
func (x *index) judge(place, value, code string, report func(*Canary, string)) {
	for _, kind := range x.kindsAt[place] {
		for _, c := range x.common[valueKey(kind, Fold(value))] {
			report(c, code)
		}
	}
}

// lastKey gives the key of a path: "users" of "event.users[]".
func lastKey(where string) string {
	where = strings.TrimRight(where, "[]")
	return where[strings.LastIndexAny(where, ".]")+1:]
}

// tableName gives the table a file holds, by its name; logs and forums hold
// none.
func tableName(file string) (string, bool) {
	name := path.Base(file)
	switch {
	case strings.HasSuffix(name, "-analytics.sql"), strings.HasSuffix(name, "-analytics.csv"):
		parts := strings.Split(name, "-")
		return parts[len(parts)-3], true
	case strings.HasSuffix(name, ".csv"):
		return strings.TrimSuffix(name, ".csv"), true
	}
	return "", false
}

// match reports every pattern that stands in folded text.
func (x *index) match(folded string, report func(*pattern)) {
	for i := 0; i+2 < len(folded); i++ {
		if !x.starts[int(folded[i])<<8|int(folded[i+1])] {
			continue
		}
		for _, at := range x.byStart[[3]byte([]byte(folded[i:i+3]))] {
			p := &x.patterns[at]
			if strings.HasPrefix(folded[i:], p.value) && p.bounded(folded, i, i+len(p.value)) {
				report(p)
			}
		}
	}
}

// bounded reports whether a pattern found at [start, end) is a whole value
// there and not a part of a longer word or number.
func (p *pattern) bounded(text string, start, end int) bool {
	if p.glued {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	if p.digits {
		fraction := before == '.' && start > 1 && unicode.IsDigit(rune(text[start-2]))
		return !unicode.IsDigit(before) && !unicode.IsDigit(after) && !fraction
	}
	return !(isWord(before) && startsWithWord(p.value)) && !(isWord(after) && endsWithWord(p.value))
}

func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

func startsWithWord(value string) bool {
	r, _ := utf8.DecodeRuneInString(value)
	return isWord(r)
}

func endsWithWord(value string) bool {
	r, _ := utf8.DecodeLastRuneInString(value)
	return isWord(r)
}
