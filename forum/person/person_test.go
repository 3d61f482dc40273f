package person

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
)

func grammars(t testing.TB) *detect.ESLO {
	t.Helper()
	general, err := lists.Open()
	if err != nil {
		t.Fatal(err)
	}
	eslo, err := detect.NewShippedESLO(general)
	if err != nil {
		t.Fatal(err)
	}
	return eslo
}

func build(t testing.TB, posts ...corpus.Post) *File {
	t.Helper()
	b := NewBuilder(grammars(t))
	for i := range posts {
		posts[i].ID = fmt.Sprint("p", i)
		b.Add(&posts[i])
	}
	return b.File()
}

func TestFactsOfOneAuthorAreGatheredOverPosts(t *testing.T) {
	f := build(t,
		corpus.Post{Author: "1", Body: "Bonjour, j'habite à Vierzon et vous ?"},
		corpus.Post{Author: "1", Title: "Je suis apicultrice", Body: "J'ai 34 ans. J'habite à Vierzon."},
		corpus.Post{Author: "2", Body: "J'habite à Vierzon aussi, j'ai 34 ans."},
		corpus.Post{Author: "3", Body: "Je suis infirmière."},
		corpus.Post{Author: "4", Body: "> J'habite à Vierzon\n\nAh bon, je ne savais pas."},
		corpus.Post{Author: "", Body: "J'habite à Vierzon."},
	)
	p, ok := f.Person("1")
	if !ok || len(p.Facts) != 3 {
		t.Fatalf("author 1 has %+v", p)
	}
	if _, ok := f.Person("4"); ok {
		t.Error("a quoted line was taken for its quoter's own words")
	}
	for _, fact := range p.Facts {
		want := map[string]int{"identity.residence": 2, "identity.age": 2, "work.occupation": 1}[fact.Says]
		if fact.Sharing != want {
			t.Errorf("%s is shared by %d, want %d", fact.Says, fact.Sharing, want)
		}
		if fact.Says == "identity.residence" && len(fact.Places) != 2 {
			t.Errorf("residence told at %v", fact.Places)
		}
	}
	if p.Sharing != 1 || p.CombinationSharing != 1 || len(p.Combination) != 1 || p.Facts[p.Combination[0]].Says != "work.occupation" {
		t.Errorf("combination %v shared by %d of %d", p.Combination, p.CombinationSharing, p.Sharing)
	}
	if p, _ := f.Person("2"); p.Sharing != 2 || p.CombinationSharing != 2 {
		t.Errorf("author 2 shares town and age with author 1, got %+v", p)
	}
}

func TestTheSmallestCombinationThatSinglesOutIsFound(t *testing.T) {
	f := build(t,
		corpus.Post{Author: "1", Body: "J'habite à Vierzon. J'ai 34 ans. Je suis boulanger."},
		corpus.Post{Author: "2", Body: "J'habite à Vierzon. J'ai 34 ans."},
		corpus.Post{Author: "3", Body: "J'ai 34 ans. Je suis boulanger."},
		corpus.Post{Author: "4", Body: "J'habite à Vierzon. Je suis infirmier."},
	)
	p, _ := f.Person("1")
	var says []string
	for _, i := range p.Combination {
		says = append(says, p.Facts[i].Says)
	}
	if !slices.Equal(says, []string{"identity.residence", "work.occupation"}) || p.CombinationSharing != 1 {
		t.Errorf("combination %v shared by %d", says, p.CombinationSharing)
	}
	if first := f.People()[0]; first.Author != "4" {
		t.Errorf("the first person is %s: one fact of 4 already singles out", first.Author)
	}
}

// Model: counting by trying every subset of every person's facts.
func TestSharingEqualsCountingBySubsets(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		s := sharing{byKey: map[string][]int32{}}
		people := make([]Person, 8)
		for i := range people {
			for k := range 5 {
				if random.IntN(2) == 0 {
					key := fmt.Sprint(k)
					people[i].Facts = append(people[i].Facts, Fact{Category: detect.Job, key: key})
					s.byKey[key] = append(s.byKey[key], int32(i))
				}
			}
		}
		for i := range people {
			s.count(&people[i])
			size, fewest := model(people, i)
			if p := people[i]; len(p.Combination) != size || p.CombinationSharing != fewest {
				t.Fatalf("combination of %d shared by %d, want %d shared by %d", len(p.Combination), p.CombinationSharing, size, fewest)
			}
		}
	}
}

func model(people []Person, i int) (size, fewest int) {
	facts := people[i].Facts
	for n := 1; n <= largestCombination; n++ {
		for subset := range 1 << len(facts) {
			var keys []string
			for bit := range facts {
				if subset>>bit&1 == 1 {
					keys = append(keys, facts[bit].key)
				}
			}
			if len(keys) != n {
				continue
			}
			count := 0
			for _, p := range people {
				if tellsAll(p, keys) {
					count++
				}
			}
			if fewest == 0 || count < fewest {
				size, fewest = n, count
			}
		}
	}
	return size, fewest
}

func tellsAll(p Person, keys []string) bool {
	for _, key := range keys {
		if !slices.ContainsFunc(p.Facts, func(f Fact) bool { return f.key == key }) {
			return false
		}
	}
	return true
}
