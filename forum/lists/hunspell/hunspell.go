// Package hunspell lists the words that a Hunspell dictionary accepts: its
// stems (the .dic file) and what its affix rules (the .aff file) make of them.
//
// It is used twice: when the word lists inside the program are built, and when
// an officer points the program to a dictionary of their system whose licence
// does not allow shipping it.
//
//	.aff ─► Rules ─┐
//	.dic ──────────┴─► Expand: stem · suffix · suffix of the suffix · prefix × these
//
// What of the format (hunspell(5)) matters for a word list is read: FLAG, SFX
// and PFX with conditions, cross products and continuation classes, AF aliases,
// NEEDAFFIX, FORBIDDENWORD, ONLYINCOMPOUND. Compounds are not made, and
// prefixes that end in an apostrophe (l', d') are left out, because words are
// cut there before they are looked up.
package hunspell

import (
	"bufio"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

// ErrFormat is returned for files that are no Hunspell dictionary.
var ErrFormat = errors.New("hunspell: not a dictionary")

// Rules are the affix rules of a dictionary.
type Rules struct {
	encoding  string
	flags     flagKind
	aliases   []string
	suffixes  map[string]*class
	prefixes  map[string]*class
	needAffix string
	forbidden string
	compound  string
}

// flagKind says how flags are written one after the other.
type flagKind int

const (
	oneByte flagKind = iota
	oneRune
	twoBytes
	numbers
)

// class is a named set of affix rules.
type class struct {
	cross bool
	rules []rule
}

// rule replaces strip by add where the condition holds; the flags name the
// classes that may follow.
type rule struct {
	strip, add string
	when       []set
	flags      []string
}

// set is one place of a condition: any rune of members, or any other one.
type set struct {
	members string
	not     bool
}

func (s set) holds(r rune) bool {
	return s.members == "" || strings.ContainsRune(s.members, r) != s.not
}

// ReadRules reads an .aff file.
func ReadRules(file io.Reader) (*Rules, error) {
	raw, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	r := &Rules{suffixes: make(map[string]*class), prefixes: make(map[string]*class)}
	text, err := r.decode(string(raw))
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 2 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if err := r.line(fields); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// decode brings a file to UTF-8, in the encoding that its SET line names.
func (r *Rules) decode(raw string) (string, error) {
	if r.encoding == "" {
		for line := range strings.Lines(raw) {
			if name, ok := strings.CutPrefix(strings.TrimPrefix(line, "\ufeff"), "SET "); ok {
				r.encoding = strings.TrimSpace(name)
				break
			}
		}
	}
	switch strings.ToUpper(r.encoding) {
	case "UTF-8":
		return strings.TrimPrefix(raw, "\ufeff"), nil
	case "", "ISO8859-1":
		return charmap.ISO8859_1.NewDecoder().String(raw)
	}
	encoding, err := htmlindex.Get(strings.Replace(r.encoding, "ISO8859", "ISO-8859", 1))
	if err != nil {
		return "", ErrFormat
	}
	return encoding.NewDecoder().String(raw)
}

// line reads one statement of an .aff file.
func (r *Rules) line(fields []string) error {
	switch fields[0] {
	case "FLAG":
		switch fields[1] {
		case "UTF-8":
			r.flags = oneRune
		case "long":
			r.flags = twoBytes
		case "num":
			r.flags = numbers
		}
	case "AF":
		// The first AF line gives their number; aliases count from 1.
		r.aliases = append(r.aliases, fields[1])
	case "NEEDAFFIX":
		r.needAffix = fields[1]
	case "FORBIDDENWORD":
		r.forbidden = fields[1]
	case "ONLYINCOMPOUND":
		r.compound = fields[1]
	case "SFX":
		return r.affix(r.suffixes, fields)
	case "PFX":
		return r.affix(r.prefixes, fields)
	}
	return nil
}

// affix reads the head of a class, or one of its rules.
func (r *Rules) affix(classes map[string]*class, fields []string) error {
	if len(fields) < 4 {
		return ErrFormat
	}
	c := classes[fields[1]]
	if c == nil {
		classes[fields[1]] = &class{cross: fields[2] == "Y"}
		return nil
	}
	add, flags, _ := strings.Cut(fields[3], "/")
	next := rule{strip: zero(fields[2]), add: zero(add), flags: r.split(flags)}
	if len(fields) > 4 && fields[4] != "." {
		next.when = condition(fields[4])
	}
	c.rules = append(c.rules, next)
	return nil
}

// zero gives the empty string for the 0 that stands for it.
func zero(s string) string {
	if s == "0" {
		return ""
	}
	return s
}

// condition reads "[^aeiou]y" and the like.
func condition(text string) []set {
	var sets []set
	for text != "" {
		if text[0] == '[' {
			if end := strings.IndexByte(text, ']'); end > 0 {
				members := text[1:end]
				not := strings.HasPrefix(members, "^")
				sets = append(sets, set{members: strings.TrimPrefix(members, "^"), not: not})
				text = text[end+1:]
				continue
			}
		}
		_, size := utf8.DecodeRuneInString(text)
		one := set{members: text[:size]}
		if text[0] == '.' {
			one.members = ""
		}
		sets = append(sets, one)
		text = text[size:]
	}
	return sets
}

// split cuts a string of flags.
func (r *Rules) split(flags string) []string {
	if flags == "" {
		return nil
	}
	if len(r.aliases) > 0 {
		if n, err := strconv.Atoi(flags); err == nil && n > 0 && n < len(r.aliases) {
			flags = r.aliases[n]
		}
	}
	var list []string
	switch r.flags {
	case numbers:
		return strings.Split(flags, ",")
	case twoBytes:
		runes := []rune(flags)
		for i := 0; i+1 < len(runes); i += 2 {
			list = append(list, string(runes[i:i+2]))
		}
	default:
		for _, f := range flags {
			list = append(list, string(f))
		}
	}
	return list
}

// Expand calls each with every word of the .dic file and what the rules make of
// it; a word may come more than once.
func (r *Rules) Expand(file io.Reader, each func(word string)) error {
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	if !lines.Scan() {
		return errors.Join(ErrFormat, lines.Err())
	}
	if _, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))); err != nil {
		return ErrFormat
	}
	for lines.Scan() {
		text, err := r.decode(lines.Text())
		if err != nil {
			return err
		}
		entry, _, _ := strings.Cut(text, "\t")
		entry, _, _ = strings.Cut(entry, " ")
		if word, flags, _ := strings.Cut(entry, "/"); word != "" {
			r.word(word, r.split(flags), each)
		}
	}
	return lines.Err()
}

