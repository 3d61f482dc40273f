package risk

import (
	"encoding/binary"
	"slices"
	"strconv"
	"time"
)

// The first codes of every column's dictionary.
const (
	blank  uint32 = 0 // the cell is empty
	absent uint32 = 1 // the person has no row in the table
)

// Column is one column of a population: a dictionary of its values and one code
// for each person. A person with several rows has the set of their values.
type Column struct {
	Name  string // "table.column"
	Fixed bool   // no rule may recode it
	// Recoded says that a rule has made the values already. Another rule would
	// not see these but the export's, so nothing is proposed but to empty them.
	Recoded bool

	values []string            // by code; the codes blank and absent have none
	codes  []uint32            // by person
	index  map[string]uint32   // value → code
	sets   map[uint32][]uint32 // code of a set → codes of its members, ascending
	setOf  map[string]uint32   // members, as bytes → code of the set
	many   map[int][]uint32    // people with several values, until Settle
}

// NewColumn makes a column in which the given number of people are absent.
func NewColumn(name string, people int) *Column {
	c := &Column{
		Name:   name,
		values: []string{"", ""},
		index:  map[string]uint32{},
		sets:   map[uint32][]uint32{},
		setOf:  map[string]uint32{},
		many:   map[int][]uint32{},
	}
	c.Grow(people)
	return c
}

// Grow makes room for more people, who are absent.
func (c *Column) Grow(people int) {
	for len(c.codes) < people {
		c.codes = append(c.codes, absent)
	}
}

// Add says that a row of the person has the value; an empty value says that
// the cell is empty. Of several values of a person the empty ones tell nothing.
func (c *Column) Add(person int, value []byte) {
	code := blank
	if len(value) > 0 {
		code = c.code(value)
	}
	switch old := c.codes[person]; {
	case old == code, code == blank && old != absent:
	case old == absent, old == blank:
		c.codes[person] = code
	default:
		members, started := c.many[person]
		if !started {
			members = []uint32{old}
		}
		if !slices.Contains(members, code) {
			c.many[person] = append(members, code)
		}
	}
}

// Settle turns the several values of a person into one set. Call it once,
// after the last Add.
func (c *Column) Settle() {
	for person, members := range c.many {
		c.codes[person] = c.set(members)
	}
	c.many = nil
}

// code finds or makes the code of a value.
func (c *Column) code(value []byte) uint32 {
	if code, ok := c.index[string(value)]; ok {
		return code
	}
	code := uint32(len(c.values))
	c.values = append(c.values, string(value))
	c.index[c.values[code]] = code
	return code
}

// set finds or makes the code of a set of values; one value is itself.
func (c *Column) set(members []uint32) uint32 {
	slices.Sort(members)
	members = slices.Compact(members)
	if len(members) > 1 && members[0] == blank {
		members = members[1:]
	}
	if len(members) == 1 {
		return members[0]
	}
	key := make([]byte, 0, 4*len(members))
	for _, m := range members {
		key = binary.LittleEndian.AppendUint32(key, m)
	}
	if code, ok := c.setOf[string(key)]; ok {
		return code
	}
	code := uint32(len(c.values))
	c.values = append(c.values, strconv.Itoa(len(members))+" values")
	c.sets[code] = slices.Clone(members)
	c.setOf[string(key)] = code
	return code
}

// members returns the single values that a code stands for.
func (c *Column) members(code uint32) []uint32 {
	if members, ok := c.sets[code]; ok {
		return members
	}
	return []uint32{code}
}

// counts returns the number of people for each code.
func (c *Column) counts() []int {
	counts := make([]int, len(c.values))
	for _, code := range c.codes {
		counts[code]++
	}
	return counts
}

// kind is what the values of a column look like.
type kind uint8

const (
	category kind = iota
	number
	country
	date
)

// kindOf says what at least nine tenths of the column's people show.
func (c *Column) kindOf() kind {
	counts := c.counts()
	var seen [4]int
	total := 0
	for code := absent + 1; int(code) < len(c.values); code++ {
		if _, isSet := c.sets[code]; isSet {
			continue
		}
		total += counts[code]
		value := c.values[code]
		if _, ok := parseNumber(value); ok {
			seen[number] += counts[code]
		} else if _, ok := parseDate(value); ok {
			seen[date] += counts[code]
		} else if isCountry(value) {
			seen[country] += counts[code]
		}
	}
	for _, k := range []kind{number, country, date} {
		if total > 0 && seen[k]*10 >= total*9 {
			return k
		}
	}
	return category
}

// parseNumber reads a decimal number.
func parseNumber(value string) (float64, bool) {
	if value == "" || len(value) > 32 {
		return 0, false
	}
	for _, c := range []byte(value) {
		if c != '+' && c != '-' && c != '.' && (c < '0' || c > '9') {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(value, 64)
	return x, err == nil
}

// dateForms are the spellings of a day, with or without a time behind it.
const dateForm = "2006-01-02"

// parseDate reads the day at the front of a date as edX writes it.
func parseDate(value string) (time.Time, bool) {
	if len(value) < len(dateForm) || len(value) > len(dateForm) && value[len(dateForm)] != ' ' && value[len(dateForm)] != 'T' {
		return time.Time{}, false
	}
	day, err := time.Parse(dateForm, value[:len(dateForm)])
	return day, err == nil
}
