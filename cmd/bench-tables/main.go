// Command bench-tables measures the rule engine on a generated export, beside
// peers and limits measured in the same run: reading alone, a JSON tokenizer, the
// standard library's decoders, gunzip, and jq where it is installed.
//
//	go run ./cmd/bench-tables -events 1000000 -people 200000
//
// It prints megabytes of input a second and, for each peer, the ratio. Figures of
// two runs compare only on the same idle machine.
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/klauspost/compress/gzip"

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
	profile := flag.String("cpuprofile", "", "write a CPU profile of the transforms")
	only := flag.String("only", "", "measure only files whose name holds this")
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
	b := &bench{dir: dir}
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
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	for i := range b.found.Sources {
		if s := &b.found.Sources[i]; strings.Contains(s.Name, *only) {
			if err := b.measure(s); err != nil {
				return err
			}
		}
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	fmt.Printf("memory from the system at the end: %d MB\n", memory.Sys>>20)
	return nil
}

type bench struct {
	dir     string
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
	if b.found, err = release.Discover(delivered, rules, false, tables.DefaultLimits()); err != nil {
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

// measure prints the rates of one file. Two passes: the first fills the page
// cache and draws what the map does not hold yet.
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
	fmt.Printf("%s, %.0f MB\n", s.Name, float64(len(data))/1e6)
	if err := b.transform(s, data, 1, nil); err != nil {
		return err
	}
	ours := map[int]float64{}
	for _, jobs := range []int{1, 2} {
		seconds, err := timed(func() error { return b.transform(s, data, jobs, nil) })
		if err != nil {
			return err
		}
		ours[jobs] = float64(len(data)) / 1e6 / seconds
	}
	fmt.Printf("  %-34s %7.0f MB/s\n", "anonymooc, one worker", ours[1])
	fmt.Printf("  %-34s %7.0f MB/s, %.2f times one\n", "anonymooc, two workers", ours[2], ours[2]/ours[1])
	for _, peer := range b.peers(s, data) {
		seconds, err := timed(peer.run)
		if err != nil {
			return fmt.Errorf("%s: %w", peer.name, err)
		}
		rate := float64(len(data)) / 1e6 / seconds
		fmt.Printf("  %-34s %7.0f MB/s, one worker does %.2f times that\n", peer.name, rate, ours[1]/rate)
	}
	if s.Table.Shape == "json" {
		return b.measureGzip(s, data)
	}
	return nil
}

func (b *bench) transform(s *release.Source, data []byte, jobs int, compress func(dst, src []byte) []byte) error {
	_, err := b.session.Transform(context.Background(), s.Plan, bytes.NewReader(data), io.Discard,
		tables.Stream{Jobs: jobs, Limits: tables.DefaultLimits(), Aside: io.Discard, Compress: compress})
	return err
}

// measureGzip compares reading a packed log with unpacking it alone.
func (b *bench) measureGzip(s *release.Source, data []byte) error {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(data); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	open := func() (io.Reader, error) { return gzip.NewReader(bytes.NewReader(packed.Bytes())) }
	alone, err := timed(func() error {
		r, err := open()
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, r)
		return err
	})
	if err != nil {
		return err
	}
	ours, err := timed(func() error {
		r, err := open()
		if err != nil {
			return err
		}
		_, err = b.session.Transform(context.Background(), s.Plan, r, io.Discard, tables.Stream{Jobs: runtime.GOMAXPROCS(0), Limits: tables.DefaultLimits(), Aside: io.Discard})
		return err
	})
	if err != nil {
		return err
	}
	fmt.Printf("  %-34s %7.0f MB/s, unpacking alone %.0f MB/s: %.2f of it\n", "anonymooc on the packed file", float64(len(data))/1e6/ours, float64(len(data))/1e6/alone, alone/ours)
	return nil
}

type peer struct {
	name string
	run  func() error
}

// peers are what others do with the same bytes.
func (b *bench) peers(s *release.Source, data []byte) []peer {
	all := []peer{{"copying line by line (limit)", func() error {
		var out []byte
		for line := range bytes.Lines(data) {
			out = append(out[:0], line...)
		}
		return nil
	}}}
	if s.Table.Shape != "json" {
		return append(all, peer{"encoding/csv, reading only", func() error {
			r := csv.NewReader(bytes.NewReader(data))
			r.ReuseRecord, r.LazyQuotes, r.FieldsPerRecord = true, true, -1
			for {
				if _, err := r.Read(); err == io.EOF {
					return nil
				} else if err != nil {
					return err
				}
			}
		}})
	}
	all = append(all, peer{"jsontext tokens, reading only", func() error { return jsonTokens(data) }},
		peer{"encoding/json, decode and encode", func() error { return decodeEncode(data) }})
	if path, err := exec.LookPath("jq"); err == nil {
		part := plainLines(data, 100<<20)
		all = append(all, peer{fmt.Sprintf("jq, four trivial edits (on %d MB)", len(part)>>20), func() error {
			// jq is slow: it gets a part, and its time is stretched to the whole.
			seconds, err := timed(func() error {
				c := exec.Command(path, "-c", `.username="u" | .ip="0" | .session="s" | .page="p"`)
				c.Stdin, c.Stdout = bytes.NewReader(part), io.Discard
				return c.Run()
			})
			time.Sleep(time.Duration(seconds * float64(len(data)-len(part)) / float64(len(part)) * 1e9))
			return err
		}})
	}
	return all
}

// plainLines returns about size bytes of lines that are nothing but an object: jq
// ends at a logger's prefix.
func plainLines(data []byte, size int) []byte {
	var part []byte
	for line := range bytes.Lines(data) {
		if line[0] == '{' && json.Valid(line) {
			part = append(part, line...)
		}
		if len(part) > size {
			break
		}
	}
	return part
}

func jsonTokens(data []byte) error {
	for line := range bytes.Lines(data) {
		i := bytes.IndexByte(line, '{')
		if i < 0 {
			continue
		}
		d := jsontext.NewDecoder(bytes.NewReader(line[i:]), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		for {
			if _, err := d.ReadToken(); err == io.EOF {
				break
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

func decodeEncode(data []byte) error {
	e := json.NewEncoder(io.Discard)
	for line := range bytes.Lines(data) {
		i := bytes.IndexByte(line, '{')
		if i < 0 {
			continue
		}
		var record map[string]any
		if err := json.Unmarshal(line[i:], &record); err != nil {
			return err
		}
		if err := e.Encode(record); err != nil {
			return err
		}
	}
	return nil
}

func timed(f func() error) (float64, error) {
	start := time.Now()
	err := f()
	return time.Since(start).Seconds(), err
}
