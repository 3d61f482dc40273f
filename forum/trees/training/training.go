// Package training grows the forests of package detect from labelled texts.
//
//	labelled JSON lines ┐
//	synthetic sentences ┼─► Text ─► words that could be names ─► Examples ─► two forests
//	reviewer's ledger ──┘      └──► message features ──────────►
//
// A labelled text is one JSON object a line,
//
//	{"id":"…","lang":"fr","author":"…","text":"…","spans":[{"start":8,"end":13,"type":"PER"}]}
//
// with offsets in Unicode code points. Spans of people (PER, and the person
// categories of package detect) are what the forest learns to find; a word that
// could be a name and lies in no such span is an example of the contrary.
package training

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"unicode/utf8"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/internal/fault"
)

// Span is a labelled stretch of a text, in code points.
type Span struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Type  string `json:"type"`
}

// Person reports whether the span names somebody.
func (s Span) Person() bool {
	switch strings.ToUpper(s.Type) {
	case "PER", "PERSON":
		return true
	}
	return detect.Category(strings.ToLower(s.Type)).Person()
}

// Text is a labelled text.
type Text struct {
	ID     string `json:"id"`
	Lang   string `json:"lang,omitempty"`
	Author string `json:"author,omitempty"`
	Text   string `json:"text"`
	Spans  []Span `json:"spans"`
}

// Read reads labelled JSON lines. Name is the file's, for errors.
func Read(from io.Reader, name string) ([]Text, error) {
	var texts []Text
	lines := bufio.NewReader(from)
	for n := int64(1); ; n++ {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var t Text
			if json.Unmarshal(line, &t) != nil {
				return nil, fault.New(fault.Usage, "not a labelled text").At(name, n, "").
					WithHint(`each line is {"text":"…","spans":[{"start":0,"end":5,"type":"PER"}]}`)
			}
			if !t.sound() {
				return nil, fault.New(fault.Usage, "a span does not lie in the text").At(name, n, "spans")
			}
			texts = append(texts, t)
		}
		if err == io.EOF {
			return texts, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (t *Text) sound() bool {
	n := utf8.RuneCountInString(t.Text)
	for _, s := range t.Spans {
		if s.Start < 0 || s.End > n || s.Start > s.End {
			return false
		}
	}
	return true
}

// document makes the text a document, and says which of its bytes name people.
func (t *Text) document() (*detect.Document, []bool) {
	language := t.Lang
	doc := detect.NewDocument(corpus.Post{Author: t.Author, Lang: language}, "body", []byte(t.Text))
	if language == "" {
		doc.Lang = detect.Identify(doc.Tokens)
	}
	offsets := make([]int, 0, len(t.Text)+1)
	for at := range t.Text {
		offsets = append(offsets, at)
	}
	offsets = append(offsets, len(t.Text))
	named := make([]bool, len(t.Text)+1)
	for _, s := range t.Spans {
		if s.Person() {
			for at := offsets[s.Start]; at < offsets[s.End]; at++ {
				named[at] = true
			}
		}
	}
	return doc, named
}
