package forum

import (
	"hash/fnv"
	"slices"
	"strings"
	"unicode"

	"anonymooc/forum/detect"
	"anonymooc/internal/fault"
	"anonymooc/internal/fold"
)

// Gender is that of the usual bearers of a first name.
type Gender byte

// The genders that lists of names tell.
const (
	EitherGender Gender = iota // both, or not known
	Male
	Female
)

// SurrogateName is a name that may stand for another.
type SurrogateName struct {
	Name   string
	Gender Gender
}

// SurrogateNames offers names to stand for others: see the surrogate style.
type SurrogateNames interface {
	Names(category detect.Category) []SurrogateName
	Gender(key string) Gender // of a first name, by its folded key
}

// surrogates are the names that may stand for others, by what must agree with
// the name replaced: its kind, its script, and the gender of its bearers unless
// that is to be hidden. None is anybody's on the roster, or written in the corpus.
type surrogates map[surrogateKind][]string

type surrogateKind struct {
	category detect.Category
	script   string
	gender   Gender
}

func newSurrogates(e *Engine) (surrogates, error) {
	if e.options.Names == nil {
		return nil, fault.New(fault.Usage, "the surrogate style has no list of names").WithHint("choose another style, or give the engine a list of names")
	}
	s := make(surrogates)
	for _, c := range []detect.Category{detect.FirstName, detect.LastName, detect.Place} {
		for _, offered := range e.options.Names.Names(c) {
			script, ok := scriptOf(offered.Name)
			if !ok || e.catalogue.Readings(offered.Name) != nil || e.written[fold.KeyString(offered.Name)] {
				continue
			}
			kind := surrogateKind{c, script, EitherGender}
			s[kind] = append(s[kind], offered.Name) // whoever is of neither gender may be called so
			if kind.gender = offered.Gender; kind.gender != EitherGender {
				s[kind] = append(s[kind], offered.Name)
			}
		}
	}
	for kind := range s {
		slices.Sort(s[kind])
	}
	return s, nil
}

// of gives the names for a kind, those of either gender when there are none.
func (s surrogates) of(kind surrogateKind) []string {
	if names := s[kind]; len(names) > 0 {
		return names
	}
	kind.gender = EitherGender
	return s[kind]
}

// scripts are those that names are written in here, by what they are called.
var scripts = []struct {
	name  string
	table *unicode.RangeTable
}{
	{"Latin", unicode.Latin}, {"Cyrillic", unicode.Cyrillic}, {"Greek", unicode.Greek}, {"Arabic", unicode.Arabic}, {"Hebrew", unicode.Hebrew},
	{"Han", unicode.Han}, {"Kana", unicode.Katakana}, {"Kana", unicode.Hiragana}, {"Hangul", unicode.Hangul},
	{"Devanagari", unicode.Devanagari}, {"Georgian", unicode.Georgian}, {"Armenian", unicode.Armenian},
}

// scriptOf tells the one script of a name's letters; none for another script, a
// mixture, or a name without letters.
func scriptOf(name string) (script string, ok bool) {
	for _, r := range name {
		if !unicode.IsLetter(r) {
			continue
		}
		of := ""
		for _, s := range scripts {
			if unicode.Is(s.table, r) {
				of = s.name
				break
			}
		}
		if of == "" || script != "" && of != script {
			return "", false
		}
		script = of
	}
	return script, script != ""
}

// surrogate picks a name of the same kind: the same for the same person or
// form, as long as it is written in one script. Empty when no list has any.
func (s *substituter) surrogate(f *Finding) (string, error) {
	script, ok := scriptOf(f.Surface)
	if !ok {
		return "", nil
	}
	switch f.Category {
	case detect.FullName:
		first, err := s.pick(f, detect.FirstName, script)
		if err != nil || first == "" {
			return "", err
		}
		last, err := s.pick(f, detect.LastName, script)
		name := strings.TrimSpace(first + " " + last)
		if familyFirst[script] {
			name = last + first
		}
		return likeCase(name, f.Surface), err
	case detect.FirstName, detect.Nickname, detect.LastName, detect.Place:
		category := f.Category
		if category == detect.Nickname {
			category = detect.FirstName
		}
		name, err := s.pick(f, category, script)
		return likeCase(name, f.Surface), err
	}
	return "", nil
}

// familyFirst are the scripts that write the family's name first, and no space.
var familyFirst = map[string]bool{"Han": true, "Hangul": true, "Kana": true}

// pick chooses by the id map's number for the person or form, so that nobody
// without the map can go back; without a map, by a digest.
func (s *substituter) pick(f *Finding, category detect.Category, script string) (string, error) {
	kind := surrogateKind{category: category, script: script}
	if category == detect.FirstName && !s.engine.options.HideGender {
		kind.gender = s.gender(f)
	}
	names := s.names.of(kind)
	if len(names) == 0 {
		return "", nil
	}
	key := codeKey(f) + ":" + string(category)
	if s.engine.options.Number != nil {
		n, err := s.number(key)
		return names[n%uint64(len(names))], err
	}
	h := fnv.New64a()
	h.Write([]byte(key))
	return names[h.Sum64()%uint64(len(names))], nil
}

// gender is that of the person's first name as the roster has it, whatever they
// are called in the text; of who is on no roster, the name's own.
func (s *substituter) gender(f *Finding) Gender {
	names := s.engine.options.Names
	if n, ok := s.engine.people.entities[f.Entity]; ok {
		p := &s.engine.people.list[n]
		for _, name := range slices.Concat(p.FirstNames, p.Names) {
			if first := strings.Fields(name); len(first) > 0 {
				return names.Gender(fold.KeyString(first[0]))
			}
		}
	}
	if first := strings.Fields(f.Surface); len(first) > 0 {
		return names.Gender(fold.KeyString(first[0]))
	}
	return EitherGender
}
