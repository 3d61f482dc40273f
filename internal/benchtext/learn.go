package benchtext

import (
	"unicode/utf8"

	"anonymooc/forum"
	"anonymooc/forum/detect"
	"anonymooc/forum/trees"
	"anonymooc/forum/trees/training"
)

// Labelled gives the posts as labelled texts for the forests on words: whoever is
// named in them, known to the public or not.
func (g *Gold) Labelled() []training.Text {
	texts := make([]training.Text, len(g.Posts))
	for i := range g.Posts {
		p := &g.Posts[i]
		t := training.Text{ID: p.ID, Lang: p.Lang, Author: p.Author, Text: p.Text}
		for _, m := range p.Mentions {
			if m.namesSomebody() {
				start := utf8.RuneCountInString(p.Text[:m.Start])
				t.Spans = append(t.Spans, training.Span{Start: start, End: start + utf8.RuneCountInString(p.Text[m.Start:m.End]), Type: "PER"})
			}
		}
		texts[i] = t
	}
	return texts
}

// subject says what a mention is, as surroundings tell it.
func (m *Mention) subject() detect.Subject {
	switch {
	case m.Kind == 'M' && isPerson(m.Category):
		return detect.OfSomebody
	case m.Kind == 'M':
		return detect.OfTheirs
	case m.Kind == 'K' && m.Category == "PUBLIC":
		return detect.OfPublic
	case m.Kind == 'K' && m.Category == "PLACE":
		return detect.OfPlace
	case m.Kind == 'K' && (m.Category == "TERM" || m.Category == "ACRONYM"):
		return detect.OfThing
	}
	return detect.OfNothing
}

// namesSomebody reports whether a mention names a person, who may be known to
// the public.
func (m *Mention) namesSomebody() bool {
	return m.Kind == 'M' && isPerson(m.Category) || m.Kind == 'K' && m.Category == "PUBLIC"
}

// Talk makes the corpus one of texts whose writers are on no roster, as those
// with spans are: whoever is named must be masked, and the roster is drawn from
// their names.
func (g *Gold) Talk() *Gold {
	talk := &Gold{Name: g.Name}
	for i := range g.Posts {
		p := g.Posts[i]
		p.Author = "author" + p.ID
		p.Mentions = append([]Mention(nil), p.Mentions...)
		for k := range p.Mentions {
			if m := &p.Mentions[k]; m.namesSomebody() && m.Category != "USERNAME" {
				m.Kind, m.Category = 'M', "FULL"
			}
		}
		talk.Posts = append(talk.Posts, p)
	}
	talk.Roster = talk.named()
	return talk
}

// Lesson is what a corpus teaches with some of the names known.
type Lesson struct {
	Setting  forum.Setting
	Examples []trees.Example
	Around   []training.Surrounded // of the same spans
	Passages []training.Passaged
}

// Examples gives what the forest on the evidence learns from: every span that
// the engine weighs, with its traits, and whether the markup says that it must
// be masked. Where nobody's name is known nothing tells whom the public knows:
// then all that name somebody are to be masked. Spans that a person must judge
// are left out.
func (b *Bench) Examples(share float64) (*Lesson, error) {
	options, err := b.options(forum.Choice{})
	if err != nil {
		return nil, err
	}
	options.Policy = forum.Strict
	engine, err := forum.New(b.roster(share), b.corpus, nil, options)
	if err != nil {
		return nil, err
	}
	lesson := &Lesson{Setting: engine.Setting()}
	for i := range b.gold.Posts {
		p := &b.gold.Posts[i]
		for _, e := range engine.Examples(b.document(p)) {
			masked, doubtful, most := 0, 0, 0
			subject := detect.OfNothing
			for k := range p.Mentions {
				m := &p.Mentions[k]
				common := min(m.End, e.End) - max(m.Start, e.Start)
				switch {
				case common <= 0:
				case m.Kind == 'M', share == 0 && m.namesSomebody():
					masked += common
				case m.Kind == 'Q', m.Kind == '-':
					doubtful += common
				}
				if common > most {
					most, subject = common, m.subject()
				}
			}
			positive := 2*masked >= e.End-e.Start
			if positive || doubtful == 0 {
				lesson.Examples = append(lesson.Examples, trees.Example{Features: e.Traits, Positive: positive})
				lesson.Around = append(lesson.Around, training.Surrounded{Clues: e.Around, Subject: subject})
				lesson.Passages = append(lesson.Passages, training.Passaged{Text: e.Text, From: e.From, To: e.To, Subject: subject, Masked: positive})
			}
		}
	}
	return lesson, nil
}
