package detect

import (
	"regexp"
	"strings"
)

// birthWords announce a date of birth (folded: "né" is "ne").
const birthWords = `ne nee nes nees naissance anniversaire born birth birthday birthdate dob bday nacido nacida naci
	nacimiento cumpleanos cumple nato nata nascita compleanno nasci nascido nascida nascimento aniversario nascut nascuda
	naixement aniversari geboren geb geburtsdatum geburtstag ddn b`

// monthNames are the months of the languages, as expressions.
const monthNames = `janv(?:ier|\.)?|f[ée]v(?:r(?:ier)?|\.)?|mars|avr(?:il|\.)?|mai|juin|juil(?:let|\.)?|ao[uû]t|sept(?:embre|\.)?|oct(?:obre|\.)?|nov(?:embre|\.)?|d[ée]c(?:embre|\.)?|` +
	`jan(?:uary|\.)?|feb(?:ruary|\.)?|march|mar\.?|april|apr\.?|may|june?|july?|aug(?:ust|\.)?|september|october|november|december|` +
	`enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|` +
	`gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|novembre|dicembre|` +
	`janeiro|fevereiro|mar[cç]o|maio|junho|julho|setembro|outubro|novembro|dezembro|` +
	`gener|febrer|mar[cç]|maig|juny|juliol|agost|setembre|desembre|` +
	`januar|februar|m[äa]rz|juni|juli|oktober|dezember`

// birthForms are the ways a date is written.
type birthForms struct {
	date   *regexp.Regexp // day, month and year
	day    *regexp.Regexp // day and month
	year   *regexp.Regexp // year alone
	loose  map[string]bool
	before *regexp.Regexp  // day, month and year, and then the word
	joined *regexp.Regexp  // what stands between the last digit and the word there
	nouns  map[string]bool // words that may stand behind their date
	again  *regexp.Regexp  // a second date, that puts the first one right
	asked  *regexp.Regexp  // a date entered where one of birth was asked for
	dated  map[string]bool // nouns whose date is asked for and put right
	past   *regexp.Regexp  // a year before 1800 after a day: nobody who writes
	other  *regexp.Regexp  // "but" before a day: another one
	behind *regexp.Regexp  // "am 3. März 1985 bin ich" before "geboren"
	tied   *regexp.Regexp  // what stands between the last digit and the word there
}

