package detect

import (
	"slices"
	"strings"

	"anonymooc/forum/grammar"
	"anonymooc/forum/lists"
)

// cut fills the atoms of a stretch: the tokens as grammars count them. Elided
// words take their apostrophe (d' Angers), hyphened names are one atom
// (Saint-Jean-de-Bray) where other hyphened words are several (grand mère),
// figures part from the letters after them (19 ans), line ends are atoms, and
// what is no running text (code, addresses, attributes) is a barrier.
func (r *esloReader) cut(s Stretch) {
	r.atoms, r.compounds = r.atoms[:0], r.compounds[:0]
	for i := s.First; i < s.Last; {
		t := &r.doc.Tokens[i]
		switch {
		case t.Flags&InMarkup != 0 || t.Text == "*" || t.Text == "_" || t.Text == "@" || t.Text == "#":
			i++
			continue
		case t.Flags&(InCode|InContentID|InURL) != 0:
			r.barrier(t)
			i++
			continue
		case t.Flags&LineStart != 0 && len(r.atoms) > 0:
			r.add(t.Start, t.Start, "\n", r.known(lineEndForm), grammar.Punct|grammar.Newline)
		}
		i = r.atom(i, s.Last)
	}
	r.mergePlaces()
	r.ends()
}

// barrier stands for text that no phrase runs across.
func (r *esloReader) barrier(t *Token) {
	if last := len(r.atoms) - 1; last >= 0 && r.atoms[last].Folded == barrier {
		r.atoms[last].End = t.End
		return
	}
	r.add(t.Start, t.End, barrier, r.known(barrierForm), grammar.Punct)
}

// barrier is what a barrier reads like.
const barrier = "\x00"

// The forms of what is no word.
var (
	lineEndForm = newForm("\n")
	barrierForm = newForm(barrier)
)

// known gives what is known of a form in the language of the stretch.
func (r *esloReader) known(f *form) *esloWord {
	if word := r.words.plain.find(&f.eslo); word != nil {
		return word
	}
	var entry lists.Entry
	if r.eslo.listed != nil {
		entry = r.eslo.listed.of(f)
	}
	return r.words.plain.keep(&f.eslo, r.wordListed(f.folded, entry))
}

// elided is known for a word with an apostrophe.
func (r *esloReader) elided(f *form) *elidedWord {
	if word := r.words.elided.behind(&f.elided); word != nil {
		return word
	}
	folded := f.folded + "'"
	return r.words.elided.hang(&f.elided, elidedWord{r.word(folded), folded})
}

// word asks the grammar and the lists about a word.
func (r *esloReader) word(folded string) esloWord {
	return r.wordListed(folded, r.entry(folded))
}

// wordListed is word where it is known what the lists say.
func (r *esloReader) wordListed(folded string, entry lists.Entry) esloWord {
	return esloWord{Lexeme: r.matcher.Lexeme(folded, r.meaning(folded, entry)), begins: entry.Begins()}
}

// add appends an atom of a word that is known.
func (r *esloReader) add(start, end int, folded string, word *esloWord, class grammar.Class) {
	if word.begins && class&grammar.Capital != 0 {
		r.compounds = append(r.compounds, int32(len(r.atoms)))
	}
	n := len(r.atoms)
	if n == cap(r.atoms) {
		r.atoms = slices.Grow(r.atoms, 1)
	}
	r.atoms = r.atoms[:n+1]
	atom := &r.atoms[n]
	atom.Start, atom.End, atom.Classes = start, end, class
	atom.Folded, atom.Known = folded, &word.Lexeme
}

// atom reads the atom that starts at token i and returns the token after it.
func (r *esloReader) atom(i, last int) int {
	tokens := r.doc.Tokens
	t := &tokens[i]
	class := atomShape(t)
	if t.Flags&Word == 0 && (t.Flags&Number == 0 || r.hyphened(i, last) == i+1) {
		r.add(t.Start, t.End, t.Folded, r.known(t.form), class)
		return i + 1
	}
	if n := figures(t.Text); n > 0 && n < len(t.Text) && n <= 3 && n < len(t.Folded) {
		start, middle := r.doc.Span(i, 0, n)
		r.atoms = append(r.atoms,
			grammar.Atom{Start: start, End: middle, Folded: t.Folded[:n], Classes: grammar.Number | class&grammar.SentenceStart},
			grammar.Atom{Start: middle, End: t.End, Folded: t.Folded[n:], Classes: grammar.Word | grammar.Lower})
		return i + 1
	}
	if !r.touching(i+1, last) {
		r.add(t.Start, t.End, t.Folded, r.known(t.form), class)
		return i + 1
	}
	if tokens[i+1].Folded == "'" && r.touching(i+2, last) && tokens[i+2].Flags&Word != 0 {
		word := r.elided(t.form)
		r.add(t.Start, tokens[i+1].End, word.folded, &word.esloWord, class)
		return i + 2
	}
	end := r.hyphened(i, last)
	if end > i+1 && tokens[end-1].Flags&Capital != 0 && t.Flags&Capital != 0 {
		folded := r.joinFolded(i, end)
		word := r.word(folded)
		r.add(t.Start, tokens[end-1].End, folded, &word, class&^grammar.Short)
		return end
	}
	r.add(t.Start, t.End, t.Folded, r.known(t.form), class)
	for j := i + 1; j < end; j++ {
		if part := &tokens[j]; part.Flags&Word != 0 {
			r.add(part.Start, part.End, part.Folded, r.known(part.form), atomShape(part)|grammar.Joined)
		}
	}
	return end
}

