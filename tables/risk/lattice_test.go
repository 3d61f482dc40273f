package risk

import (
	"math/rand/v2"
	"testing"
)

// Every node is visited once, none before one with less loss.
func TestClimbVisitsAllNodesInTheOrderOfTheirLoss(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for range 20 {
		var ladders [][]*recoding
		nodes := 1
		for range 1 + random.IntN(4) {
			ladder, loss := []*recoding{}, 0.0
			for range 1 + random.IntN(5) {
				ladder = append(ladder, &recoding{mean: loss})
				loss += float64(random.IntN(4)) / 8
			}
			ladders = append(ladders, ladder)
			nodes *= len(ladder)
		}
		seen, last := map[string]bool{}, -1.0
		climb(ladders, make([]uint8, len(ladders)), func(levels []uint8) bool {
			loss := 0.0
			for i, level := range levels {
				loss += ladders[i][level].mean
			}
			if loss < last || seen[string(levels)] {
				t.Fatalf("node %v with loss %v after %v", levels, loss, last)
			}
			seen[string(levels)], last = true, loss
			return false
		})
		if len(seen) != nodes {
			t.Fatalf("%d nodes visited, there are %d", len(seen), nodes)
		}
	}
}

func TestRegionsFollowTheStandard(t *testing.T) {
	for country, want := range map[string][2]string{
		"FR": {"Western Europe", "Europe"}, "MA": {"Northern Africa", "Africa"}, "CI": {"Western Africa", "Africa"},
		"CA": {"Northern America", "Americas"}, "MX": {"Central America", "Americas"}, "BR": {"South America", "Americas"},
		"VN": {"South-eastern Asia", "Asia"}, "JP": {"Eastern Asia", "Asia"}, "LB": {"Western Asia", "Asia"},
		"FJ": {"Melanesia", "Oceania"}, "AU": {"Australasia", "Oceania"}, "GB": {"Northern Europe", "Europe"}, "ZZ": {"elsewhere", "elsewhere"},
	} {
		if got := [2]string{regionOf(country, subregions), regionOf(country, continents)}; got != want {
			t.Errorf("%s: %v, want %v", country, got, want)
		}
	}
}

// A person's points are theirs alone exactly when a count over all people says so.
func TestUnicityAgreesWithCounting(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	traces := NewTraces()
	points := make([]map[string]bool, 60)
	for person := range points {
		points[person] = map[string]bool{}
		for range 3 {
			point := string(rune('a' + random.IntN(12)))
			points[person][point] = true
			traces.Add(person, []byte(point))
			traces.Add(person, []byte(point))
		}
	}
	// With all three points known there is no choice, so that the draw cannot
	// matter.
	full, unique := 0, 0
	for person := range points {
		if len(points[person]) != 3 {
			continue
		}
		full++
		alike := 0
		for other := range points {
			same := true
			for point := range points[person] {
				same = same && points[other][point]
			}
			if same {
				alike++
			}
		}
		if alike == 1 {
			unique++
		}
	}
	got := traces.Unicity(5, 1000)
	if len(got) != 3 || got[2].Sampled != full || got[2].Unique != float64(unique)/float64(full) {
		t.Errorf("%+v; want %d of %d", got, unique, full)
	}
	if got[0].Unique > got[1].Unique || got[1].Unique > got[2].Unique+0.2 {
		t.Errorf("knowing more tells less: %+v", got)
	}
	if again := traces.Unicity(5, 1000); again[1] != got[1] {
		t.Error("the draw is another one")
	}
}
