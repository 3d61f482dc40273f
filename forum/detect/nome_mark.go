package detect

import "anonymooc/forum/lists"

// The scores of NOME's steps, before the lists are asked. The paper proposes
// everything alike; here a reviewer's time is saved where the words say more.
const (
	nomeTitled   = 0.93 // after a civility title
	nomeListed   = 0.93 // a given name and another word
	nomeLong     = 0.50 // two words with capitals
	nomeShort    = 0.60 // part of a long name
	nomeOrdinary = 0.15 // all its words are in the dictionary
	nomeIncluded = 0.90 // the officer says so
)

// mark makes the mark of a sequence: steps 2 to 4.
func (r *nomeReader) mark(s *sequence) (Mark, bool) {
	m := Mark{Start: r.doc.Tokens[s.name].Start, End: r.doc.Tokens[s.to-1].End, Proposal: Unsure, By: r.nome.Name(), Category: FullName}
	switch {
	case s.long && s.name > s.from:
		m.Score, m.What = nomeTitled, "capitals after a civility title"
		if s.words == 1 {
			m.Category = LastName
		}
	case s.long:
		m.Score, m.What = nomeLong, "two or more words with capitals"
	case r.excluded(s):
		return m, false
	default:
		if !r.short(s, &m) {
			return m, false
		}
	}
	r.weigh(s, &m)
	if m.Score > 0.9 {
		m.Proposal = Mask
	}
	return m, true
}

// short does steps 3 and 4: a single word, or a sequence in capitals, that was
// found before in another form.
func (r *nomeReader) short(s *sequence, m *Mark) bool {
	if !r.letters(s.name, s.to) {
		return false
	}
	r.fill(s.name, s.to)
	long, part := r.nome.knows(r.buffer)
	if !long && !part {
		long, part = r.here(s)
	}
	switch {
	case part:
		m.What = "part of a longer name found elsewhere"
		if s.capitals {
			m.What += ", in capitals"
		}
		m.Category = LastName
	case long && s.capitals:
		m.What = "a name found elsewhere, in capitals"
	default:
		return false
	}
	m.Score = nomeShort
	return true
}

// here looks for a name among the long names of this text, which are gathered
// when the first one asks.
func (r *nomeReader) here(name *sequence) (long, part bool) {
	if !r.gathered {
		r.gathered = true
		clear(r.longHere)
		clear(r.partsHere)
		for i := range r.sequences {
			s := &r.sequences[i]
			if !s.long {
				continue
			}
			r.longHere[r.key(s.name, s.to)] = true
			for _, w := range r.wordsOf(s) {
				r.partsHere[r.key(w[0], w[1])] = true
			}
		}
	}
	r.fill(name.name, name.to)
	return r.longHere[string(r.buffer)], r.partsHere[string(r.buffer)]
}

// weigh asks the lists about the words of a name.
func (r *nomeReader) weigh(s *sequence, m *Mark) {
	if r.nome.lists == nil {
		return
	}
	given, names, ordinary, words := 0, 0, 0, 0
	for i := s.name; i < s.to; i++ {
		t := &r.doc.Tokens[i]
		if !t.Any(Word) || len(t.Folded) < 2 {
			continue
		}
		words++
		e := r.nome.listed.of(t.form)
		usual := e.Is(lists.UsualName)
		common := e.Is(lists.AnyWord | lists.AnyStop)
		if usual || e.Is(lists.FirstName) && !common {
			given++
		}
		if e.Is(lists.FirstName | lists.Surname) {
			names++
		}
		if common && !usual {
			ordinary++
		}
	}
	if m.Category == LastName && given == words && words > 0 && s.name == s.from {
		m.Category = FirstName
	}
	switch {
	case s.name > s.from: // the title says enough
	case given > 0 && words > 1 && ordinary < words-1:
		m.Score, m.What = nomeListed, m.What+", one of them a given name"
	case given > 0 && words > 1, names == words && ordinary < words:
		m.Score, m.What = (nomeListed+nomeShort)/2, m.What+", known as names"
	case ordinary == words:
		m.Score, m.What = nomeOrdinary, m.What+", all of them words of a dictionary"
	case ordinary > 0 && m.Score > nomeOrdinary:
		m.Score, m.What = (m.Score+nomeOrdinary)/2, m.What+", some of them words of a dictionary"
	}
}

// TypeIncluded is the type of what the officer has listed.
const TypeIncluded = "included"

// inclusions is step 5.
func (r *nomeReader) inclusions(marks []Mark) []Mark {
	if len(r.nome.included.first) == 0 {
		return marks
	}
	for i := 0; i < len(r.doc.Tokens); {
		end := i
		if r.doc.Tokens[i].Any(Word) && r.fact(i).included && !r.doc.Tokens[i].Any(InCode|InURL|InMarkup|InContentID) {
			end = r.phraseAt(r.nome.included, i, len(r.doc.Tokens))
		}
		if end == i {
			i++
			continue
		}
		marks = append(marks, Mark{Start: r.doc.Tokens[i].Start, End: r.doc.Tokens[end-1].End, Category: Nickname, Type: TypeIncluded,
			Proposal: Unsure, Score: nomeIncluded, By: r.nome.Name(), What: "on the officer's list of inclusions"})
		i = end
	}
	return marks
}
