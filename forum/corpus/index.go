package corpus

import (
	"encoding/hex"
	"slices"
)

// None stands for an unknown author, thread or post.
const None = int32(-1)

// Conversation says where a post stands: numbers of authors (see Index.Authors)
// and of its thread, None where unknown.
type Conversation struct {
	Thread   int32
	Author   int32
	Answered int32 // author of the post answered
}

// Index knows every post's author, thread and the post it answers. It is safe
// for concurrent use once the corpus is open.
type Index struct {
	posts   map[key]int32 // post id → its number
	long    map[string]int32
	entries []entry

	authors  []string
	authorOf map[string]int32
	talkers  [][]int32 // thread → its authors, sorted
}

// key is a post id: the 12 bytes of an ObjectId. Other ids go to Index.long.
type key [12]byte

type entry struct{ author, parent, thread int32 }

func newIndex() *Index {
	return &Index{posts: make(map[key]int32), long: make(map[string]int32), authorOf: make(map[string]int32)}
}

func objectID(id string) (k key, ok bool) {
	if len(id) != 2*len(k) {
		return k, false
	}
	_, err := hex.Decode(k[:], []byte(id))
	return k, err == nil
}

// number gives the post's number and makes one at first sight: a post may be
// answered before it is read.
func (x *Index) number(id string) int32 {
	if n := x.find(id); n != None {
		return n
	}
	n := int32(len(x.entries))
	x.entries = append(x.entries, entry{None, None, None})
	if k, ok := objectID(id); ok {
		x.posts[k] = n
	} else {
		x.long[id] = n
	}
	return n
}

func (x *Index) find(id string) int32 {
	if k, ok := objectID(id); ok {
		if n, ok := x.posts[k]; ok {
			return n
		}
		return None
	}
	if n, ok := x.long[id]; ok {
		return n
	}
	return None
}

func (x *Index) add(p *Post) {
	e := entry{author: x.author(p), parent: None, thread: x.number(p.Thread)}
	if p.Parent != "" {
		e.parent = x.number(p.Parent)
	}
	x.entries[x.number(p.ID)] = e
}

// author gives the number of the post's author: by user id, or by username
// where the export has no ids.
func (x *Index) author(p *Post) int32 {
	name := p.Author
	if name == "" {
		name = p.Username
	}
	if name == "" {
		return None
	}
	n, ok := x.authorOf[name]
	if !ok {
		n = int32(len(x.authors))
		x.authors = append(x.authors, name)
		x.authorOf[name] = n
	}
	return n
}

// settle lists the authors of each thread.
func (x *Index) settle() {
	x.talkers = make([][]int32, len(x.entries))
	for _, e := range x.entries {
		if e.thread != None && e.author != None {
			x.talkers[e.thread] = append(x.talkers[e.thread], e.author)
		}
	}
	for i, authors := range x.talkers {
		slices.Sort(authors)
		x.talkers[i] = slices.Clip(slices.Compact(authors))
	}
}

// Len is the number of posts.
func (x *Index) Len() int { return len(x.entries) }

// Authors lists the authors by number: user ids, or usernames where the export
// has no ids. The caller must not change it.
func (x *Index) Authors() []string { return x.authors }

// Conversation finds a post by its id.
func (x *Index) Conversation(post string) (Conversation, bool) {
	n := x.find(post)
	if n == None {
		return Conversation{None, None, None}, false
	}
	e := x.entries[n]
	c := Conversation{Thread: e.thread, Author: e.author, Answered: None}
	if e.parent != None {
		c.Answered = x.entries[e.parent].author
	}
	return c, true
}

// Participants lists the authors of a thread, sorted. The caller must not
// change it.
func (x *Index) Participants(thread int32) []int32 {
	if thread < 0 || int(thread) >= len(x.talkers) {
		return nil
	}
	return x.talkers[thread]
}
