package detect

import (
	"regexp"
	"slices"
	"strings"

	"anonymooc/internal/fold"
)

// streetWords are the folded words for a way, in all languages.
const streetWords = `rue avenue av boulevard bd blvd allee allees impasse chemin quai cours residence lotissement lieudit
	venelle sentier faubourg hameau villa voie
	street st ave road rd lane ln drive dr court ct way close crescent terrace parkway pkwy highway hwy grove gardens
	calle c avenida avda paseo plaza pza carrer passeig placa ronda travesia urbanizacion carretera ctra avinguda
	via viale piazza piazzale corso vicolo largo strada contrada lungomare
	rua travessa praca estrada alameda beco rodovia
	sente cite rang passage esplanade promenade ruelle montee traverse coursive
	row rise yard mews walk hill park view wharf spur green croft wynd brae vale
	pasaje cuesta barrio partida camino callejon glorieta rambla jiron
	salita rampa vico calata borgo localita traversa ladeira calcada viela caminho
	passatge carrero baixada pujada cami strasse weg gasse
	` + gridWords + `
	place square route rte platz box apartado cedex casella postale bp cs postfach`

// gridWords are the words for ways that are one only before two numbers: "carrera
// 12 # 34-56". "Mi carrera" is a course of studies.
const gridWords = "carrera cra kra kr cll cl transversal diagonal dg"

// addressForms are the ways postal addresses are written. An address has a core,
// a way with a name and a number, and a tail of parts: flat, floor, postcode,
// town.
type addressForms struct {
	before   *regexp.Regexp // a number that ends right before the word: "12 bis, "
	french   *regexp.Regexp // after "12 rue": the name
	english  *regexp.Regexp // before "Street": number and name
	romance  *regexp.Regexp // after "calle", "via", "rua": name and number
	box      *regexp.Regexp // "PO Box 12", "BP 12"
	tail     []*regexp.Regexp
	town     *regexp.Regexp // a town alone, as part of the tail
	british  *regexp.Regexp // postcode
	canadian *regexp.Regexp
	postTown *regexp.Regexp  // five digits and a capitalised town
	way      map[string]bool // words that follow an English name
	leading  map[string]bool // words that may follow a number
	boxes    map[string]bool
	rare     map[string]bool // leading words that are other things too
	measure  *regexp.Regexp  // "km", "Stunden" after a number: no house's
	weak     map[string]bool // words that follow the names of other things too
	amount   *regexp.Regexp  // "000 euros", "et 22 septembre" behind a number: no house's
	grid     *regexp.Regexp  // "72 # 10-34", in Latin America
	grids    map[string]bool // ways that have a number for a name there
	gridded  map[string]bool // and only there
	after    map[string]bool // ways that no name follows: "Dr."
	short    map[string]bool // abbreviations that a stop belongs to
	german   []string        // endings of German words for a way
}

// The pieces of addresses, as expressions.
const (
	addressConnect = `(?:de la|de l['’]|de los|de las|della|dello|dell['’]|delle|degli|dels|des|del|dei|de|du|da|das|dos|do|d['’]|la|le|les|l['’]|los|las|et|en|sur|sous|aux|au|à|i|y|e)`
	addressWord    = `\p{Lu}(?:\.|[\pL'’\-]*)`
	addressDate    = `(?:du )?\d{1,2}(?:er)? (?:janvier|f[ée]vrier|mars|avril|mai|juin|juillet|ao[ûu]t|septembre|octobre|novembre|d[ée]cembre)(?: (?:19|18)\d\d)?`
	addressName    = `(?:` + addressDate + `|(?:` + addressConnect + `[ ]?){0,3}(?:` + addressWord + `|[\pL][\pL'’\-]+)(?: (?:` + addressConnect + ` ){0,2}` + addressWord + `){0,5})`
	addressTown    = `\p{Lu}[\pL'’\-]+(?:[ ](?:` + addressConnect + ` ){0,2}\p{Lu}[\pL'’\-]+){0,3}`
	addressCode    = `(?:(?:F|B|CH|L|D|I|E|P)[\- ])?(?:\d{5}-\d{3,4}|\d{4}-\d{3}|\d{4,5}\b|\p{Lu}\d\p{Lu} ?\d\p{Lu}\d|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b)`
	addressUnit    = `b[âa]t(?:iment)?|esc(?:alier|alera)?|apto|appartement|appart(?:amento)?|app?t|[ée]tage|bo[iî]te|bte|porte|chambre|hall|lot|flat|unit|suite|floor|room|block|piso|puerta|pta|bloque|portal|letra|planta|local|interno|int|scala|piano|palazzina|andar|bloco|bl|lote|casa|sala|porta|fra(?:c[cç][aã]o)?|pis|bloc|haus|wohnung|whg|stiege|top|t[uü]r`
	addressPart    = `(?:\d{1,3}\.?[ºª°](?:\s?(?:[a-d]\b|izq\.?|izda\.?|dcha\.?|dto\.?|esq\.?))?|(?:\d{1,4}-?[a-z]?|[a-z]\d{1,3}|[b-d]|(?-i:[A-Z]{1,2}))\b)`
	addressFloor   = `rez-de-chauss[ée]e|rdc|r/c|r[ée]s-do-ch[ãa]o|bajos?|baixos?|[áa]tico|[àa]tic|entresuelo|entlo|entresol|principal|planta baja|piano terra|primero|segundo|tercero|cuarto|quinto|primer|segon|tercer|quart|primeiro|terceiro|premier|deuxi[èe]me|troisi[èe]me|erdgeschoss|dachgeschoss|ground floor|top floor|basement`
)

