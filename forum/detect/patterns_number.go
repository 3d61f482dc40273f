package detect

import (
	"regexp"
	"strings"
)

// numberWords announce a number that belongs to one person.
const numberWords = `etudiant etudiante student estudiante studente estudante estudiant matricule matricula matricola
	identifiant ine nia nip dni nie nif nir secu ssn sin nino nss cpf rib iban passport passeport pasaporte passaporto passaporte
	fiscal fiscale ahv avs nas niss rrn dossier candidat inscription allocataire adherent beneficiaire securite
	mat matr cedula ci carte card carta tarjeta tessera tesserino cartao licence licencia license licenza licenca llicencia permis
	permiso patente membre member membership socio soci socia mitglied usager patient client cliente kunde badge adhesion abonne expediente
	expedient inscripcion inscricao iscrizione inscripcio enrolment enrollment registration candidate applicant participant individual roll usn
	booking reservation reserva prenotazione buchung pnr teilnehmernummer matrikelnummer matrikel mitgliedsnummer kundennummer
	studierendennummer personalnummer personalausweis ausweis ausweisnummer fuhrerschein versicherungsnummer sozialversicherungsnummer
	steuernummer aktenzeichen aluno aluna alumno alumna alumne alunno alunna candidato candidata ` + paperWords + ` ` + tradeWords + ` ` + ownNumberWords + ` ` + doorWords

// paperWords are the papers and things that are somebody's in a course or an
// office; tradeWords those that an exercise speaks of too, and that are somebody's
// only where the sentence says whose.
const (
	paperWords = `copie copia copy depot deposito entrega submission abgabe justificante justificatif resguardo attestation attestato
		convocation convocatoria convocazione anonymat candidature candidatura kandidatennummer prufungsnummer pratica processo sinistre siniestro police polizza poliza vertragsnummer auftragsnummer bestellnummer rechnungsnummer
		kundennr matrikelnr mitgliedsnr curp carnet case ticket incident requete demande`
	tradeWords = `commande pedido order ordine bestellung comanda encomenda contrat contrato contratto contracte contract vertrag facture factura
		fattura fatura invoice rechnung compte account cuenta conto conta konto recibo receipt ricevuta recu quittung colis`
	ownNumberWords = `numero number nummer num`
	doorWords      = `code codigo codice codi turcode digicode`
)

// numberForm is one kind of number: how it is written and its check.
type numberForm struct {
	what     string
	form     *regexp.Regexp // anchored at the start
	check    func(compact string) bool
	proposal Verdict
	score    float64
}

// numberForms are the numbers that show what they are.
type numberForms struct {
	forms     []numberForm
	named     *regexp.Regexp // what follows a word such as "matricule"
	marker    *regexp.Regexp // "number", "n°", ":" near a loose word
	loose     map[string]bool
	paper     *regexp.Regexp // what follows a word for somebody's paper
	owned     *regexp.Regexp // what follows "number" where it is somebody's
	owner     *regexp.Regexp // "my", "I": whose something is
	before    *regexp.Regexp // "my", before "number"
	booking   *regexp.Regexp // what follows "booking"
	paperOnly map[string]bool
	trades    map[string]bool
	booked    map[string]bool
	code      *regexp.Regexp // letters and digits as the numbers of students and members have them
}

