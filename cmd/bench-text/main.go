// Bench-text scores the text engine on a corpus with gold markup: recall of
// what must be masked, what must be kept, and how many decisions it asks for.
//
//	bench-text --gold FOLDER [--misses] [--track automatic|assisted|all]
//	bench-text --corpora FOLDER …
//
// A gold folder holds posts.txt and roster.csv (see package benchtext);
// --corpora scores every gold folder below it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"anonymooc/forum"
	"anonymooc/internal/benchtext"
)

func main() {
	gold := flag.String("gold", os.Getenv("ANONYMOOC_NOMAD"), "folder of the gold corpus")
	corpora := flag.String("corpora", "", "score every gold corpus in this folder")
	misses := flag.Bool("misses", false, "list what went wrong")
	track := flag.String("track", "all", "automatic, assisted or all")
	share := flag.Float64("share", -1, "only this share of the names known")
	flag.Parse()
	folders := []string{*gold}
	if *corpora != "" {
		folders = goldFolders(*corpora)
	}
	for _, folder := range folders {
		if err := run(folder, *track, *share, *misses); err != nil {
			fmt.Fprintln(os.Stderr, "bench-text: error:", err)
			os.Exit(1)
		}
	}
}

// goldFolders lists the gold corpora right below a folder.
func goldFolders(folder string) []string {
	found, _ := filepath.Glob(filepath.Join(folder, "*", "posts.txt")) // the pattern is well formed
	for i := range found {
		found[i] = filepath.Dir(found[i])
	}
	if len(found) == 0 {
		fmt.Fprintln(os.Stderr, "bench-text: no gold corpus there, nothing to score")
	}
	return found
}

func run(gold, track string, only float64, misses bool) error {
	options, err := forum.Standard()
	if err != nil {
		return err
	}
	options.Mine = true
	bench, closeBench, err := benchtext.NewBench(gold, options)
	if err != nil {
		return err
	}
	defer closeBench()
	shares := []float64{1, 0.8, 0.5, 0}
	if only >= 0 {
		shares = []float64{only}
	}
	if track != "assisted" {
		for _, share := range shares {
			score, err := bench.Automatic(share)
			if err != nil {
				return err
			}
			score.Print(os.Stdout, fmt.Sprintf("automatic, strict, %.0f %% of the names known", 100*share), misses)
		}
	}
	if track != "automatic" {
		return assisted(bench, shares[0], misses)
	}
	return nil
}

// assisted prints the curve of recall against decisions.
func assisted(bench *benchtext.Bench, share float64, misses bool) error {
	for _, perThousand := range []int{25, 50, 100, 200, 400, 800, 0} {
		budget := perThousand * bench.Posts() / 1000
		score, err := bench.Assisted(share, 0, budget)
		if err != nil {
			return err
		}
		title := fmt.Sprintf("assisted, %d decisions per 1,000 posts allowed, %d asked", perThousand, score.Decisions*1000/bench.Posts())
		if budget == 0 {
			title = fmt.Sprintf("assisted, reviewed to the end, %d decisions per 1,000 posts", score.Decisions*1000/bench.Posts())
		}
		score.Print(os.Stdout, title, misses && budget == 0)
	}
	score, err := bench.Assisted(share, 0.05, 0)
	if err != nil {
		return err
	}
	score.Print(os.Stdout, "assisted, reviewed to the end, 5 % of the answers wrong", false)
	return nil
}
