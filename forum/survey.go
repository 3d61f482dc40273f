package forum

import (
	"runtime"
	"unicode"
	"unicode/utf8"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
)

// batchSize is how many posts a worker takes at once.
const batchSize = 64

// batch is a run of posts with what a worker made of them.
type batch[T any] struct {
	posts []*corpus.Post
	docs  []*detect.Document
	made  []T
	done  chan struct{}
}

// documentsOf gives a post's texts.
func (e *Engine) documentsOf(p *corpus.Post) []*detect.Document {
	var docs []*detect.Document
	for _, part := range [...]struct{ field, text string }{{"title", p.Title}, {"body", p.Body}} {
		if part.text != "" {
			doc := detect.NewDocument(*p, part.field, []byte(part.text))
			e.identify(doc)
			docs = append(docs, doc)
		}
	}
	return docs
}

// readCorpus reads the corpus: work is called on all cores, then merge for each
// document in the order of the files, so that the outcome does not depend on
// the number of cores. At most a few batches are in memory at a time.
func readCorpus[T any](e *Engine, work func(*detect.Document) T, merge func(*detect.Document, T)) error {
	workers := runtime.GOMAXPROCS(0)
	todo := make(chan *batch[T], workers)
	ordered := make(chan *batch[T], 2*workers)
	for range workers {
		go func() {
			for b := range todo {
				for _, p := range b.posts {
					for _, doc := range e.documentsOf(p) {
						b.docs = append(b.docs, doc)
						b.made = append(b.made, work(doc))
					}
				}
				close(b.done)
			}
		}()
	}
	var err error
	go func() {
		defer close(ordered)
		defer close(todo)
		current := &batch[T]{done: make(chan struct{})}
		send := func() {
			ordered <- current
			todo <- current
			current = &batch[T]{done: make(chan struct{})}
		}
		err = e.corpus.Each(func(p *corpus.Post) error {
			current.posts = append(current.posts, p)
			if len(current.posts) == batchSize {
				send()
			}
			return nil
		})
		send()
	}()
	for b := range ordered {
		<-b.done
		for i, doc := range b.docs {
			merge(doc, b.made[i])
		}
	}
	return err
}

// survey judges the whole corpus and gathers what is undecided.
func (e *Engine) survey() ([]Question, error) {
	if e.corpus == nil {
		return nil, nil
	}
	q := newQueue(e.line)
	asked := make(map[string]bool)
	err := readCorpus(e, e.Findings, func(doc *detect.Document, findings []Finding) {
		for i := range findings {
			switch f := &findings[i]; {
			case f.Verdict == detect.Unsure:
				q.ask(doc, f, e.leftOpen(f))
				asked[f.Question] = true
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if e.options.Policy == Reviewed {
		e.settled = q.settle(e.price())
		for id := range e.settled {
			delete(asked, id)
		}
		e.asked = asked
	}
	return q.list(), nil
}

// leftOpen reports whether a reviewer has been asked about the form and could
// not tell.
func (e *Engine) leftOpen(f *Finding) bool {
	if e.decisions == nil {
		return false
	}
	d, ok := e.formDecision(f)
	return ok && d.Verdict == ledger.Unsure
}

// Each calls visit with every text of the corpus and its findings, in order.
func (e *Engine) Each(visit func(*detect.Document, []Finding)) error {
	if e.corpus == nil {
		return nil
	}
	return readCorpus(e, e.Findings, visit)
}

// mineKey is the formKey of a mined form.
func mineKey(form string) string {
	r, _ := utf8.DecodeRuneInString(form)
	if unicode.IsUpper(r) || unicode.IsTitle(r) {
		return "capital:" + keyOf(form)
	}
	return "small:" + keyOf(form)
}

func keyRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) }
