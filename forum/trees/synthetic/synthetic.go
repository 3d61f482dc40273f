// Package synthetic writes labelled messages to train the shipped forests on.
//
// No text of a real person is in them: the sentences of templates/ were written
// for this purpose, the names, words and places that fill them are drawn from
// the lists that the program ships, and names, brands and slips of the pen that
// no list has are made up from syllables. Messages vary as forum posts do: with
// and without capitals, punctuation and accents, with letters drawn out, with a
// greeting before and a signature after.
package synthetic

import (
	"bufio"
	"embed"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"

	"anonymooc/forum/lists"
	"anonymooc/forum/trees/training"
)

//go:embed templates
var templates embed.FS

// Generate writes n messages with their labels. The same lists, number and seed
// give the same messages.
func Generate(known *lists.Lists, n int, seed uint64) ([]training.Text, error) {
	w := &writer{random: rand.New(rand.NewPCG(seed, 1)), lists: known}
	var err error
	if w.vocabulary, err = newVocabulary(known); err != nil {
		return nil, err
	}
	sentences := make(map[string][]string)
	shared, err := readTemplates("any")
	if err != nil {
		return nil, err
	}
	for _, language := range lists.Languages() {
		lines, err := readTemplates(language)
		if err != nil {
			return nil, err
		}
		sentences[language] = append(lines, shared...)
	}
	texts := make([]training.Text, n)
	for i := range texts {
		language := lists.Languages()[w.language()]
		texts[i] = w.message(language, sentences[language])
		texts[i].ID = fmt.Sprintf("synthetic-%d", i)
		texts[i].Author = fmt.Sprint(w.random.IntN(n/10 + 1))
	}
	return texts, nil
}

func readTemplates(language string) ([]string, error) {
	file, err := templates.Open("templates/" + language + ".txt")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var list []string
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if line := strings.TrimSpace(lines.Text()); line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, line)
		}
	}
	return list, lines.Err()
}

// writer writes messages.
type writer struct {
	random     *rand.Rand
	vocabulary *vocabulary
	lists      *lists.Lists
}

// language draws a language: French and English are met most.
func (w *writer) language() int {
	weights := [...]int{6, 6, 3, 3, 3, 2, 1} // in the order of lists.Languages
	at := w.random.IntN(24)
	for i, weight := range weights {
		if at -= weight; at < 0 {
			return i
		}
	}
	return 0
}

// manner is how somebody writes.
type manner int

const (
	careful manner = iota
	lower          // no capitals
	shouting
	headline // Every Word With A Capital
	plain    // no punctuation at line ends, no accents
)

func (w *writer) manner() manner {
	switch at := w.random.IntN(100); {
	case at < 60:
		return careful
	case at < 80:
		return lower
	case at < 83:
		return shouting
	case at < 87:
		return headline
	}
	return plain
}

// piece is a stretch of a message; person ones are labelled.
type piece struct {
	text   string
	person bool
}

// message writes one message.
func (w *writer) message(language string, templates []string) training.Text {
	how := w.manner()
	t := training.Text{Lang: language}
	at := 0
	var b strings.Builder
	for i := range 1 + w.random.IntN(4) {
		if i > 0 {
			separator := " "
			if w.random.IntN(3) == 0 {
				separator = "\n"
			}
			b.WriteString(separator)
			at++
		}
		for _, p := range w.sentence(language, templates[w.random.IntN(len(templates))]) {
			text := w.dress(p.text, how)
			size := utf8.RuneCountInString(text)
			if p.person {
				t.Spans = append(t.Spans, training.Span{Start: at, End: at + size, Type: "PER"})
			}
			b.WriteString(text)
			at += size
		}
	}
	t.Text = b.String()
	return t
}

// sentence fills a template.
func (w *writer) sentence(language, template string) []piece {
	var pieces []piece
	for template != "" {
		open := strings.IndexByte(template, '{')
		if open < 0 {
			return append(pieces, piece{text: template})
		}
		end := open + strings.IndexByte(template[open:], '}')
		if open > 0 {
			pieces = append(pieces, piece{text: template[:open]})
		}
		pieces = append(pieces, w.slot(language, template[open+1:end])...)
		template = template[end+1:]
	}
	return pieces
}

