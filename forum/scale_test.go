package forum

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/idmap"
	"anonymooc/internal/source"
)

// word makes an invented word of n syllables.
func word(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(syllables[r.IntN(len(syllables))])
	}
	return b.String()
}

var syllables = strings.Fields("ba co di fu ga hé ju ka lo mi na or pé qui ro sa té u vi wa xi yo zé an el is on ur che tra ble mon tri sel")

// synthetic makes people and a forum in which they talk.
func synthetic(b *testing.B, people, posts int) ([]Person, string, int64) {
	b.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	roster := make([]Person, people)
	for i := range roster {
		first, last := word(r, 2+i%2), word(r, 3+i%2)
		first, last = strings.ToUpper(first[:1])+first[1:], strings.ToUpper(last[:1])+last[1:]
		roster[i] = Person{Pseudonym: idmap.Pseudonym(1_000_000_000 + i), UserIDs: []string{strconv.Itoa(i)},
			Usernames: []string{fmt.Sprintf("%s%d", strings.ToLower(first), i)}, FirstNames: []string{first}, LastNames: []string{last}}
	}
	common := make([]string, 30_000)
	for i := range common {
		common[i] = word(r, 1+i%4)
	}
	path := filepath.Join(b.TempDir(), "forum.mongo")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	out := bufio.NewWriter(file)
	encoder := json.NewEncoder(out)
	for i := range posts {
		var body strings.Builder
		body.WriteString("Merci " + roster[r.IntN(people)].FirstNames[0] + ", ")
		for range 50 {
			body.WriteString(common[int(float64(len(common))*r.Float64()*r.Float64()*r.Float64())])
			body.WriteByte(' ')
		}
		record := map[string]any{"_id": fmt.Sprintf("%024x", i), "author_id": strconv.Itoa(r.IntN(people)), "body": body.String()}
		if i%20 != 0 {
			record["comment_thread_id"] = fmt.Sprintf("%024x", i-i%20)
		}
		if err := encoder.Encode(record); err != nil {
			b.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		b.Fatal(err)
	}
	size, _ := file.Seek(0, 2)
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
	return roster, path, size
}

// BenchmarkScale builds an engine with everything the program ships: roster,
// mining, open questions. ANONYMOOC_SCALE=1000000 posts among 200,000 people is
// the size it must bear; the default is a hundredth. read-ratio is the time
// over that of reading the posts and cutting them into words; heap-MB is what
// is held at the end.
func BenchmarkScale(b *testing.B) {
	posts := 10_000
	if n, err := strconv.Atoi(os.Getenv("ANONYMOOC_SCALE")); err == nil {
		posts = n
	}
	people := posts / 5
	roster, path, size := synthetic(b, people, posts)
	options, err := Standard()
	if err != nil {
		b.Fatal(err)
	}
	options.Policy = Reviewed
	b.SetBytes(size)
	for b.Loop() {
		forum, err := corpus.Open(source.OnDisk(path))
		if err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		if err := readCorpus(&Engine{corpus: forum}, func(doc *detect.Document) int { return len(doc.Tokens) }, func(*detect.Document, int) {}); err != nil {
			b.Fatal(err)
		}
		read := time.Since(start)
		e, err := New(roster, forum, nil, options)
		if err != nil {
			b.Fatal(err)
		}
		var memory runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&memory)
		b.ReportMetric(float64(time.Since(start)-read)/float64(read), "read-ratio")
		b.ReportMetric(float64(memory.HeapAlloc)/(1<<20), "heap-MB")
		b.ReportMetric(float64(e.Pending()), "questions")
		runtime.KeepAlive(e)
	}
}
