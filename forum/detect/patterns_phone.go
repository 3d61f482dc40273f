package detect

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nyaruka/phonenumbers"
)

// phoneWords announce a phone number.
const phoneWords = `tel telephone telefono telefone telefon telf tlf phone mobile portable movil cellulare cell cellphone
	celular telemovel gsm handy whatsapp signal sms appelle appelez appeler rappelle rappelez joindre joignable numero
	number num fax call text llamame llama chiamami chiama liga ligue truca ring wasap
	zap zapzap wpp whats mobil celu numer nummer handynummer telefonnummer mobilnummer rufnummer festnetz landline texto`

// phoneWordReach is how far, in bytes, a word announces a number; phoneSureReach
// how far, in the same sentence, one does that says nothing else.
const (
	phoneWordReach = 48
	phoneSureReach = 96
)

// phoneSure are the words that announce nothing but a phone number.
var phoneSure = wordSet(`telephone telefono telefone telefon telf tlf cellulare cellphone telemovel whatsapp zap zapzap wpp wasap
	handynummer telefonnummer mobilnummer rufnummer phone movil celular truca llamame chiamami`)

// mostPhoneDigits is the greatest length of a number (ITU-T E.164). Shorter than
// leastPhoneDigits are only the local numbers that a word announces.
const (
	mostPhoneDigits  = 15
	leastPhoneDigits = 8
	leastLocalDigits = 7
)

// sentenceEnd is the end of a sentence inside a text.
var sentenceEnd = regexp.MustCompile(`[.!?;]\s|\n`)

// phoneForms are the numbering plans tried for each language.
type phoneForms struct{ regions map[string][]string }

func newPhoneForms() *phoneForms {
	return &phoneForms{regions: map[string][]string{
		"fr": {"FR", "BE", "CH", "CA", "LU", "MA", "DZ", "TN", "SN", "CI", "CM"},
		"en": {"US", "GB", "AU", "IE", "IN", "ZA", "NZ"},
		"es": {"ES", "MX", "AR", "CO", "CL", "PE"},
		"it": {"IT", "CH"},
		"pt": {"PT", "BR", "AO", "MZ"},
		"ca": {"ES", "AD"},
		"de": {"DE", "AT", "CH"},
		"":   {"FR", "US", "ES", "IT", "PT", "GB", "BE", "CH", "DE"},
	}}
}

// phoneNumber is a candidate: its text, and what its form tells.
type phoneNumber struct {
	start, end int
	text       string // from the first digit
	digits     string
	groups     []int // lengths of the groups of digits
	plus       bool  // begins with + or 00
	dotted     bool
	bracketed  bool // the first group stands in brackets
	hyphens    int
	tail       bool // other digits stand right before it
}

// find marks the phone number that starts at token i, a number.
func (f *phoneForms) find(s *scan, i int) bool {
	n, ok := readPhone(s, s.doc.Tokens[i].at)
	if !ok || n.tail && (n.thousands() || !n.plus && n.digits[0] != '0') {
		return false
	}
	if len(n.digits) == 13 && !n.plus && (strings.HasPrefix(n.digits, "978") || strings.HasPrefix(n.digits, "979")) {
		return false // a book's
	}
	announced := s.phoneWord >= 0 && (n.start-s.phoneWord < phoneWordReach || s.phoneSure && n.start-s.phoneWord < phoneSureReach && !sentenceEnd.MatchString(s.text[s.phoneWord:n.start]))
	if len(n.digits) < leastPhoneDigits && !(announced && n.local() && !sentenceEnd.MatchString(s.text[s.phoneWord:n.start])) {
		return false
	}
	score, proposal, what := f.judge(n, s.doc.Lang, announced)
	if score == 0 && !n.tail && n.thousands() && n.iberian(s) {
		score, proposal, what = 0.7, Mask, "nine digits by themselves, as phone numbers are written"
	}
	if score == 0 {
		return false
	}
	s.add(n.start, n.end, Phone, proposal, score, what)
	return true
}

