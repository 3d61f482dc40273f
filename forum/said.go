package forum

import (
	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
)

// saidWords answers what Words does for a word where it stands in a text: the
// general lists were asked about it when the detectors read it, and its token
// remembers.
type saidWords struct {
	words  Words
	listed *detect.Listed // nil where the words are not the general lists
}

func saidBy(words Words) saidWords {
	if general, ok := words.(*lists.Lists); ok {
		return saidWords{words, detect.NewListed(general)}
	}
	return saidWords{words: words}
}

// common is Words.IsCommonWord.
func (s *saidWords) common(language string, t *detect.Token) bool {
	if s.listed != nil {
		return s.listed.Entry(t).Common(language)
	}
	return s.words != nil && s.words.IsCommonWord(language, t.Folded)
}

// firstName is Words.IsFirstName.
func (s *saidWords) firstName(t *detect.Token) bool {
	if s.listed != nil {
		return s.listed.Entry(t).Is(lists.FirstName)
	}
	return s.words != nil && s.words.IsFirstName(t.Folded)
}

// surname is Words.IsSurname.
func (s *saidWords) surname(t *detect.Token) bool {
	if s.listed != nil {
		return s.listed.Entry(t).Is(lists.Surname)
	}
	return s.words != nil && s.words.IsSurname(t.Folded)
}
