package columnar

import (
	"bytes"
	"strings"

	"github.com/parquet-go/parquet-go"

	"anonymooc/release/records"
)

// jsonPath is a JSON path that fills a column. Of several paths of one column the
// first that has a value counts.
type jsonPath struct {
	column string
	kind   kind
	paths  string // with a space between them; the steps of one with points
}

// lineColumn leads from a row to the record it was made of.
const lineColumn = "line"

// events are the columns of a tracking log. Each stands for the same in every
// release; new ones may be added behind the last, none is taken away.
var events = []jsonPath{
	{"time", moment, "time"},
	{"user_id", integer, "context.user_id"},
	{"username", text, "username"},
	{"event_source", text, "event_source"},
	{"event_type", text, "event_type"},
	{"name", text, "name"},
	{"course_id", text, "context.course_id course_id"},
	{"org_id", text, "context.org_id"},
	{"session", text, "session context.session"},
	{"ip", text, "ip"},
	{"country", text, "geo.country"},
	{"region", text, "geo.region"},
	{"city", text, "geo.city"},
	{"agent", text, "agent"},
	{"accept_language", text, "accept_language"},
	{"host", text, "host"},
	{"path", text, "context.path"},
	{"page", text, "page"},
	{"referer", text, "referer"},
	{"module_id", text, "context.module.usage_key event.problem_id event.module_id event.usage_key event.problem event.id"},
	{"module_name", text, "context.module.display_name"},
	{"video_code", text, "event.code"},
	{"video_time", decimal, "event.currentTime event.current_time"},
	{"video_from", decimal, "event.old_time"},
	{"video_to", decimal, "event.new_time"},
	{"video_speed_from", decimal, "event.old_speed"},
	{"video_speed_to", decimal, "event.new_speed event.speed"},
	{"sequence_from", integer, "event.old"},
	{"sequence_to", integer, "event.new"},
	{"attempts", integer, "event.attempts"},
	{"success", text, "event.success"},
	{"grade", decimal, "event.grade event.weighted_earned"},
	{"max_grade", decimal, "event.max_grade event.weighted_possible"},
	{"event", text, "event"},
	{"context", text, "context"},
}

// posts are the columns of a forum; the same holds.
var posts = []jsonPath{
	{"_id", text, "_id"},
	{"_type", text, "_type"},
	{"course_id", text, "course_id"},
	{"commentable_id", text, "commentable_id"},
	{"thread_type", text, "thread_type"},
	{"author_id", integer, "author_id"},
	{"author_username", text, "author_username"},
	{"anonymous", flag, "anonymous"},
	{"anonymous_to_peers", flag, "anonymous_to_peers"},
	{"created_at", moment, "created_at"},
	{"updated_at", moment, "updated_at"},
	{"last_activity_at", moment, "last_activity_at"},
	{"title", text, "title"},
	{"body", text, "body"},
	{"comment_thread_id", text, "comment_thread_id"},
	{"parent_id", text, "parent_id"},
	{"parent_ids", text, "parent_ids"},
	{"depth", integer, "depth"},
	{"comment_count", integer, "comment_count"},
	{"closed", flag, "closed"},
	{"pinned", flag, "pinned"},
	{"visible", flag, "visible"},
	{"endorsed", flag, "endorsed"},
	{"endorsed_by", integer, "endorsement.user_id"},
	{"endorsed_at", moment, "endorsement.time"},
	{"votes_up", integer, "votes.up_count"},
	{"votes_down", integer, "votes.down_count"},
	{"votes_point", integer, "votes.point"},
	{"voters_up", text, "votes.up"},
	{"voters_down", text, "votes.down"},
	{"abuse_flaggers", text, "abuse_flaggers"},
	{"group_id", integer, "group_id"},
	{"context", text, "context"},
	{"tags", text, "tags_array"},
}

// step is what a JSON key leads to.
type step struct {
	column int // -1 for none
	rank   int // of the path among its column's
	inside map[string]*step
}

