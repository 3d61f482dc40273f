package sample

import (
	"bufio"
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
	"time"
)

// BenchmarkLog measures log lines written and, as a ratio, the time it takes
// beside copying the same bytes line by line.
func BenchmarkLog(b *testing.B) {
	g, err := newGenerator("", Options{People: 100_000, Courses: 2, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	const events = 50_000
	write := func(w io.Writer) {
		s := &scene{gen: g, course: g.courses[0], ascii: true, rng: rand.New(rand.NewPCG(1, 1))}
		if _, err := s.writeLog(w, events); err != nil {
			b.Fatal(err)
		}
	}
	var text bytes.Buffer
	write(&text)
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		write(io.Discard)
	}
	generating := b.Elapsed() / time.Duration(b.N)

	start := time.Now()
	out := bufio.NewWriterSize(io.Discard, 1<<20)
	for line := range bytes.Lines(text.Bytes()) {
		out.Write(line)
	}
	out.Flush()
	b.ReportMetric(float64(generating)/float64(time.Since(start)), "x-copying")
}
