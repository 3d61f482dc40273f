package benchtext

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"anonymooc/forum"
	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/forum/grammar"
	"anonymooc/forum/lists"
	"anonymooc/forum/trees/synthetic"
	"anonymooc/idmap"
)

// The corpus that speed is measured on: invented posts of all languages, and a
// roster of invented people some of whom are named in them.
const (
	speedTexts  = 6000
	speedPeople = 20000
	speedSeed   = 1
	speedRounds = 5 // the best of which counts
)

// Speed prints how many megabytes of text a second of processor time each
// detector reads, and how many times longer it takes than cutting the text into
// tokens, which all of them need. The last line is all of them together, with
// the cutting and the language.
func Speed(w io.Writer) error {
	known, err := lists.Open()
	if err != nil {
		return err
	}
	texts, err := synthetic.Generate(known, speedTexts, speedSeed)
	if err != nil {
		return err
	}
	posts := make([]corpus.Post, 0, len(texts)/2)
	var size int
	for i := 0; i+1 < len(texts); i += 2 { // as long as posts are, about
		body := texts[i].Text + "\n" + texts[i+1].Text
		posts = append(posts, corpus.Post{ID: texts[i].ID, Author: texts[i].Author, Body: body})
		size += len(body)
	}
	options, err := forum.StandardFor("")
	if err != nil {
		return err
	}
	engine, err := forum.New(speedRoster(known), nil, nil, options)
	if err != nil {
		return err
	}
	detectors := append([]detect.Detector{engine.Catalogue()}, options.Detectors...)
	for i := range posts {
		doc := speedDocument(&posts[i])
		for _, l := range options.Learners {
			l.Learn(doc)
		}
	}
	return printSpeed(w, posts, size, detectors, engine)
}

// speedRoster draws people from the lists of names.
func speedRoster(known *lists.Lists) []forum.Person {
	var first, last []string
	n := 0
	known.Each(func(key []byte, e lists.Entry) bool {
		if n++; e.Is(lists.UsualName) {
			first = append(first, string(key))
		} else if e.Is(lists.Surname) {
			last = append(last, string(key))
		}
		return true
	})
	people := make([]forum.Person, speedPeople)
	for i := range people {
		given, family := first[i*7919%len(first)], last[i*104729%len(last)]
		people[i] = forum.Person{Pseudonym: firstPseudonym + idmap.Pseudonym(i), UserIDs: []string{fmt.Sprint(i)},
			Usernames: []string{fmt.Sprintf("%s_%d", strings.ReplaceAll(given, " ", "."), i)}, FirstNames: []string{given}, LastNames: []string{family}}
	}
	return people
}

func speedDocument(p *corpus.Post) *detect.Document {
	doc := detect.NewDocument(*p, "body", []byte(p.Body))
	doc.Lang = detect.Identify(doc.Tokens)
	return doc
}

// printSpeed measures and prints.
func printSpeed(w io.Writer, posts []corpus.Post, size int, detectors []detect.Detector, engine *forum.Engine) error {
	var raw [][]byte
	docs := make([]*detect.Document, len(posts))
	for i := range posts {
		raw = append(raw, []byte(posts[i].Body))
		docs[i] = speedDocument(&posts[i])
	}
	doc := new(detect.Document)
	var marks []detect.Mark
	type line struct {
		name string
		work func(i int)
	}
	lines := []line{
		{"cut at spaces (strings.Fields)", func(i int) { strings.Fields(posts[i].Body) }},
		{"cut into tokens", func(i int) { doc.Reset(posts[i], "body", raw[i]) }},
		{"tell the language", func(i int) { detect.Identify(docs[i].Tokens) }},
	}
	for _, d := range detectors {
		lines = append(lines, line{d.Name(), func(i int) { marks = d.Detect(docs[i], marks[:0]) }})
	}
	lines = append(lines, line{"all together", func(i int) {
		doc.Reset(posts[i], "body", raw[i])
		doc.Lang = detect.Identify(doc.Tokens)
		marks = marks[:0]
		for _, d := range detectors {
			marks = d.Detect(doc, marks)
		}
	}}, line{"the engine, weighing and deciding", func(i int) {
		doc.Reset(posts[i], "body", raw[i])
		doc.Lang = detect.Identify(doc.Tokens)
		engine.Findings(doc)
	}})
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // per core: idle ones must not collect garbage meanwhile
	fmt.Fprintf(w, "%.1f MB of invented posts, %d people on the roster, processor time, best of %d rounds\n\n", float64(size)/1e6, speedPeople, speedRounds)
	rows := [][]string{{"", "MB/s", "× cutting into tokens"}}
	var tokens time.Duration
	for _, l := range lines {
		best := time.Duration(0)
		for range speedRounds {
			runtime.GC()
			before := processorTime()
			for i := range posts {
				l.work(i)
			}
			if used := processorTime() - before; best == 0 || used < best {
				best = used
			}
		}
		if l.name == "cut into tokens" {
			tokens = best
		}
		ratio := "–"
		if tokens > 0 {
			ratio = fmt.Sprintf("%.2f", best.Seconds()/tokens.Seconds())
		}
		rows = append(rows, []string{l.name, fmt.Sprintf("%.1f", float64(size)/1e6/best.Seconds()), ratio})
	}
	if err := Markdown(w, rows); err != nil {
		return err
	}
	return printLoading(w)
}

// printLoading prints what the detectors' data cost at start.
func printLoading(w io.Writer) error {
	rows := [][]string{{"", "processor time to load, ms"}}
	for _, part := range []struct {
		name string
		load func() error
	}{
		{"lists (each start scans them once)", lists.Scan},
		{"grammars", func() error { _, err := grammar.ReadAll(grammar.Shipped()); return err }},
		{"forests on messages and words", func() error { _, err := detect.ShippedModels(); return err }},
		{"weights of surroundings, senses of words", func() error { _, err := detect.ShippedSurroundings(); return err }},
		{"network that reads passages", func() error { _, err := detect.ShippedPassage(); return err }},
		{"forests on the evidence", func() error { _, err := forum.ShippedJudges(); return err }},
	} {
		best := time.Duration(0)
		for range speedRounds {
			before := processorTime()
			if err := part.load(); err != nil {
				return err
			}
			if used := processorTime() - before; best == 0 || used < best {
				best = used
			}
		}
		rows = append(rows, []string{part.name, fmt.Sprintf("%.1f", float64(best.Microseconds())/1000)})
	}
	fmt.Fprintln(w)
	return Markdown(w, rows)
}