func newAddressForms() *addressForms {
	const comma = `^(?:,|;| -| –)?\s{0,2}`
	return &addressForms{
		before:  regexp.MustCompile(`(?i)(?:^|[^\pL\pN])(\d{1,5}(?:\s?(?:bis|ter|quater|[a-d])\b)?\s?(?:,|-)?\s{0,2}(?:de la |de l['’]|du )?)(?:(grande?|petite|haute|basse|vieille)[\-'’ ])?$`),
		french:  regexp.MustCompile(`^\.? ` + addressName),
		english: regexp.MustCompile(`(?:^|[^\pL\pN])((?:(?i:flat|apt|unit|suite)\.? ?[\pL\pN]{1,4},? )?(?:(?i:unit|flat|no\.?) )?\d{1,5}[A-Za-z]?,?\s(?:[NSEW]\.? )?(?:\p{Lu}[\pL'’\-]*|\d{1,3}(?:st|nd|rd|th))(?:\s\p{Lu}[\pL'’\-]*){0,3}\s)$`),
		romance: regexp.MustCompile(`(?i)^\.?/? ?(?-i:` + addressName + `),?\s(?:bloque |parcela |casa |km\.? |n[.º°o]{0,2}\s?|núm\.? ?|num\.? ?|número |numero |numéro )?(\d{1,4}(?:-\d{1,3}\b|\s?[/\-]\s?[a-z]\b|\s?(?:bis|[a-d])\b)?|s/n\b)`),
		box:     regexp.MustCompile(`(?i)^\.?\s?(?:de correos|postal|n[º°]?)?\s?\d{2,6}\b`),
		tail: []*regexp.Regexp{
			regexp.MustCompile(`(?i)` + comma + `(?:` + addressUnit + `)\.?\s?(?:n[°º.]\s?)?` + addressPart),
			regexp.MustCompile(`(?i)` + comma + `(?:` + addressFloor + `)(?: (?:[ée]tage|piso|planta|pis|andar))?\b`),
			regexp.MustCompile(`(?i)` + comma + `\d{1,2}\s?(?:\.?[ºª°]|er|[eè]me|e|n|r|t)(?:\s?(?:[ée]tage|floor|piso|andar|esq|dto|dcha|izq|izda|[a-d]|\d\.?[aªº]))?(?:\.|\b)`),
			regexp.MustCompile(`^\.?(?: (?:North|South|East|West|[NSEW]{1,2})\b\.?)`),
			// The second form of town is for chat: a postcode, then one word in any case.
			regexp.MustCompile(`^(?:,|;| -| –|\.)?\s{1,3}(?:CP |C\.P\. ?)?(?:[A-Z]{2},? )?` + addressCode + `(?:[ ,]{1,2}(?:` + addressTown + `|[\pL][\pL'’\-]{2,}))?(?i: cedex(?: \d{1,2})?)?`),
			regexp.MustCompile(`^,?\s{1,2}` + addressTown + `,? [A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b`),
			regexp.MustCompile(`^(?:,| -| –)\s?[A-Z]{2}\b`),
			regexp.MustCompile(`^\s?\(\p{Lu}[\pL \-]{1,20}\)`),
		},
		town:     regexp.MustCompile(`^(?:,| -| –| à| in| a| en)\s{1,2}(\p{Lu}[\pL'’\-]+(?:[ ](?:` + addressConnect + ` ){0,2}\p{Lu}[\pL'’\-]+){0,3})`),
		british:  regexp.MustCompile(`^(?:GIR ?0AA|[A-PR-UWYZ][A-HK-Y]?\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2})\b`),
		canadian: regexp.MustCompile(`^[ABCEGHJ-NPRSTVXY]\d[A-Z][ \-]\d[A-Z]\d\b`),
		postTown: regexp.MustCompile(`^\d{5}[ ]\p{Lu}[\pL'’\-]{2,}(?:[ \-](?:` + addressConnect + `[ \-]){0,2}\p{Lu}[\pL'’\-]+){0,3}(?i: cedex(?: \d{1,2})?)?`),
		way:      wordSet("row rise yard mews walk hill park view wharf spur green croft wynd brae vale street st avenue ave road rd lane ln drive dr court ct way close crescent terrace parkway pkwy highway hwy grove gardens square place boulevard blvd"),
		leading:  wordSet("sente cite rang passage esplanade promenade ruelle montee traverse coursive rue avenue av boulevard bd blvd allee allees impasse chemin quai cours residence lotissement lieudit venelle sentier faubourg hameau villa voie place square route rte"),
		boxes:    wordSet("box apartado postale postfach bp cs"),
		rare:     wordSet("place route cours voie cite rang passage promenade montee traverse"),
		measure:  regexp.MustCompile(`(?i)^\s?(?:%|€|\$|(?:kms?|kil[oò]m[eè]tr\w*|m|cm|mm|mi|miles?|m[eè]tr\w*|meter|euros?|h|heures?|hours?|horas?|ore|hores|stunden?|min\w*|tagen?|jours?|days?|d[ií]as?|giorni|dies|leuten?|personen|personnes|personas|persone|pessoas|people|mal|fois|veces|volte|vezes|times)(?:[^\pL\pN]|$))`),
		weak:     wordSet("park hill green view vale"),
		amount:   regexp.MustCompile(`(?i)^(?:(?:\s\d{3})+(?:\D|$)|\s(?:(?:e|et|y|i|und|and|al?|au|to|-|–)\s\d{1,2}\s?)?(?:de |d['’])?(?:` + monthNames + `)(?:[^\pL]|$)|[.:]\d|,\d{1,2}\s?(?:km|m|€|euros?|%)|\s(?:to|a|à|al|bis|au)\s\d)`),
		grid:     regexp.MustCompile(`(?i)^\.? \d{1,3} ?[a-z]?(?: (?:bis|sur|norte|este|oeste))?,? ?(?:#|n[°ºo.]{1,2}|no\.?|nro\.?|con) ?\d{1,3} ?[a-z]? ?[\-–] ?\d{1,3}`),
		grids:    wordSet("calle avenida av " + gridWords),
		gridded:  wordSet(gridWords),
		after:    wordSet("dr park hill green view vale"),
		short:    wordSet("st ave rd ln dr ct blvd hwy pkwy"),
		german:   []string{"strasse", "straße", "str", "weg", "gasse", "platz", "allee", "ufer", "damm", "ring"},
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
	unnumbered := strings.Contains(rest, "s/n")
	if !unnumbered && !hasDigit(before) && !hasDigit(rest) {
		return // every form has a number, or says that there is none
	}
	switch {
	case f.boxes[t.Folded]:
		f.postBox(s, t, before, rest)
		return
	case f.leading[t.Folded] && hasDigit(before) && f.numberFirst(s, t, before, from, rest):
		return
	case f.way[t.Folded] && hasDigit(before) && f.englishStreet(s, t, before, from):
		return
	}
	if t.Folded == "c" && !strings.HasPrefix(rest, "/") {
		return
	}
	if !unnumbered && !hasDigit(rest) {
		return
	}
	if f.grids[t.Folded] {
		if m := f.grid.FindStringIndex(rest); m != nil {
			f.add(s, t.at, after+m[1], f.end(s, after+m[1]), "street and number, in Latin America")
			return
		}
		if f.gridded[t.Folded] {
			return
		}
	}
	m := f.romance.FindStringSubmatchIndex(rest)
	if m == nil {
		return
	}
	if f.measure.MatchString(rest[m[1]:]) {
		return // "Camino Francés 800 km"
	}
	if houseless(rest[m[2]:m[3]]) || f.after[t.Folded] {
		return // "Dr. Henrike Boysen, 04522": a phone number
	}
	if f.amount.MatchString(rest[m[1]:]) || f.cited(t, rest[:m[2]], rest[m[2]:m[3]]) {
		return
	}
	end := f.end(s, after+m[1])
	if end == after+m[1] && !capitalIn(rest[:m[2]]) && !strings.Contains(rest[:m[2]], ",") {
		return // "via mail 2 volte": no address
	}
	f.add(s, t.at, after+m[1], end, "street and number")
}

// add marks an address whose core ends at core and whose tail ends at end.
func (f *addressForms) add(s *scan, start, core, end int, what string) {
	score := 0.87
	if hasDigit(s.text[core:end]) {
		score, what = 0.97, what+", and what follows"
	}
	s.add(start, end, Address, Mask, score, what)
}

// mostParts bounds the tail of an address.
const mostParts = 6

// end reads the tail of an address from the offset at on, and gives its end.
func (f *addressForms) end(s *scan, at int) int {
	for range mostParts {
		rest, _ := s.window(at, 0, 64)
		length := f.part(s, rest)
		if length == 0 {
			break
		}
		at += length
	}
	return at
}

// part gives the length of the next part of an address, 0 when there is none.
func (f *addressForms) part(s *scan, rest string) int {
	for _, form := range f.tail {
		if m := form.FindStringIndex(rest); m != nil {
			return m[1]
		}
	}
	m := f.town.FindStringSubmatchIndex(rest)
	if m == nil {
		return 0
	}
	if IsFunctionWord("", fold.KeyString(rest[m[2]:m[3]])) {
		return 0 // "12 rue Haute, Merci": a sentence begins
	}
	return m[1]
}

func (f *addressForms) postBox(s *scan, t *Token, before, rest string) {
	m := f.box.FindStringIndex(rest)
	announced := strings.HasSuffix(strings.ToUpper(before), "PO ") || strings.HasSuffix(before, "P.O. ") || t.Folded != "box"
	if m == nil || !announced || t.Flags&Capital == 0 {
		return
	}
	core := t.at + len(t.Text) + m[1]
	f.add(s, t.at, core, f.end(s, core), "post office box")
}

// numberFirst marks "12 bis, rue des Lilas, 75011 Paris".
func (f *addressForms) numberFirst(s *scan, t *Token, before string, from int, rest string) bool {
	number := f.before.FindStringSubmatchIndex(before)
	if number == nil {
		return false
	}
	m := f.french.FindStringIndex(rest)
	switch {
	case number[4] >= 0 && t.Folded == "rue": // "12 Grande-Rue": its name stands before it
		if m == nil || !strings.HasPrefix(rest, " d") {
			m = []int{0, 0}
		}
	case number[4] >= 0 || m == nil, f.rare[t.Folded] && strings.HasPrefix(rest, "."), epoch.MatchString(rest):
		return false
	}
	core := t.at + len(t.Text) + m[1]
	end := f.end(s, core)
	if f.rare[t.Folded] && !hasDigit(s.text[core:end]) && !capitalIn(rest[:m[1]]) {
		return false // "2 places", "3 cours de langue"
	}
	f.add(s, from+number[2], core, end, "number and street")
	return true
}

// englishStreet marks "12 High Street, Leeds LS1 4AB".
func (f *addressForms) englishStreet(s *scan, t *Token, before string, from int) bool {
	number := f.english.FindStringSubmatchIndex(before)
	if number == nil || t.Flags&Capital == 0 {
		return false
	}
	core := t.at + len(t.Text)
	if strings.HasPrefix(s.text[core:], ".") && f.short[t.Folded] {
		core++ // "St."
	}
	end := f.end(s, core)
	if f.weak[t.Folded] && end == core {
		s.add(from+number[2], end, Address, Unsure, 0.55, "number and a word that may be a street's")
		return true
	}
	f.add(s, from+number[2], core, end, "number and street")
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
	if digits := strings.TrimRight(t.Text, "abcdefgh"); len(digits) <= 3 && len(digits) >= len(t.Text)-1 {
		f.germanStreet(s, i)
		return
	}
	if t.Flags&Number == 0 {
		return
	}
	if len(t.Text) != 5 {
		return
	}
	rest, _ := s.window(t.at, 0, 64)
	if m := f.postTown.FindStringIndex(rest); m != nil {
		s.add(t.at, t.at+m[1], Address, Unsure, 0.55, "five digits and a capitalised word: postcode and town?")
	}
}

// cited reports whether a word for a way is something else before that name and
// number: a verb ("on cite Lord Kelvin, 1883"), or a course's ("cours vidéo 2").
func (f *addressForms) cited(t *Token, name, number string) bool {
	if t.Text == "cite" && year(number) {
		return true
	}
	if t.Text == "cite" || f.rare[t.Folded] && t.Flags&Capital == 0 {
		return !nameCapital.MatchString(name)
	}
	return false
}

// epoch matches "av. J.-C." and its like, behind the "av".
var epoch = regexp.MustCompile(`^\.? ?(?:J\.? ?-?C|n\. ?(?:è|e)|Chr)`)

// nameCapital matches the name of a way that begins with a capital, after articles.
var nameCapital = regexp.MustCompile(`^\.? (?:` + addressConnect + ` ?){0,3}(?:\p{Lu}|\d)`)

// houseless reports whether a number begins as no house's does: "04522".
func houseless(number string) bool {
	return len(number) > 2 && number[0] == '0' && digitASCII(number[1]) && digitASCII(number[2])
}

// germanStreet marks "Hauptstraße 12, 01234 Stadt" around the number, token i.
func (f *addressForms) germanStreet(s *scan, i int) {
	street := i - 1
	if street > 0 && s.doc.Tokens[street].Text == "." {
		street-- // "Hauptstr. 12"
	}
	if street < 0 || s.doc.Tokens[i].Flags&LineStart != 0 || s.doc.Tokens[street].Flags&(Word|Capital) != Word|Capital {
		return
	}
	word := &s.doc.Tokens[street]
	if !slices.ContainsFunc(f.german, func(ending string) bool {
		return strings.HasSuffix(word.Folded, ending) && len(word.Folded) >= len(ending)+3
	}) && !f.germanWay(s, street) {
		return
	}
	core := s.doc.Tokens[i].at + len(s.doc.Tokens[i].Text)
	rest, _ := s.window(core, 0, 16)
	if street < i-1 && !strings.HasSuffix(word.Folded, "str") || f.amount.MatchString(rest) {
		return // "den Staufer. 20.15 Uhr"
	}
	if wordLike(s.runeAfter(core)) || s.runeAfter(core) == ':' || f.measure.MatchString(rest) {
		return
	}
	start := word.at
	if street > 0 && s.doc.Tokens[street].Flags&LineStart == 0 {
		if previous := &s.doc.Tokens[street-1]; len(word.Folded) <= len("strasse") && f.germanWay(s, street) || previous.Text == "Am" || previous.Text == "Im" {
			start = previous.at // "Moselweißer Weg 214", "Am Alten Ring 9"
		}
	}
	f.add(s, start, core, f.end(s, core), "street and number")
}

// germanWay reports whether the token street is the word for a way after an
// adjective from a town's name: "Moselweißer Weg".
func (f *addressForms) germanWay(s *scan, street int) bool {
	if street == 0 || !slices.Contains(f.german, s.doc.Tokens[street].Folded) || s.doc.Tokens[street].Flags&LineStart != 0 {
		return false
	}
	previous := &s.doc.Tokens[street-1]
	return previous.Flags&(Word|Capital) == Word|Capital && len(previous.Folded) > 4 &&
		(strings.HasSuffix(previous.Folded, "er") || strings.HasSuffix(previous.Folded, "e"))
}

func capitalIn(s string) bool {
	for i := range len(s) {
		if upperASCII(s[i]) || s[i] == 0xC3 && i+1 < len(s) && s[i+1] < 0x9F {
			return true
		}
	}
	return false
}