// slot draws what fills a slot.
func (w *writer) slot(language, name string) []piece {
	switch name {
	case "first":
		return []piece{{w.given(language), true}}
	case "last":
		return []piece{{w.surname(), true}}
	case "full":
		full := w.given(language) + " " + w.surname()
		if w.random.IntN(8) == 0 {
			full = strings.ToUpper(full)
		}
		return []piece{{full, true}}
	case "number":
		return []piece{{fmt.Sprint(1 + w.random.IntN(30)), false}}
	case "place":
		return []piece{{capitals(w.draw(w.vocabulary.places)), false}}
	case "country":
		return []piece{{capitals(w.draw(w.vocabulary.countries)), false}}
	case "term":
		return []piece{{strings.ToLower(w.draw(w.vocabulary.terms)), false}}
	case "Term":
		return []piece{{capitals(w.draw(w.vocabulary.terms)), false}}
	case "stop":
		return []piece{{w.draw(w.vocabulary.stops[language]), false}}
	case "Stop":
		return []piece{{capital(w.draw(w.vocabulary.stops[language])), false}}
	case "brand", "org":
		return []piece{{w.brand(language), false}}
	case "acronym":
		return []piece{{strings.ToUpper(w.invent(2 + w.random.IntN(3))), false}}
	case "Double":
		return []piece{{capital(w.double(language)), false}}
	case "double":
		return []piece{{w.double(language), false}}
	case "Words":
		return []piece{{w.titleOfWork(language), false}}
	case "Word":
		return []piece{{capital(w.word(language)), false}}
	case "typo":
		return []piece{{w.slip(w.word(language)), false}}
	}
	return []piece{{w.word(language), false}}
}

// word draws a word: half of what people say are the commonest words, and one of
// the others in four is a name somewhere.
func (w *writer) word(language string) string {
	if common := w.vocabulary.frequent[language]; len(common) > 0 && w.random.IntN(2) == 0 {
		return w.draw(common)
	}
	if clashes := w.vocabulary.clashes[language]; len(clashes) > 0 && w.random.IntN(4) == 0 {
		return w.draw(clashes)
	}
	return w.draw(w.vocabulary.words[language])
}

// double draws a common word that is also a name in wide use.
func (w *writer) double(language string) string {
	if both := w.vocabulary.double[language]; len(both) > 0 {
		return w.draw(both)
	}
	return w.word(language)
}

func (w *writer) draw(from []string) string { return from[w.random.IntN(len(from))] }

// titleOfWork is one to three words with capitals.
func (w *writer) titleOfWork(language string) string {
	words := make([]string, 1+w.random.IntN(3))
	for i := range words {
		words[i] = capital(w.word(language))
	}
	return strings.Join(words, " ")
}

// dress writes a stretch in somebody's manner.
func (w *writer) dress(text string, how manner) string {
	switch how {
	case lower:
		text = strings.ToLower(text)
	case shouting:
		text = strings.ToUpper(text)
	case headline:
		words := strings.Split(text, " ")
		for i := range words {
			words[i] = capital(words[i])
		}
		text = strings.Join(words, " ")
	case plain:
		text = strings.TrimRight(text, ".!")
	}
	if w.random.IntN(60) == 0 && how != shouting {
		text = w.drawOut(text)
	}
	return text
}

// drawOut repeats a vowel: "merciiii".
func (w *writer) drawOut(text string) string {
	for at := len(text) - 1; at > 0; at-- {
		if strings.IndexByte("aeiou", text[at]) >= 0 {
			return text[:at] + strings.Repeat(text[at:at+1], 3+w.random.IntN(3)) + text[at+1:]
		}
	}
	return text
}

func capital(word string) string {
	if word == "" {
		return word
	}
	r, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(r)) + word[size:]
}