func newBirthForms() *birthForms {
	// Between the word and the date stand a few words: "le", "on the", ": ".
	const lead = `(?i)^[^\n.!?;]{0,30}?[^\pL\pN]`
	const farLead = `(?i)^[^\n.!?;]{0,44}?[^\pL\pN]` // a whole date may stand farther off: "née à …, dans le …, le"
	const year = `(?:(?:18|19|20)\d\d|'?\d\d)`
	const suffix = `(?:er|st|nd|rd|th|º|°|\.)?`
	const day = `(?:0?[1-9]|[12]\d|3[01])` + suffix
	const worded = `(?:` + day + `|premier|primero|primo|primeiro|primer|erster|ersten)`
	const month = `(?:` + monthNames + `)`
	const of = `[ ,.\-/]{1,2}(?:of |de |d'|del |di )?`
	const whole = day + `\s?[./\- ]\s?(?:0?[1-9]|1[0-2])\s?[./\- ]\s?` + year + `|(?:0?[1-9]|1[0-2])/` + day + `/` + year +
		`|(?:18|19|20)\d\d[./\-](?:0?[1-9]|1[0-2])[./\-]` + day + `|` + worded + of + month + of + year + `|` + month + ` ` + day + `,? ` + year
	const isDate = `[\s,;:(=–\-]{1,3}(?:(?:c['’]est|est|is|es|è|é|ist|that's) )?(?:(?:ma|my|mi|la mia|mia|minha|a minha|meine|la meva|sa|la|la data|el) )?` +
		`(?:(?:date|data|fecha|dia|giorno|d[ií]a|jour) (?:de|di|of|d['’]) ?)?$`
	const wasI = `,? (?:(?:bin|ist|wurde|war) (?:ich|er|sie|\pL+)|(?:i|he|she) was|je suis|j['’]étais|(?:il|elle) est|sono|è|yo|vaig ser)\s$`
	return &birthForms{
		date:   regexp.MustCompile(farLead + `(` + whole + `)(?:[^\pL\pN]|$)`),
		before: regexp.MustCompile(`(?i)(?:^|[^\pL\pN/.\-])(` + whole + `)` + isDate),
		joined: regexp.MustCompile(`(?i)^` + suffix + isDate),
		day:    regexp.MustCompile(lead + `(` + day + of + month + `|` + month + ` ` + day + `|` + day + `/(?:0?[1-9]|1[0-2]))(?:[^\pL\pN/]|$)`),
		year: regexp.MustCompile(`(?i)^(?:e|s|es|\(e\))?\s*(?:\pL+ )?(?:en|in|im|nel|em|el|l'any)?\s?(?:(?:` + month + `) (?:de |d'|of )?)?` +
			`((?:19|20)\d\d)(?:[^\pL\pN]|$)`),
		again: regexp.MustCompile(`(?i)^([^\n!?;]{0,40}?(?:^|[^\pL])(?:is|est|c['’]est|es|es el|és|è|é|ist|not|non|pas|no|não|statt|sondern|invece|invece del|instead|of|lieu du|lieu de|vez de|vez del|vez do|lugar de|lloc de|lloc del|nemmeno|neppure|` +
			`nor|neither|tampoco|nem|ni|but|mais|et|and|und|pero|ma|mas|però|aber|was)[ :,]{1,2}(?:le |el |il |am |the |o |a |der |del |de |du |di |em |on )?)(` + whole + `)(?:[^\pL\pN]|$)`),
		asked: regexp.MustCompile(`(?i)^[^\n]{0,90}?(?:^|[^\pL])(?:mis|entr[ée]|saisi|tap[ée]|indiqu[ée]|[ée]crit|rempli|entered|put|typed|wrote|tried|gave|puesto|puse|metido|escrito|escrib[íi]|posat|escrit|entrat|inserito|messo|scritto|` +
			`coloquei|pus|escrevi|digitei|eingegeben|geschrieben|eingetragen)[ :,]{1,2}(?:le |el |il |the |o )?(` + whole + `)(?:[^\pL\pN]|$)`),
		past:   regexp.MustCompile(`(?i)^[ ,.\-]{0,2}(?:de |del |of |d')?\d{3,4}(?:\D|$)`),
		other:  regexp.MustCompile(`(?i)(?:^|[^\pL])(?:mais|but|pero|ma|però|mas|aber)[^\pL]`),
		dated:  wordSet("naissance birth birthdate dob nacimiento nascita nascimento naixement geburtsdatum ddn"),
		behind: regexp.MustCompile(`(?i)(?:^|[^\pL\pN/.\-])(` + whole + `)` + wasI),
		tied:   regexp.MustCompile(`(?i)^` + suffix + wasI),
		loose:  wordSet("ne nes naci nasci"),
		nouns:  wordSet("naissance birth birthday birthdate dob nacimiento cumpleanos nascita compleanno nascimento aniversario naixement aniversari anniversaire geburtsdatum geburtstag"),
	}
}

