package risk

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

func TestClassesCountPeopleAsShown(t *testing.T) {
	for name, c := range map[string]struct {
		rows                         [][]string
		k, uniques, classes, nothing int
	}{
		"two classes":                         {[][]string{{"f", "1980"}, {"f", "1980"}, {"m", "1980"}, {"m", "1980"}, {"m", "1980"}}, 2, 0, 2, 0},
		"one is alone":                        {[][]string{{"f", "1980"}, {"f", "1980"}, {"f", "1981"}}, 1, 1, 2, 0},
		"cells do not run together":           {[][]string{{"ab", "c"}, {"a", "bc"}, {"abc", ""}}, 1, 3, 3, 0},
		"empty cells alone are no class":      {[][]string{{"", ""}, {"f", "1980"}, {"f", "1980"}, {"f", "1980"}}, 3, 0, 1, 1},
		"an empty cell matches no other cell": {[][]string{{"f", ""}, {"f", "1980"}, {"f", "1980"}}, 1, 1, 2, 0},
		"the same left out is alike":          {[][]string{{"f", ""}, {"f", ""}, {"m", "1980"}, {"m", "1980"}}, 2, 0, 2, 0},
		"absent is not empty":                 {[][]string{{"f", absentCell}, {"f", ""}}, 1, 2, 2, 0},
		"nobody shows anything":               {[][]string{{"", absentCell}, {"", ""}}, 0, 0, 0, 2},
		"no people":                           {nil, 0, 0, 0, 0},
	} {
		m, err := Measure("person", population(t, []string{"t.a", "t.b"}, nil, c.rows))
		if err != nil {
			t.Fatal(err)
		}
		if m.K != c.k || m.Uniques != c.uniques || m.Classes != c.classes || m.Blank != c.nothing || m.People != len(c.rows) {
			t.Errorf("%s: k %d, uniques %d, classes %d, blank %d; want %+v", name, m.K, m.Uniques, m.Classes, m.Blank, c)
		}
	}
}

func TestColumnsOfAnotherPopulationAreRefused(t *testing.T) {
	p := population(t, []string{"t.a"}, nil, [][]string{{"x"}, {"y"}})
	p.People = 3
	if _, err := Measure("person", p); err == nil {
		t.Error("Measure took a column that is too short")
	}
	if _, err := Suggest(p, Goal{K: 2}); err == nil {
		t.Error("Suggest took a column that is too short")
	}
}

func TestSeveralRowsOfAPersonAreOneSet(t *testing.T) {
	c := NewColumn("t.course", 5)
	for person, rows := range [][]string{{"b", "a"}, {"a", "b", "a", ""}, {"", "a"}, {"a"}, {""}} {
		for _, value := range rows {
			c.Add(person, []byte(value))
		}
	}
	c.Settle()
	if c.codes[0] != c.codes[1] {
		t.Error("the order and the number of rows make a difference")
	}
	if c.codes[2] != c.codes[3] {
		t.Error("an empty row beside a value makes a difference")
	}
	if c.codes[0] == c.codes[2] || c.codes[4] != blank || len(c.members(c.codes[0])) != 2 {
		t.Errorf("codes %v", c.codes)
	}
}

// The table of signatures, however full, says what a map of strings says.
func TestMeasureAgreesWithAMapOfStrings(t *testing.T) {
	for seed := range uint64(20) {
		names, rows := profiles(50+int(seed)*400, seed)
		p := population(t, names, nil, rows)
		got, err := Measure("person", p)
		if err != nil {
			t.Fatal(err)
		}
		model := map[string]int{}
		for _, row := range rows {
			model[fmt.Sprintf("%q", row[:len(names)])]++
		}
		for _, u := range got.Under {
			want := 0
			for _, size := range model {
				if size < u.K {
					want += size
				}
			}
			if u.People != want || math.Abs(u.Share-float64(want)/float64(len(rows))) > 1e-12 {
				t.Errorf("seed %d: %d people under %d, want %d", seed, u.People, u.K, want)
			}
		}
		if got.Classes != len(model) || got.Expected != float64(len(model)) {
			t.Errorf("seed %d: %d classes, want %d", seed, got.Classes, len(model))
		}
	}
}

