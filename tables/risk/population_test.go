package risk

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
)

// absentCell in a test's rows says that the person is not in the table.
const absentCell = "\x00"

// population makes columns out of rows of cells, one row a person.
func population(tb testing.TB, quasi, sensitive []string, rows [][]string) *Population {
	tb.Helper()
	p := &Population{People: len(rows)}
	for i, name := range append(append([]string(nil), quasi...), sensitive...) {
		c := NewColumn(name, len(rows))
		for person, row := range rows {
			if row[i] != absentCell {
				c.Add(person, []byte(row[i]))
			}
		}
		c.Settle()
		if i < len(quasi) {
			p.Quasi = append(p.Quasi, c)
		} else {
			p.Sensitive = append(p.Sensitive, c)
		}
	}
	return p
}

// profiles makes people with the quasi-identifiers of an edX profile, and a
// grade, unevenly spread as they are in real courses.
func profiles(people int, seed uint64) (names []string, rows [][]string) {
	random := rand.New(rand.NewPCG(seed, 1))
	countries := []string{"FR", "FR", "FR", "FR", "BE", "CH", "CA", "MA", "SN", "US", "DE", "IT", "VN", "BR", "AU", "FJ", "CI", "JP", "PL", "TN"}
	levels := []string{"p", "m", "m", "b", "b", "hs", "none", "a", ""}
	genders := []string{"f", "m", "m", "f", "o", ""}
	rows = make([][]string, people)
	for i := range rows {
		year := ""
		if random.IntN(10) > 0 {
			year = strconv.Itoa(1985 + int(random.NormFloat64()*12))
		}
		rows[i] = []string{
			genders[min(random.IntN(12), 5)], year, levels[random.IntN(len(levels))], countries[random.IntN(1+random.IntN(len(countries)))],
			fmt.Sprintf("2014-%02d-%02d 10:11:12", 1+random.IntN(12), 1+random.IntN(28)),
			strconv.FormatFloat(float64(random.IntN(11))/10, 'f', -1, 64),
		}
	}
	return []string{"p.gender", "p.year_of_birth", "p.level_of_education", "p.country", "u.date_joined"}, rows
}