// touching reports whether token i exists and follows without a space.
func (r *esloReader) touching(i, last int) bool {
	return i < last && r.doc.Tokens[i].Flags&(SpaceBefore|LineStart) == 0
}

// hyphened gives the end of the run word-word-word that starts at token i, an
// elided word in it (Villeneuve-d'Ascq) and a middle dot (col·lega) included.
func (r *esloReader) hyphened(i, last int) int {
	end := i + 1
	for r.bound(end, last, "-") || r.bound(end, last, "·") || end > i+1 && len(r.doc.Tokens[end-1].Folded) == 1 && r.bound(end, last, "'") {
		end += 2
	}
	return end
}

// bound reports whether token i is the mark and binds a word to the one before.
func (r *esloReader) bound(i, last int, mark string) bool {
	return r.touching(i, last) && r.doc.Tokens[i].Folded == mark && r.touching(i+1, last) && r.doc.Tokens[i+1].Flags&Word != 0
}

func (r *esloReader) joinFolded(i, end int) string {
	var b strings.Builder
	for j := i; j < end; j++ {
		if r.doc.Tokens[j].Flags&Word == 0 {
			b.WriteByte(' ')
			continue
		}
		b.WriteString(r.doc.Tokens[j].Folded)
	}
	return b.String()
}

// figures counts the digits that a word begins with.
func figures(word string) int {
	n := 0
	for n < len(word) && '0' <= word[n] && word[n] <= '9' {
		n++
	}
	return n
}

// atomShape translates a token's flags.
func atomShape(t *Token) grammar.Class {
	var class grammar.Class
	switch {
	case t.Flags&Number != 0:
		class = grammar.Number
	case t.Flags&Word != 0:
		class = grammar.Word
		if t.Flags&Capital != 0 {
			class |= grammar.Capital
		} else {
			class |= grammar.Lower
		}
		if len(t.Folded) == 1 && t.Flags&Capital != 0 {
			class |= grammar.Initial
		}
		if len(t.Folded) <= 2 {
			class |= grammar.Short
		}
	default:
		class = grammar.Punct
	}
	if t.Flags&AllCaps != 0 {
		class |= grammar.AllCaps
	}
	if t.Flags&Mention != 0 {
		class |= grammar.Mention
	}
	if t.Flags&SentenceStart != 0 {
		class |= grammar.SentenceStart
	}
	return class
}

// mergePlaces makes one atom of a place name of two or three words: Le Mans,
// Aix en Provence.
func (r *esloReader) mergePlaces() {
	kept, next := 0, 0 // atoms before next have been moved to before kept
	for _, at := range r.compounds {
		i := int(at)
		if i < next {
			continue // inside the one before
		}
		length := r.placeLength(i)
		if length < 2 {
			continue
		}
		kept += copy(r.atoms[kept:], r.atoms[next:i])
		atom := r.atoms[i]
		atom.End = r.atoms[i+length-1].End
		atom.Folded, atom.Known = r.value(grammar.Capture{First: i, Last: i + length}), nil
		atom.Classes &^= grammar.Short | grammar.AllCaps
		r.atoms[kept] = atom
		kept++
		next = i + length
	}
	if next > 0 {
		kept += copy(r.atoms[kept:], r.atoms[next:])
		r.atoms = r.atoms[:kept]
	}
}

// placeLength gives the number of atoms of the place name at i, 1 when there is
// none of several words. Marie Louise, a hamlet, is more likely a person.
func (r *esloReader) placeLength(i int) int {
	if r.atoms[i].Classes&grammar.Capital == 0 || i+1 == len(r.atoms) || r.atoms[i+1].Classes&grammar.Word == 0 {
		return 1
	}
	length, entry := r.eslo.lists.Longest(lists.Place|lists.Country, func(n int) (string, bool) {
		if i+n >= len(r.atoms) || r.atoms[i+n].Classes&grammar.Word == 0 {
			return "", false
		}
		return r.atoms[i+n].Folded, true
	})
	if length < 2 || r.atoms[i+length-1].Classes&grammar.Capital == 0 {
		return 1
	}
	if entry.Is(lists.Place) && entry.Population <= r.eslo.small && r.eslo.lists.Find(r.atoms[i].Folded).Is(lists.UsualName) {
		return 1
	}
	return length
}

// ends tells the atoms where lines begin and end, and which is the last line.
func (r *esloReader) ends() {
	lastLine, lineEnds := true, true // lineEnds: nothing but punctuation from here on
	for i := len(r.atoms) - 1; i >= 0; i-- {
		atom := &r.atoms[i]
		if atom.Folded == "\n" {
			lineEnds = true
			continue
		}
		if lastLine {
			atom.Classes |= grammar.TextEnd
		}
		if i == 0 || r.atoms[i-1].Folded == "\n" {
			atom.Classes |= grammar.LineStart
			if lastLine && atom.Classes&(grammar.Word|grammar.Number) != 0 {
				lastLine = false
			}
		}
		if lineEnds {
			atom.Classes |= grammar.LineEnd
		}
		lineEnds = lineEnds && atom.Classes&grammar.Punct != 0 && atom.Folded != "," && atom.Folded != ":"
	}
}
