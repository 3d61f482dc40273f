package moocdb

import (
	"bytes"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"anonymooc/release/records"
)

// post is one document of a forum.
type post struct {
	ID      jsontext.Value `json:"_id"`
	Type    jsontext.Value `json:"_type"`
	Author  jsontext.Value `json:"author_id"`
	Name    jsontext.Value `json:"author_username"`
	Title   jsontext.Value `json:"title"`
	Body    jsontext.Value `json:"body"`
	Created jsontext.Value `json:"created_at"`
	Course  jsontext.Value `json:"course_id"`
	Topic   jsontext.Value `json:"commentable_id"`
	Thread  jsontext.Value `json:"comment_thread_id"`
	Parent  jsontext.Value `json:"parent_id"`
}

// forum writes collaborations. A post may come before the one it answers, so all
// are read before any is written; what is kept of each is small.
type forum struct {
	posts []collaboration
	ids   map[string]int // document id → its place in posts
	types names
}

type collaboration struct {
	parent  string // document id
	user    int64
	kind    int64
	content string
	at      int64 // 0 when unknown
	course  string
	topic   string
}

func newForum() *forum { return &forum{ids: map[string]int{}, types: names{}} }

// take reads one document; false when it is none.
func (f *forum) take(text []byte, people *people) bool {
	var p post
	text = bytes.TrimSpace(text)
	if json.Unmarshal(text, &p, lenient) != nil || kindOf(p.ID) == 0 {
		return false
	}
	c := collaboration{
		user: people.number(personNumber(str(p.Author)), str(p.Name)), content: str(p.Body),
		course: str(p.Course), topic: str(p.Topic),
	}
	kind := "forum_thread"
	if str(p.Type) == "Comment" {
		kind = "forum_response"
		if c.parent = objectID(p.Parent); c.parent != "" {
			kind = "forum_comment"
		} else {
			c.parent = objectID(p.Thread)
		}
	} else if title := str(p.Title); title != "" {
		c.content = title + "\n\n" + c.content
	}
	c.kind = f.types.id(kind)
	c.at = mongoTime(p.Created)
	f.ids[objectID(p.ID)] = len(f.posts)
	f.posts = append(f.posts, c)
	return true
}

// objectID gives the id in {"$oid": "…"} or in a string; "" for none.
func objectID(v jsontext.Value) string {
	if kindOf(v) == '{' {
		var id struct {
			OID jsontext.Value `json:"$oid"`
		}
		if json.Unmarshal(v, &id, lenient) != nil {
			return ""
		}
		return str(id.OID)
	}
	return str(v)
}

// mongoTime reads the forms of a date in an export of MongoDB; 0 for none.
func mongoTime(v jsontext.Value) int64 {
	for range 3 { // {"$date": {"$numberLong": "…"}}
		if kindOf(v) != '{' {
			break
		}
		var d struct {
			Date jsontext.Value `json:"$date"`
			Long jsontext.Value `json:"$numberLong"`
		}
		if json.Unmarshal(v, &d, lenient) != nil {
			return 0
		}
		if v = d.Date; len(v) == 0 {
			v = d.Long
		}
	}
	text := str(v)
	if at, ok := records.Moment([]byte(text)); ok {
		return at
	}
	if millis := personNumber(text); millis > 0 {
		return time.UnixMilli(millis).UnixMicro()
	}
	return 0
}

// write writes the collaborations in the order of the files.
func (f *forum) write(s *store, r *resources) error {
	children := map[int]int64{}
	at := position("collaborations")
	for i, c := range f.posts {
		var parent, child, user, created, page any
		if place, ok := f.ids[c.parent]; ok && c.parent != "" && place != i {
			children[place]++
			parent, child = int64(place+1), children[place]
		}
		if c.user != 0 {
			user = c.user
		}
		if c.at != 0 {
			created = showTime(c.at)
		}
		if c.course != "" {
			path := "/courses/" + c.course + "/discussion/forum"
			if c.topic != "" {
				path += "/" + c.topic
			}
			topic, err := r.page(path)
			if err != nil {
				return err
			}
			page = topic.id
		}
		if err := s.add(at, int64(i+1), user, c.kind, orNil(c.content), created, parent, child, nil, nil, nil, page); err != nil {
			return err
		}
	}
	return f.types.write(s, "collaboration_types")
}
