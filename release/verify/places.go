package verify

import (
	"bytes"
	"net/netip"
)

// place is what may stand in a column or at a JSON path.
type place uint8

const (
	anyPlace     place = iota // nothing is known of it
	numberPlace               // a person's number: a pseudonym, or an id that is no number
	namePlace                 // a username: a pseudonymous one or none
	mailPlace                 // an e-mail address
	personPlace               // some identifier of a person
	addressPlace              // an IP address
	textPlace                 // free text
	contentPlace              // ids of courses and content: never changed
	agentPlace                // a browser's description of itself
)

// holdsPerson reports whether an ordinary word that stands alone in the place is
// somebody's identifier.
func (p place) holdsPerson() bool { return p >= numberPlace && p <= personPlace }

// placeOf tells the place of a column or JSON key by its name, as edX uses it
// (edX research documentation, "Student Info and Progress Data", "Events in the
// Tracking Logs", "Discussion Forums Data"). It is the judge's own list.
func placeOf(name []byte) place {
	switch string(name) {
	case "user_id", "owner_id", "instructor_id", "attempt_user_id", "allowance_user_id", "requesting_student_id",
		"requesting_staff_id", "author_id", "closed_by_id", "endorsed_by_id", "deleted_by_id", "abuse_flaggers",
		"historical_abuse_flaggers", "external_id", "subscriber_id", "grader_id", "graders", "student_id", "scorer_id",
		"created_by_id", "modified_by_id", "assigned_by_id", "last_editor_id", "voters_up", "voters_down", "endorsed_by":
		return numberPlace
	case "username", "author_username", "target_username", "editor_username", "retired_username", "closed_by",
		"student_username", "staff_username", "instructor_username":
		return namePlace
	case "email", "user_email", "target_email", "paypal_email":
		return mailPlace
	case "user", "users", "student", "students", "instructor", "staffuser", "unique_student_identifier", "betausers",
		"identifiers", "identifier", "member", "members", "learner", "owner", "author", "full_name", "first_name",
		"last_name", "at_position_list", "anonymous_student_id", "anonymous_user_id", "hash_id":
		return personPlace
	case "ip", "ip_address", "remote_addr", "user_ip", "submission_ip", "observed_event_ip", "collaborations_ip":
		return addressPlace
	case "body", "title", "goals", "original_body", "query", "search_text", "search_string", "note_text",
		"old_note_text", "highlighted_content", "feedback_text", "feedback", "answer", "answers", "student_answer",
		"student_answers", "saved_response", "hint_text", "text", "bio", "raw_answer", "content", "user_message",
		"automatic_log", "description", "comment", "comments", "message", "reason", "mailing_address", "location",
		"city", "meta", "error_reason", "student_words", "msg", "corrected_text", "thread_title", "subject",
		"collaboration_content", "submission_answer":
		return textPlace
	case "course_id", "module_id", "problem_id", "usage_key", "usage_id", "block_id", "commentable_id", "org_id", "problem",
		"resource_uri", "resource_name", "problem_name", "target_id", "item_id", "block_key", "component_usage_id":
		return contentPlace
	case "agent", "user_agent", "submission_agent", "observed_event_agent", "collaborations_agent":
		return agentPlace
	}
	return anyPlace
}

// child tells the place of a JSON member by its key and what its object is.
func (p place) child(key []byte) place {
	if own := placeOf(key); own != anyPlace {
		return own
	}
	if p == textPlace {
		return textPlace
	}
	return anyPlace
}

// contentMarks begin the ids of courses and content.
var contentMarks = [...][]byte{
	[]byte("i4x:"), []byte("block-v1:"), []byte("course-v1:"), []byte("library-v1:"), []byte("lib-block-v1:"),
	[]byte("asset-v1:"), []byte("c4x/"), []byte("/c4x/"), []byte("i4x-"), []byte("input_i4x-"),
}

// contentSpans appends where ids of content stand in a text, start and end.
func contentSpans(spans []int32, text []byte) []int32 {
	for _, mark := range contentMarks {
		for at := 0; at < len(text); {
			i := bytes.Index(text[at:], mark)
			if i < 0 {
				break
			}
			start := at + i
			end := start + len(mark)
			for end < len(text) && bytes.IndexByte([]byte(" \t\r\n\"'?&#<>,;)}]"), text[end]) < 0 {
				end++
			}
			spans = append(spans, int32(start), int32(end))
			at = end
		}
	}
	return spans
}

func within(spans []int32, start, end int32) bool {
	for i := 0; i < len(spans); i += 2 {
		if spans[i] <= start && end <= spans[i+1] {
			return true
		}
	}
	return false
}

// linkPosition says what stands behind a word of a URL.
type linkPosition uint8

const (
	noPosition     linkPosition = iota
	personPosition              // an identifier of a person, or a page of the platform
	namePosition                // a username
	numberPosition              // a person's number, when it is a number
)

// behindSegment tells what stands behind a segment of a path.
func behindSegment(segment []byte) linkPosition {
	switch string(segment) {
	case "u":
		return namePosition
	case "user", "users", "profile", "student", "students", "accounts", "preferences", "learner", "learners":
		return personPosition
	case "progress":
		return numberPosition
	}
	return noPosition
}

// behindParameter tells what stands behind a name in a query string.
func behindParameter(name []byte) linkPosition {
	switch string(name) {
	case "user", "username", "user_id", "userid", "student", "student_id", "email", "unique_student_identifier",
		"instructor", "identifiers", "identifier", "author", "author_id", "owner", "learner", "target_username",
		"user_email", "staffuser", "member":
		return personPosition
	}
	return noPosition
}

// pseudonymousAddresses reports whether a value is one IPv4 address of
// 240.0.0.0/4, or several behind each other as proxies write them.
func pseudonymousAddresses(value []byte) bool {
	for _, part := range bytes.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' }) {
		addr, err := netip.ParseAddr(string(part))
		if err != nil || !addr.Is4() || addr.As4()[0] < 240 {
			return false
		}
	}
	return true
}
