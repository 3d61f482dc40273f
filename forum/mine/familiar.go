package mine

import (
	"bufio"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"anonymooc/forum/lists"
	"anonymooc/internal/fault"
	"anonymooc/internal/fold"
)

// Familiar tells what people are called by custom: under the key of a first name
// its familiar forms, parted by spaces, as they were written. Only those of names
// that somebody bears are ever taken apart.
type Familiar map[string][]string

// ShippedFamiliar is the list that the program carries. It is read once, when it
// is first asked for, and must not be changed.
var ShippedFamiliar = sync.OnceValues(func() (Familiar, error) {
	return ReadFamiliar(strings.NewReader(lists.Familiar), "familiar.txt")
})

// ReadFamiliar reads a list of familiar forms: a name with its variants, a colon,
// and what people call its bearer. "#" at the start of a line opens a comment.
// Forms that are merely cut short or have a usual ending need no line.
//
//	Francisco: Paco Pancho
//	Catherine/Katherine: Kate Kitty
func ReadFamiliar(r io.Reader, name string) (Familiar, error) {
	familiar := make(Familiar)
	lines := bufio.NewScanner(r)
	for number := int64(1); lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		called, forms, ok := strings.Cut(line, ":")
		forms = strings.TrimSpace(forms)
		for variant := range strings.SplitSeq(called, "/") {
			key := strings.Join(keysOf(variant), " ")
			if !ok || key == "" || forms == "" {
				return nil, fault.New(fault.Usage, "not a name and its familiar forms").At(name, number, "").WithHint("a line is: Francisco: Paco Pancho")
			}
			familiar[key] = append(familiar[key], forms)
		}
	}
	return familiar, lines.Err()
}

// With is both lists together; neither is changed.
func (f Familiar) With(more Familiar) Familiar {
	if len(more) == 0 {
		return f
	}
	both := make(Familiar, len(f)+len(more))
	maps.Copy(both, f)
	for key, forms := range more {
		both[key] = slices.Concat(f[key], forms)
	}
	return both
}

// of gives the keys of what bearers of a name are called, each once.
func (f Familiar) of(name string) []string {
	if len(f) == 0 {
		return nil
	}
	var keys []string
	for _, forms := range f[strings.Join(keysOf(name), " ")] {
		for form := range strings.FieldsSeq(forms) {
			if key := fold.KeyString(form); !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}
