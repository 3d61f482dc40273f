package columnar

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkLog writes the bundled release's log, many times over, as Parquet. The
// rate is to processor time: others on the machine do not count.
func BenchmarkLog(b *testing.B) {
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "golden", "drop", "ImaginaireX-BOT101-Automne_2014", "tracking_log.json"))
	if err != nil {
		b.Skip("no golden log: ", err)
	}
	log := strings.Repeat(string(data), 1+(64<<20)/len(data))
	dir := folder(b, map[string]string{"tracking_log.json": log})
	b.SetBytes(int64(len(log)))
	size, busy := int64(0), processorTime()
	for b.Loop() {
		copies, err := Write(context.Background(), Request{Release: dir, Files: []File{{"tracking_log.json", "tracking_log", "json lines"}}})
		if err != nil {
			b.Fatal(err)
		}
		size = copies[0].Bytes
	}
	b.ReportMetric(float64(len(log))/float64(size), "times-smaller")
	b.ReportMetric(float64(len(log))*float64(b.N)/1e6/(processorTime()-busy).Seconds(), "MB/s-of-processor-time")
}

func processorTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
