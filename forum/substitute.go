package forum

import (
	"bytes"
	"strings"
	"sync"
	"unicode"

	"anonymooc/forum/detect"
	"anonymooc/internal/fold"
)

// substituter writes replacements: step 7 of the method, in one pass over the
// findings of a text.
type substituter struct {
	engine *Engine
	names  surrogates

	numbers *sync.Map // code key → number, so that the id map is asked once
}

func newSubstituter(e *Engine) (substituter, error) {
	s := substituter{engine: e, numbers: new(sync.Map)}
	var err error
	if e.surrogates() {
		s.names, err = newSurrogates(e)
	}
	return s, err
}

// substitute appends the text with every masked finding replaced; everything
// else byte for byte, but for the elision before a replaced name.
func (s *substituter) substitute(dst []byte, doc *detect.Document, findings []Finding) ([]byte, error) {
	at := 0
	for i := range findings {
		f := &findings[i]
		if f.Verdict == detect.Keep {
			continue
		}
		replacement, style, err := s.replacement(f)
		if err != nil {
			return dst, err
		}
		before := doc.Raw[at:f.Start]
		if style == Surrogate || style == Hyperonym {
			before = elide(before, doc.Raw[f.Start:f.End], replacement)
		}
		dst = append(dst, before...)
		dst = append(dst, replacement...)
		dst = append(dst, tagsWithin(doc.Raw[f.Start:f.End])...)
		at = f.End
	}
	return append(dst, doc.Raw[at:]...), nil
}

// replacement gives what stands for a finding and the style that was used.
func (s *substituter) replacement(f *Finding) (string, Style, error) {
	style := s.engine.Style(f.Category)
	if f.handle && (style == Surrogate || style == Initials) {
		style = Pseudonym // "@Anna B." is nobody's account, and a link to it leads astray
	}
	switch style {
	case Pseudonym:
		if _, known := s.engine.people.entities[f.Entity]; known {
			return string(f.Entity), style, nil
		}
	case Hyperonym:
		return tag(f.Category, 1), style, nil
	case Initials:
		return initialsOf(f.Surface), style, nil
	case Asterisks:
		return "***", style, nil
	case Surrogate:
		if name, err := s.surrogate(f); err != nil || name != "" {
			return name, style, err
		}
	}
	code, err := s.code(f)
	return code, Code, err
}

// code is a tag with the number of the person, or of the form when it is not
// known whose it is.
func (s *substituter) code(f *Finding) (string, error) {
	if s.engine.options.Number == nil {
		return "[" + tag(f.Category, 0) + "]", nil
	}
	n, err := s.number(codeKey(f))
	if err != nil {
		return "", err
	}
	return "[" + tag(f.Category, 0) + "_" + number(n) + "]", nil
}

// codeKey is what gets one number: an entity, or a form whatever its case.
func codeKey(f *Finding) string {
	if f.Entity != "" {
		return "entity:" + string(f.Entity)
	}
	_, form, _ := strings.Cut(f.key, ":")
	return "form:" + form
}

func (s *substituter) number(key string) (uint64, error) {
	if n, ok := s.numbers.Load(key); ok {
		return n.(uint64), nil
	}
	n, err := s.engine.options.Number(key)
	if err != nil {
		return 0, err
	}
	s.numbers.Store(key, n)
	return n, nil
}

// elisions pairs the full and the elided spelling of words that French writes
// differently before a vowel. "l'" is left alone: what it stands for depends on
// a gender nobody told.
var elisions = [...]struct{ full, elided string }{{"de", "d"}, {"que", "qu"}, {"jusque", "jusqu"}, {"lorsque", "lorsqu"}, {"puisque", "puisqu"}}

// elide rewrites the end of the text before a replaced name, when the name
// began with a vowel and its replacement does not, or the other way round.
func elide(before, name []byte, replacement string) []byte {
	elided := startsWithVowel(replacement)
	for _, e := range elisions {
		for _, apostrophe := range [...]string{"'", "’"} {
			if stem, ok := cutWord(before, e.elided+apostrophe); ok && !elided {
				full := e.full
				switch {
				case unicode.IsUpper(rune(before[len(stem)])) && likeCase("a", string(name)) == "A":
					full = strings.ToUpper(full)
				case unicode.IsUpper(rune(before[len(stem)])):
					full = strings.ToUpper(full[:1]) + full[1:]
				}
				return append(bytes.Clone(stem), full+" "...)
			}
		}
		if e.full != "de" {
			continue
		}
		if stem, ok := cutWord(before, "de "); ok && elided && !startsWithVowel(string(name)) {
			return append(bytes.Clone(stem), string(before[len(stem)])+"'"...)
		}
	}
	return before
}

// cutWord cuts word, in any case, off the end of text when nothing that belongs
// to it stands before.
func cutWord(text []byte, word string) ([]byte, bool) {
	if len(text) < len(word) || !strings.EqualFold(string(text[len(text)-len(word):]), word) {
		return nil, false
	}
	stem := text[:len(text)-len(word)]
	if n := len(stem); n > 0 && (keyRune(rune(stem[n-1])) || stem[n-1] >= 0x80) {
		return nil, false
	}
	return stem, true
}

// tagsWithin gives the markup inside a replaced span, so that what it opens or
// closes stays in balance.
func tagsWithin(span []byte) []byte {
	if bytes.IndexByte(span, '<') < 0 {
		return nil
	}
	return fold.Tags(span)
}
