package verify_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"anonymooc/internal/sample"
	"anonymooc/release/verify"
)

// BenchmarkSource verifies a release beside its export. The ratio is to verifying
// the same release without it.
func BenchmarkSource(b *testing.B) {
	options := sample.Options{People: 20_000, Events: 30_000, Posts: 2_000, Courses: 1, Seed: 1, Style: sample.FUN}
	if testing.Short() {
		options.People, options.Events, options.Posts = 1_000, 3_000, 100
	}
	export := filepath.Join(b.TempDir(), "export")
	files, err := sample.Write(export, options)
	if err != nil {
		b.Fatal(err)
	}
	size := int64(0)
	for _, file := range files {
		size += file.Size
	}
	m := makeReleaseOf(b, export)
	busy := func(source ...string) time.Duration {
		before := verify.ProcessorTime()
		report, err := verify.Run(context.Background(), verify.Request{Release: m.folder, Source: source, Known: slices.Values(m.known)})
		if err != nil {
			b.Fatal(err)
		}
		if len(report.Problems) > 0 {
			b.Fatal(report.Problems[0])
		}
		return verify.ProcessorTime() - before
	}
	b.SetBytes(size)
	var with, without time.Duration
	for b.Loop() {
		without += busy()
		with += busy(export)
	}
	b.ReportMetric(float64(with)/float64(without), "times-without-export")
	b.ReportMetric(float64(size)*float64(b.N)/1e6/(with-without).Seconds(), "MB/s-of-processor-time-more")
}
