package review

import (
	"fmt"
	"net/url"
	"os"
	"strconv"
	"testing"
	"time"

	"anonymooc/forum"
)

// BenchmarkVerdictInABigForum answers questions in a forum of 20,000 posts with
// some 20,000 questions, and reports what share of the 100 ms that a verdict may
// take (with the next question's page) is taken, beside the flush to the disk that
// each entry of the ledger needs anyway.
func BenchmarkVerdictInABigForum(b *testing.B) {
	const size = 20_000
	posts := make([]written, size)
	people := make([]forum.Person, size)
	for i := range posts {
		name := "nam" + strconv.FormatInt(int64(i)+46656, 36) + "a"
		posts[i] = written{fmt.Sprintf("52ee%020d", i), strconv.Itoa(i), "un", "dont " + name + " est une page et Nam" + strconv.FormatInt(int64(i)+46656, 36) + "a un mot"}
		people[i] = forum.Person{Pseudonym: 1_000_000_000, UserIDs: []string{strconv.Itoa(i + size)}, FirstNames: []string{name}}
	}
	d := review(b, posts, people, forum.Options{})
	if d.desk.round.open < size/2 {
		b.Fatalf("only %d questions", d.desk.round.open)
	}
	ada := d.enter("ada")
	var flushed time.Duration
	file, err := os.CreateTemp(b.TempDir(), "flush")
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	for i := 0; b.Loop(); i++ {
		n := d.desk.round.queue[i%len(d.desk.round.queue)]
		ada.post("/question/"+strconv.Itoa(n), url.Values{"verdict": {"mask"}, "queued": {"1"}})
		ada.get("/")
		began := time.Now()
		file.WriteString("an entry\n")
		if err := file.Sync(); err != nil {
			b.Fatal(err)
		}
		flushed += time.Since(began)
	}
	verdict := b.Elapsed() - flushed
	b.ReportMetric(float64(verdict)/float64(b.N)/float64(100*time.Millisecond), "of_100ms")
	b.ReportMetric(float64(verdict)/float64(flushed), "flushes")
}
