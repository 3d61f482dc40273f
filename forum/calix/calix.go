// Package calix writes and reads marked forums in the XML that Calico and TXM
// work with, so that a researcher can go on there and bring the decisions back.
//
// Reffay, Blondel, Allaire & Giguet (2012) mark every occurrence of a known
// form, masked or not, inside the text of a post (section 6.2):
//
//	<calix entity_id="F058" type="Participant" category="firstname"
//	  case="capitalized" form="normal" modified="wait">Kelly</calix>
//	<calix type="Common" case="lower" form="normal" modified="wait">rosa</calix>
//
// modified is "wait" while nobody has decided, then "yes" (replace it) or "no"
// (leave it). The forum around the marks is in their XMLForum format (section
// 6.1). The paper does not print it; what it says of a post is its author, its
// date, its subject and its text, in threads. That is what is written here:
//
//	<?xml version="1.0" encoding="UTF-8"?>
//	<forum>
//	<post id="52ee…" thread="52ed…" parent="52ed…" author="u1234567890" date="2014-02-03T10:17:01Z">
//	<subject>…</subject>
//	<text>Bonjour, je m'appelle <calix …>Kelly</calix>. …</text>
//	</post>
//	</forum>
//
// A text comes back byte for byte, whatever it holds: its own markup is escaped,
// and a byte that XML cannot hold is written as <byte value="1b"/>. So the
// offsets of marks are offsets of the field as it was read, in and out.
//
// What is read may come from anywhere. A document type, an entity beyond the
// five of XML, an unknown element or attribute, marks within marks and texts of
// more than 16 MiB are refused.
package calix

import (
	"unicode"

	"anonymooc/forum/detect"
)

// Modified says what was decided about a mark.
type Modified string

// The decisions.
const (
	Wait Modified = "wait" // not decided
	Yes  Modified = "yes"  // to be replaced
	No   Modified = "no"   // to be left
)

// TypeCommon is the type of marks on ordinary words: they need no entity.
const TypeCommon = "Common"

// Mark is one marked occurrence: bytes Start to End of its text's Raw.
type Mark struct {
	Start, End int
	Entity     string // entity_id; empty for common words and unknown people
	Type       string // Participant, Public, Institution, Common …
	Category   string // firstname, lastname …: see CategoryName
	Case       string // see CaseOf
	Form       string // "normal", or what kind of variant it is
	Modified   Modified
}

// Text is a field of a post with its marks, which are in order and disjoint.
type Text struct {
	Raw   string
	Marks []Mark
}

// Post is one post of a forum.
type Post struct {
	ID, Thread, Parent string
	Author, Date       string
	Subject, Body      Text
}

// CategoryName is a category in the paper's spelling: "firstname".
func CategoryName(c detect.Category) string {
	name := make([]byte, 0, len(c))
	for i := range len(c) {
		if c[i] != '_' {
			name = append(name, c[i])
		}
	}
	return string(name)
}

// ParseCategory is the inverse of CategoryName.
func ParseCategory(name string) (detect.Category, bool) {
	for _, c := range detect.Categories() {
		if CategoryName(c) == name {
			return c, true
		}
	}
	return "", false
}

// CaseOf tells how a form is written: "lower", "capitalized", "upper" or "mixed".
func CaseOf(form string) string {
	upper, lower, first := 0, 0, false
	for _, r := range form {
		switch {
		case unicode.IsUpper(r) || unicode.IsTitle(r):
			first = first || upper+lower == 0
			upper++
		case unicode.IsLetter(r):
			lower++
		}
	}
	switch {
	case upper == 0:
		return "lower"
	case lower == 0 && upper > 1:
		return "upper"
	case first && upper == 1:
		return "capitalized"
	}
	return "mixed"
}
