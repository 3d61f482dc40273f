package forum

import (
	"hash/maphash"
	"slices"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/tables"
)

// beside reads the texts outside the corpus for mining: goals, answers, wiki
// pages, searches. What the same author's text said before is passed over, because logs and
// snapshots copy posts: what is copied is not said more often. What two people write is
// said by both, in whatever order the files come. It takes some twenty bytes a
// distinct text.
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

// seen notes an author's text; it reports whether it was noted before.
func (b *beside) seen(author string, text []byte) bool {
	if b.texts == nil {
		return false
	}
	var hash maphash.Hash
	hash.SetSeed(b.seed)
	hash.WriteString(author)
	hash.WriteByte(0)
	hash.Write(text)
	digest := hash.Sum64()
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
		author := b.engine.authorOf(place)
		if b.seen(author, text) {
			return
		}
		doc.Reset(corpus.Post{ID: documentID(place, text), Author: author, Course: place.Course}, place.Field, slices.Clone(text))
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
