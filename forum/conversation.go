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
	names    []detect.EntityID // by number
	entities map[detect.EntityID]int32
	userIDs  map[string]int32 // and usernames, for exports without user ids
}

func newPeople(roster []Person) *people {
	p := &people{list: roster, entities: make(map[detect.EntityID]int32, len(roster)), userIDs: make(map[string]int32, len(roster))}
	for i := range roster {
		n := int32(i)
		p.names = append(p.names, roster[i].Entity())
		p.entities[p.names[i]] = n
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
	talkers  []int32           // everybody who writes in the thread
	names    []detect.EntityID // the same, sorted
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
	threads sync.Map // thread → *talkers
}

// talkers are the people who write in a thread.
type talkers struct {
	people []int32
	names  []detect.EntityID // sorted
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
	in := c.thread(where.Thread)
	around.talkers, around.names = in.people, in.names
	return around
}

// authorOf gives the user id of who wrote a post, as the forum has it, or that of
// the writer as the caller knows them: what a text is judged by must not depend
// on whether it is read for the queue or for the release.
func (c *circles) authorOf(post string, writer int32) string {
	if c.index != nil && post != "" {
		if where, ok := c.index.Conversation(post); ok && where.Author != corpus.None {
			return c.index.Authors()[where.Author]
		}
	}
	if writer != nobody && len(c.people.list[writer].UserIDs) > 0 {
		return c.people.list[writer].UserIDs[0]
	}
	return ""
}

func (c *circles) person(author int32) int32 {
	if author == corpus.None {
		return nobody
	}
	return c.authors[author]
}

func (c *circles) thread(thread int32) *talkers {
	if known, ok := c.threads.Load(thread); ok {
		return known.(*talkers)
	}
	in := new(talkers)
	for _, a := range c.index.Participants(thread) {
		if n := c.authors[a]; n != nobody {
			in.people = append(in.people, n)
			in.names = append(in.names, c.people.names[n])
		}
	}
	slices.Sort(in.names)
	c.threads.Store(thread, in)
	return in
}

// relate finds the nearest of the entities, which are sorted, and how near they
// stand. When several stand equally near, nobody is singled out.
func (p *people) relate(entities []detect.EntityID, around circle) (relation, detect.EntityID) {
	if len(entities) == 0 {
		return stranger, ""
	}
	has := func(e detect.EntityID) bool {
		_, ok := slices.BinarySearch(entities, e)
		return ok
	}
	if around.author != nobody && has(p.names[around.author]) {
		return author, p.names[around.author]
	}
	if around.answered != nobody && has(p.names[around.answered]) {
		return answered, p.names[around.answered]
	}
	if whom, found := common(entities, around.names); found {
		return talker, whom
	}
	if len(entities) == 1 {
		return stranger, entities[0]
	}
	return stranger, ""
}

// common finds the one element two sorted lists share; none when they share
// several, though that they do is told.
func common(a, b []detect.EntityID) (detect.EntityID, bool) {
	if len(a) > len(b) {
		a, b = b, a
	}
	var whom detect.EntityID
	found := 0
	for _, e := range a {
		if _, ok := slices.BinarySearch(b, e); ok {
			whom = e
			found++
		}
	}
	if found > 1 {
		whom = ""
	}
	return whom, found > 0
}
