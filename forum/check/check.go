// Package check looks for trouble in a table of replacements before anything is
// substituted: step 6 of Reffay, Blondel, Allaire & Giguet (2012). It only
// alerts; whether an alert matters is for a person to say.
//
//	table: (form, entity) → pseudonym ─┐
//	Text: what stays in the corpus ────┼─► Alerts
//	documents with their masked spans ─┴─► Explained
//
// The paper's three alerts (section 3.2, step 6):
//
//	shared     one pseudonym for two forms: two people become one
//	collision  a pseudonym that stays in the corpus as an unmasked form
//	split      one form with two pseudonyms: what was one question becomes two
//
// Three more:
//
//	participant  a pseudonym that is a real participant's name
//	initials     initials that two people share (Pelletier et al., NOME)
//	explained    a masked form that its neighbours give away: « Paris (comme la
//	             capitale) » (section 2)
//
// Everything here is a pure function of its arguments.
package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"anonymooc/forum/detect"
	"anonymooc/internal/fold"
)

// Row is a line of the table of replacements.
type Row struct {
	Form      string
	Category  detect.Category
	Entity    detect.EntityID // empty when nobody knows whom the form names
	Pseudonym string          // what stands in its place
	Generic   bool            // the pseudonym stands for a kind of thing on purpose: NPERS, ***
	Initials  bool            // the pseudonym is the form's initials
}

// Text is what the checks ask about the corpus and the people in it.
type Text interface {
	// Left tells how often a folded form stays in the corpus, unmasked.
	Left(key string) int
	// Participant reports whether a folded form names somebody on the roster.
	Participant(key string) bool
}

// Kind names an alert.
type Kind string

// The kinds of alert.
const (
	Shared      Kind = "shared"
	Collision   Kind = "collision"
	Split       Kind = "split"
	Participant Kind = "participant"
	Initials    Kind = "initials"
	Explained   Kind = "explained"
)

// Alert is one thing a person should look at. It may hold forms: it is for the
// officer's eyes, like the ledger.
type Alert struct {
	Kind       Kind     `json:"kind"`
	Pseudonym  string   `json:"pseudonym,omitempty"`
	Pseudonyms []string `json:"pseudonyms,omitempty"` // of a split form
	Forms      []string `json:"forms"`
	What       string   `json:"what"`
	Post       string   `json:"post,omitempty"` // where a form is explained
	Field      string   `json:"field,omitempty"`
	Start      int      `json:"start,omitempty"`
	End        int      `json:"end,omitempty"`
}

// Alerts checks a table. The order of its rows does not matter.
func Alerts(table []Row, text Text) []Alert {
	byPseudonym, byForm := make(map[string][]Row), make(map[string][]Row)
	for _, row := range table {
		if row.Generic {
			continue
		}
		pseudonym, form := Key(row.Pseudonym), Key(row.Form)
		byPseudonym[pseudonym] = append(byPseudonym[pseudonym], row)
		byForm[form] = append(byForm[form], row)
	}
	var alerts []Alert
	for _, pseudonym := range slices.Sorted(maps.Keys(byPseudonym)) {
		rows := byPseudonym[pseudonym]
		if alert, ok := shared(rows); ok {
			alerts = append(alerts, alert)
		}
		alerts = append(alerts, inUse(pseudonym, rows, text)...)
	}
	for _, form := range slices.Sorted(maps.Keys(byForm)) {
		if alert, ok := split(byForm[form]); ok {
			alerts = append(alerts, alert)
		}
	}
	return alerts
}

// Key folds a form or a pseudonym: both are compared whatever their case,
// accents and spaces.
func Key(form string) string {
	return strings.Join(strings.Fields(fold.KeyString(form)), " ")
}

// shared finds one pseudonym for two people, or for two unlike forms of nobody
// known. Two spellings of one person's name have one pseudonym on purpose.
func shared(rows []Row) (Alert, bool) {
	owners := make(map[string]bool)
	initials := false
	for _, row := range rows {
		initials = initials || row.Initials
		if row.Entity != "" {
			owners["entity "+string(row.Entity)] = true
		} else {
			owners["form "+Key(row.Form)] = true
		}
	}
	if len(owners) < 2 {
		return Alert{}, false
	}
	alert := Alert{Kind: Shared, Pseudonym: rows[0].Pseudonym, Forms: forms(rows),
		What: fmt.Sprintf("one pseudonym for %d people or forms", len(owners))}
	if initials {
		alert.Kind, alert.What = Initials, fmt.Sprintf("%d people or forms share these initials", len(owners))
	}
	return alert, true
}

// inUse finds a pseudonym that somebody bears or that the corpus still holds.
// Initials are nobody's name and stand in any text.
func inUse(pseudonym string, rows []Row, text Text) []Alert {
	if rows[0].Initials {
		return nil
	}
	var alerts []Alert
	if text.Participant(pseudonym) {
		alerts = append(alerts, Alert{Kind: Participant, Pseudonym: rows[0].Pseudonym, Forms: forms(rows),
			What: "the pseudonym is a participant's name"})
	}
	if left := text.Left(pseudonym); left > 0 {
		alerts = append(alerts, Alert{Kind: Collision, Pseudonym: rows[0].Pseudonym, Forms: forms(rows),
			What: fmt.Sprintf("the pseudonym stays %d times in the corpus as an unmasked form", left)})
	}
	return alerts
}

// split finds one form with several pseudonyms. For homonyms that is meant, and
// still worth a look.
func split(rows []Row) (Alert, bool) {
	pseudonyms, owners := make(map[string]string), make(map[detect.EntityID]bool)
	for _, row := range rows {
		pseudonyms[Key(row.Pseudonym)] = row.Pseudonym
		owners[row.Entity] = true
	}
	if len(pseudonyms) < 2 {
		return Alert{}, false
	}
	what := "one form has several pseudonyms"
	if len(owners) == len(pseudonyms) {
		what = "homonyms: the form names several people, each with a pseudonym"
	}
	return Alert{Kind: Split, Pseudonyms: slices.Sorted(maps.Values(pseudonyms)), Forms: forms(rows), What: what}, true
}

// forms gives the rows' forms, each once.
func forms(rows []Row) []string {
	all := make([]string, 0, len(rows))
	for _, row := range rows {
		all = append(all, row.Form)
	}
	slices.SortFunc(all, cmp.Compare)
	return slices.Compact(all)
}
