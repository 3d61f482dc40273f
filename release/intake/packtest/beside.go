package packtest

import (
	"syscall"
	"testing"
	"time"
)

// Beside measures ours and a codec alone in turn, on size bytes of text, and
// reports how ours does beside it: by the clock and by processor time.
func Beside(b *testing.B, size float64, ours, codec func() error) {
	b.Helper()
	var clock, busy [2]time.Duration
	b.SetBytes(int64(size))
	for b.Loop() {
		for i, work := range [...]func() error{ours, codec} {
			start, before := time.Now(), processorTime(b)
			if err := work(); err != nil {
				b.Fatal(err)
			}
			clock[i] += time.Since(start)
			busy[i] += processorTime(b) - before
		}
	}
	b.ReportMetric(clock[1].Seconds()/clock[0].Seconds(), "ratio")
	b.ReportMetric(busy[1].Seconds()/busy[0].Seconds(), "processor-ratio")
	b.ReportMetric(size*float64(b.N)/clock[0].Seconds()/1e6, "ours-MB/s")
	b.ReportMetric(size*float64(b.N)/clock[1].Seconds()/1e6, "codec-MB/s")
}

// processorTime is what the cores of this process have worked.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
