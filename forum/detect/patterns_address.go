package detect

import (
	"regexp"
	"strings"
)

// streetWords are the folded words for a way, in all languages.
const streetWords = `rue avenue av boulevard bd blvd allee allees impasse chemin quai cours residence lotissement lieudit
	venelle sentier faubourg hameau villa voie
	street st ave road rd lane ln drive dr court ct way close crescent terrace parkway pkwy highway hwy grove gardens
	calle c avenida avda paseo plaza pza carrer passeig placa ronda travesia urbanizacion carretera ctra avinguda
	via viale piazza piazzale corso vicolo largo strada contrada lungomare
	rua travessa praca estrada alameda beco rodovia
	place square route rte platz box apartado cedex casella postale bp cs postfach`

// addressForms are the ways postal addresses are written.
type addressForms struct {
	before   *regexp.Regexp // a number that ends right before the word: "12 bis, "
	french   *regexp.Regexp // after "12 rue": name, then perhaps postcode and town
	english  *regexp.Regexp // before "Street": number and name
	town     *regexp.Regexp // after an English street: town, state and code
	romance  *regexp.Regexp // after "calle", "via", "rua": name, number, perhaps postcode and town
	box      *regexp.Regexp // "PO Box 12", "BP 12"
	british  *regexp.Regexp // postcode
	canadian *regexp.Regexp
	postTown *regexp.Regexp // five or four digits and a capitalised town
	english3 map[string]bool
	leading  map[string]bool
	boxes    map[string]bool
}

func newAddressForms() *addressForms {
	const connect = `(?:de la|de l['’]|de los|de las|della|dello|dell['’]|delle|degli|dels|des|del|dei|de|du|da|das|dos|do|d['’]|la|le|les|l['’]|los|las|et|en|sur|sous|aux|au|à|i|y|e)`
	const capital = `\p{Lu}[\pL'’.\-]*`
	const date = `(?:du )?\d{1,2}(?:er)? (?:janvier|f[ée]vrier|mars|avril|mai|juin|juillet|ao[ûu]t|septembre|octobre|novembre|d[ée]cembre)(?: (?:19|18)\d\d)?`
	const name = date + `|(?:` + connect + `[ ]?){0,3}(?:` + capital + `|[\pL][\pL'’\-]+)(?: (?:` + connect + ` ){0,2}` + capital + `){0,5}`
	const townName = `\p{Lu}[\pL'’\-]+(?:[ ](?:` + connect + ` ){0,2}\p{Lu}[\pL'’\-]+){0,4}(?: cedex(?: \d{1,2})?| CEDEX(?: \d{1,2})?)?`
	const code = `(?:(?:F|B|CH|L|D|I|E|P)[\- ])?(?:\d{4,5}(?:-\d{3})?|\p{Lu}\d\p{Lu} ?\d\p{Lu}\d)`
	// The second form of town is for chat: a postcode, then one word in any case.
	const postal = `(?:[,;\-–.]?\s{1,3}(?:CP |C\.P\. ?)?` + code + `(?:[ ,]{1,2}(?:` + townName + `|[\pL][\pL'’\-]{2,}))?|,?\s\p{Lu}[\pL'’\-]+(?: ?\(\p{Lu}[\pL\-]+\))?,? \p{Lu}\d\p{Lu} ?\d\p{Lu}\d)`
	const englishTown = `(?:,\s{1,2}\p{Lu}[\pL'’\-]+(?: \p{Lu}[\pL'’\-]+){0,3})`
	const englishCode = `,? (?:[A-Z]{2},? \d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|(?:[A-Z]{2},? )?[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{4,5})`
	return &addressForms{
		before:  regexp.MustCompile(`(?i)(?:^|[^\pL\pN])(\d{1,5}(?:\s?(?:bis|ter|quater|[a-d])\b)?\s?(?:,|-)?\s{0,2})$`),
		french:  regexp.MustCompile(`^\.? (?:` + name + `)(?:,? (?:bât|bat|apt|appt|appartement|étage|esc|boîte|bte)\.? ?[\pL\pN]+)*` + postal + `?`),
		english: regexp.MustCompile(`(?:^|[^\pL\pN])(\d{1,5}[A-Za-z]?,?\s(?:[NSEW]\.? )?(?:\p{Lu}[\pL'’\-]*|\d{1,3}(?:st|nd|rd|th))(?:\s\p{Lu}[\pL'’\-]*){0,3}\s)$`),
		town: regexp.MustCompile(`^\.?(?: (?:North|South|East|West|[NSEW]{1,2})\b\.?)?(?:,? (?:apt|unit|suite|flat|#)\.? ?[\pL\pN]+)?` +
			`(?:` + englishTown + `?` + englishCode + `|` + englishTown + `)?`),
		romance: regexp.MustCompile(`(?i)^\.?/? ?` + `(?-i:(?:` + name + `))` + `,?\s(?:n[.º°o]{0,2}\s?|núm\.? ?|num\.? ?|número |numero |numéro )?(\d{1,4}(?:\s?(?:bis|[a-d]))?)\b` +
			`(?:,? ?\d{1,2}[ºª°o](?:[ -]?(?:\d{1,2}[ªº]?|[a-z]|izq|dcha|dto|esq)\.?)?\b)?` + `(?-i:` + postal + `)?`),
		box:      regexp.MustCompile(`(?i)^\.?\s?(?:de correos|postal|n[º°]?)?\s?\d{2,6}\b` + `(?-i:` + postal + `)?`),
		british:  regexp.MustCompile(`^(?:GIR ?0AA|[A-PR-UWYZ][A-HK-Y]?\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2})\b`),
		canadian: regexp.MustCompile(`^[ABCEGHJ-NPRSTVXY]\d[A-Z][ \-]\d[A-Z]\d\b`),
		postTown: regexp.MustCompile(`^\d{5}[ ]\p{Lu}[\pL'’\-]{2,}(?:[ \-](?:` + connect + `[ \-]){0,2}\p{Lu}[\pL'’\-]+){0,3}(?: cedex(?: \d{1,2})?| CEDEX(?: \d{1,2})?)?`),
		english3: wordSet("street st avenue ave road rd lane ln drive dr court ct way close crescent terrace parkway pkwy highway hwy grove gardens square place boulevard blvd"),
		leading:  wordSet("rue avenue av boulevard bd blvd allee allees impasse chemin quai cours residence lotissement lieudit venelle sentier faubourg hameau villa voie place square route rte"),
		boxes:    wordSet("box apartado postale postfach bp cs"),
	}
}

