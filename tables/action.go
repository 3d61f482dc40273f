package tables

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"anonymooc/idmap"
	"anonymooc/tables/jsonedit"
)

// Cell is one value as an Action sees it.
type Cell struct {
	Text []byte        // without quotes and escapes; valid during the call only
	Type jsonedit.Type // String for every cell of a table that is not NULL
}

// null reports whether the cell holds nothing to treat.
func (c Cell) null() bool { return c.Type == jsonedit.Null || len(c.Text) == 0 }

// Effect says what an Action made of a value.
type Effect uint8

// The effects of an Action.
const (
	Kept    Effect = iota // the bytes stay as they are
	Changed               // dst has received the new text; a number stays a number
	RawJSON               // dst has received JSON that takes the value's place (JSON only)
	Emptied               // nothing is left: an empty cell, "" or null
	Failed                // as Emptied, because the value could not be read; counted apart
	RowGone               // the row belongs to someone who was forgotten
)

// Action treats one value. It appends to dst and returns it. It is shared by all
// workers: whatever changes lives in the Worker. An error stops the run and
// holds no value.
type Action interface {
	Apply(w *Worker, dst []byte, c Cell) ([]byte, Effect, error)
}

// Spec documents an action: help, the check of rules and the codebook are made
// from it.
type Spec struct {
	Name     string    `json:"name"`
	Family   string    `json:"family"`  // suppress, mask, pseudonymise, generalise, shift, keep (ISO/IEC 20889)
	Summary  string    `json:"summary"` // one line
	Doc      string    `json:"doc"`     // what it does with numbers, NULL, and what it cannot read
	Settings []Setting `json:"settings,omitempty"`
	Example  string    `json:"example"` // a rule
	// New makes the action from a rule whose settings are all among Settings.
	New func(*Column) (Action, error) `json:"-"`
}

// Setting is one setting of an action.
type Setting struct {
	Name     string `json:"name"`
	Meaning  string `json:"meaning"`
	Required bool   `json:"required,omitempty"`
}

// Specs lists every action, by family and name.
func Specs() []Spec {
	return []Spec{
		keepSpec(),
		dropSpec(), blankSpec(), redactSpec(), constantSpec(),
		pseudonymSpec(), keySpec(), geolocateSpec(),
		binSpec(), topCodeSpec(), dateSpec(), mapSpec(),
		urlSpec(), scrubSpec(), jsonSpec(), textSpec(),
	}
}

// FindSpec returns the spec of an action by name.
func FindSpec(name string) (Spec, bool) {
	for _, s := range Specs() {
		if s.Name == name {
			return s, true
		}
	}
	return Spec{}, false
}

// NewAction makes the action of a rule after checking its settings.
func NewAction(c *Column) (Action, error) {
	spec, ok := FindSpec(c.Action)
	if !ok {
		return nil, fmt.Errorf("unknown action %q", c.Action)
	}
	given := c.settings()
	for _, name := range given {
		if !slices.ContainsFunc(spec.Settings, func(s Setting) bool { return s.Name == name }) {
			return nil, fmt.Errorf("action %q has no setting %q", c.Action, name)
		}
	}
	for _, s := range spec.Settings {
		if s.Required && !slices.Contains(given, s.Name) {
			return nil, fmt.Errorf("action %q wants the setting %q: %s", c.Action, s.Name, s.Meaning)
		}
	}
	return spec.New(c)
}

// personKind is what a rule's kind may be beyond the kinds of the id map.
const personKind = "person"

func parseKind(name string) (idmap.Kind, error) {
	k, err := idmap.ParseKind(name)
	if err != nil {
		return 0, fmt.Errorf("unknown kind %q", name)
	}
	switch k {
	case idmap.UserID, idmap.Username, idmap.Email, idmap.AnonymousID, idmap.HashID:
		return k, nil
	}
	return 0, fmt.Errorf("kind %q is not one of a person's", name)
}

// forgotten turns the id map's refusal into an effect: the row of a person who
// was erased goes, any other place where they stand is emptied.
func (w *Worker) forgotten(err error) (Effect, error) {
	if !errors.Is(err, idmap.ErrForgotten) {
		return Failed, err
	}
	if w.ownColumn {
		return RowGone, nil
	}
	return Emptied, nil
}

// Help renders a spec as plain text.
func (s Spec) Help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s): %s\n\n%s\n", s.Name, s.Family, s.Summary, s.Doc)
	if len(s.Settings) > 0 {
		b.WriteString("\nSettings:\n")
		for _, set := range s.Settings {
			need := ""
			if set.Required {
				need = " (required)"
			}
			fmt.Fprintf(&b, "  %-10s %s%s\n", set.Name, set.Meaning, need)
		}
	}
	fmt.Fprintf(&b, "\nExample:\n  %s\n", s.Example)
	return b.String()
}
