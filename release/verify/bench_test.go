package verify

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"anonymooc/release/records"
)

// crowd yields people with five identifiers each.
func crowd(n int) People {
	return func(yield func(Known) bool) {
		for i := range n {
			for _, k := range [...]Known{
				{Kind: UserID, Value: fmt.Sprint(1_000_000 + i)},
				{Kind: Username, Value: fmt.Sprintf("user_%x", i*7919)},
				{Kind: Email, Value: fmt.Sprintf("first%d.last%d@host%d.example", i%5003, i/5003, i%17)},
				{Kind: FullName, Value: fmt.Sprintf("Prénom%d Nom%d", i%4001, i/7)},
				{Kind: AnonymousID, Value: fmt.Sprintf("%032x", uint64(i)*0x9e3779b97f4a7c15)},
			} {
				if !yield(k) {
					return
				}
			}
		}
	}
}

// logLines makes events of a released log, a JSON object a line.
func logLines(size int) []byte {
	var b bytes.Buffer
	rng := rand.New(rand.NewPCG(1, 2))
	for b.Len() < size {
		person := 1_000_000_000 + rng.IntN(1_147_483_648)
		fmt.Fprintf(&b, `{"username": "u%d", "event_source": "browser", "name": "play_video", "accept_language": "fr-FR,fr;q=0.8,en;q=0.4", "time": "2014-10-%02dT%02d:%02d:%02d.%06d+00:00", "agent": "Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/38.0.2125.111 Safari/537.36", "page": "https://www.mooc.example/courses/Univ/Course%d/2014_T3/courseware/%x/%x/", "host": "www.mooc.example", "session": "%032x", "referer": "https://www.mooc.example/courses/Univ/Course%d/2014_T3/info", "context": {"user_id": %d, "org_id": "Univ", "course_id": "Univ/Course%d/2014_T3", "path": "/event"}, "ip": "240.%d.%d.%d", "event": "{\"id\": \"i4x-Univ-Course-video-%x\", \"currentTime\": %d.%d, \"code\": \"html5\"}", "event_type": "play_video"}`+"\n",
			person, 1+rng.IntN(28), rng.IntN(24), rng.IntN(60), rng.IntN(60), rng.IntN(1_000_000), rng.IntN(90), rng.Uint32(), rng.Uint32(), rng.Uint64(), rng.IntN(90), person, rng.IntN(90), rng.IntN(256), rng.IntN(256), rng.IntN(256), rng.Uint32(), rng.IntN(600), rng.IntN(1000))
	}
	return b.Bytes()
}

// BenchmarkLog judges a log against two million people on one core. The ratio
// is to plain reading: counting the lines of the same bytes and copying them.
func BenchmarkLog(b *testing.B) {
	n := 2_000_000
	if testing.Short() {
		n = 20_000
	}
	index := NewIndex(crowd(n))
	data := logLines(16 << 20)
	b.SetBytes(int64(len(data)))
	b.ResetTimer()
	var judging, reading time.Duration
	busy := processorTime()
	for b.Loop() {
		start := time.Now()
		c := newChecker(index, newSchema("tracking_log.json", records.Lines, nil))
		err := records.Blocks(bytes.NewReader(data), records.Lines, func(blk records.Block) error {
			result := c.block(blk)
			if result.found.count > 0 {
				b.Fatalf("%v", result.found.residuals[0])
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		judging += time.Since(start)
		start = time.Now()
		lines := 0
		buffer := make([]byte, 1<<20)
		for r := bytes.NewReader(data); ; {
			n, err := r.Read(buffer)
			lines += bytes.Count(buffer[:n], []byte{'\n'})
			if err == io.EOF {
				break
			}
		}
		reading += time.Since(start)
	}
	b.ReportMetric(float64(index.Len()), "spellings")
	b.ReportMetric(float64(8*(len(index.steps)+len(index.entries)))/1e6, "MB-index")
	b.ReportMetric(float64(judging)/float64(reading), "times-plain-reading")
	b.ReportMetric(float64(len(data))*float64(b.N)/1e6/(processorTime()-busy).Seconds(), "MB/s-of-processor-time")
}

// processorTime is what the process has used: others on the machine do not count.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkMatcher is the search alone, in running text.
func BenchmarkMatcher(b *testing.B) {
	n := 2_000_000
	if testing.Short() {
		n = 20_000
	}
	f := finder{index: NewIndex(crowd(n))}
	text := logLines(4 << 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for line := range bytes.Lines(text) {
			f.find(line)
		}
	}
}