// find marks the address around the word for a way, token i.
func (f *addressForms) find(s *scan, i int) {
	t := &s.doc.Tokens[i]
	if t.at < s.taken || wordLike(s.runeBefore(t.at)) {
		return
	}
	after := t.at + len(t.Text)
	rest, _ := s.window(after, 0, 120)
	before, from := s.window(t.at, 48, 0)
	switch {
	case f.boxes[t.Folded]:
		if m := f.box.FindStringIndex(rest); m != nil && (strings.HasSuffix(strings.ToUpper(before), "PO ") || strings.HasSuffix(before, "P.O. ") || t.Folded != "box") &&
			(t.Flags&Capital != 0) {
			s.add(t.at, after+m[1], Address, Mask, 0.85, "post office box")
		}
		return
	case f.leading[t.Folded] && f.numberFirst(s, t, before, from, rest):
		return
	case f.english3[t.Folded] && f.englishStreet(s, t, before, from, rest):
		return
	}
	if t.Folded == "c" && !strings.HasPrefix(rest, "/") {
		return
	}
	if m := f.romance.FindStringSubmatchIndex(rest); m != nil {
		score := 0.9
		switch {
		case m[1] > m[3]:
			score = 0.97
		case !capitalIn(rest[:m[2]]) && !strings.Contains(rest[:m[2]], ","):
			return // "via mail 2 volte": no address
		}
		s.add(t.at, after+m[1], Address, Mask, score, "street and number")
	}
}

// numberFirst marks "12 bis, rue des Lilas, 75011 Paris".
func (f *addressForms) numberFirst(s *scan, t *Token, before string, from int, rest string) bool {
	number := f.before.FindStringSubmatchIndex(before)
	if number == nil {
		return false
	}
	m := f.french.FindStringIndex(rest)
	if m == nil {
		return false
	}
	score, what := 0.85, "number and street"
	if hasDigit(rest[:m[1]]) {
		score, what = 0.97, "number, street and postcode"
	}
	if (t.Folded == "place" || t.Folded == "route" || t.Folded == "cours" || t.Folded == "voie") && score < 0.9 && !capitalIn(rest[:m[1]]) {
		return false // "2 places", "3 cours de langue"
	}
	s.add(from+number[2], t.at+len(t.Text)+m[1], Address, Mask, score, what)
	return true
}

// englishStreet marks "12 High Street, Leeds LS1 4AB".
func (f *addressForms) englishStreet(s *scan, t *Token, before string, from int, rest string) bool {
	number := f.english.FindStringSubmatchIndex(before)
	if number == nil || t.Flags&Capital == 0 {
		return false
	}
	m := f.town.FindStringIndex(rest)
	score, what := 0.9, "number and street"
	if hasDigit(rest[:m[1]]) {
		score, what = 0.97, "number, street and postcode"
	}
	s.add(from+number[2], t.at+len(t.Text)+m[1], Address, Mask, score, what)
	return true
}

// findPostcode marks a postcode that stands without its street, at token i.
func (f *addressForms) findPostcode(s *scan, i int) {
	t := &s.doc.Tokens[i]
	if wordLike(s.runeBefore(t.at)) || t.at < s.taken {
		return
	}
	if t.Flags&Capital != 0 {
		rest, _ := s.window(t.at, 0, 12)
		if m := f.british.FindStringIndex(rest); m != nil {
			s.add(t.at, t.at+m[1], Address, Mask, 0.85, "British postcode")
		} else if m := f.canadian.FindStringIndex(rest); m != nil {
			s.add(t.at, t.at+m[1], Address, Mask, 0.85, "Canadian postcode")
		}
		return
	}
	if len(t.Text) != 5 || t.Flags&Number == 0 {
		return
	}
	rest, _ := s.window(t.at, 0, 64)
	if m := f.postTown.FindStringIndex(rest); m != nil {
		s.add(t.at, t.at+m[1], Address, Unsure, 0.55, "five digits and a capitalised word: postcode and town?")
	}
}

func capitalIn(s string) bool {
	for i := range len(s) {
		if upperASCII(s[i]) || s[i] == 0xC3 && i+1 < len(s) && s[i+1] < 0x9F {
			return true
		}
	}
	return false
}
