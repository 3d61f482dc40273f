package corpus

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"
)

// record is a post as the forum's collection holds it.
type record struct {
	ID       json.RawMessage `json:"_id"`
	Thread   json.RawMessage `json:"comment_thread_id"`
	Parent   json.RawMessage `json:"parent_id"`
	Author   json.RawMessage `json:"author_id"`
	Username json.RawMessage `json:"author_username"`
	Title    json.RawMessage `json:"title"`
	Body     json.RawMessage `json:"body"`
	Course   json.RawMessage `json:"course_id"`
	Created  json.RawMessage `json:"created_at"`
}

// post reads the fields; a record without an id is no post.
func (r *record) post() (*Post, bool) {
	p := &Post{
		ID: scalar(r.ID), Thread: scalar(r.Thread), Parent: scalar(r.Parent), Author: scalar(r.Author),
		Username: scalar(r.Username), Title: scalar(r.Title), Body: scalar(r.Body), Course: scalar(r.Course),
		Created: date(r.Created),
	}
	if p.ID == "" {
		return nil, false
	}
	p.place()
	return p, true
}

// place says what a post without a thread, or without a parent, leaves unsaid.
func (p *Post) place() {
	if p.Thread == "" {
		p.Thread = p.ID
	} else if p.Parent == "" {
		p.Parent = p.Thread
	}
}

// scalar reads a string, a number, or a one-key object of extended JSON that
// wraps one ({"$oid": …}, {"$numberLong": …}); anything else reads as empty.
func scalar(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return ""
	}
	switch raw[0] {
	case '"':
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return s
		}
	case '{':
		var wrapped map[string]json.RawMessage
		if json.Unmarshal(raw, &wrapped) != nil || len(wrapped) != 1 {
			return ""
		}
		for _, key := range [...]string{"$oid", "$numberLong", "$numberInt", "$numberDouble", "$date", "$uuid"} {
			if inner, ok := wrapped[key]; ok {
				return scalar(inner)
			}
		}
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return string(raw)
	}
	return ""
}

// date reads any of extended JSON's dates: milliseconds or text; the zero time
// when it is neither.
func date(raw json.RawMessage) time.Time { return moments(scalar(raw)) }

// moments reads a date as text: milliseconds, or any of the spellings.
func moments(s string) time.Time {
	if ms, err := strconv.ParseInt(s, 10, 64); err == nil {
		return time.UnixMilli(ms).UTC()
	}
	for _, layout := range [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999Z0700", "2006-01-02 15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
