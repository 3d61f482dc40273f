package forum

import (
	"slices"
	"sync"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/idmap"
)

// nobody stands for a person who is not known.
const nobody = int32(-1)

// people numbers everybody on the roster and finds them again.
type people struct {
	list     []Person
	entities map[detect.EntityID]int32
	userIDs  map[string]int32 // and usernames, for exports without user ids
}

func newPeople(roster []Person) *people {
	p := &people{list: roster, entities: make(map[detect.EntityID]int32, len(roster)), userIDs: make(map[string]int32, len(roster))}
	for i := range roster {
		n := int32(i)
		p.entities[roster[i].Entity()] = n
		for _, name := range roster[i].Usernames {
			p.userIDs[name] = n
		}
	}
	for i := range roster {
		for _, id := range roster[i].UserIDs {
			p.userIDs[id] = int32(i)
		}
	}
	return p
}

func (p *people) byPseudonym(pseudonym idmap.Pseudonym) int32 {
	if pseudonym == 0 {
		return nobody
	}
	if n, ok := p.entities[detect.EntityID(pseudonym.Username())]; ok {
		return n
	}
	return nobody
}

// circle is who stands round a text: a name that is theirs is hardly an
// accident.
type circle struct {
	author   int32
	answered int32
	talkers  []int32 // everybody who writes in the thread, sorted
}

// relation says how near a person stands to a text; larger is nearer.
type relation uint8

const (
	stranger relation = iota
	talker            // writes in the same thread
	answered          // wrote the post that is answered
	author            // wrote the text
)

// circles finds the circle of a post.
type circles struct {
	people  *people
	index   *corpus.Index
	authors []int32  // corpus author → person
	threads sync.Map // thread → []int32
}

func newCircles(p *people, index *corpus.Index) *circles {
	c := &circles{people: p, index: index}
	if index == nil {
		return c
	}
	c.authors = make([]int32, len(index.Authors()))
	for i, id := range index.Authors() {
		n, ok := p.userIDs[id]
		if !ok {
			n = nobody
		}
		c.authors[i] = n
	}
	return c
}

// coverage is the share of the authors whose names are known.
func (c *circles) coverage() float64 {
	if len(c.authors) == 0 {
		return 0
	}
	named := 0
	for _, n := range c.authors {
		if n != nobody && len(c.people.list[n].FirstNames)+len(c.people.list[n].Names) > 0 {
			named++
		}
	}
	return float64(named) / float64(len(c.authors))
}

// of gives the circle of a post; writer is the author as the caller knows them,
// nobody when only the index may tell.
func (c *circles) of(post string, writer int32) circle {
	around := circle{author: writer, answered: nobody}
	if c.index == nil || post == "" {
		return around
	}
	where, ok := c.index.Conversation(post)
	if !ok {
		return around
	}
	if around.author == nobody {
		around.author = c.person(where.Author)
	}
	around.answered = c.person(where.Answered)
	around.talkers = c.thread(where.Thread)
	return around
}

func (c *circles) person(author int32) int32 {
	if author == corpus.None {
		return nobody
	}
	return c.authors[author]
}

func (c *circles) thread(thread int32) []int32 {
	if known, ok := c.threads.Load(thread); ok {
		return known.([]int32)
	}
	var talkers []int32
	for _, a := range c.index.Participants(thread) {
		if n := c.authors[a]; n != nobody {
			talkers = append(talkers, n)
		}
	}
	slices.Sort(talkers)
	c.threads.Store(thread, talkers)
	return talkers
}

// relate finds the nearest of the entities and how near they stand. When
// several stand equally near, nobody is singled out.
func (p *people) relate(entities []detect.EntityID, around circle) (relation, detect.EntityID) {
	best, whom := stranger, detect.EntityID("")
	note := func(r relation, e detect.EntityID) {
		switch {
		case r > best:
			best, whom = r, e
		case r == best && e != whom:
			whom = ""
		}
	}
	if len(entities) > 4*len(around.talkers)+8 {
		// A common name: ask the people around whether it is theirs.
		for _, n := range append([]int32{around.author, around.answered}, around.talkers...) {
			if n == nobody {
				continue
			}
			e := p.list[n].Entity()
			if _, ok := slices.BinarySearch(entities, e); ok {
				note(around.relation(n), e)
			}
		}
		return best, whom
	}
	if len(entities) == 1 {
		whom = entities[0]
	}
	for _, e := range entities {
		if n, ok := p.entities[e]; ok {
			note(around.relation(n), e)
		}
	}
	return best, whom
}

func (c circle) relation(person int32) relation {
	switch person {
	case nobody:
		return stranger
	case c.author:
		return author
	case c.answered:
		return answered
	}
	if _, ok := slices.BinarySearch(c.talkers, person); ok {
		return talker
	}
	return stranger
}
