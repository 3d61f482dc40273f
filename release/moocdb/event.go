package moocdb

import (
	"bytes"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// event is one line of a tracking log, as far as MOOCdb asks.
type event struct {
	user     int64  // context.user_id; 0 when it holds none
	name     string // username
	at       int64  // microseconds since 1970, UTC
	kind     string // event_type
	server   bool   // event_source is server
	page     string
	host     string
	path     string // context.path
	ip, os   any    // uint32 and string, or nil
	agent    string
	block    string // id of the problem, video or other block it is about
	answered *answered
	open     *openResponse
}

// line is the outside of an event. Every member may be of any type.
type line struct {
	Username jsontext.Value `json:"username"`
	Time     jsontext.Value `json:"time"`
	Type     jsontext.Value `json:"event_type"`
	Source   jsontext.Value `json:"event_source"`
	Page     jsontext.Value `json:"page"`
	Host     jsontext.Value `json:"host"`
	IP       jsontext.Value `json:"ip"`
	Agent    jsontext.Value `json:"agent"`
	Event    jsontext.Value `json:"event"`
	Context  jsontext.Value `json:"context"`
}

type eventContext struct {
	UserID   jsontext.Value `json:"user_id"`
	Username jsontext.Value `json:"username"`
	Path     jsontext.Value `json:"path"`
	Module   struct {
		Key jsontext.Value `json:"usage_key"`
	} `json:"module"`
}

// payload is the inside of an event.
type payload struct {
	ID         jsontext.Value `json:"id"`
	ProblemID  jsontext.Value `json:"problem_id"`
	ModuleID   jsontext.Value `json:"module_id"`
	Problem    jsontext.Value `json:"problem"`
	Answers    jsontext.Value `json:"answers"`
	Attempts   jsontext.Value `json:"attempts"`
	CorrectMap jsontext.Value `json:"correct_map"`
	Submission jsontext.Value `json:"submission_uuid"`
	Answer     jsontext.Value `json:"answer"`
	Feedback   jsontext.Value `json:"feedback"`
	Parts      jsontext.Value `json:"parts"`
	Attempt    jsontext.Value `json:"attempt_number"`
}

var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// decode reads one line; false when it is no event, or has no time.
func decode(text []byte) (event, bool) {
	text = bytes.TrimSpace(text)
	start := bytes.IndexByte(text, '{') // a logger may have written before it
	if start < 0 {
		return event{}, false
	}
	var l line
	if json.Unmarshal(text[start:], &l, lenient) != nil {
		return event{}, false
	}
	var c eventContext
	if kindOf(l.Context) == '{' && json.Unmarshal(l.Context, &c, lenient) != nil {
		c = eventContext{UserID: member(l.Context, "user_id"), Username: member(l.Context, "username"), Path: member(l.Context, "path")}
	}
	at, ok := readTime(str(l.Time))
	if !ok {
		return event{}, false
	}
	e := event{
		user: personNumber(c.UserID), name: str(l.Username), at: at, kind: str(l.Type), server: str(l.Source) == "server",
		page: str(l.Page), host: str(l.Host), path: str(c.Path), agent: str(l.Agent),
	}
	if e.name == "" {
		e.name = str(c.Username)
	}
	e.ip, e.os = address(str(l.IP)), system(e.agent)
	e.inside(l.Event, str(c.Module.Key))
	return e, true
}

// inside reads the payload: an object, or an object in a string.
func (e *event) inside(value jsontext.Value, module string) {
	e.block = module
	if kindOf(value) == '"' {
		text := []byte(str(value))
		if len(text) == 0 || text[0] != '{' {
			return // a query string, or the text of a request that was cut off
		}
		value = text
	}
	var p payload
	if kindOf(value) != '{' || json.Unmarshal(value, &p, lenient) != nil {
		return
	}
	for _, id := range [...]jsontext.Value{p.ProblemID, p.ModuleID, p.ID, p.Problem} {
		if block := str(id); isBlock(block) {
			e.block = block
			break
		}
	}
	switch {
	case !e.server:
	case e.kind == "problem_check" || e.kind == "save_problem_success" || e.kind == "problem_save":
		e.answered = readAnswers(&p, e.kind == "problem_check")
	case len(p.Submission) > 0:
		e.open = readOpenResponse(e.kind, &p)
	}
}

// member reads one member of an object whose others may be of any type.
func member(object jsontext.Value, name string) jsontext.Value {
	var members map[string]jsontext.Value
	if json.Unmarshal(object, &members, lenient) != nil {
		return nil
	}
	return members[name]
}

func kindOf(v jsontext.Value) byte {
	if v = bytes.TrimSpace(v); len(v) == 0 {
		return 0
	}
	return v[0]
}

// str gives a string's text, a number's digits, and "" for anything else.
func str(v jsontext.Value) string {
	switch c := kindOf(v); {
	case c == '"':
		if len(v) >= 2 && bytes.IndexByte(v, '\\') < 0 {
			return string(v[1 : len(v)-1])
		}
		plain, err := jsontext.AppendUnquote(nil, v)
		if err != nil {
			return ""
		}
		return string(plain)
	case c == '-' || c >= '0' && c <= '9':
		return string(v)
	}
	return ""
}

// personNumber reads a user id, as a number or as a string; 0 for none.
func personNumber(v jsontext.Value) int64 { return parsePerson(str(v)) }

func parsePerson(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		return 0
	}
	return n
}

// readTime reads the forms of time that edX writes: RFC 3339 with or without
// zone, and MySQL's.
func readTime(text string) (int64, bool) {
	for _, layout := range [...]string{"2006-01-02T15:04:05.999999999Z07:00", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UnixMicro(), true
		}
	}
	return 0, false
}

// showTime writes a moment as all three databases read it.
func showTime(at int64) string {
	t := time.UnixMicro(at).UTC()
	if at%1_000_000 == 0 {
		return t.Format("2006-01-02 15:04:05")
	}
	return t.Format("2006-01-02 15:04:05.000000")
}
