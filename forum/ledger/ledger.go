// Package ledger is the list of what reviewers decided about a forum: who said
// what, when, about which question. It is only ever appended to. Marks, scores
// and candidates are derived and can be computed again; decisions cannot, so
// they are all that is stored, and replaying them over the same export gives
// the same release.
//
// # The file
//
// One JSON object a line, in the private project folder (0600, because a
// surface form is a name as it was written):
//
//	{"n":1,"at":"2026-03-02T09:14:07Z","who":"officer","id":"5f0c…","kind":"form",
//	 "surface":"Rosa","verdict":"mask","category":"first_name","entity":"F058",
//	 "mentions":[{"post":"52ee…","field":"body","start":18,"end":22,"verdict":"common"}]}
//	{"n":2,"at":"2026-03-02T09:15:40Z","who":"officer","undo":1}
//	{"n":7,"at":"2026-04-11T16:02:12Z","who":"officer","forgot":4}
//
// Numbers rise and are never used twice. A decision answers one question (its
// id is a digest of the question's kind and form, so it is the same at the next
// run); its mentions answer for single occurrences of the form. Taking a
// decision back is an entry too, and so is taking that back.
//
// # Reading and writing
//
//	Append ──► lock ──► read what others added ──► number, write, fsync ──► unlock
//	Replay ◄── whole entries, in order ──► State: question → decision, mention → verdict
//
// Several processes may write: each append holds the lock beside the file and
// first reads what the others added. A crash leaves at most a torn last line;
// the next writer cuts it off and says how much it cut. A line that is damaged
// anywhere else is an error, because skipping it would change a decision.
//
// Forget is the one operation that removes anything: it writes the ledger anew
// without a person's forms, whole or not at all.
//
// Beside the ledger lie its lock and the questions that were asked (asked.go),
// because an answer names its question by id alone.
package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"time"
)

// Kind says what a question is about.
type Kind string

// The kinds of question.
const (
	KindForm      Kind = "form"      // all occurrences of one spelling
	KindMention   Kind = "mention"   // one occurrence of a spelling that several things share
	KindCandidate Kind = "candidate" // a spelling that mining found
	KindContext   Kind = "context"   // words that give names away: "mask" trusts them, "keep" rejects them
)

// Verdict is a reviewer's answer.
type Verdict string

// The verdicts.
const (
	Mask   Verdict = "mask"   // it names someone and must go
	Keep   Verdict = "keep"   // it may stay
	Unsure Verdict = "unsure" // looked at, and left open
	Common Verdict = "common" // an ordinary word here (the paper's common noun): it stays
)

// Keeps reports whether the verdict leaves the text as it is.
func (v Verdict) Keeps() bool { return v == Keep || v == Common }

// Mention is one occurrence of a form: bytes Start to End of a post's field, as read.
type Mention struct {
	Post  string `json:"post"`
	Field string `json:"field"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// MentionVerdict answers for one occurrence, whatever its form's verdict.
type MentionVerdict struct {
	Mention
	Verdict Verdict `json:"verdict"`
}

// Entry is one line of the ledger: a decision (Question is set), the taking
// back of an earlier entry (Undo is its number), or the trace of an erasure
// (Forgot counts the entries that went).
type Entry struct {
	Number   uint64           `json:"n"`
	At       time.Time        `json:"at"`
	Who      string           `json:"who"`
	Question string           `json:"id,omitempty"`
	Kind     Kind             `json:"kind,omitempty"`
	Surface  string           `json:"surface,omitempty"`
	Verdict  Verdict          `json:"verdict,omitempty"` // may be empty when Mentions is not
	Category string           `json:"category,omitempty"`
	Entity   string           `json:"entity,omitempty"`
	Mentions []MentionVerdict `json:"mentions,omitempty"`
	Blind    bool             `json:"blind,omitempty"` // given without having seen what others said
	Also     []Asked          `json:"also,omitempty"`  // questions that the verdict answers too
	Undo     uint64           `json:"undo,omitempty"`
	Forgot   int              `json:"forgot,omitempty"`
}

// QuestionID is the stable name of a question: the first 16 bytes, in
// hexadecimal, of a digest of its kind and of the parts that tell it from
// others (the form; for a mention also post, field and offsets). Parts are
// written with their lengths, so ("ab","c") and ("a","bc") differ.
func QuestionID(kind Kind, parts ...string) string {
	var space [128]byte // enough for most forms
	text := space[:0]
	write := func(s string) {
		text = append(binary.BigEndian.AppendUint32(text, uint32(len(s))), s...)
	}
	write(string(kind))
	for _, part := range parts {
		write(part)
	}
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:16])
}

// flaw is Flaw with the entry's place in the ledger: after is the number of the
// entry before it.
func (e *Entry) flaw(after uint64) string {
	switch {
	case e.Number <= after:
		return "the entry's number does not rise"
	case e.At.IsZero():
		return "the entry has no time"
	case e.Undo >= e.Number:
		return "the entry takes back one that comes later"
	}
	return e.Flaw()
}

// Flaw tells what keeps an entry out of a ledger, in words without any of its
// values; empty when nothing does. Number and time are the ledger's to give.
func (e *Entry) Flaw() string {
	switch {
	case e.Undo != 0 && e.Question != "":
		return "the entry both decides and takes back"
	case e.Undo != 0 || e.Question == "" && e.Forgot > 0:
		return ""
	case e.Question == "":
		return "the entry decides nothing"
	}
	return e.decisionFlaw()
}

func (e *Entry) decisionFlaw() string {
	switch e.Kind {
	case KindForm, KindMention, KindCandidate, KindContext:
	default:
		return "the entry's kind is not form, mention, candidate or context"
	}
	if e.Verdict == "" && len(e.Mentions) == 0 {
		return "the entry has no verdict"
	}
	if e.Verdict != "" && !e.Verdict.known() {
		return "the verdict is not mask, keep, unsure or common"
	}
	for _, a := range e.Also {
		if a.ID == "" || a.ID == e.Question || e.Verdict == "" {
			return "what the entry also answers is no other question, or it gives no verdict"
		}
	}
	for _, m := range e.Mentions {
		if !m.Verdict.known() {
			return "a mention's verdict is not mask, keep, unsure or common"
		}
		if m.Start < 0 || m.End <= m.Start {
			return "a mention's offsets do not make a span"
		}
	}
	return ""
}

func (v Verdict) known() bool {
	return v == Mask || v == Keep || v == Unsure || v == Common
}
