package forum

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"anonymooc/forum/detect"
	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
)

// Style says what stands in the place of a masked span.
type Style string

// The styles. Pseudonym is the default for people: "u1234567890" joins with the
// tables, stays a valid mention ("@u1234567890") and means nothing to HTML,
// Markdown or a URL. Who is not on the roster, and every other category, gets a
// code in the manner of Seek&Hide (Patel et al. 2013), "[PRE_4817203355]"; the
// length of the name, which their codes tell, is left out.
const (
	Pseudonym Style = "pseudonym" // the person's pseudonymous username; a code when the person is not known
	Code      Style = "code"      // tag and number, the same for the same form or person
	Hyperonym Style = "hyperonym" // NPERS, NLIEU, NORG, NPROF, NANON (Eshkol-Taravella et al. 2014)
	Initials  Style = "initials"  // "Z. B."
	Surrogate Style = "surrogate" // a plausible name of the same kind
	Asterisks Style = "mask"      // "***"
)

// AllStyles lists the styles.
func AllStyles() []Style { return []Style{Pseudonym, Code, Hyperonym, Initials, Surrogate, Asterisks} }

// defaultStyle is that of a category for which the officer chose none.
func defaultStyle(c detect.Category) Style {
	if c.Person() {
		return Pseudonym
	}
	return Code
}

// ParseStyle reads a style's name.
func ParseStyle(name string) (Style, error) {
	if slices.Contains(AllStyles(), Style(name)) {
		return Style(name), nil
	}
	return "", fault.New(fault.Usage, "unknown substitution style").
		WithHint("styles are pseudonym, code, hyperonym, initials, surrogate and mask")
}

// tags of codes and hyperonyms by category.
var tags = map[detect.Category][2]string{
	detect.FirstName: {"PRE", "NPERS"}, detect.LastName: {"NOM", "NPERS"}, detect.FullName: {"PERS", "NPERS"},
	detect.Nickname: {"SUR", "NPERS"}, detect.Username: {"USER", "NPERS"}, detect.Place: {"LIEU", "NLIEU"},
	detect.Organisation: {"ORG", "NORG"}, detect.Job: {"PROF", "NPROF"}, detect.Email: {"MEL", "NANON"},
	detect.Phone: {"TEL", "NANON"}, detect.URL: {"URL", "NANON"}, detect.Address: {"ADR", "NLIEU"},
	detect.Date: {"DATE", "NANON"}, detect.Identifier: {"NUM", "NANON"},
}

func tag(c detect.Category, hyperonym int) string {
	if t, ok := tags[c]; ok {
		return t[hyperonym]
	}
	return [...]string{"ANON", "NANON"}[hyperonym]
}

// isReplacement reports whether a word is one that this package writes.
func isReplacement(word string) bool {
	if len(word) == len("u1234567890") && word[0] == 'u' {
		if n, err := strconv.ParseUint(word[1:], 10, 32); err == nil && n >= 1_000_000_000 && n < 1<<31 {
			return true
		}
	}
	// Every word of a text is asked about: most have no capital in second place.
	return len(word) > 1 && 'A' <= word[1] && word[1] <= 'Z' && written[word]
}

// written are the tags and hyperonyms, all in capitals.
var written = func() map[string]bool {
	words := map[string]bool{"ANON": true, "NANON": true}
	for _, t := range tags {
		words[t[0]], words[t[1]] = true, true
	}
	return words
}()

// number makes the ten digits of a code, like those of a pseudonym.
func number(n uint64) string { return strconv.FormatUint(1_000_000_000+n%9_000_000_000, 10) }

// initialsOf cuts a name to its capitals: "Jean-Marc Faure" → "J.-M. F.".
func initialsOf(name string) string {
	var b strings.Builder
	inWord := false
	for _, r := range name {
		word := unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
		switch {
		case word && !inWord:
			b.WriteRune(unicode.ToUpper(r))
			b.WriteByte('.')
		case !word && (r == '-' || r == ' '):
			b.WriteRune(r)
		}
		inWord = word
	}
	return b.String()
}

