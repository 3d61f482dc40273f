package ledger

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"anonymooc/idmap"
	"anonymooc/internal/fold"
)

// Erase implements idmap.Eraser: it forgets the decisions on forms that name
// the person, and those that say a form names them. A decision on a name that
// others bear too goes with them: it will be asked again. The questions that
// were asked go all.
func (l *Ledger) Erase(person idmap.Person) (string, error) {
	if err := l.forgetAsked(); err != nil {
		return "", err
	}
	traces := tracesOf(person)
	erased, err := l.Forget("forget", func(entry Entry) bool {
		return traces[entry.Entity] || traces[folded(entry.Surface)] ||
			slices.ContainsFunc(entry.Also, func(a Asked) bool { return traces[folded(a.Surface)] })
	})
	if err != nil || erased == 0 {
		return "", err
	}
	return fmt.Sprintf("ledger: %d decisions", erased), nil
}

// tracesOf gives what stands for a person in a ledger: pseudonymous usernames,
// identifiers, names and the words of names, folded.
func tracesOf(person idmap.Person) map[string]bool {
	traces := make(map[string]bool)
	for _, pseudonym := range person.Pseudonyms {
		traces[pseudonym.Username()] = true
	}
	for _, id := range person.Identifiers {
		traces[folded(id.Value)] = true
	}
	for _, attribute := range person.Attributes {
		if !strings.Contains(attribute.Name, "name") {
			continue // a town or a school is nobody's own
		}
		traces[folded(attribute.Value)] = true
		for _, word := range words(attribute.Value) {
			traces[folded(word)] = true
		}
	}
	delete(traces, "")
	return traces
}

func folded(form string) string { return strings.Join(words(fold.KeyString(form)), " ") }

func words(form string) []string {
	return strings.FieldsFunc(form, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) })
}