// newNumberForms lists national numbers. Sources of the check digits: the
// issuing authorities' public rules (INSEE, ISO 13616 and 7064, ISO/IEC 7812,
// ministries of the interior and of finance).
func newNumberForms() *numberForms {
	f := &numberForms{
		named:  regexp.MustCompile(`(?i)^[\pL\s'’.°º#:=()\-]{0,30}?(?:, (?:o meu|a minha|le mien|la mienne|el m[ií]o|el meu|mine|il mio|meine?) (?:é|est|es|és|è|is|ist))?[\s:#°º=(](` + namedNumber + `)`),
		marker: regexp.MustCompile(`(?i)num|n[°º]|n\.|nr\.?\b|no\.|\bid\b|[#:]|code|\bref`),
		loose: wordSet(`dossier candidat inscription allocataire adherent beneficiaire securite etudiant etudiante student estudiante studente
			estudante estudiant identifiant ine nia nip sin rib fiscal fiscale avs nas niss rrn mat ci carte card carta tarjeta tessera
			tesserino cartao licence licencia license licenza licenca llicencia permis permiso patente membre member membership socio soci
			socia mitglied usager patient client cliente kunde badge adhesion abonne expediente expedient inscripcion inscricao iscrizione
			inscripcio enrolment enrollment registration candidate applicant participant individual roll booking reservation reserva
			prenotazione buchung ausweis aluno aluna alumno alumna alumne alunno alunna candidato candidata`),
		paper:     regexp.MustCompile(`(?i)^(?:[\pL'’ ]{0,24}?)(` + paperLink + `)(?-i:(` + paperCode + `))`),
		owned:     regexp.MustCompile(`(?i)^(?:[ ](?:de |del |della |di |do |da |d['’]|of |von )?(` + mine + `)?[\pL'’ ]{0,28}?)(` + paperLink + `)(?-i:(` + paperCode + `))`),
		owner:     regexp.MustCompile(`(?i)(?:^|[^\pL])(?:` + mine + `|je|j['’]ai|i|i['’]ve|ich|io|eu|yo|jo|ho|tengo|tenho|tinc|adjunto|mío|mía)(?:[^\pL]|$)`),
		before:    regexp.MustCompile(`(?i)(?:^|[^\pL])(?:` + mine + `)(?:\s\pL+)?\s$`),
		booking:   regexp.MustCompile(`(?i)^\s?(?:ref\.?|reference|code|c[oó]digo|codice|number|no\.?|n[°º]|nummer|[:=#])[\s:#=]{1,3}(?:is\s|es\s|è\s|est\s)?(?-i:([A-Z0-9]{5,8}))(?:[^\pL\pN\-]|$)`),
		paperOnly: wordSet(paperWords + " " + tradeWords),
		trades:    wordSet(tradeWords),
		booked:    wordSet("booking reservation reserva prenotazione buchung pnr"),
		code:      regexp.MustCompile(`^(?:` + codeForms + `)`),
	}
	add := func(what, form string, score float64, check func(string) bool) {
		f.forms = append(f.forms, numberForm{what, regexp.MustCompile(`^(?:` + form + `)`), check, Mask, score})
	}
	add("bank account number (IBAN)", `[A-Za-z]{2}\d\d(?:[ \-]?[A-Za-z0-9]){11,30}`, 0.99, nil) // cut to length in iban
	add("French social security number", `[1-478]\s?\d\d\s?(?:0[1-9]|1[0-2]|[2-9]\d)\s?(?:\d\d|2[ABab])\s?\d{3}\s?\d{3}\s?/?\s?\d\d`, 0.99, checkNIR)
	add("Swiss social security number", `756[. ]?\d{4}[. ]?\d{4}[. ]?\d\d`, 0.99, checkEAN)
	add("payment card number", `[3-6]\d{3}[ \-]?\d{4,6}[ \-]?\d{4,5}[ \-]?\d{1,4}`, 0.95, checkLuhn)
	add("Belgian national number", `\d\d\.\d\d\.\d\d-\d{3}\.\d\d|\d\d[. ]\d\d[. ]\d\d[ \-]\d{3}[. ]\d\d`, 0.97, checkBelgian)
	add("Brazilian taxpayer number", `\d{3}\.\d{3}\.\d{3}-\d\d`, 0.97, checkCPF)
	add("Spanish identity number", `\d{8}[ \-]?[A-Za-z]|\d{2}\.\d{3}\.\d{3}[ \-]?[A-Za-z]|[XYZxyz][ \-]?\d{7}[ \-]?[A-Za-z]`, 0.97, checkDNI)
	add("Italian tax code", `[A-Za-z]{6}\d\d[A-EHLMPRSTa-ehlmprst]\d\d[A-Za-z]\d{3}[A-Za-z]`, 0.99, checkCodiceFiscale)
	add("letters and digits as in an Italian tax code", `[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]`, 0.9, nil)
	add("US social security number", `\d{3}-\d\d-\d{4}`, 0.9, checkSSN)
	add("British national insurance number", `[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D]`, 0.9, nil)
	add("French student number", `\d{9}[A-Za-z]{2}|\d{10}[A-Za-z]`, 0.85, nil)
	return f
}

