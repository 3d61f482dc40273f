package detect

import (
	"strings"
	"unicode/utf8"

	"anonymooc/forum/lists"
	"anonymooc/internal/fold"
)

// The heuristics of Patel et al. 2013, section 3.2, for words that no list has.
// Missing and misplaced accents need none: words are compared without accents.
type how uint8

const (
	howWritten how = iota
	howRepeated
	howSound
	howApostrophe
	howGlued
	howMisspelt
)

// String says it as it follows what the lists say.
func (h how) String() string {
	return [...]string{"", ", with its repeated letters cut down", ", shaped like a sound", ", with the apostrophe put back",
		", run together with another word", ", one slip from a dictionary word"}[h]
}

// heuristics labels a word that is in no list as it is written.
func (r *wordReader) heuristics(t *Token, f *wordFact) {
	f.label = LabelUnknown
	for _, try := range [...]func(*Token, *wordFact) bool{r.repeated, r.apostrophe, r.glued} {
		if try(t, f) {
			return
		}
	}
	switch {
	case soundLike(t.Folded):
		f.label, f.how = LabelIgnore, howSound
	case !t.Any(Capital) && r.misspelt(t.Folded):
		f.label, f.how = LabelIgnore, howMisspelt
	}
}

// repeated cuts runs of a letter down to two, then to one: "nicoooooolaassss"
// is "nicolas", "coooool" is "cool".
func (r *wordReader) repeated(t *Token, f *wordFact) bool {
	key, runs := t.Folded, t.form.run
	if runs < 2 {
		return false
	}
	if runs > 2 {
		r.squeezed = squeezeTo(r.squeezed[:0], key, 2)
		if r.found(t, string(r.squeezed), f, howRepeated) {
			return true
		}
	}
	r.squeezed = fold.Squeeze(r.squeezed[:0], key)
	// A doubled letter alone is a spelling ("Emma"), not an elongation, unless
	// what is left is a name ("Nicolass").
	return r.found(t, string(r.squeezed), f, howRepeated)
}

// found labels the word by another spelling of it, if a list has that one.
func (r *wordReader) found(t *Token, key string, f *wordFact, how how) bool {
	if utf8.RuneCountInString(key) < 2 {
		return false
	}
	e := r.dictionaries.Look(key)
	in, against := r.dictionary(e, t), r.antiDictionary(e, t)
	if !in && !against {
		return false
	}
	f.entry, f.label, f.how = e, labelOf(in, against), how
	return true
}

// longestRun gives the length of the longest run of one byte; folded Latin
// letters are one byte each.
func longestRun(key string) int {
	best, run := 0, 0
	for i := range len(key) {
		if i > 0 && key[i] == key[i-1] {
			run++
		} else {
			run = 1
		}
		best = max(best, run)
	}
	return best
}

// squeezeTo cuts runs of a byte down to at most n.
func squeezeTo(dst []byte, key string, n int) []byte {
	run := 0
	for i := range len(key) {
		if i > 0 && key[i] == key[i-1] {
			run++
		} else {
			run = 1
		}
		if run <= n {
			dst = append(dst, key[i])
		}
	}
	return dst
}

// elisions are what an apostrophe follows, longest first.
var elisions = [...]string{"aujourd", "presqu", "jusqu", "lorsqu", "puisqu", "quelqu", "quoiqu", "dell", "nell", "sull", "dall", "qu", "un", "j", "l", "d", "t", "m", "n", "s", "c"}

// apostrophe puts a dropped apostrophe back: "jexplique" is "j'explique".
func (r *wordReader) apostrophe(t *Token, f *wordFact) bool {
	for _, elision := range elisions {
		rest, ok := strings.CutPrefix(t.Folded, elision)
		if !ok || len(rest) < 3 || !strings.ContainsRune("aeiouyh", rune(rest[0])) {
			continue
		}
		e := r.dictionaries.Look(rest)
		switch {
		case e.Is(r.words):
			f.entry, f.label, f.how = e, LabelIgnore, howApostrophe
			return true
		case e.Is(lists.UsualName) && len(rest) > 3 && len(t.Text) == len(t.Folded):
			f.entry, f.label, f.how = e, LabelMask, howApostrophe
			f.from, f.to = int32(len(elision)), int32(len(t.Text))
			return true
		}
	}
	return false
}

// shortest parts that a glued word is cut into, in letters.
const (
	gluedName = 4
	gluedWord = 3
)

// glued cuts a word in two that the lists have: "jtaime" is two words,
// "mercizoe" a word and a name. Only a usual name counts, since nearly any
// letters are a name somewhere.
func (r *wordReader) glued(t *Token, f *wordFact) bool {
	key := t.Folded
	if len(key) < gluedWord+2 || len(key) > 30 {
		return false
	}
	common := lists.Chat | r.words&lists.AnyStop
	r.prefixes = r.dictionaries.Prefixes(key[:len(key)-gluedWord], r.prefixes[:0])
	for cut := 2; cut <= len(key)-gluedWord; cut++ {
		left := r.prefixes[cut-1]
		word, name := left.Is(common), left.Is(lists.UsualName) && !left.Is(r.words) && cut >= gluedName
		if !word && !name || !utf8.RuneStart(key[cut]) {
			continue
		}
		right := r.dictionaries.Look(key[cut:])
		switch {
		case word && right.Is(lists.UsualName) && !right.Is(r.words) && len(key)-cut >= gluedName:
			f.entry, f.from, f.to = right, int32(cut), int32(len(key))
		case name && right.Is(common):
			f.entry, f.from, f.to = left, 0, int32(cut)
		case word && right.Is(r.words):
			f.entry, f.label, f.how = right, LabelIgnore, howGlued
			return true
		default:
			continue
		}
		if len(t.Text) != len(key) {
			f.from, f.to = 0, 0 // accents: the bytes do not match, take it all
		}
		f.label, f.how = LabelMask, howGlued
		return true
	}
	return false
}

// misspelt reports whether a word in small letters is one slip from a word of
// the language and from no given name.
func (r *wordReader) misspelt(key string) bool {
	if len(key) < 5 || r.words == lists.AnyWord|lists.AnyStop {
		return false
	}
	near := lists.Entry{Kinds: r.dictionaries.Near(key)}
	return near.Is(r.words) && !near.Is(lists.UsualName)
}

// soundLike reports whether a word is a syllable said again and again, or
// nothing but one or two letters: "mouhahaha", "kkkkk", "jajaja", "mmmh".
func soundLike(key string) bool {
	if len(key) < 4 {
		return false
	}
	distinct := 0
	var seen [256]bool
	for i := range len(key) {
		if !seen[key[i]] {
			seen[key[i]] = true
			distinct++
		}
	}
	if distinct <= 2 {
		return true
	}
	// The end repeats: a syllable of two letters three times over.
	n := len(key)
	return n >= 6 && key[n-2:] == key[n-4:n-2] && key[n-4:n-2] == key[n-6:n-4]
}
