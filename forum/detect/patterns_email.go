package detect

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// emailWords are the folded words that stand for "@" when an address is spelled.
const emailWords = "a at arobase arobas arrobase arroba arrova chiocciola klammeraffe " + emailPrepositions

// emailPrepositions are the prepositions that stand for it too, between parts with
// dots that are spelled.
const emailPrepositions = "chez en presso bei em"

// mailProviders are hosts that people name without the ending (".com").
const mailProviders = `gmail|googlemail|hotmail|yahoo|outlook|live|msn|icloud|orange|wanadoo|free|laposte|sfr|neuf|` +
	`protonmail|proton|aol|gmx|libero|virgilio|tiscali|bluewin|skynet|videotron|sapo|uol|telefonica`

// mailEndings are the endings believed when an address is written with spaces.
const mailEndings = `com|net|org|edu|info|biz|eu|fr|be|ch|ca|lu|mc|es|cat|it|pt|br|mx|ar|cl|co|pe|de|at|uk|us|ie|` +
	`ma|dz|tn|sn|ci|cm|nl|pl|ru|io|me|example|invalid|test`

// emailForms are the ways an address is written.
type emailForms struct {
	loose     *regexp.Regexp // right of "@", spaces allowed
	provider  *regexp.Regexp // right of "@", without an ending
	spelled   *regexp.Regexp // left of a spelled "@"
	spelledTo *regexp.Regexp // right of a spelled "@"
	dotted    *regexp.Regexp // "gmail.com" after a bare "at"
	plain     *regexp.Regexp // a host with its dots after "AT"
	placed    *regexp.Regexp // a host with spelled dots after a preposition
	initial   *regexp.Regexp // "zoe . " before a local part
	sentence  *regexp.Regexp // ". Je" behind a host
	point     *regexp.Regexp // a dot, spelled or not
	places    map[string]bool
}

func newEmailForms() *emailForms {
	const label = `[\pL\pN](?:[\pL\pN\-]*[\pL\pN])?`
	const dot = `(?:\s*[(\[{<*_]\s*(?:point|dot|punto|ponto|punt|punkt|\.)\s*[)\]}>*_]\s*|\s+(?:point|dot|punto|ponto|punt|punkt)\s+|\s?\.\s?)`
	return &emailForms{
		loose:     regexp.MustCompile(`(?i)^\s?(?:` + label + `\s?\.\s?)+(?:` + mailEndings + `)\b`),
		provider:  regexp.MustCompile(`(?i)^\s?(?:` + mailProviders + `)\b`),
		spelled:   regexp.MustCompile(`(?i)[\pL\pN_](?:[\pL\pN_%+\-]|\.|\s*[(\[{<]\s*(?:point|dot|punto|ponto|punt|punkt|underscore|tiret)\s*[)\]}>]\s*|\s+(?:point|dot|punto|ponto|punkt|underscore|tiret)\s+)*\s*[(\[{<*_\-]?\s*$`),
		spelledTo: regexp.MustCompile(`(?i)^\s*[)\]}>*_\-]?\s*(?:(?:` + label + dot + `)+(?:[\pL]{2,12})|(?:` + mailProviders + `)\b)`),
		dotted:    regexp.MustCompile(`(?i)^\s+(?:(?:` + mailProviders + `)\.[a-z.]{2,6}\b|` + label + `\s+(?:dot|point|punto|ponto|punkt)\s+(?:` + mailEndings + `)\b)`),
		plain:     regexp.MustCompile(`^\s+(?:` + label + `\.)+\pL{2,24}\b`),
		placed:    regexp.MustCompile(`(?i)^\s+` + label + `\s+(?:dot|point|punto|ponto|punkt|punt)\s+(?:com|net|org|edu|fr|eu|cat|example)\b`),
		initial:   regexp.MustCompile(`(?:[\pL\pN_\-]+ \. )+$`),
		sentence:  regexp.MustCompile(`\.\s+\pL+$`),
		point:     regexp.MustCompile(`(?i)\.|(?:^|\s|[(\[{<])(?:dot|point|punto|ponto|punkt|punt)(?:\s|[)\]}>])`),
		places:    wordSet(emailPrepositions),
	}
}

// find reads an address around the "@" that token i is.
func (f *emailForms) find(s *scan, i int) bool {
	at := s.doc.Tokens[i].at
	after := at + len(s.doc.Tokens[i].Text)
	window, from := s.window(at, 80, 1)
	local := localPart(window[:at-from])
	if local < 0 {
		return false
	}
	start := from + local
	rest, _ := s.window(after, 0, 90)
	spaced := window[at-from-1] == ' '
	end := 0
	if !spaced {
		end = hostPart(rest)
	}
	if end == 0 && dotFollows(rest) {
		end = matchEnd(f.loose, rest)
	}
	if end == 0 && !spaced {
		end = matchEnd(f.provider, rest)
	}
	if end == 0 {
		return false
	}
	if spaced && strings.Contains(rest[:end], " . ") { // "zoe . martin @ exemple . fr"
		if m := f.initial.FindStringIndex(window[:local]); m != nil {
			start = from + m[0]
		}
	}
	s.add(start, after+end, Email, Mask, 0.99, "e-mail address")
	return true
}

