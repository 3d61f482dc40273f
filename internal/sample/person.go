package sample

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Person is one invented person, as every table of an export knows them.
type Person struct {
	Index     int
	ID        int64
	Username  string
	First     string
	Last      string
	FullName  string
	Email     string
	Gender    string // "m", "f", "o", "" or "NULL"
	Born      int    // 0 when not said
	Education string
	Country   string // ISO 3166 code
	Language  string // "fr", "en", "es", "it", "ru"
	City      string
	Address   string // several lines
	Phone     string
	IP        string
	LogOnly   bool // stands in no table: only logs and forum know them
	secret    uint64
}

// Named reports whether others can call the person by a name: retired people
// have none.
func (p *Person) Named() bool { return p.First != "" && p.Last != "" }

// Hash gives 16 bytes of the person's own for a purpose (anonymous id,
// certificate key …) as two words: equal for the same purpose, unrelated
// between purposes.
func (p *Person) Hash(purpose uint64) (high, low uint64) {
	high = mix(p.secret ^ mix(purpose))
	return high, mix(high + purpose)
}

// roster makes people. The first are the cast of cast.go, written by hand to
// be hard to hide; the others are drawn when they are asked for, so that a
// roster of millions takes no memory.
type roster struct {
	seed   uint64
	people int
	cast   []Person
}

func newRoster(seed uint64, people int) *roster {
	r := &roster{seed: seed, people: people}
	for i, row := range castRows {
		if i == people {
			break
		}
		r.cast = append(r.cast, r.castPerson(i, row))
	}
	return r
}

// person returns person i, the same at every call.
func (r *roster) person(i int) *Person {
	if i < len(r.cast) {
		return &r.cast[i]
	}
	p := r.drawn(i)
	return &p
}

func (r *roster) castPerson(i int, row castRow) Person {
	rng := r.rng(i)
	p := Person{
		Index: i, ID: row.id, Username: row.username, First: row.first, Last: row.last,
		Email: row.email, Gender: row.gender, Born: row.born, Education: row.education,
		Country: row.country, Language: row.language, LogOnly: row.logOnly,
	}
	p.FullName = row.full
	if p.FullName == "" {
		p.FullName = strings.TrimSpace(p.First + " " + p.Last)
	}
	if p.Email == "" {
		p.Email = mailbox(p.First, p.Last, rng)
	}
	r.settle(&p, rng)
	return p
}

// drawn makes a person out of syllables: no list of real surnames is used.
// Identifiers hold the index, which makes them unique.
func (r *roster) drawn(i int) Person {
	rng := r.rng(i)
	p := Person{Index: i, ID: 3_000_000 + int64(i)*7 + rng.Int64N(7)}
	p.First = firstNames[rng.IntN(len(firstNames))]
	p.Last = surnameStarts[rng.IntN(len(surnameStarts))] + surnameMiddles[rng.IntN(len(surnameMiddles))] +
		surnameEnds[rng.IntN(len(surnameEnds))]
	p.FullName = p.First + " " + p.Last
	number := strconv.FormatInt(int64(i), 36)
	first, last := plainLetters(p.First), plainLetters(p.Last)
	switch rng.IntN(4) {
	case 0:
		p.Username = first + "." + last + number
	case 1:
		p.Username = first[:1] + last + "_" + number
	case 2:
		p.Username = last + strconv.Itoa(i)
	default:
		p.Username = p.First + "-" + number
	}
	p.Email = first + "." + last + "." + number + "@" + mailHosts[rng.IntN(len(mailHosts))]
	p.Gender = [...]string{"f", "f", "f", "m", "m", "m", "o", "", "NULL"}[rng.IntN(9)]
	if rng.IntN(8) > 0 {
		p.Born = 1940 + rng.IntN(65)
	}
	p.Education = [...]string{"p", "m", "m", "b", "b", "hs", "jhs", "a", "none", "other", "", "NULL"}[rng.IntN(12)]
	p.Country = nationCodes[rng.IntN(len(nationCodes))]
	p.Language = nations[p.Country].language
	r.settle(&p, rng)
	return p
}

// settle gives what follows from a person's country.
func (r *roster) settle(p *Person, rng *rand.Rand) {
	n := nations[p.Country]
	p.secret = rng.Uint64()
	p.City = n.cities[rng.IntN(len(n.cities))]
	p.Phone = n.number(rng)
	p.Address = fmt.Sprintf("%d%s\r\n%05d %s", 1+rng.IntN(180), n.streets[rng.IntN(len(n.streets))],
		10000+rng.IntN(85000), p.City)
	p.IP = n.address(rng)
}

func (r *roster) rng(i int) *rand.Rand {
	return rand.New(rand.NewPCG(r.seed, mix(uint64(i)+1)))
}

// mailbox writes first.last@host in plain letters.
func mailbox(first, last string, rng *rand.Rand) string {
	name := plainLetters(first) + "." + plainLetters(last)
	return strings.Trim(name, ".") + "@" + mailHosts[rng.IntN(len(mailHosts))]
}

// plainLetters folds a name to a–z and digits; Cyrillic letters are romanised.
func plainLetters(name string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(name)) {
		switch {
		case r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		case romanised[r] != "":
			b.WriteString(romanised[r])
		}
	}
	if b.Len() == 0 {
		return "x"
	}
	return b.String()
}

var romanised = map[rune]string{
	'а': "a", 'б': "b", 'в': "v", 'г': "g", 'д': "d", 'е': "e", 'ж': "zh", 'з': "z", 'и': "i", 'к': "k",
	'л': "l", 'м': "m", 'н': "n", 'о': "o", 'п': "p", 'р': "r", 'с': "s", 'т': "t", 'у': "u", 'ф': "f",
	'х': "kh", 'ц': "ts", 'ч': "ch", 'ш': "sh", 'щ': "shch", 'ы': "y", 'э': "e", 'ю': "iu", 'я': "ia",
	'ł': "l", 'ø': "o", 'ß': "ss", 'æ': "ae", 'œ': "oe", 'ı': "i", 'đ': "d",
}

// mix spreads a number over 64 bits (the finaliser of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// unaccented drops the marks of a name and keeps its case.
func unaccented(name string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(name) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}
