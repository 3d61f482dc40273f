// Bench-text scores the text engine on corpora with gold markup: what is compared
// with what, and how, is told in package benchtext.
//
//	bench-text --corpora FOLDER             tables, curves and replays of all corpora there
//	bench-text --gold PATH --track strict   one corpus, by category
//	bench-text --speed                      how fast the detectors are, on generated text
//
// A corpus is a folder with posts.txt and roster.csv, or a file of JSON lines
// with spans. Nothing of a corpus is written, but figures.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"anonymooc/forum"
	"anonymooc/internal/benchtext"
)

type settings struct {
	gold, corpora, track, pictures string
	share                          float64
	seed                           uint64
	misses, speed                  bool
}

func main() {
	var s settings
	flag.StringVar(&s.gold, "gold", "", "one corpus")
	flag.StringVar(&s.corpora, "corpora", "", "score every corpus in this folder")
	flag.StringVar(&s.track, "track", "all", "tables, curves, replays, strict, assisted, kinds, or all: tables, curves and replays")
	flag.StringVar(&s.pictures, "pictures", "", "write the curves as SVG files into this folder")
	flag.Float64Var(&s.share, "share", -1, "only this share of the names known")
	flag.Uint64Var(&s.seed, "seed", benchtext.DefaultSeed, "which names are known")
	flag.BoolVar(&s.misses, "misses", false, "list what went wrong, with the texts' words (strict, assisted)")
	flag.BoolVar(&s.speed, "speed", false, "measure the detectors' speed")
	flag.Parse()
	if err := s.run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench-text: error:", err)
		os.Exit(1)
	}
}

func (s *settings) run(w io.Writer) error {
	if s.speed {
		return benchtext.Speed(w)
	}
	if !slices.Contains([]string{"all", "tables", "curves", "replays", "strict", "assisted", "kinds"}, s.track) {
		return errors.New("a track is tables, curves, replays, strict, assisted, kinds or all")
	}
	paths := []string{s.gold}
	if s.corpora != "" {
		var err error
		if paths, err = corpora(s.corpora); err != nil {
			return err
		}
	} else if s.gold == "" {
		return errors.New("no corpus: --corpora FOLDER or --gold PATH")
	}
	for _, path := range paths {
		if err := s.score(w, path); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// corpora lists the corpora right below a folder.
func corpora(folder string) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(folder, "*", "posts.txt"))
	if err != nil {
		return nil, err
	}
	for i := range found {
		found[i] = filepath.Dir(found[i])
	}
	spans, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if found = append(found, spans...); len(found) == 0 && err == nil {
		return nil, fmt.Errorf("there is no corpus in %s", folder)
	}
	return found, err
}

func (s *settings) score(w io.Writer, path string) error {
	bench, closeBench, err := benchtext.Open(path, s.seed, func(choice forum.Choice) (forum.Options, error) { return forum.StandardChoice("", choice) })
	if err != nil {
		return err
	}
	defer closeBench()
	shares := bench.Shares()
	if s.share >= 0 {
		shares = []float64{s.share}
	}
	wants := func(track string) bool { return s.track == "all" || s.track == track }
	if wants("tables") {
		for _, share := range shares {
			if err := bench.PrintTable(w, share); err != nil {
				return err
			}
		}
	}
	if wants("curves") {
		if err := s.curves(w, bench, shares); err != nil {
			return err
		}
	}
	if wants("replays") {
		if err := bench.Replays(w); err != nil {
			return err
		}
	}
	return s.details(w, bench, shares)
}

// curves prints recall against decisions, and draws it.
func (s *settings) curves(w io.Writer, bench *benchtext.Bench, shares []float64) error {
	var curves []benchtext.Curve
	for _, share := range shares {
		curve, err := bench.Curve(share)
		if err != nil {
			return err
		}
		curve.Name = fmt.Sprintf("%.0f %% of the names known", 100*share)
		curves = append(curves, curve)
	}
	fmt.Fprintf(w, "\n%s, recall against decisions per 1,000 posts\n\n", bench.Name())
	if err := benchtext.PrintCurves(w, curves); err != nil || s.pictures == "" {
		return err
	}
	file, err := os.Create(filepath.Join(s.pictures, "curve-"+bench.Name()+".svg"))
	if err != nil {
		return err
	}
	return errors.Join(benchtext.WriteSVG(file, "Recall against decisions, "+bench.Name(), curves), file.Close())
}

// details prints scores by category.
func (s *settings) details(w io.Writer, bench *benchtext.Bench, shares []float64) error {
	for _, share := range shares {
		switch s.track {
		case "kinds":
			if err := bench.PrintKinds(w, share); err != nil {
				return err
			}
		case "strict":
			score, err := bench.Automatic(share)
			if err != nil {
				return err
			}
			score.Print(w, fmt.Sprintf("%s, strict, %.0f %% of the names known", bench.Name(), 100*share), s.misses)
		case "assisted":
			for _, wrong := range []float64{0, 0.05} {
				score, err := bench.Assisted(share, wrong, 0)
				if err != nil {
					return err
				}
				score.Print(w, fmt.Sprintf("%s, reviewed to the end, %.0f %% of the names known, %.0f %% of the answers wrong, %.0f decisions per 1,000 posts",
					bench.Name(), 100*share, 100*wrong, bench.PerThousand(score.Decisions)), s.misses && wrong == 0)
			}
		}
	}
	return nil
}
