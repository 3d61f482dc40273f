package moocdb

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"anonymooc/release/records"
)

// busyLog makes a log of many people in a released course, about size bytes.
func busyLog(size int) string {
	rng := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	start := time.Date(2014, 10, 1, 0, 0, 0, 0, time.UTC)
	for i := 0; b.Len() < size; i++ {
		person := 1_000_000_000 + rng.IntN(4_000)*286_725
		at := start.Add(time.Duration(i) * 300 * time.Millisecond).Format("2006-01-02T15:04:05.000000+00:00")
		page := fmt.Sprintf("https://mooc.example/courses/Univ/C/2014/courseware/week%d/part%d/", rng.IntN(10), rng.IntN(12))
		common := fmt.Sprintf(`"username": "u%d", "host": "mooc.example", "ip": "240.%d.%d.7", "session": "%032x", "accept_language": "fr-FR,fr;q=0.8", "referer": "%s", "time": "%s", "agent": "Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/38.0.2125.111 Safari/537.36", "context": {"user_id": %d, "org_id": "Univ", "course_id": "Univ/C/2014", "path": "/event", "course_user_tags": {}}`,
			person, rng.IntN(256), rng.IntN(256), rng.Uint64(), page, at, person)
		switch rng.IntN(5) {
		case 0:
			fmt.Fprintf(&b, `{%s, "event_source": "server", "event_type": "problem_check", "page": "x_module", "event": {"problem_id": "i4x://Univ/C/problem/p%d", "attempts": %d, "answers": {"i4x-Univ-C-problem-p_2_1": "choice_1"}, "correct_map": {"i4x-Univ-C-problem-p_2_1": {"correctness": "correct", "npoints": null, "msg": "", "hint": ""}}, "success": "correct", "grade": 1, "max_grade": 1}}`+"\n", common, rng.IntN(300), 1+rng.IntN(4))
		case 1:
			fmt.Fprintf(&b, `{%s, "event_source": "server", "event_type": "/courses/Univ/C/2014/info", "page": null, "event": "{\"POST\": {}, \"GET\": {}}"}`+"\n", common)
		default:
			fmt.Fprintf(&b, `{%s, "event_source": "browser", "event_type": "play_video", "page": "%s", "event": "{\"id\": \"i4x-Univ-C-video-v%d\", \"currentTime\": %d.5, \"code\": \"html5\"}"}`+"\n", common, page, rng.IntN(200), rng.IntN(900))
		}
	}
	return b.String()
}

// BenchmarkBuild builds a SQLite database from a log. The ratio is to cutting
// the same file into its lines, which is the least that any reader does.
func BenchmarkBuild(b *testing.B) {
	log := busyLog(32 << 20)
	source := write(b, map[string]string{"tracking_log.json": log})
	b.SetBytes(int64(len(log)))
	var building, reading time.Duration
	busy := processorTime()
	for b.Loop() {
		out := filepath.Join(b.TempDir(), "moocdb.sqlite")
		start := time.Now()
		report, err := Build(context.Background(), Request{Source: source, Out: out, Format: SQLite})
		if err != nil {
			b.Fatal(err)
		}
		building += time.Since(start)
		if report.Skipped > 0 || report.Rows["submissions"] == 0 {
			b.Fatalf("%+v", report)
		}
		start = time.Now()
		lines := 0
		err = records.Walk(filepath.Join(source, "tracking_log.json"), records.Lines, func(int64, []byte) bool { lines++; return true })
		if err != nil || int64(lines) != report.Rows["observed_events"] {
			b.Fatal(lines, err)
		}
		reading += time.Since(start)
		os.Remove(out)
	}
	b.ReportMetric(float64(building)/float64(reading), "times-plain-reading")
	b.ReportMetric(float64(len(log))*float64(b.N)/1e6/(processorTime()-busy).Seconds(), "MB/s-of-processor-time")
}

// processorTime is what the process has used: others on the machine do not count.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