// readPhone collects groups of digits with at most two separators between them.
func readPhone(s *scan, at int) (phoneNumber, bool) {
	text := s.text
	n := phoneNumber{start: at, end: at}
	for n.start > s.taken && strings.IndexByte("+(", text[n.start-1]) >= 0 {
		n.start--
	}
	before := s.runeBefore(n.start)
	if wordLike(before) || strings.ContainsRune("/.,-#=$€£:", before) && !afterLabel(text, n.start) {
		return n, false
	}
	n.tail = n.start >= 2 && n.start > s.taken && strings.IndexByte(" .-", text[n.start-1]) >= 0 && '0' <= text[n.start-2] && text[n.start-2] <= '9'
	var few [mostPhoneDigits + 2]int
	groups := few[:0]
	group, separators, digits := 0, 0, 0
	for end := at; end < len(text) && digits <= mostPhoneDigits; {
		c := text[end]
		switch {
		case '0' <= c && c <= '9':
			group++
			digits++
			separators = 0
			end++
			n.end = end
			continue
		case strings.IndexByte(" .-/()", c) >= 0 && separators < 3:
			end++
		case c >= utf8.RuneSelf && phoneSpace(text[end:]) > 0 && separators < 3:
			end += phoneSpace(text[end:])
		default:
			end = len(text)
			continue
		}
		separators++
		if group > 0 {
			groups = append(groups, group)
			group = 0
		}
	}
	if group > 0 {
		groups = append(groups, group)
	}
	if digits < leastLocalDigits || digits > mostPhoneDigits { // more: a number and then something else
		return n, false
	}
	n.groups = slices.Clone(groups)
	n.text = text[at:n.end]
	n.digits = digitsOf(text[n.start:n.end])
	n.dotted = strings.Contains(text[n.start:n.end], ".")
	n.hyphens = strings.Count(text[n.start:n.end], "-")
	n.plus = strings.Contains(text[n.start:at], "+") || strings.HasPrefix(n.digits, "00") && n.digits[2] != '0'
	for text[n.start] == '(' && strings.Count(text[n.start:n.end], "(") > strings.Count(text[n.start:n.end], ")") {
		n.start++ // the whole number stands in brackets
	}
	n.bracketed = text[n.start] == '('
	next := s.runeAfter(n.end)
	if wordLike(next) || next == '%' || next == '€' || next == '$' {
		return n, false
	}
	return n, true
}

// afterLabel reports whether the colon or dot before start ends a label: "tel:06".
func afterLabel(text string, start int) bool {
	return start >= 2 && strings.IndexByte(":.", text[start-1]) >= 0 && isSchemeByte(text[start-2]) && !(text[start-2] <= '9')
}

// phoneSpace gives the length of the special space or dash that text begins with.
func phoneSpace(text string) int {
	for _, space := range []string{"\u00a0", "\u202f", "\u2009", "\u2010", "\u2011", "\u2013", "·", "•"} {
		if strings.HasPrefix(text, space) {
			return len(space)
		}
	}
	return 0
}

// judge says how surely a candidate is a phone number; score 0: it is none.
func (f *phoneForms) judge(n phoneNumber, language string, announced bool) (float64, Verdict, string) {
	if n.thousands() && !n.plus && !announced {
		return 0, Keep, ""
	}
	if n.pairs() || n.american() || n.brazilian() || n.italian(language) { // needs no numbering plan
		return 0.95, Mask, "phone number, national form"
	}
	if announced && n.local() {
		return 0.75, Mask, "local number announced as a phone number"
	}
	if f.valid(n, language) {
		switch {
		case n.plus:
			return 0.97, Mask, "phone number, international form"
		case announced:
			return 0.97, Mask, "phone number, announced as one"
		case n.digits[0] == '0' && (len(n.groups) > 1 || len(n.digits) == 10):
			return 0.95, Mask, "phone number, national form"
		case len(n.digits) < 9:
			return 0, Keep, ""
		case len(n.groups) == 3 && n.groups[0] == 3 && n.groups[1] == 3 && n.groups[2] >= 3:
			return 0.85, Mask, "phone number, national form"
		case len(n.groups) == 4 && len(n.digits) == 9:
			return 0.85, Mask, "phone number, national form"
		case len(n.groups) == 1 && len(n.digits) == 9 && (n.digits[0] == '6' || n.digits[0] == '7' || n.digits[0] == '9'):
			return 0.6, Mask, "number in the form of a mobile phone number"
		}
		return 0.4, Unsure, "number that could be a phone number"
	}
	switch {
	case (announced || n.plus) && len(n.digits) >= 9:
		return 0.8, Mask, "number announced as a phone number"
	case n.national():
		return 0.7, Mask, "number in the form of a phone number that no plan knows"
	}
	return 0, Keep, ""
}

