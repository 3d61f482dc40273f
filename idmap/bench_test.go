package idmap

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"
)

// benchmarkPeople is how many people the benchmarks make. The figures in
// docs/identity.md are taken with ANONYMOOC_BENCH_PEOPLE=5000000.
func benchmarkPeople(b *testing.B) int {
	if n, err := strconv.Atoi(os.Getenv("ANONYMOOC_BENCH_PEOPLE")); err == nil {
		return n
	}
	return 100_000
}

func benchUsername(n int) string { return fmt.Sprintf("learner_%d", n*7919) }

// benchMap makes a map of people with three identifiers each, and a plain Go
// map of the same data.
func benchMap(b *testing.B, n int) (*Map, *Domain) {
	m, err := Create(filepath.Join(b.TempDir(), "map"), Options{Key: testKey(1)})
	if err != nil {
		b.Fatal(err)
	}
	d := testDomain(b, m, "project")
	for i := range n {
		name := benchUsername(i)
		claim(b, d, userID(i+1), named(name), mailed(name+"@example.org"))
	}
	settle(b, d)
	if err := m.Commit(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { m.Close() })
	return m, d
}

func plainMap(n int) map[string]uint32 {
	plain := make(map[string]uint32)
	for i := range n {
		name := benchUsername(i)
		p := uint32(firstPseudonym + i)
		plain["1"+strconv.Itoa(i+1)], plain["2"+name], plain["3"+name+"@example.org"] = p, p, p
	}
	return plain
}

// logPattern is the usernames of a log's lines: a few hundred people active
// at a time, whose lines interleave, while who is active drifts.
func logPattern(n, lines int) [][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	active := make([]int, 500)
	for i := range active {
		active[i] = r.IntN(n)
	}
	pattern := make([][]byte, lines)
	for i := range pattern {
		if r.IntN(40) == 0 {
			active[r.IntN(len(active))] = r.IntN(n)
		}
		pattern[i] = []byte(benchUsername(active[r.IntN(len(active))]))
	}
	return pattern
}

func uniformPattern(n, lines int) [][]byte {
	r := rand.New(rand.NewPCG(3, 4))
	pattern := make([][]byte, lines)
	for i := range pattern {
		pattern[i] = []byte(benchUsername(r.IntN(n)))
	}
	return pattern
}

// perSecond times how often work can be done on the pattern.
func perSecond(pattern [][]byte, work func([]byte)) float64 {
	start := time.Now()
	for _, v := range pattern {
		work(v)
	}
	return float64(len(pattern)) / time.Since(start).Seconds()
}

// BenchmarkResolve compares look-ups with a plain Go map of the same people.
func BenchmarkResolve(b *testing.B) {
	n := benchmarkPeople(b)
	_, d := benchMap(b, n)
	plain := plainMap(n)
	r := d.Resolver()
	var key []byte
	inMap := func(v []byte) {
		key = append(append(key[:0], '2'), v...)
		if plain[string(key)] == 0 {
			b.Fatal("not there")
		}
	}
	inIDMap := func(v []byte) {
		if _, err := r.Person(Username, v); err != nil {
			b.Fatal(err)
		}
	}
	known := func(v []byte) { r.Known(Username, v) }
	for name, pattern := range map[string][][]byte{
		"log": logPattern(n, 2_000_000), "uniform": uniformPattern(n, 2_000_000),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				ours, theirs := perSecond(pattern, inIDMap), perSecond(pattern, inMap)
				b.ReportMetric(ours, "resolves/s")
				b.ReportMetric(ours/theirs, "x-go-map")
			}
		})
	}
	b.Run("unknown-words", func(b *testing.B) {
		pattern := uniformPattern(n, 2_000_000)
		for i := range pattern {
			pattern[i] = append(pattern[i], 'z')
		}
		for b.Loop() {
			ours, theirs := perSecond(pattern, known), perSecond(pattern, func(v []byte) {
				key = append(append(key[:0], '2'), v...)
				_ = plain[string(key)]
			})
			b.ReportMetric(ours, "words/s")
			b.ReportMetric(ours/theirs, "x-go-map")
		}
	})
}

// BenchmarkOpen measures what a map of this many people costs: to claim, to
// open, on disk, in memory; each against a plain Go map.
func BenchmarkOpen(b *testing.B) {
	n := benchmarkPeople(b)
	for b.Loop() {
		start := time.Now()
		m, _ := benchMap(b, n)
		b.ReportMetric(time.Since(start).Seconds(), "claim-s")
		b.ReportMetric(float64(heapReserved())/float64(n), "claim-B/person")
		if err := m.Close(); err != nil {
			b.Fatal(err)
		}
		size, dir := m.Stat().FileBytes, m.dir
		m = nil
		before := heap()
		start = time.Now()
		again, err := Open(dir, Options{Key: testKey(1)})
		if err != nil {
			b.Fatal(err)
		}
		openTime := time.Since(start).Seconds()
		b.ReportMetric(openTime, "open-s")
		after := heap()
		start = time.Now()
		plain := plainMap(n)
		plainTime := time.Since(start).Seconds()
		b.ReportMetric(float64(after-before)/float64(n), "B/person")
		b.ReportMetric(float64(heap()-after)/float64(n), "B/person-go-map")
		b.ReportMetric(float64(size)/float64(n), "file-B/person")
		b.ReportMetric(openTime/plainTime, "open-x-go-map")
		runtime.KeepAlive(plain)
		start = time.Now()
		if _, err := again.Forget([]Identifier{userID(n / 2)}, ""); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(start).Seconds(), "forget-s")
		again.Close()
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

// heapReserved is the most memory the heap has taken so far.
func heapReserved() uint64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapSys
}

// BenchmarkRow permutes row keys.
func BenchmarkRow(b *testing.B) {
	m, _ := newTestMap(b)
	r := testDomain(b, m, "project").Resolver()
	r.Row("table", 1)
	n := uint64(0)
	b.Run("common", func(b *testing.B) {
		for b.Loop() {
			n++
			r.Row("table", n*2654435761%pseudonymCount)
		}
	})
	b.Run("large", func(b *testing.B) {
		for b.Loop() {
			n++
			r.Row("table", 1<<40+n)
		}
	})
}