// The order of the people changes nothing.
func TestMeasureDoesNotDependOnOrder(t *testing.T) {
	names, rows := profiles(3000, 3)
	first, err := Measure("person", population(t, names, []string{"c.grade"}, rows))
	if err != nil {
		t.Fatal(err)
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	again, err := Measure("person", population(t, names, []string{"c.grade"}, rows))
	if err != nil {
		t.Fatal(err)
	}
	a, b := first.Sensitive[0], again.Sensitive[0]
	if first.K != again.K || first.Classes != again.Classes || a.Distinct != b.Distinct || a.Disclosed != b.Disclosed || math.Abs(a.Closeness-b.Closeness) > 1e-9 {
		t.Errorf("%+v\n%+v", first, again)
	}
}

// naiveDistance is t-closeness as section 4 of the paper writes it down.
func naiveDistance(class, everybody []string, order []string, ordered bool) float64 {
	share := func(values []string, v string) float64 {
		n := 0
		for _, x := range values {
			if x == v {
				n++
			}
		}
		return float64(n) / float64(len(values))
	}
	sum, running := 0.0, 0.0
	for _, v := range order {
		difference := share(class, v) - share(everybody, v)
		running += difference
		if ordered {
			sum += math.Abs(running)
		} else {
			sum += math.Abs(difference) / 2
		}
	}
	if ordered {
		sum /= float64(len(order) - 1)
	}
	return sum
}

func TestDiversityFollowsTheDefinitions(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	for round := range 40 {
		ordered := round%2 == 0
		rows := make([][]string, 60)
		for i := range rows {
			value := strconv.Itoa(random.IntN(7))
			if !ordered {
				value = "grade " + value
			}
			rows[i] = []string{"g" + strconv.Itoa(random.IntN(8)), value}
		}
		m, err := Measure("person", population(t, []string{"t.group"}, []string{"t.grade"}, rows))
		if err != nil {
			t.Fatal(err)
		}
		classes, all := map[string][]string{}, []string{}
		for _, row := range rows {
			classes[row[0]] = append(classes[row[0]], row[1])
			all = append(all, row[1])
		}
		order := slices.Clone(all)
		slices.Sort(order)
		order = slices.Compact(order)
		l, entropy, disclosed, closeness := math.MaxInt, math.Inf(1), 0, 0.0
		for _, values := range classes {
			counts := map[string]int{}
			for _, v := range values {
				counts[v]++
			}
			nats := 0.0
			for _, n := range counts {
				p := float64(n) / float64(len(values))
				nats -= p * math.Log(p)
			}
			if len(counts) == 1 {
				disclosed += len(values)
			}
			l, entropy = min(l, len(counts)), min(entropy, math.Exp(nats))
			closeness = max(closeness, naiveDistance(values, all, order, ordered))
		}
		d := m.Sensitive[0]
		if d.Ordered != ordered || d.Distinct != l || d.Disclosed != disclosed || math.Abs(d.Entropy-entropy) > 1e-9 || math.Abs(d.Closeness-closeness) > 1e-9 {
			t.Fatalf("round %d: %+v; want l %d, entropy %v, disclosed %d, t %v", round, d, l, entropy, disclosed, closeness)
		}
	}
}

// The salaries of section 4 of Li et al.: of nine people with 3k to 11k, the
// class with 3k, 4k and 5k is 0.375 away from everybody.
func TestClosenessOfThePapersExample(t *testing.T) {
	rows := [][]string{
		{"1", "3"}, {"1", "4"}, {"1", "5"}, {"2", "6"}, {"2", "8"}, {"2", "11"}, {"3", "7"}, {"3", "9"}, {"3", "10"},
	}
	m, err := Measure("person", population(t, []string{"t.class"}, []string{"t.salary"}, rows))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Sensitive[0].Closeness; math.Abs(got-0.375) > 1e-9 {
		t.Errorf("t is %v, the paper has 0.375", got)
	}
	if got := naiveDistance([]string{"6", "8", "11"}, []string{"3", "4", "5", "6", "7", "8", "9", "10", "11"}, []string{"3", "4", "5", "6", "7", "8", "9", "10", "11"}, true); math.Abs(got-0.167) > 1e-3 {
		t.Errorf("the model gives %v for the class of 6k, 8k and 11k, the paper 0.167", got)
	}
}