// find marks the date that follows a word of birth.
func (f *birthForms) find(s *scan, i int) {
	t := &s.doc.Tokens[i]
	after := t.at + len(t.Text)
	rest, _ := s.window(after, 0, 64)
	if f.nouns[t.Folded] {
		if text, from := s.window(t.at, 56, 0); f.joined.MatchString(lastDigit(text)) {
			if m := f.before.FindStringSubmatchIndex(text); m != nil {
				s.add(from+m[2], from+m[3], Date, Mask, 0.9, "date of birth")
				return
			}
		}
	}
	if f.verbs(t.Folded) {
		if text, from := s.window(t.at, 48, 0); f.tied.MatchString(lastDigit(text)) {
			if m := f.behind.FindStringSubmatchIndex(text); m != nil {
				s.add(from+m[2], from+m[3], Date, Mask, 0.9, "date of birth")
				return
			}
		}
	}
	if !hasDigit(rest) && f.dated[t.Folded] {
		f.entered(s, after)
	}
	if !hasDigit(rest) || t.Folded == "b" && !strings.HasPrefix(rest, ".") {
		return
	}
	if t.Folded == "b" || t.Folded == "geb" {
		rest, after = strings.TrimPrefix(rest, "."), after+len(rest)-len(strings.TrimPrefix(rest, "."))
	}
	if f.loose[t.Folded] && strings.ToLower(t.Text) == "ne" { // negation: "ne le 12" is no birth, "né le 12" is
		if previous := s.doc.Previous(i); previous < 0 || !strings.Contains(" suis es est sommes etes sont ", " "+s.doc.Tokens[previous].Folded+" ") {
			return
		}
	}
	days := mayHaveDay(rest)
	if m := findDay(f.date, rest, days); m != nil && (t.Folded != "b" || m[2] <= len(" ")) {
		s.add(after+m[2], after+m[3], Date, Mask, 0.95, "date of birth")
		if f.dated[t.Folded] {
			f.corrected(s, after+m[3])
		}
		return
	}
	if t.Folded == "b" {
		return // "point b. The 3 March …"
	}
	if f.dated[t.Folded] && f.entered(s, after) {
		return
	}
	if m := findDay(f.day, rest, days); m != nil && !f.past.MatchString(rest[m[3]:]) && !f.other.MatchString(rest[:m[2]]) {
		s.add(after+m[2], after+m[3], Date, Mask, 0.8, "birthday")
		return
	}
	if m := f.year.FindStringSubmatchIndex(rest); m != nil {
		s.add(after+m[2], after+m[3], Date, Unsure, 0.6, "year of birth")
	}
}

// findDay asks an expression with a day in it where there may be one.
func findDay(form *regexp.Regexp, text string, days bool) []int {
	if !days {
		return nil
	}
	return form.FindStringSubmatchIndex(text)
}

// mayHaveDay reports whether a text has a number of one or two digits, or a word
// such as "premier" for the first of a month.
func mayHaveDay(text string) bool {
	digits := 0
	for i := range len(text) {
		if digitASCII(text[i]) {
			digits++
			continue
		}
		if digits == 1 || digits == 2 {
			return true
		}
		digits = 0
		if c := text[i] | 0x20; (c == 'p' || c == 'e') && len(text)-i > len("pri") && (strings.EqualFold(text[i+1:i+3], "ri") || strings.EqualFold(text[i+1:i+3], "re") || strings.EqualFold(text[i+1:i+3], "rs")) {
			return true
		}
	}
	return digits == 1 || digits == 2
}

// lastDigit gives what stands behind the last digit of a text; a date ends with it,
// but for two letters. Empty when there is none.
func lastDigit(text string) string {
	for i := len(text) - 1; i >= 0; i-- {
		if digitASCII(text[i]) {
			return text[i+1:]
		}
	}
	return ""
}

// verbs reports whether a word says "born", with a date before it perhaps.
func (f *birthForms) verbs(word string) bool {
	switch word {
	case "ne", "nee", "born", "nato", "nata", "naci", "nasci", "geboren", "nascut", "nascuda":
		return true
	}
	return false
}

// corrected marks the date that puts right the date of birth that ends at the
// offset at: "it says 3/11/1956 and it is 11/3/1956".
func (f *birthForms) corrected(s *scan, at int) {
	rest, _ := s.window(at, 0, 96)
	if m := f.again.FindStringSubmatchIndex(rest); m != nil && !hasDigit(rest[:m[3]]) {
		s.add(at+m[4], at+m[5], Date, Mask, 0.85, "date of birth put right")
	}
}

// entered marks the date that somebody entered where a form asked for that of
// birth, in this sentence or the next.
func (f *birthForms) entered(s *scan, after int) bool {
	rest, _ := s.window(after, 0, 140)
	if !hasDigit(rest) {
		return false
	}
	if m := f.asked.FindStringSubmatchIndex(rest); m != nil && !hasDigit(rest[:m[2]]) {
		s.add(after+m[2], after+m[3], Date, Mask, 0.85, "date entered where that of birth is asked for")
		f.corrected(s, after+m[3])
		return true
	}
	return false
}
