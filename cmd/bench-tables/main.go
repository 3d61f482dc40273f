// Command bench-tables measures the rule engine on a generated export, beside
// peers and limits measured in the same run: a JSON tokenizer, the standard
// library's decoders, gunzip, and jq where it is installed.
//
//	go run ./cmd/bench-tables -events 1000000 -people 200000
//
// For every file it prints a ladder: what each step costs alone and with what is
// below it, from splitting records up to the full rules. Rates are megabytes of
// input a second of processor time, user and system, of the whole process, which
// a busy machine hardly moves; what two workers do is told by the clock as well.
// Each step is repeated and the best run counts. -markdown prints the two tables
// of docs/performance.md.
package main

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"

	"anonymooc/config"
	"anonymooc/idmap"
	"anonymooc/internal/sample"
	"anonymooc/internal/secret"
	"anonymooc/release"
	"anonymooc/release/intake"
	"anonymooc/tables"
	"anonymooc/tables/geo"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench-tables:", err)
		os.Exit(1)
	}
}

func run() error {
	people := flag.Int("people", 200_000, "people in the export and in the id map")
	events := flag.Int("events", 1_000_000, "events in the log, about a kilobyte each")
	export := flag.String("export", "", "measure this export instead of a generated one")
	rules := flag.String("rules", "fun", "rule set, and style of the generated export: fun or edx")
	profile := flag.String("cpuprofile", "", "write a CPU profile of the transforms with all rules, one worker")
	only := flag.String("only", "", "measure only files whose name holds this")
	seconds := flag.Float64("seconds", 1, "repeat each step for this long")
	ours := flag.Bool("ours", false, "measure all rules with one worker only: no ladder, no peers")
	markdown := flag.Bool("markdown", false, "print tables for docs/performance.md")
	flag.Parse()
	dir, err := os.MkdirTemp("", "anonymooc-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if *export == "" {
		*export = filepath.Join(dir, "export")
		if _, err := sample.Write(*export, sample.Options{People: *people, Events: *events, Posts: 2000, Courses: 1, Seed: 1, Style: sample.Style(*rules)}); err != nil {
			return err
		}
	}
	b := &bench{dir: dir, seconds: *seconds, ours: *ours, report: report{markdown: *markdown}}
	if err := b.prepare(*export, *rules); err != nil {
		return err
	}
	defer b.idMap.Close()
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer f.Close()
		b.profile = f
	}
	for i := range b.found.Sources {
		if s := &b.found.Sources[i]; strings.Contains(s.Name, *only) {
			if err := b.measure(s); err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
		}
	}
	if b.profile != nil {
		pprof.StopCPUProfile()
	}
	b.report.end()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	fmt.Printf("memory from the system at the end: %d MB\n", memory.Sys>>20)
	return nil
}

type bench struct {
	dir     string
	seconds float64
	ours    bool
	profile *os.File
	report  report
	idMap   *idmap.Map
	found   *release.Discovery
	session *tables.Session
}

// prepare links the people of the export, which the figures leave out.
func (b *bench) prepare(export, name string) error {
	rules, _, err := config.LoadRules(name)
	if err != nil {
		return err
	}
	delivered, err := intake.Open(context.Background(), []string{export}, intake.Options{})
	if err != nil {
		return err
	}
	if b.found, err = release.Discover(context.Background(), delivered, rules, false, tables.DefaultLimits()); err != nil {
		return err
	}
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return err
	}
	b.idMap, err = idmap.Create(filepath.Join(b.dir, "map"), idmap.Options{Key: secret.Key{Secret: secret.New(key)}, Purpose: "bench"})
	if err != nil {
		return err
	}
	domain, err := b.idMap.Domain("bench")
	if err != nil {
		return err
	}
	start := time.Now()
	if _, err := b.found.Link(context.Background(), domain, tables.DefaultLimits()); err != nil {
		return err
	}
	names, err := release.Names(domain)
	if err != nil {
		return err
	}
	places, err := geo.Open("")
	if err != nil {
		return err
	}
	b.session = &tables.Session{IDs: domain, Geo: places, Names: names}
	fmt.Printf("%d people linked in %.1f s\n\n", domain.People(), time.Since(start).Seconds())
	return nil
}

// measure prints the rates of one file. The first run is not counted: it fills
// the page cache and draws what the map does not hold yet.
func (b *bench) measure(s *release.Source) error {
	in, err := s.Read(context.Background()) // unpacked
	if err != nil {
		return err
	}
	data, err := io.ReadAll(in)
	in.Close()
	if err != nil || len(data) < 1<<20 {
		return err // too small to tell anything
	}
	all := func() error { return b.transform(s.Plan, data, 1, nil) }
	if err := all(); err != nil {
		return err
	}
	if b.profile != nil { // starts with the first file, behind the preparation
		pprof.StartCPUProfile(b.profile)
	}
	one, err := b.repeat(all)
	if err != nil {
		return err
	}
	f := &figures{name: s.Name, bytes: len(data), rows: countLines(data), one: one}
	if b.ours {
		b.report.short(f)
		return nil
	}
	if f.two, err = b.repeat(func() error { return b.transform(s.Plan, data, 2, nil) }); err != nil {
		return err
	}
	if err := b.climb(s, data, f); err != nil {
		return err
	}
	for _, p := range peers(s, data) {
		if p.cost, err = b.repeat(p.run); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		p.cost = p.cost.times(float64(len(data)) / float64(p.size))
		f.peers = append(f.peers, p)
	}
	if s.Table.Shape == "json" {
		if err := b.packed(s, data, f); err != nil {
			return err
		}
	}
	b.report.print(f)
	return nil
}

func countLines(data []byte) (n int) {
	for _, c := range data {
		if c == '\n' {
			n++
		}
	}
	return n
}
