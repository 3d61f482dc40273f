package risk

import (
	"testing"
	"time"
)

// The size of a large university's years of courses: 1.1 million people with
// six quasi-identifiers.
func largePopulation(b *testing.B) *Population {
	const people = 1_100_000
	names, rows := profiles(people, 5)
	for i := range rows {
		rows[i] = append(rows[i][:5:5], []string{"honor", "audit", "verified"}[i%3])
	}
	return population(b, append(names, "e.mode"), nil, rows)
}

func BenchmarkMeasure(b *testing.B) {
	p := largePopulation(b)
	for b.Loop() {
		if _, err := Measure("person", p); err != nil {
			b.Fatal(err)
		}
	}
	ours := b.Elapsed().Seconds() / float64(b.N)
	// The peer is what one would write first: a map of joined strings.
	start := time.Now()
	sizes := map[string]int{}
	for person := range p.People {
		key := ""
		for _, c := range p.Quasi {
			key += c.values[c.codes[person]] + "\x00"
		}
		sizes[key]++
	}
	b.ReportMetric(time.Since(start).Seconds()/ours, "×string-map")
	b.ReportMetric(float64(p.People)/ours/1e6, "Mpeople/s")
}

func BenchmarkSuggest(b *testing.B) {
	p := largePopulation(b)
	for b.Loop() {
		s, err := Suggest(p, Goal{K: 5, Local: 0.05})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(s.Loss, "loss")
	}
	ours := b.Elapsed().Seconds() / float64(b.N)
	start := time.Now()
	if _, err := Measure("person", p); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(ours/time.Since(start).Seconds(), "×measure")
}

func BenchmarkEffects(b *testing.B) {
	p := largePopulation(b)
	for b.Loop() {
		if _, err := Effects(p, 5); err != nil {
			b.Fatal(err)
		}
	}
}