// word makes the words of one stem.
func (r *Rules) word(stem string, flags []string, each func(string)) {
	if has(flags, r.forbidden) || has(flags, r.compound) {
		return
	}
	r.prefixed(stem, flags, !has(flags, r.needAffix), false, each)
	for _, f := range flags {
		c := r.suffixes[f]
		if c == nil {
			continue
		}
		for i := range c.rules {
			first := &c.rules[i]
			if form, ok := first.suffix(stem); ok {
				r.suffixed(form, flags, first.flags, c.cross, each)
			}
		}
	}
}

// suffixed makes the words of a stem with its first suffix.
func (r *Rules) suffixed(form string, stem, suffix []string, cross bool, each func(string)) {
	if has(suffix, r.forbidden) || has(suffix, r.compound) {
		return
	}
	whole := !has(suffix, r.needAffix)
	if cross {
		r.prefixed(form, stem, whole, true, each)
	} else if whole {
		each(form)
	}
	r.prefixed(form, suffix, false, false, each)
	for _, f := range suffix {
		c := r.suffixes[f]
		if c == nil {
			continue
		}
		for i := range c.rules {
			if longer, ok := c.rules[i].suffix(form); ok {
				each(longer)
			}
		}
	}
}

// prefixed gives the form itself, if it is whole, and with each prefix.
func (r *Rules) prefixed(form string, flags []string, whole, crossed bool, each func(string)) {
	if whole {
		each(form)
	}
	for _, f := range flags {
		c := r.prefixes[f]
		if c == nil || crossed && !c.cross {
			continue
		}
		for i := range c.rules {
			if longer, ok := c.rules[i].prefix(form); ok {
				each(longer)
			}
		}
	}
}

func has(flags []string, flag string) bool {
	if flag == "" {
		return false
	}
	for _, f := range flags {
		if f == flag {
			return true
		}
	}
	return false
}

// suffix applies the rule at the end of a form.
func (r *rule) suffix(form string) (string, bool) {
	rest := form
	for i := len(r.when) - 1; i >= 0; i-- {
		last, size := utf8.DecodeLastRuneInString(rest)
		if size == 0 || !r.when[i].holds(last) {
			return "", false
		}
		rest = rest[:len(rest)-size]
	}
	base, ok := strings.CutSuffix(form, r.strip)
	return base + r.add, ok
}

// prefix applies the rule at the beginning of a form.
func (r *rule) prefix(form string) (string, bool) {
	if strings.HasSuffix(r.add, "'") || strings.HasSuffix(r.add, "’") {
		return "", false
	}
	rest := form
	for _, s := range r.when {
		first, size := utf8.DecodeRuneInString(rest)
		if size == 0 || !s.holds(first) {
			return "", false
		}
		rest = rest[size:]
	}
	base, ok := strings.CutPrefix(form, r.strip)
	return r.add + base, ok
}
