package moocdb

import (
	"bytes"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"anonymooc/release/records"
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

var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// decoder reads the lines of a log. It belongs to one goroutine. What repeats
// itself in a log (pages, browsers, names) is kept once.
type decoder struct {
	texts     map[string]string
	systems   map[string]any // by browser
	addresses map[string]any
	plain     []byte
}

// A decoder forgets what it has kept when there are many texts, and keeps no long
// ones, so that a log of whatever kind takes no more memory.
const (
	manyTexts = 1 << 15
	longText  = 1 << 10
)

func newDecoder() *decoder {
	return &decoder{texts: map[string]string{}, systems: map[string]any{}, addresses: map[string]any{}}
}

// text gives a string's text, a number's digits, and "" for anything else.
func (d *decoder) text(value []byte) string {
	plain := d.bytes(value)
	if have, ok := d.texts[string(plain)]; ok || len(plain) == 0 {
		return have
	}
	if len(plain) > longText {
		return string(plain)
	}
	if len(d.texts) == manyTexts {
		clear(d.texts)
		clear(d.systems)
		clear(d.addresses)
	}
	fresh := string(plain)
	d.texts[fresh] = fresh
	return fresh
}

// bytes is text without keeping it; it is valid until the next call.
func (d *decoder) bytes(value []byte) []byte {
	if len(value) == 0 {
		return nil
	}
	switch c := value[0]; {
	case c == '"' && bytes.IndexByte(value, '\\') < 0:
		return value[1 : len(value)-1]
	case c == '"':
		plain, ok := records.Unquote(d.plain[:0], value)
		if d.plain = plain; !ok {
			return nil
		}
		return plain
	case c == '-' || c >= '0' && c <= '9':
		return value
	}
	return nil
}

// line is the outside of an event; every member may be of any type.
type line struct {
	username, time, kind, source, page, host, ip, agent, event []byte
	user, contextName, path, module                            []byte
}

func (l *line) member(key, value []byte) bool {
	switch string(key) {
	case "username":
		l.username = value
	case "time":
		l.time = value
	case "event_type":
		l.kind = value
	case "event_source":
		l.source = value
	case "page":
		l.page = value
	case "host":
		l.host = value
	case "ip":
		l.ip = value
	case "agent":
		l.agent = value
	case "event":
		l.event = value
	case "context":
		records.Members(value, l.context)
	}
	return true
}

func (l *line) context(key, value []byte) bool {
	switch string(key) {
	case "user_id":
		l.user = value
	case "username":
		l.contextName = value
	case "path":
		l.path = value
	case "module":
		records.Members(value, func(key, value []byte) bool {
			if string(key) == "usage_key" {
				l.module = value
			}
			return true
		})
	}
	return true
}

// decode reads one line; false when it is no event, or has no time.
func (d *decoder) decode(text []byte) (event, bool) {
	text = bytes.TrimSpace(text)
	start := bytes.IndexByte(text, '{') // a logger may have written before it
	if start < 0 {
		return event{}, false
	}
	var l line
	if !records.Members(text[start:], l.member) {
		return event{}, false
	}
	at, ok := records.Moment(d.bytes(l.time))
	if !ok {
		return event{}, false
	}
	e := event{
		user: personNumber(d.bytes(l.user)), name: d.text(l.username), at: at, kind: d.text(l.kind), server: string(d.bytes(l.source)) == "server",
		page: d.text(l.page), host: d.text(l.host), path: d.text(l.path), agent: d.text(l.agent),
	}
	if e.name == "" {
		e.name = d.text(l.contextName)
	}
	e.ip, e.os = d.address(d.text(l.ip)), d.system(e.agent)
	d.inside(&e, l.event, d.text(l.module))
	return e, true
}

func (d *decoder) address(text string) any {
	ip, known := d.addresses[text]
	if !known {
		ip = address(text)
		d.addresses[text] = ip
	}
	return ip
}

func (d *decoder) system(agent string) any {
	os, known := d.systems[agent]
	if !known {
		os = system(agent)
		d.systems[agent] = os
	}
	return os
}

// payload is the inside of an event, as far as MOOCdb asks.
type payload struct {
	blocks                                                           [4][]byte // ids that may be a block's, the best first
	answers, attempts, verdicts, submission, answer, feedback, parts []byte
	attempt                                                          []byte
}

func (p *payload) member(key, value []byte) bool {
	switch string(key) {
	case "problem_id":
		p.blocks[0] = value
	case "module_id":
		p.blocks[1] = value
	case "id":
		p.blocks[2] = value
	case "problem":
		p.blocks[3] = value
	case "answers":
		p.answers = value
	case "attempts":
		p.attempts = value
	case "correct_map":
		p.verdicts = value
	case "submission_uuid":
		p.submission = value
	case "answer":
		p.answer = value
	case "feedback":
		p.feedback = value
	case "parts":
		p.parts = value
	case "attempt_number":
		p.attempt = value
	}
	return true
}

// inside reads the payload: an object, or an object in a string.
func (d *decoder) inside(e *event, value []byte, module string) {
	e.block = module
	if kindOf(value) == '"' {
		plain, ok := records.Unquote(nil, value)
		if !ok || len(plain) == 0 || plain[0] != '{' {
			return // a query string, or the text of a request that was cut off
		}
		value = plain
	}
	var p payload
	if kindOf(value) != '{' || !records.Members(value, p.member) {
		return
	}
	for _, id := range p.blocks {
		if block := d.text(id); isBlock(block) {
			e.block = block
			break
		}
	}
	switch {
	case !e.server:
	case e.kind == "problem_check" || e.kind == "save_problem_success" || e.kind == "problem_save":
		e.answered = d.answered(&p, e.kind == "problem_check")
	case len(p.submission) > 0:
		e.open = readOpenResponse(e.kind, &p)
	}
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

// personNumber reads a user id; 0 for none.
func personNumber[T string | []byte](text T) int64 {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || n <= 0 {
		return 0
	}
	return n
}

// showTime writes a moment as all three databases read it.
func showTime(at int64) string {
	t := time.UnixMicro(at).UTC()
	if at%1_000_000 == 0 {
		return t.Format("2006-01-02 15:04:05")
	}
	return t.Format("2006-01-02 15:04:05.000000")
}