// likeCase writes name in the case of model: "ZOÉ" → "MARC", "zoé" → "marc".
func likeCase(name, model string) string {
	upper, lower, first := 0, 0, rune(0)
	for _, r := range model {
		switch {
		case unicode.IsUpper(r):
			upper++
		case unicode.IsLower(r):
			lower++
		}
		if first == 0 && unicode.IsLetter(r) {
			first = r
		}
	}
	switch {
	case upper > 1 && lower == 0:
		return strings.ToUpper(name)
	case upper == 0 && lower > 0 && unicode.IsLower(first):
		return strings.ToLower(name)
	}
	return name
}

// startsWithVowel reports whether French elides before the word.
func startsWithVowel(word string) bool {
	r, _ := utf8.DecodeRuneInString(keyOf(word))
	return strings.ContainsRune("aeiouyh", r) && r != utf8.RuneError
}

// ReadStyles reads how a project replaces names: a category and a style a line,
// and whether surrogates tell the gender of the name they replace. "#" at the
// start of a line opens a comment. Categories that are not named keep their
// default.
//
//	first_name  surrogate
//	place       hyperonym
//	gender      hidden
func ReadStyles(r io.Reader, name string) (styles map[detect.Category]Style, hideGender bool, err error) {
	styles = make(map[detect.Category]Style)
	lines := bufio.NewScanner(r)
	for number := int64(1); lines.Scan(); number++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		hint := "a line is a category and a style, such as: first_name surrogate; or: gender hidden"
		if len(fields) != 2 {
			return nil, false, fault.New(fault.Usage, "not a category and a style").At(name, number, "").WithHint("%s", hint)
		}
		if fields[0] == "gender" {
			if hideGender = fields[1] == "hidden"; !hideGender && fields[1] != "kept" {
				return nil, false, fault.New(fault.Usage, "gender is kept or hidden").At(name, number, "")
			}
			continue
		}
		category := detect.Category(fields[0])
		if !category.Valid() {
			return nil, false, fault.New(fault.Usage, "the category is not known").At(name, number, "").WithHint("%s", hint)
		}
		style, err := ParseStyle(fields[1])
		if err != nil {
			return nil, false, fault.New(fault.Usage, "unknown substitution style").At(name, number, "").
				WithHint("styles are pseudonym, code, hyperonym, initials, surrogate and mask")
		}
		styles[category] = style
	}
	return styles, hideGender, lines.Err()
}

// withStyle gives the text of a project's choice of styles with one category's
// replaced, or added at its end. Whatever else stands there stays.
func withStyle(text string, category detect.Category, style Style) string {
	line := string(category) + "  " + string(style)
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	at := slices.IndexFunc(lines, func(l string) bool {
		fields := strings.Fields(l)
		return len(fields) == 2 && fields[0] == string(category)
	})
	switch {
	case at >= 0:
		lines[at] = line
	case text == "":
		lines[0] = line
	default:
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n") + "\n"
}

// ChooseStyle writes what stands for the forms of a category into the project's
// choice of styles. It counts for the next engine.
func (f Folder) ChooseStyle(category detect.Category, style Style) error {
	if _, err := ParseStyle(string(style)); err != nil || !category.Valid() {
		return fault.New(fault.Usage, "not a category and a style")
	}
	text, err := os.ReadFile(f.Styles())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.Failure, "the styles cannot be read").At(f.Styles(), 0, "")
	}
	if _, _, err := ReadStyles(bytes.NewReader(text), f.Styles()); err != nil {
		return err
	}
	if err := safefile.Write(f.Styles(), []byte(withStyle(string(text), category, style)), 0o600); err != nil {
		return fault.New(fault.Failure, "the styles cannot be written").At(f.Styles(), 0, "")
	}
	return nil
}

// Style is what stands for the forms of a category.
func (e *Engine) Style(c detect.Category) Style {
	if style, ok := e.options.Styles[c]; ok {
		return style
	}
	return defaultStyle(c)
}
