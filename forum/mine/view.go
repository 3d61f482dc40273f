package mine

import (
	"slices"
	"strings"
	"unicode"

	"anonymooc/forum/detect"
)

// view is a corpus with its known forms marked: what contextual mining reads.
//
//	stream  merci  à  Jean  -  Luc  et  Cléo
//	class     0    0   1    c   c    0    0       1: first name, c: goes on
//
// A step left or right takes a known form as one item, and that item is its
// category: a context never contains a name (section 4.3, property 3).
type view struct {
	corpus   *Corpus
	class    []uint8           // per word of the stream: 0, 1 + index in categories, or goesOn
	known    []int             // where known forms begin
	listed   []bool            // by form: spelled like a known form
	numbers  map[string]uint32 // items by key
	category []detect.Category
}

const goesOn = 255

// newView marks the known forms. An occurrence in lower case of a word that is
// ordinary, for the dictionary or in this corpus, is not taken for a name.
func newView(corpus *Corpus, catalogue *Catalogue, words Words) *view {
	v := &view{
		corpus: corpus, class: make([]uint8, len(corpus.stream)), category: detect.Categories(),
		listed: make([]bool, len(corpus.forms)), numbers: make(map[string]uint32, len(corpus.keys)),
	}
	for i, key := range corpus.keys {
		v.numbers[key] = uint32(i)
	}
	sequences := v.sequences(catalogue)
	for at := 0; at < len(corpus.stream); at++ {
		form := &corpus.forms[corpus.stream[at]]
		candidates := sequences[form.item]
		if len(candidates) == 0 || !capitalised(form.Text) && (words.Word(form.Key) || corpus.ordinary(form)) {
			continue
		}
		for _, s := range candidates {
			if length := v.matches(at, s.items); length > 0 {
				v.mark(at, length, s.class)
				at += length - 1
				break
			}
		}
	}
	return v
}

// sequence is a known form as the items of its words.
type sequence struct {
	items []uint32
	class uint8
}

// sequences gives the known forms that can occur, by their first word's item,
// longest first.
func (v *view) sequences(catalogue *Catalogue) [][]sequence {
	all := make([][]sequence, len(v.corpus.keys))
	single := make([]bool, len(v.corpus.keys))
next:
	for _, known := range catalogue.All {
		s := sequence{class: v.classOf(known.Category)}
		for _, key := range keysOf(known.Form) {
			item, occurs := v.numbers[key]
			if !occurs {
				continue next
			}
			s.items = append(s.items, item)
		}
		if len(s.items) == 0 || len(s.items) == 1 && single[s.items[0]] {
			continue
		}
		single[s.items[0]] = single[s.items[0]] || len(s.items) == 1
		all[s.items[0]] = append(all[s.items[0]], s)
	}
	for _, sequences := range all {
		slices.SortStableFunc(sequences, func(a, b sequence) int { return len(b.items) - len(a.items) })
	}
	for i := range v.corpus.forms {
		v.listed[i] = single[v.corpus.forms[i].item]
	}
	return all
}

func (v *view) classOf(category detect.Category) uint8 {
	at := slices.Index(v.category, category)
	if at < 0 {
		at = len(v.category) - 1
	}
	return uint8(at + 1)
}

// matches gives how many words of the stream the items take from at on, 0 when
// they do not stand there. Between them a joining character may stand.
func (v *view) matches(at int, items []uint32) int {
	end := at
	for i, item := range items {
		if i > 0 && end < len(v.corpus.stream) && joins(v.corpus.form(end).Text) {
			end++
		}
		if end >= len(v.corpus.stream) || v.corpus.form(end).item != item {
			return 0
		}
		end++
	}
	return end - at
}

func joins(text string) bool {
	return len(text) <= 3 && strings.ContainsAny(text, "-'’.‐‑_·")
}

func (v *view) mark(at, length int, class uint8) {
	v.class[at] = class
	for i := at + 1; i < at+length; i++ {
		v.class[i] = goesOn
	}
	v.known = append(v.known, at)
}

func (c *Corpus) form(at int) *Form { return &c.forms[c.stream[at]] }

// item is what stands at a place, for a context: a word's key or a category.
func (v *view) item(at int) uint32 {
	if class := v.class[at]; class != 0 && class != goesOn {
		return uint32(len(v.corpus.keys)) + uint32(class) - 1
	}
	return v.corpus.form(at).item
}

// telling reports whether an item is a word or a category, and not punctuation,
// a line's end or a number.
func (v *view) telling(item uint32) bool {
	return int(item) >= len(v.corpus.keys) || strings.ContainsFunc(v.corpus.keys[item], unicode.IsLetter) && item >= uint32(firstForm)
}

// itemText writes an item as contexts show it.
func (v *view) itemText(item uint32) string {
	if n := int(item) - len(v.corpus.keys); n >= 0 {
		return className(v.category[n])
	}
	return v.corpus.keys[item]
}

// className writes a category as contexts show it: "<first name>".
func className(category detect.Category) string {
	return "<" + strings.ReplaceAll(string(category), "_", " ") + ">"
}

// step goes one item to the side; -1 beyond the ends of the corpus.
func (v *view) step(at int, side Side) int {
	for {
		if side == Left {
			at--
		} else {
			at++
		}
		if at < 0 || at >= len(v.class) {
			return -1
		}
		if v.class[at] != goesOn {
			return at
		}
	}
}

// unlisted reports whether a word stands at a place that may be a new form.
func (v *view) unlisted(at int) bool {
	id := v.corpus.stream[at]
	form := &v.corpus.forms[id]
	return v.class[at] == 0 && form.Word && !v.listed[id] && len(form.Text) > 1
}
