package tables

import (
	"errors"
	"fmt"

	"anonymooc/tables/jsonedit"
)

func jsonSpec() Spec {
	return Spec{
		Name: "json", Family: "pseudonymise", Summary: "treat the values inside a JSON text by rules of their own",
		Doc:      `Fields names paths inside the value, each with an action; what no field names is treated as otherwise says: scrub (default) or drop. Everything that is not replaced stays byte for byte. A text that is not JSON is scrubbed as a text when it does not look like JSON, and emptied and counted when it does.`,
		Settings: []Setting{{Name: "fields", Meaning: "rules, whose column is a path: a.b, a.*.c, **.key, **.*_suffix"}, {Name: "otherwise", Meaning: "scrub (default) or blank"}},
		Example:  "{column: state, action: json, role: sensitive, why: answers, fields: [{column: student_answers, action: text, choices: true}]}",
		New: func(c *Column) (Action, error) {
			plan, err := newJSONPlan(c.Fields, c.Otherwise)
			return jsonAction{plan}, err
		},
	}
}

// jsonAction edits JSON in place.
type jsonAction struct{ plan *jsonPlan }

func (a jsonAction) Apply(w *Worker, dst []byte, c Cell) ([]byte, Effect, error) {
	if c.null() || c.Type != jsonedit.String {
		return dst, Kept, nil
	}
	path, meaning := w.path, w.meaning
	out, err := w.editor(a.plan).Edit(dst, c.Text)
	w.path, w.meaning = path, meaning // what stands beside this value stands elsewhere
	w.counts().Cut += int64(w.editor(a.plan).Cuts())
	if w.rowGone {
		return dst, RowGone, nil
	}
	var syntax *jsonedit.SyntaxError
	switch {
	case errors.As(err, &syntax) && !jsonedit.LooksEmbedded(c.Text):
		return scrub{}.Apply(w, dst, c)
	case errors.As(err, &syntax):
		return dst, Failed, nil
	case err != nil:
		return dst, Failed, err
	case string(out[len(dst):]) == string(c.Text):
		return dst, Kept, nil
	}
	return out, Changed, nil
}

// jsonPlan is a compiled set of rules for the inside of JSON texts.
type jsonPlan struct {
	paths *jsonedit.Paths
	rules []bound // by jsonedit.Rule; the last is what holds otherwise
}

// flat are the actions that ask for one kind of value: inside an object under
// such a rule stands something else.
var flat = map[string]bool{"keep": true, "pseudonym": true, "geolocate": true, "bin": true, "top-code": true, "date": true, "map": true}

// newJSONPlan compiles the rules; otherwise is an action without settings.
func newJSONPlan(fields []Column, otherwise string) (*jsonPlan, error) {
	if otherwise == "" {
		otherwise = "scrub"
	}
	if otherwise != "scrub" && otherwise != "blank" {
		return nil, fmt.Errorf("otherwise is scrub or blank, not %q", otherwise)
	}
	plan := &jsonPlan{}
	var bindings []jsonedit.Binding
	add := func(c *Column) error {
		action, err := NewAction(c)
		if err != nil {
			return fmt.Errorf("field %q: %w", c.Column, err)
		}
		plan.rules = append(plan.rules, bound{column: c, action: action, keep: c.Action == "keep"})
		return nil
	}
	for i := range fields {
		c := &fields[i]
		bindings = append(bindings, jsonedit.Binding{Path: c.Column, Rule: jsonedit.Rule(len(plan.rules)), Drop: c.Action == "drop", Flat: flat[c.Action]})
		if err := add(c); err != nil {
			return nil, err
		}
	}
	last := jsonedit.Rule(len(plan.rules))
	if err := add(&Column{Column: "(otherwise)", Action: otherwise}); err != nil {
		return nil, err
	}
	paths, err := jsonedit.Compile(bindings, last)
	if err != nil {
		return nil, err
	}
	paths.EmbeddedEverywhere = true
	plan.paths = paths
	return plan, nil
}

// jsonHandler lets the rules of a plan decide for a worker.
type jsonHandler struct {
	w    *Worker
	plan *jsonPlan
}

func (h *jsonHandler) Value(dst []byte, rule jsonedit.Rule, s jsonedit.Scalar) ([]byte, []byte, jsonedit.Outcome, error) {
	r := &h.plan.rules[rule]
	w := h.w
	if r.keep { // half of a log: no need to ask the action
		if t := &w.tallies[r.index]; s.Type == jsonedit.Null || len(s.Text) == 0 {
			t.Nulls++
		} else {
			t.Kept++
		}
		return dst, nil, jsonedit.Keep, nil
	}
	w.beside, w.path, w.meaning = w.beside[:0], s.Path.Bytes(), s.Note
	out, effect, err := w.apply(r, dst, Cell{s.Text, s.Type})
	switch effect {
	case Changed:
		return out, w.beside, jsonedit.Replace, err
	case RawJSON:
		return out, w.beside, jsonedit.Raw, err
	case Emptied, Failed:
		return dst, w.beside, jsonedit.Empty, err
	case RowGone:
		w.rowGone = true
		return dst, nil, jsonedit.Empty, err
	}
	return dst, w.beside, jsonedit.Keep, err
}

// Key scrubs keys that no rule names: some payloads are keyed by username. Where
// people are meant, known user ids and usernames are replaced whatever they look
// like.
func (h *jsonHandler) Key(dst []byte, key string, people bool) ([]byte, bool) {
	cell := Cell{[]byte(key), jsonedit.String}
	if people {
		if kind, known := h.w.knownAnywhere(cell); known {
			out, effect, err := h.w.pseudonym(dst, kind, cell)
			if err != nil || effect != Changed { // somebody who was forgotten
				return append(dst, redacted...), true
			}
			return out, true
		}
	}
	if key == "" || hexOnly(cell.Text) {
		return dst, false // an id, and nobody's
	}
	out, changed, err := h.w.scrub(dst, cell.Text)
	if err != nil {
		return append(dst, redacted...), true // the map refused: the key is not passed on
	}
	return out, changed
}

// KeyedByPeople implements jsonedit.Handler.
func (h *jsonHandler) KeyedByPeople(path *jsonedit.Path) bool {
	h.w.path, h.w.meaning = path.Bytes(), nil
	return h.w.personPath() == personMeant
}
