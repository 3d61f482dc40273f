package detect

import (
	"regexp"
	"strings"
)

// birthWords announce a date of birth (folded: "né" is "ne").
const birthWords = `ne nee nes nees naissance anniversaire born birth birthday birthdate dob bday nacido nacida naci
	nacimiento cumpleanos cumple nato nata nascita compleanno nasci nascido nascida nascimento aniversario nascut nascuda
	naixement aniversari geboren geb geburtsdatum geburtstag`

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
	date  *regexp.Regexp // day, month and year
	day   *regexp.Regexp // day and month
	year  *regexp.Regexp // year alone
	loose map[string]bool
}

func newBirthForms() *birthForms {
	// Between the word and the date stand a few words: "le", "on the", ": ".
	const lead = `(?i)^[^\n.!?;]{0,24}?[^\pL\pN]`
	const year = `(?:(?:18|19|20)\d\d|'?\d\d)`
	const day = `(?:0?[1-9]|[12]\d|3[01])(?:er|st|nd|rd|th|º|°)?`
	const month = `(?:` + monthNames + `)`
	const of = `[ ,.\-/]{1,2}(?:of |de |d'|del |di )?`
	return &birthForms{
		date: regexp.MustCompile(lead + `(` + day + `\s?[./\- ]\s?(?:0?[1-9]|1[0-2])\s?[./\- ]\s?` + year + `|(?:0?[1-9]|1[0-2])/` + day + `/` + year +
			`|(?:19|20)\d\d[./\-](?:0?[1-9]|1[0-2])[./\-]` + day + `|` + day + of + month + of + year + `|` + month + ` ` + day + `,? ` + year + `)(?:[^\pL\pN]|$)`),
		day: regexp.MustCompile(lead + `(` + day + of + month + `|` + month + ` ` + day + `|` + day + `/(?:0?[1-9]|1[0-2]))(?:[^\pL\pN/]|$)`),
		year: regexp.MustCompile(`(?i)^(?:e|s|es|\(e\))?\s*(?:\pL+ )?(?:en|in|im|nel|em|el|l'any)?\s?(?:(?:` + month + `) (?:de |d'|of )?)?` +
			`((?:19|20)\d\d)(?:[^\pL\pN]|$)`),
		loose: wordSet("ne nes naci nasci"),
	}
}

// find marks the date that follows a word of birth.
func (f *birthForms) find(s *scan, i int) {
	t := &s.doc.Tokens[i]
	after := t.at + len(t.Text)
	rest, _ := s.window(after, 0, 64)
	if !hasDigit(rest) {
		return
	}
	if f.loose[t.Folded] && strings.ToLower(t.Text) == "ne" { // negation: "ne le 12" is no birth, "né le 12" is
		if previous := s.doc.Previous(i); previous < 0 || !strings.Contains(" suis es est sommes etes sont ", " "+s.doc.Tokens[previous].Folded+" ") {
			return
		}
	}
	if m := f.date.FindStringSubmatchIndex(rest); m != nil {
		s.add(after+m[2], after+m[3], Date, Mask, 0.95, "date of birth")
		return
	}
	if m := f.day.FindStringSubmatchIndex(rest); m != nil {
		s.add(after+m[2], after+m[3], Date, Mask, 0.8, "birthday")
		return
	}
	if m := f.year.FindStringSubmatchIndex(rest); m != nil {
		s.add(after+m[2], after+m[3], Date, Unsure, 0.6, "year of birth")
	}
}