// pathReader turns JSON records into rows.
type pathReader struct {
	columns []Column
	root    *step
	ranks   []int // of the values of the row at hand; by column
	plain   []byte
}

// columnsOf are the columns of a schema of paths.
func columnsOf(paths []jsonPath) []Column {
	columns := []Column{newColumn(lineColumn, integer)}
	for _, p := range paths {
		columns = append(columns, newColumn(p.column, p.kind))
	}
	return columns
}

func newPathReader(paths []jsonPath) *pathReader {
	r := &pathReader{columns: columnsOf(paths), root: &step{column: -1, inside: map[string]*step{}}, ranks: make([]int, len(paths)+1)}
	for i, p := range paths {
		for rank, one := range strings.Fields(p.paths) {
			at := r.root
			for _, key := range strings.Split(one, ".") {
				if at.inside == nil {
					at.inside = map[string]*step{}
				}
				if at.inside[key] == nil {
					at.inside[key] = &step{column: -1}
				}
				at = at.inside[key]
			}
			at.column, at.rank = i+1, rank
		}
	}
	return r
}

// row makes a row of one record. A record that is no object has its line and
// nothing else.
func (r *pathReader) row(s *sheet, line int64, record []byte) {
	s.set(0, parquet.Int64Value(line))
	if start := bytes.IndexByte(record, '{'); start >= 0 { // a logger may have written before it
		r.object(s, r.root, bytes.TrimSpace(record[start:]))
	}
	s.end()
}

func (r *pathReader) object(s *sheet, at *step, object []byte) {
	records.Members(object, func(key, value []byte) bool {
		if next := at.inside[string(key)]; next != nil {
			r.member(s, next, value)
		}
		return true
	})
}

// member takes in one value; an object in a string is read like an object.
func (r *pathReader) member(s *sheet, at *step, value []byte) {
	if at.column >= 0 {
		r.take(s, at, value)
	}
	if at.inside == nil {
		return
	}
	if value[0] == '"' {
		plain, ok := records.Unquote(nil, value)
		if value = bytes.TrimSpace(plain); !ok || len(value) == 0 {
			return
		}
	}
	if value[0] == '{' {
		r.object(s, at, value)
	}
}

// take puts a value into its column, unless a better path has filled it.
func (r *pathReader) take(s *sheet, at *step, value []byte) {
	if s.has(at.column) && r.ranks[at.column] <= at.rank {
		return
	}
	v, ok := r.read(r.columns[at.column].kind, value)
	if !ok {
		return
	}
	if s.has(at.column) {
		s.values[at.column] = s.values[at.column][:s.rows]
	}
	r.ranks[at.column] = at.rank
	s.set(at.column, v)
}

// read reads a JSON value as a kind; false for null and what is not of it. Of a
// text it is what a string says, and other values as they are written.
func (r *pathReader) read(k kind, value []byte) (parquet.Value, bool) {
	switch value[0] {
	case 'n':
		return parquet.Value{}, false
	case '"':
		plain, ok := records.Unquote(r.plain[:0], value)
		if r.plain = plain[:0]; !ok || k != text && len(plain) == 0 {
			return parquet.Value{}, false
		}
		if at, ok := wholeNumber(plain); ok && k == moment && len(plain) > len("20141001") {
			return parquet.Int64Value(at * 1000), true
		}
		return k.value(plain)
	case '{':
		if inner := extended(value); inner != nil {
			return r.read(k, inner)
		}
	default:
		if k == moment { // MongoDB's: milliseconds since 1970
			milliseconds, ok := wholeNumber(value)
			return parquet.Int64Value(milliseconds * 1000), ok
		}
	}
	return k.value(value)
}

// extended returns what MongoDB's {"$oid": …}, {"$date": …} and {"$numberLong": …}
// stand for; nil for any other object.
func extended(object []byte) (inner []byte) {
	members := 0
	records.Members(object, func(key, value []byte) bool {
		switch members++; string(key) {
		case "$oid", "$date", "$numberLong", "$numberInt":
			inner = value
		}
		return members < 2
	})
	if members != 1 {
		return nil
	}
	return inner
}