// thousands reports a large number written in groups of three: 20 000 000. The
// nine digits of Spain and Portugal, 612 345 678, begin with 6, 7 or 9.
func (n phoneNumber) thousands() bool {
	if len(n.groups) < 2 || len(n.groups) == 3 && n.groups[0] == 3 && strings.IndexByte("679", n.digits[0]) >= 0 {
		return false
	}
	for i, length := range n.groups {
		if length != 3 && (i > 0 || length > 3) {
			return false
		}
	}
	return true
}

// pairs reports the French way of writing: 06 12 34 56 78, whatever the plan says.
func (n phoneNumber) pairs() bool {
	if len(n.digits) != 10 || n.digits[0] != '0' || len(n.groups) != 5 {
		return false
	}
	for _, length := range n.groups {
		if length != 2 {
			return false
		}
	}
	return true
}

// american reports the North American way of writing: (613) 555 0199 and
// 613-555-0199, the numbers that no one has included.
func (n phoneNumber) american() bool {
	return len(n.groups) == 3 && n.groups[0] == 3 && n.groups[1] == 3 && n.groups[2] == 4 &&
		n.digits[0] >= '2' && n.digits[3] >= '2' && (n.bracketed || n.hyphens == 2)
}

// brazilian reports the Brazilian way of writing, with the number of the area:
// (11) 91234-5678.
func (n phoneNumber) brazilian() bool {
	return n.bracketed && n.hyphens == 1 && len(n.groups) == 3 && n.groups[0] == 2 && (n.groups[1] == 4 || n.groups[1] == 5) &&
		n.groups[2] == 4 && n.digits[0] != '0' && !years(n.text)
}

// italian reports an Italian mobile number: 347 1234567.
func (n phoneNumber) italian(language string) bool {
	return language == "it" && len(n.digits) == 10 && n.digits[0] == '3' && len(n.groups) == 2 && n.groups[0] == 3 && !n.dotted && !n.bracketed
}

// local reports the way in which a number is written without its area: 555 01 42,
// 555-0142, 5555-0142.
func (n phoneNumber) local() bool {
	switch {
	case n.plus || n.bracketed || n.dotted:
		return false
	case len(n.groups) == 3:
		return n.groups[0] == 3 && n.groups[1] == 2 && n.groups[2] == 2
	case len(n.groups) == 2:
		return n.hyphens == 1 && !years(n.text) && n.digits[0] >= '2' && (n.groups[0] == 3 || n.groups[0] == 4 && !years(n.text[:4]+"-"+n.text[:4])) && n.groups[1] == 4
	}
	return false
}

// iberian reports the nine digits of Spain and Portugal, 268 000 114, that begin
// like a large number and stand by themselves: nothing counted follows them.
func (n phoneNumber) iberian(s *scan) bool {
	if lang := s.doc.Lang; lang != "pt" && lang != "es" && lang != "ca" || len(n.groups) != 3 || n.groups[0] != 3 || n.dotted || strings.IndexByte("289", n.digits[0]) < 0 {
		return false
	}
	rest := strings.TrimLeft(s.text[n.end:min(n.end+8, len(s.text))], " ")
	if rest != "" && unicode.IsLetter([]rune(rest)[0]) && n.end < len(s.text) && s.text[n.end] != '\n' {
		return false
	}
	before, _ := s.window(n.start, 24, 0)
	return iberianBefore.MatchString(before)
}

// iberianBefore is what stands before such a number: a sentence's beginning, "é o".
var iberianBefore = regexp.MustCompile(`(?i)(?:^|[.!?]\s+|\n\s*|(?:^|[^\pL])(?:é o|e o|es el|és el|al|ao|o meu|el meu|el mío|número|numero)[ :,]+)$`)

// national reports ten or eleven digits that begin with the 0 of a long-distance
// call and are written in few groups: 07700 900123.
func (n phoneNumber) national() bool {
	return n.digits[0] == '0' && (len(n.digits) == 10 || len(n.digits) == 11) && !n.dotted &&
		len(n.groups) >= 2 && len(n.groups) <= 5 && n.groups[0] >= 2 && n.groups[0] <= 5
}