// namedNumber is what a number may look like when a word has announced it.
const namedNumber = `(?:(?-i:[A-Z]{2}) )?(?:[A-Z]{1,4}[\-./])?[A-Z]{0,4}[\-./]?\d(?:[.\-/]?[A-Z0-9]|[ ]\d){3,24}`

// paperCode is what the code of somebody's paper looks like: letters, then digits
// in groups, "C-77120", "PL2-54012-77", "E-34/2207-S", "ABC/1234", or digits in
// groups, "778-20931".
const paperCode = `[A-Z]{1,5}\d{0,3}(?:[\-/.][A-Z0-9]{1,8}){1,4}|[A-Z]{1,4}\d{4,9}|\d{3,6}[\-/]\d{3,8}|\d{1,4}[A-Z]{1,3}[\-/]?\d{2,8}`

// paperLink is what stands between the word for a paper and its code: "no.", ":",
// "is".
const paperLink = `(?:n[°º]|nº|n\.\s?[°ºo]?|nr\.?|no\.?|num\.?|núm\.?|num[ée]ro|n[úu]mero|nummer|number|code|c[oó]digo|codice|codi|ref\.?|r[ée]f[ée]rence|id|[:=#]| (?:is|est|es|és|è|é|ist|lautet|el|le|la|il|o|a|die|der|das)|)[\s:#°º=(]{1,3}`

// mine are the words for whose something is.
const mine = `my|our|mon|ma|mes|notre|mi|mis|nuestro|nuestra|mio|mia|miei|nostro|nostra|meu|minha|nosso|nossa|meva|el meu|la meva|mein|meine|meinen|meiner|meinem|meines|unser|unsere|son|sa|his|her|su|suo|sua|seu|sein|ihr|ihre`

// codeForms are the codes that people are given, where no word announces them:
// "LE-2209417", "GP-2231-0844", "HX22-0977310", "LE 2187730", "le2210058",
// "4AI22ME031", "14E2100427XKW". In each are six digits or more, or letters
// and digits take turns.
const codeForms = `[A-Z]{1,4}(?:-?\d{2,4})?-(?:\d{2,4}-)?\d{4,9}|[A-Z]{2,4}\d{6,9}|[A-Z]{2} \d{7,8}|[a-z]{2}\d{7,8}|\d{1,2}[A-Z]{1,3}\d{2}[A-Z]{1,3}\d{3,4}|\d{2}[A-Z]\d{6,8}[A-Z]{0,3}`

// codeDigits is how many digits a code has that no word announces.
const codeDigits = 6

// noPerson are the prefixes of standards, products, errors and sums of money,
// which are written like people's codes.
var noPerson = wordSet(`ISO IEC CVE CWE CAN RFC ISBN ISSN DIN EN NF IEEE ANSI ASTM ITU NIST UNE UNI NBR BS JIS GB DOI PMID PMC ARXIV COVID SARS
	COV HTTP UTF SHA MD CRC KB MS ORA ERR ERROR SQL PEP JEP JSR BUG PR GH EUR USD GBP CHF CAD AUD BRL MXN XOF XAF JPY CNY NGC HD HIP UGC SDSS
	PSR GRB TYC USB PCI CPU GPU RAM SSD RTX GTX RX BOT CAS EC INCI UN CE EU EEC UE TS TR AN REV VER BUILD WP NUM NO NR PS TP TD CM`)

// findCode marks a code that nothing announces and that begins at the offset at.
func (f *numberForms) findCode(s *scan, at int) bool {
	before := s.runeBefore(at)
	if at < s.taken || wordLike(before) || strings.ContainsRune(".-+/&=#:@$\\", before) && before != 0 && before != ':' && before != '#' {
		return false
	}
	if !codeLike(s.text[at:]) {
		return false
	}
	rest, _ := s.window(at, 0, 24)
	length := len(f.code.FindString(rest))
	if length == 0 {
		return false
	}
	code := rest[:length]
	after := s.runeAfter(at + length)
	if wordLike(after) || after == '-' || after == '/' || after == '=' || (after == '.' || after == ':') && wordLike(s.runeAfter(at+length+1)) {
		return false
	}
	letters := code[:strings.IndexAny(code, "0123456789")]
	letters = strings.TrimRight(letters, "- ")
	if len(digitsOf(code)) < codeDigits || noPerson[letters] || years(code) || hexadecimal(code) {
		return false
	}
	s.add(at, at+length, Identifier, Unsure, 0.5, "letters and digits, as the numbers of students and members have them")
	return true
}

