package moocdb

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// person is one row of users.
type person struct {
	name, gender, birth, country, language string
	joined                                 string
	grades                                 []float64
	staff                                  bool
	os                                     any // of their last event
	agent                                  string
	ip                                     any // of their first event
}

// people knows everybody who is met.
type people struct {
	byNumber map[int64]*person
	byName   map[string]int64    // canonical username → number, from the identity tables
	met      map[string]struct{} // usernames that came with a number
	next     int64               // number for whoever has none
}

func newPeople() *people {
	return &people{byNumber: map[int64]*person{}, byName: map[string]int64{}, met: map[string]struct{}{}, next: 1<<31 - 1}
}

// get gives the person of a number, a new one at first sight.
func (p *people) get(number int64) *person {
	who := p.byNumber[number]
	if who == nil {
		who = &person{}
		p.byNumber[number] = who
	}
	return who
}

// claim says whose username it is; the smallest number keeps it.
func (p *people) claim(name string, number int64) {
	if name = canonical(name); name == "" || number == 0 {
		return
	}
	if have, ok := p.byName[name]; !ok || number < have {
		p.byName[name] = number
	}
}

// number tells whose event or post it is, by number or username; 0 for nobody's.
func (p *people) number(number int64, name string) int64 {
	if number == 0 {
		number = p.ofName(name)
	} else if _, met := p.met[name]; !met && name != "" {
		p.met[name] = struct{}{}
		if name = canonical(name); p.byName[name] == 0 {
			p.byName[name] = number // in no identity table: the log says whose it is
		}
	}
	if number != 0 {
		p.get(number)
	}
	return number
}

func (p *people) ofName(name string) int64 {
	name = canonical(name)
	if name == "" {
		return 0
	}
	if number, ok := p.byName[name]; ok {
		return number
	}
	number := pseudonym(name)
	if number == 0 {
		for p.byNumber[p.next] != nil {
			p.next--
		}
		number = p.next
		p.next--
	}
	p.byName[name] = number
	return number
}

// canonical is the spelling under which edX compares usernames.
func canonical(name string) string {
	return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(strings.TrimSpace(name))))
}

// pseudonym gives the number in a pseudonymous username: "u" and ten digits.
func pseudonym(name string) int64 {
	digits, ok := strings.CutPrefix(name, "u")
	if !ok || len(digits) != 10 {
		return 0
	}
	number := personNumber(digits)
	if number < 1_000_000_000 || number > 1<<31-1 {
		return 0
	}
	return number
}

// The rows of user_types.
const (
	student = 1
	staff   = 2
)

// write writes the people, by number.
func (p *people) write(s *store) error {
	at := position("users")
	for _, number := range sortedKeys(p.byNumber) {
		who := p.byNumber[number]
		kind := student
		if who.staff {
			kind = staff
		}
		var grade any
		if len(who.grades) == 1 { // of several courses there is no one grade
			grade = who.grades[0]
		}
		err := s.add(at, number, orNil(who.name), orNil(who.gender), orNil(who.birth), orNil(who.country), who.ip, nil,
			grade, orNil(who.joined), who.os, orNil(who.agent), orNil(who.language), nil, kind)
		if err != nil {
			return err
		}
	}
	types := position("user_types")
	if err := s.add(types, student, "student"); err != nil {
		return err
	}
	return s.add(types, staff, "staff")
}
