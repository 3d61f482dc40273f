package detect

import (
	"slices"
	"strings"
	"unicode"

	"anonymooc/internal/fold"
)

// InitialsSuggestion is what NOME proposes to put in the place of a name.
type InitialsSuggestion struct {
	Name     string
	Initials string   // "J.-M. L."
	Clashes  []string // other names with the same initials; the user should choose others
}

// SuggestInitials proposes initials for each name, civility titles left out,
// and warns where two people would share them (section 2.1.1, point 2).
// Spellings of one name that differ in case or accents only do not clash.
func (n *Nome) SuggestInitials(names []string) []InitialsSuggestion {
	suggestions := make([]InitialsSuggestion, len(names))
	same := make(map[string][]string)
	for i, name := range names {
		suggestions[i] = InitialsSuggestion{Name: name, Initials: n.initials(name)}
		same[suggestions[i].Initials] = append(same[suggestions[i].Initials], name)
	}
	for i := range suggestions {
		own := fold.KeyString(suggestions[i].Name)
		for _, other := range same[suggestions[i].Initials] {
			if fold.KeyString(other) != own && !slices.Contains(suggestions[i].Clashes, other) {
				suggestions[i].Clashes = append(suggestions[i].Clashes, other)
			}
		}
	}
	return suggestions
}

// initials cuts a name to its first letters.
func (n *Nome) initials(name string) string {
	words := strings.Fields(name)
	for len(words) > 1 && n.titles[fold.KeyString(strings.TrimSuffix(words[0], "."))] {
		words = words[1:]
	}
	for i, word := range words {
		parts := strings.FieldsFunc(word, func(r rune) bool { return r == '-' || r == '.' || r == '‑' })
		for j, part := range parts {
			// "D'Arcy" is D'A. as the paper's users write it.
			head, rest, apostrophe := strings.Cut(part, "'")
			if !apostrophe {
				head, rest, apostrophe = strings.Cut(part, "’")
			}
			parts[j] = capitalOf(head)
			if apostrophe && rest != "" {
				parts[j] += "'" + capitalOf(rest)
			}
			parts[j] += "."
		}
		words[i] = strings.Join(parts, "-")
	}
	return strings.Join(words, " ")
}

func capitalOf(word string) string {
	for _, r := range word {
		return string(unicode.ToUpper(r))
	}
	return ""
}