// codeLike reports whether a text begins with as many digits as a code has, and a
// letter among them: what every number in a text can be asked.
func codeLike(text string) bool {
	digits, letter := 0, false
	for i := range min(len(text), 24) {
		switch c := text[i]; {
		case digitASCII(c):
			digits++
		case letterASCII(c):
			letter = true
		case c != '-' && (c != ' ' || i != 2):
			return letter && digits >= codeDigits
		}
	}
	return letter && digits >= codeDigits
}

// years reports whether a group of a code's digits, the last or the one before a
// short one, is a year: "BOT-2014-2015" is a course's.
func years(code string) bool {
	groups := strings.Split(code, "-")
	last := groups[len(groups)-1]
	return len(groups) > 1 && len(last) == 4 && (strings.HasPrefix(last, "19") || strings.HasPrefix(last, "20"))
}

// hexadecimal reports whether a code may be a piece of a hash or an address in a
// computer's memory: no hyphen, and no letter beyond f.
func hexadecimal(code string) bool {
	return !strings.ContainsAny(code, "- ") && strings.IndexFunc(code, func(r rune) bool {
		return r|0x20 > 'f' && r|0x20 <= 'z'
	}) < 0
}

// find marks the number that starts at token i, or with the two letters before.
func (f *numberForms) find(s *scan, i int) bool {
	at := s.doc.Tokens[i].at
	if f.at(s, at) {
		return true
	}
	if at >= 3 && s.text[at-1] == ' ' && upperASCII(s.text[at-2]) && upperASCII(s.text[at-3]) && (f.at(s, at-3) || f.findCode(s, at-3)) {
		return true
	}
	start := at
	if at >= 2 && s.text[at-1] == '-' {
		for start = at - 1; start > 0 && at-start <= 5 && upperASCII(s.text[start-1]); start-- {
		}
	}
	return f.findCode(s, start)
}

func upperASCII(c byte) bool { return 'A' <= c && c <= 'Z' }

func (f *numberForms) at(s *scan, at int) bool {
	if wordLike(s.runeBefore(at)) {
		return false
	}
	if before := s.runeBefore(at); before == '.' || before == '-' || before == '+' || before == '/' {
		return false
	}
	rest, _ := s.window(at, 0, 48)
	account, enough := accountLike(rest), countDigits(rest) >= leastDigits
	for i := range f.forms {
		if i == 0 && !account || i > 0 && !enough {
			continue
		}
		form := &f.forms[i]
		m := form.form.FindStringIndex(rest)
		if m == nil {
			continue
		}
		end := at + m[1]
		if i == 0 {
			length := ibanLength(rest[:m[1]])
			if length == 0 {
				continue
			}
			end = at + length
		} else if form.check != nil && !form.check(compact(rest[:m[1]])) {
			continue
		}
		if wordLike(s.runeAfter(end)) {
			continue
		}
		s.add(at, end, Identifier, form.proposal, form.score, form.what)
		return true
	}
	return false
}

// leastDigits is how many digits every form but that of an account has.
const leastDigits = 6

// accountLike reports whether a text begins like an IBAN: two letters, two digits.
func accountLike(s string) bool {
	return len(s) > 4 && letterASCII(s[0]) && letterASCII(s[1]) && digitASCII(s[2]) && digitASCII(s[3])
}

