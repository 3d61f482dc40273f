package verify

import "strings"

// ResidualsPerBlock bounds how many residuals of one block are told by line.
const ResidualsPerBlock = 500

// findings gathers what the judge says about one block.
type findings struct {
	residuals []Finding
	count     int64
	doubts    map[doubt]*tally
	problems  []Problem
	said      int64   // how often anything was found
	last      Finding // several spellings of one leak are one residual
}

type doubt struct {
	column, why string
	kind        Kind
}

type tally struct {
	count      int64 // lines
	line, last int64 // the first and the last
}

func (f *findings) residual(c *checker, kind kindNumber, how string) {
	if c.how != "" {
		how += ", " + c.how
	}
	f.said++
	found := Finding{Line: c.line, Column: c.where(), Kind: kinds[kind], How: how}
	if f.last.Line == found.Line && f.last.Column == found.Column && f.last.Kind == found.Kind {
		return
	}
	f.last = found
	f.count++
	if len(f.residuals) < ResidualsPerBlock {
		f.residuals = append(f.residuals, found)
	}
}

func (f *findings) unjudged(c *checker, kind kindNumber, why string) {
	f.said++
	if f.doubts == nil {
		f.doubts = map[doubt]*tally{}
	}
	key := doubt{column: c.where(), why: why, kind: kinds[kind]}
	t := f.doubts[key]
	if t == nil {
		t = &tally{line: c.line}
		f.doubts[key] = t
	}
	if t.last != c.line {
		t.count++
		t.last = c.line
	}
}

// problem reports a broken check; it is told once a block and column.
func (f *findings) problem(c *checker, what string) {
	f.said++
	found := Problem{Line: c.line, Column: c.where(), What: what}
	for _, have := range f.problems {
		if have.Column == found.Column && have.What == found.What {
			return
		}
	}
	f.problems = append(f.problems, found)
}

// where writes the way to the value under judgement. Keys that no schema knows
// may be somebody's name: they are written "*".
func (c *checker) where() string {
	var b strings.Builder
	for i, s := range c.path {
		switch {
		case s.index:
			b.WriteString("[]")
			continue
		case i > 0:
			b.WriteByte('.')
		}
		switch {
		case s.name != "":
			b.WriteString(s.name)
		case c.schema.words[string(s.key)] || placeOf(s.key) != anyPlace || s.key != nil && schemaWords[string(s.key)]:
			b.Write(s.key)
		default:
			b.WriteByte('*')
		}
	}
	return b.String()
}

// schemaWords are keys of edX's records that are safe to show.
var schemaWords = words(`
_id _type $oid $date $numberLong agent event event_source event_type page session time host referer
accept_language context path username_ip course_user_tags client device network GET POST method module display_name
votes up down point count abuse_flaggers anonymous anonymous_to_peers at_position_list child_count closed comment_count
comment_thread_id commentable_id created_at endorsed endorsement last_activity_at parent_id parent_ids pinned
sk thread_type type updated_at visible edit_history state attempts answers correct_map submission success grade max_grade
input_state seed done score problem_id code currentTime id new_time old_time speed mode
category group_id group_name options url report_url source_url file_name fileName file_keys parts
rubric scored_at scores scorer_id submission_uuid attempt_number created_at submitted_at uuid
name value key user_profile_id password download_url verify_uuid download_uuid saved_files_names saved_files_descriptions`)