// valid asks the numbering plans of the language's countries.
func (f *phoneForms) valid(n phoneNumber, language string) bool {
	if n.dotted && len(n.groups) < 3 { // a decimal number
		return false
	}
	if n.plus {
		number, err := phonenumbers.Parse("+"+strings.TrimPrefix(n.digits, "00"), "")
		return err == nil && phonenumbers.IsValidNumber(number)
	}
	for _, region := range f.regionsOf(language) {
		number, err := phonenumbers.Parse(n.digits, region)
		if err == nil && phonenumbers.IsValidNumberForRegion(number, region) && n.fitsPlan(region) {
			return true
		}
	}
	return false
}

func (f *phoneForms) regionsOf(language string) []string {
	if regions, ok := f.regions[language]; ok {
		return regions
	}
	return f.regions[""]
}

// fitsPlan refuses groups that nobody in the region writes: thousands, years.
func (n phoneNumber) fitsPlan(region string) bool {
	switch region {
	case "US", "CA":
		return len(n.groups) == 1 || len(n.groups) == 3 && n.groups[0] == 3 && n.groups[1] == 3 ||
			len(n.groups) == 4 && n.groups[0] == 1
	case "FR", "BE", "CH", "GB", "DE", "IT", "AT", "AU", "MA", "DZ", "IE", "NZ", "ZA":
		return n.digits[0] == '0' || region == "IT" && n.digits[0] == '3'
	}
	return true
}

// spelledNumbers are the words for the numbers of which phone numbers are made.
const spelledNumbers = `z[eé]ro|un|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingts?|trente|quarante|cinquante|soixante|septante|huitante|nonante|` +
	`oh|one|two|three|four|five|seven|eight|nine|double|` +
	`cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|veinte|` +
	`due|tre|quattro|cinque|sei|sette|otto|nove|` +
	`um|dois|tr[eê]s|sete|oito|meia|` +
	`dues|cinc|sis|set|vuit|nou|` +
	`null|eins|zwei|zwo|drei|vier|f[uü]nf|sechs|sieben|acht|neun|\d{1,4}`

// numeralWords are the same words, folded.
const numeralWords = `zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt vingts trente quarante cinquante soixante septante
	huitante nonante oh one two three four five seven eight nine double cero uno dos tres cuatro cinco seis siete ocho nueve diez treinta cuarenta cincuenta
	sesenta setenta ochenta noventa veinte due tre quattro cinque sei sette otto nove um dois sete oito meia dues cinc sis set vuit nou null eins zwei zwo drei
	vier funf sechs sieben acht neun`

// spelledPhone is a phone number in words.
var spelledPhone = regexp.MustCompile(`(?i)^[^\n.!?;]{0,24}?[^\pL\pN]((?:` + spelledNumbers + `)(?:[ \-–,]{1,2}(?:(?:et|y|e|i|and)[ \-])?(?:` + spelledNumbers + `)){5,24})(?:[^\pL\pN]|$)`)

// leastSpelled is how many words a phone number has that is written in words, and
// spelledReach how far behind its announcement it ends, in bytes.
const (
	leastSpelled = 6
	spelledReach = 160
)

// countsOn reports whether as many numerals as a phone number has follow token i
// before the offset end.
func (s *scan) countsOn(i, end int) bool {
	numerals := 0
	for i++; i < len(s.doc.Tokens) && s.doc.Tokens[i].at < end; i++ {
		t := &s.doc.Tokens[i]
		if t.form.anchors&anchorNumeral != 0 || t.Flags&Number != 0 && len(t.Text) <= 4 {
			if numerals++; numerals == leastSpelled {
				return true
			}
		}
	}
	return false
}

// findSpelled marks the phone number in words that follows the word token i.
func (f *phoneForms) findSpelled(s *scan, i int) {
	t := &s.doc.Tokens[i]
	after := t.at + len(t.Text)
	if !s.countsOn(i, after+spelledReach) {
		return
	}
	rest, _ := s.window(after, 0, spelledReach)
	m := spelledPhone.FindStringSubmatchIndex(rest)
	if m == nil || after+m[2] < s.taken {
		return
	}
	words, zero := 0, false
	for word := range strings.FieldsFuncSeq(rest[m[2]:m[3]], func(r rune) bool { return !unicode.IsLetter(r) }) {
		words++
		switch strings.ToLower(word) {
		case "zero", "zéro", "cero", "null", "oh":
			zero = true
		}
	}
	if words >= leastSpelled && (zero || words > leastSpelled+1) {
		s.add(after+m[2], after+m[3], Phone, Mask, 0.85, "phone number in words, announced as one")
	}
}
