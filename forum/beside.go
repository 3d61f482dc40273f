package forum

import (
	"hash/maphash"
	"slices"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/tables"
)

// beside reads the texts outside the corpus for mining: goals, answers, wiki
// pages, searches. A text that was read before is passed over, because logs and
// snapshots copy posts: what is copied is not said more often. It takes some
// twenty bytes a distinct text.
type beside struct {
	engine *Engine
	texts  map[uint64]struct{} // digests of the texts read; nil when there is nothing beside the corpus
	seed   maphash.Seed
}

func newBeside(e *Engine) *beside {
	b := &beside{engine: e, seed: maphash.MakeSeed()}
	if e.options.Texts != nil {
		b.texts = make(map[uint64]struct{})
	}
	return b
}

// seen notes a text; it reports whether it was noted before.
func (b *beside) seen(text []byte) bool {
	if b.texts == nil {
		return false
	}
	digest := maphash.Bytes(b.seed, text)
	_, known := b.texts[digest]
	b.texts[digest] = struct{}{}
	return known
}

// read hands every text that was not seen to learn.
func (b *beside) read(learn func(*detect.Document)) error {
	if b.texts == nil {
		return nil
	}
	doc := new(detect.Document)
	return b.engine.options.Texts(func(text []byte, place tables.TextPlace) {
		if b.seen(text) {
			return
		}
		doc.Reset(corpus.Post{ID: documentID(place, text), Author: b.engine.authorOf(place), Course: place.Course}, place.Field, slices.Clone(text))
		b.engine.identify(doc)
		learn(doc)
	})
}

// authorOf names the person whose text it is as the forum does, so that one
// person's words are not taken for two people's.
func (e *Engine) authorOf(place tables.TextPlace) string {
	n := e.people.byPseudonym(place.Author)
	if n == nobody {
		return ""
	}
	if p := &e.people.list[n]; len(p.UserIDs) > 0 {
		return p.UserIDs[0]
	}
	return string(e.people.names[n])
}
