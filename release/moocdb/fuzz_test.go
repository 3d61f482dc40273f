package moocdb

import (
	"path/filepath"
	"strings"
	"testing"
)

// FuzzAnyLogBuilds: whatever stands in a log or a forum, what is built has no
// key that leads nowhere, and as many events as lines were read.
func FuzzAnyLogBuilds(f *testing.F) {
	for _, line := range strings.Split(strings.TrimSpace(course["tracking_log.json"]), "\n") {
		f.Add(line, `{"_id":"a","parent_id":"b","comment_thread_id":{"$oid":"a"},"created_at":{"$date":{"$numberLong":"1"}}}`)
	}
	f.Fuzz(func(t *testing.T, log, posts string) {
		b, err := newBuilder(filepath.Join(t.TempDir(), "x.sqlite"), 1)
		if err != nil {
			t.Fatal(err)
		}
		defer b.store.close()
		read := int64(0)
		for line := range strings.Lines(posts) {
			b.forum.take([]byte(line), b.people)
		}
		for line := range strings.Lines(log) {
			e, ok := newDecoder().decode([]byte(line))
			if !ok {
				continue
			}
			read++
			if err := b.take(&e); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.finish(t.Context()); err != nil {
			t.Fatal(err)
		}
		if b.report.Rows["observed_events"] != read {
			t.Errorf("%d events became %d rows", read, b.report.Rows["observed_events"])
		}
	})
}
