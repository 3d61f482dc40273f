package tables

import "anonymooc/idmap"

// TextEngine treats free text: the forum plug-in implements it. tables knows
// this interface and nothing else of the plug-in.
//
// Implementations are safe for concurrent use. The same text in the same place
// gives the same bytes whatever the order of the calls.
type TextEngine interface {
	// Treat appends the released form of text to dst. The second result says
	// whether anything was changed: when it is false, dst has received text
	// byte for byte. An error stops the run; it never holds any of the text.
	Treat(dst, text []byte, place TextPlace) ([]byte, TextTally, error)
}

// TextPlace says where a text stands, so that an engine can weigh who wrote it
// and in what conversation. Empty fields are unknown.
type TextPlace struct {
	Table    string          // rule table: "forum", "auth_userprofile", "tracking_log" …
	Field    string          // column or JSON path: "body", "goals", "event.query" …
	Document string          // the document's own id in the source ("_id" of a post), empty outside the forum
	Author   idmap.Pseudonym // person whose row it is; 0 when unknown
	Course   string          // course id as in the source
}

// TextTally counts what an engine did to one text.
type TextTally struct {
	Masked  int // spans replaced
	Kept    int // spans recognised and kept by a decision
	Waiting int // spans masked because nobody has decided yet
}

// Changed reports whether the text was altered.
func (t TextTally) Changed() bool { return t.Masked+t.Waiting > 0 }