func letterASCII(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func digitASCII(c byte) bool  { return '0' <= c && c <= '9' }

func countDigits(s string) int {
	n := 0
	for i := range len(s) {
		if digitASCII(s[i]) {
			n++
		}
	}
	return n
}

// findNamed marks the number after a word that announces one.
func (f *numberForms) findNamed(s *scan, i int) {
	t := &s.doc.Tokens[i]
	after := t.at + len(t.Text)
	rest, _ := s.window(after, 0, 64)
	if !hasDigit(rest) {
		return
	}
	if doors[t.Folded] {
		f.findDoor(s, t, after, rest)
		return
	}
	if anyNumber[t.Folded] {
		f.findOwned(s, t, after, rest)
		return
	}
	m := f.named.FindStringSubmatchIndex(rest)
	if m == nil || len(digitsOf(rest[m[2]:m[3]])) < 5 || f.paperOnly[t.Folded] {
		f.findPaper(s, t, after, rest)
		return
	}
	if f.loose[t.Folded] { // "student" alone announces nothing
		around, _ := s.window(t.at, 14, len(t.Text)+m[2])
		if !f.marker.MatchString(around) && !(t.Text == "CI" && m[2] <= len(" ")) {
			f.findPaper(s, t, after, rest)
			return
		}
	}
	number := strings.Trim(rest[m[2]:m[3]], " .-/")
	at := after + m[2] + strings.Index(rest[m[2]:m[3]], number)
	if at < s.taken || dated.MatchString(number) {
		return
	}
	s.add(at, at+len(number), Identifier, Mask, 0.9, "number announced as somebody's own")
	f.findSame(s, at+len(number), number)
}

// anyNumber are the words for a number of whatever kind.
var anyNumber = wordSet(ownNumberWords)

// doors are the words for the code of a door.
var doors = wordSet(doorWords)

// doorOf matches what a code opens, and the code behind it; doorBefore what it opens
// before the word for it.
var (
	doorOf = regexp.MustCompile(`(?i)^(\s(?:de la porte|du portail|d['’]entrée|de l['’]entrée|de l['’]immeuble|de l['’]interphone|de la puerta|del portal|del portero|del portone|del cancello|da porta|do portão|de la porta|for the door|for the gate|of the door|to the door|an der tür)|)` +
		`\s?(?:[:=(]|is|est|c['’]est|es|és|è|é|ist|,)?\s(?-i:([A-Z0-9]{4,7}))(?:[^\pL\pN\-]|$)`)
	doorBefore = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:door|gate|entry|building|porte|haustür|tür)[ \-]$`)
)

// findDoor marks the code of somebody's door: "code de la porte 47A12".
func (f *numberForms) findDoor(s *scan, t *Token, after int, rest string) {
	m := doorOf.FindStringSubmatchIndex(rest)
	if m == nil || len(digitsOf(rest[m[4]:m[5]])) < 2 {
		return
	}
	before, _ := s.window(t.at, 12, 0)
	if m[2] < m[3] || t.Folded == "digicode" || t.Folded == "turcode" || doorBefore.MatchString(before) {
		s.add(after+m[4], after+m[5], Identifier, Mask, 0.85, "code of a door")
	}
}

// findPaper marks the code of the paper that token t, before the offset after, is
// the word for: "copie n° ABC-2291-77".
func (f *numberForms) findPaper(s *scan, t *Token, after int, rest string) {
	m := f.paper.FindStringSubmatchIndex(rest)
	if m == nil {
		if f.booked[t.Folded] {
			f.findBooking(s, after, rest)
		}
		return
	}
	before, _ := s.window(t.at, 48, 0)
	if end := sentenceEnd.FindAllStringIndex(before, -1); end != nil {
		before = before[end[len(end)-1][1]:]
	}
	link, own := strings.TrimSpace(rest[m[2]:m[3]]), f.owner.MatchString(before)
	marked := link != "" || f.marker.MatchString(before+rest[:m[2]])
	code := rest[m[4]:m[5]]
	switch {
	case f.trades[t.Folded] && (!own || !upperASCII(code[0])), !marked && !own && m[2] > 0, link == "" && digitASCII(code[0]):
		return
	}
	f.addCode(s, after+m[4], code, !own && !marked)
}

// findOwned marks the code after "number" where the words around say whose it is:
// "my number is …", "le numéro de mon oncle est …".
func (f *numberForms) findOwned(s *scan, t *Token, after int, rest string) {
	m := f.owned.FindStringSubmatchIndex(rest)
	if m == nil {
		return
	}
	before, _ := s.window(t.at, 24, 0)
	if m[2] < 0 && (!f.before.MatchString(before) || !numberOf.MatchString(rest)) || noOnes.MatchString(before) || noOnes.MatchString(rest[:m[6]]) {
		return
	}
	if code := rest[m[6]:m[7]]; upperASCII(code[0]) || m[2] >= 0 {
		f.addCode(s, after+m[6], code, false)
	}
}

// findBooking marks the letters and digits of a booking: "booking ref QX7TRB".
func (f *numberForms) findBooking(s *scan, after int, rest string) {
	m := f.booking.FindStringSubmatchIndex(rest)
	if m == nil {
		return
	}
	code := rest[m[2]:m[3]]
	if hasDigit(code) && strings.ToUpper(code) == code && len(digitsOf(code)) < len(code) {
		s.add(after+m[2], after+m[3], Identifier, Mask, 0.85, "code of a booking")
	}
}

// addCode marks a code that words announce, unless it is a product's, a year's or
// too short; strict asks for as much as where nothing announces it.
func (f *numberForms) addCode(s *scan, at int, code string, strict bool) {
	letters := strings.TrimRight(code[:strings.IndexAny(code+"0", "0123456789")], "-/. ")
	first, _, _ := strings.Cut(letters, "-")
	digits, end := len(digitsOf(code)), at+len(code)
	after := s.runeAfter(end)
	switch {
	case at < s.taken, digits < 4, strict && (digits < 5 || letters == ""), noPerson[letters], noPerson[first], years(code), dated.MatchString(code), court.MatchString(code), strict && yearIn.MatchString(code):
	case wordLike(after), after == '%', (after == '-' || after == '/') && wordLike(s.runeAfter(end+1)):
	default:
		s.add(at, end, Identifier, Mask, 0.87, "code announced as that of somebody's paper")
	}
}

// numberOf matches what follows "my number": "of …", "is".
var numberOf = regexp.MustCompile(`(?i)^\s?(?:(?:de|del|della|di|do|da|of|von)\s|d['’]|is\s|est\s|es\s|és\s|è\s|é\s|ist\s|lautet\s|[:=#(])`)

// noOnes matches the words for numbers that are nobody's: a room's, a version's.
var noOnes = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:room|model|version|page|question|exercise|chapter|part|serial|flight|lesson|salle|chambre|mod[èe]le|exercice|chapitre|le[çc]on|modelo|versi[óo]n|vers[ãa]o|p[áa]gina|ejercicio|exerc[íi]cio|esercizio|cap[íi]tulo|` +
	`capitolo|sala|aula|stanza|versione|modello|seite|kapitel|aufgabe|raum|modell)(?:[^\pL]|$)`)

// yearIn matches a year among the groups of a code.
var yearIn = regexp.MustCompile(`(?:^|\D)(?:19|20)\d\d(?:\D|$)`)

// court matches the number of a case at a court: "C-131/12".
var court = regexp.MustCompile(`^[A-Z]-\d{1,4}/\d\d$`)

// dated matches a span of years, and a year with its month.
var dated = regexp.MustCompile(`^(?:19|20)\d\d[\-/.](?:(?:19|20)?\d\d|\d)$`)

// findSame marks the number of the same make that follows one that was announced:
// "my number is 2021304417 and hers is 2021300982".
func (f *numberForms) findSame(s *scan, at int, number string) {
	if len(digitsOf(number)) < codeDigits {
		return
	}
	rest, _ := s.window(at, 0, 40+len(number))
	start := strings.IndexAny(rest, "0123456789")
	if cut := strings.IndexAny(number, "0123456789"); start >= cut {
		start -= cut
	}
	if start <= 0 || start+len(number) > len(rest) || start > 40 || sentenceEnd.MatchString(rest[:start]) {
		return
	}
	if same := rest[start : start+len(number)]; makeOf(same) == makeOf(number) && s.bounded(at+start, at+start+len(number)) {
		s.add(at+start, at+start+len(number), Identifier, Mask, 0.85, "number of the make of the one before it")
	}
}

// makeOf gives a code with its digits and letters all alike.
func makeOf(code string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case '0' <= r && r <= '9':
			return '0'
		case 'A' <= r && r <= 'Z':
			return 'A'
		}
		return r
	}, code)
}

// compact drops everything but letters and digits, in upper case.
func compact(s string) string {
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9', 'A' <= c && c <= 'Z':
			out = append(out, c)
		case 'a' <= c && c <= 'z':
			out = append(out, c-'a'+'A')
		}
	}
	return string(out)
}