// matchEnd gives the end of what an expression that is anchored at the start, and
// is never empty, matches; 0 for nothing.
func matchEnd(form *regexp.Regexp, text string) int {
	if m := form.FindStringIndex(text); m != nil {
		return m[1]
	}
	return 0
}

// localPart gives where the part left of an "@" begins that a text ends with: letters,
// digits and a few marks, then perhaps a bracket and spaces; -1 when there is none.
func localPart(text string) int {
	end := len(text)
	if end > 0 && isSpaceByte(text[end-1]) {
		end--
	}
	if end > 0 && strings.IndexByte("([{<", text[end-1]) >= 0 {
		if end--; end > 0 && isSpaceByte(text[end-1]) {
			end--
		}
	}
	first := -1
	for end > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:end])
		if wordLike(r) {
			first = end - size
		} else if strings.IndexByte(".%+-'", text[end-1]) < 0 {
			break
		}
		end -= size
	}
	return first
}

// dotFollows reports whether a text begins with a word and a dot, with a space
// perhaps before either.
func dotFollows(text string) bool {
	if text != "" && isSpaceByte(text[0]) {
		text = text[1:]
	}
	text = strings.TrimLeftFunc(text, func(r rune) bool { return r == '-' || r != '_' && wordLike(r) })
	if text != "" && isSpaceByte(text[0]) {
		text = text[1:]
	}
	return text != "" && text[0] == '.'
}

// isSpaceByte reports what the class \s of an expression holds.
func isSpaceByte(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' && c != '\v' }

// hostPart gives the length of the host without spaces that a text begins with,
// perhaps behind a closing bracket; 0 when there is none.
func hostPart(text string) int {
	at := 0
	if at < len(text) && strings.IndexByte(")]}>", text[0]) >= 0 {
		if at++; at < len(text) && isSpaceByte(text[at]) {
			at++
		}
	}
	host, label, hyphen := 0, 0, false // where the host ends, the label's characters, whether the last of them is a hyphen
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			label, hyphen = label+1, false
		case r == '-' && label > 0:
			label, hyphen = label+1, true
		case r == '.' && label > 0 && !hyphen:
			if letters := lettersOf(text[at+1:]); letters > 0 {
				host = at + 1 + letters
			}
			label = 0
		default:
			return host
		}
		at += size
	}
	return host
}

// lettersOf gives the length of the two letters or more that a text begins with, of
// 24 at most; 0 when there are fewer.
func lettersOf(text string) int {
	count := 0
	for at, r := range text {
		if !unicode.IsLetter(r) || count == 24 {
			if count < 2 {
				return 0
			}
			return at
		}
		count++
	}
	if count < 2 {
		return 0
	}
	return len(text)
}

// findSpelled reads an address whose "@" is written as a word: "(at)",
// "arobase", and a bare "at" before a known provider or a spelled dot.
func (f *emailForms) findSpelled(s *scan, i int) {
	t := &s.doc.Tokens[i]
	if t.Folded == "a" && (t.at == 0 || strings.IndexByte("([{<", s.text[t.at-1]) < 0) {
		return // "(a)" is an @, "a" is a word
	}
	bracketed := s.lastVisible(t.at) != 0 && strings.ContainsRune("([{<*_-", s.lastVisible(t.at))
	rest, _ := s.window(t.at+len(t.Text), 0, 90)
	after := f.spelledTo
	capitals, place := t.Text == "AT", f.places[t.Folded]
	if place && bracketed {
		return
	}
	if (t.Folded == "at" || place) && !bracketed {
		if !mayDot(rest, place) {
			return
		}
		switch after = f.dotted; {
		case place:
			after = f.placed
		case capitals && f.plain.MatchString(rest):
			after = f.plain
		}
	}
	end := after.FindStringIndex(rest)
	if end == nil {
		return
	}
	window, from := s.window(t.at, 80, 1)
	before := f.spelled.FindStringIndex(window[:t.at-from])
	if before == nil {
		return
	}
	local := window[before[0] : t.at-from]
	switch {
	case place && !f.point.MatchString(local), after == f.plain && strings.ToUpper(local) == local:
		return
	}
	if m := f.sentence.FindStringIndex(rest[:end[1]]); m != nil && f.point.MatchString(rest[:m[0]]) {
		end[1] = m[0] // "djib.example. Je": a sentence begins
	}
	s.add(from+before[0], t.at+len(t.Text)+end[1], Email, Mask, 0.97, "e-mail address with a spelled-out @")
}

// mayDot reports whether what follows a bare "at" may be a host: a word with a dot
// in it, or one before a spelled dot, which alone counts after a preposition. It
// spares the expression nearly always.
func mayDot(rest string, place bool) bool {
	rest = trimSpaces(rest)
	end := 0
	for end < len(rest) && !isSpaceByte(rest[end]) {
		if rest[end] == '.' {
			return !place
		}
		end++
	}
	next := trimSpaces(rest[end:])
	return len(next) > 3 && (strings.EqualFold(next[:2], "po") || strings.EqualFold(next[:2], "pu") || strings.EqualFold(next[:3], "dot"))
}

func trimSpaces(text string) string {
	for text != "" && isSpaceByte(text[0]) {
		text = text[1:]
	}
	return text
}

// lastVisible is the last character before at that is no space.
func (s *scan) lastVisible(at int) rune {
	for at > 0 && (s.text[at-1] == ' ' || s.text[at-1] == '\t') {
		at--
	}
	return s.runeBefore(at)
}
