package moocdb

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"anonymooc/release/records"
)

// answered is what a problem_check says.
type answered struct {
	submitted bool // false for answers that were only saved
	attempt   any
	inputs    []answer // by the id of the input
}

// answer is what stands in one input of a problem, and the server's verdict.
type answer struct {
	input   string
	text    any
	judged  bool
	correct bool
	points  any
}

// openResponse is what an event of an open response says.
type openResponse struct {
	submission string
	created    bool
	attempt    any
	text       any
	feedback   any
	grade      any
}

func (d *decoder) answered(p *payload, submitted bool) *answered {
	a := &answered{submitted: submitted, attempt: wholeNumber(p.attempts)}
	if kindOf(p.answers) != '{' {
		return nil
	}
	whole := records.Members(p.answers, func(key, value []byte) bool {
		a.inputs = append(a.inputs, answer{input: string(key), text: answerText(value)})
		return true
	})
	if !whole {
		return nil
	}
	slices.SortStableFunc(a.inputs, func(a, b answer) int { return strings.Compare(a.input, b.input) })
	a.inputs = slices.CompactFunc(a.inputs, func(a, b answer) bool { return a.input == b.input })
	if submitted && kindOf(p.verdicts) == '{' {
		records.Members(p.verdicts, func(key, value []byte) bool {
			at, ok := slices.BinarySearchFunc(a.inputs, key, func(a answer, key []byte) int { return strings.Compare(a.input, string(key)) })
			if ok {
				d.verdict(&a.inputs[at], value)
			}
			return true
		})
	}
	return a
}

// verdict reads one entry of a correct_map.
func (d *decoder) verdict(a *answer, value []byte) {
	correct, points := false, any(nil)
	a.judged = records.Members(value, func(key, value []byte) bool {
		switch string(key) {
		case "correctness":
			correct = string(d.bytes(value)) == "correct"
		case "npoints":
			points = floatNumber(value)
		}
		return true
	})
	if a.judged {
		a.correct, a.points = correct, points
	}
}

// answerText is a string's text, and anything else as JSON.
func answerText(v jsontext.Value) any {
	switch kindOf(v) {
	case 0, 'n':
		return nil
	case '"':
		return str(v)
	}
	return string(v)
}

func readOpenResponse(kind string, p *payload) *openResponse {
	o := &openResponse{submission: str(p.submission), feedback: answerText(p.feedback)}
	switch {
	case strings.HasSuffix(kind, ".create_submission"):
		o.created, o.attempt, o.text = true, wholeNumber(p.attempt), answerText(p.answer)
	case strings.HasSuffix(kind, "_assess"):
		o.grade = partsGrade(p.parts)
	default:
		return nil
	}
	return o
}

// partsGrade is the share of the points that the criteria of a rubric gave.
func partsGrade(parts jsontext.Value) any {
	var list []struct {
		Option struct {
			Points float64 `json:"points"`
		} `json:"option"`
		Criterion struct {
			Possible float64 `json:"points_possible"`
		} `json:"criterion"`
	}
	if kindOf(parts) != '[' || json.Unmarshal(parts, &list, lenient) != nil {
		return nil
	}
	points, possible := 0.0, 0.0
	for _, part := range list {
		points += part.Option.Points
		possible += part.Criterion.Possible
	}
	if possible == 0 {
		return nil
	}
	return points / possible
}

// problems is the tree of problems and their inputs, and what was handed in.
type problems struct {
	store       *store
	byID        map[string]*problem
	types       names
	submissions int64
	assessments int64
	open        map[string]int64 // submission_uuid → submission
	orphans     int64            // assessments of submissions that the log does not hold
	weights     map[string]float64
}

type problem struct {
	id       int64
	children int
}

func newProblems(s *store) *problems {
	return &problems{store: s, byID: map[string]*problem{}, types: names{}, open: map[string]int64{}, weights: map[string]float64{}}
}

// get gives a problem or an input, made at first sight.
func (p *problems) get(id, kind string, parent *problem, resource int64) (*problem, error) {
	if have := p.byID[id]; have != nil {
		return have, nil
	}
	made := &problem{id: int64(len(p.byID) + 1)}
	p.byID[id] = made
	var above, child, page, weight any
	if parent != nil {
		parent.children++
		above, child = parent.id, parent.children
	}
	if resource != 0 {
		page = resource
	}
	if w, ok := p.weights[id]; ok {
		weight = w
	}
	return made, p.store.add(position("problems"), made.id, id, above, child, p.types.id(kind), nil, nil, nil, nil, nil, weight, page)
}

// take writes what one event handed in or judged.
func (p *problems) take(e *event, user any, resource int64) error {
	switch {
	case e.block == "" || e.answered == nil && e.open == nil:
		return nil
	case e.answered != nil:
		return p.answers(e, user, resource)
	case e.open.created:
		kind, _ := blockType(e.block)
		whole, err := p.get(e.block, kind, nil, resource)
		if err != nil {
			return err
		}
		p.open[e.open.submission] = p.submissions + 1
		return p.submit(e, user, whole, e.open.attempt, e.open.text, 1)
	}
	submission, ok := p.open[e.open.submission]
	if !ok {
		p.orphans++
		return nil
	}
	p.assessments++
	return p.store.add(position("assessments"), p.assessments, submission, e.open.feedback, e.open.grade, e.open.grade, user, showTime(e.at))
}

func (p *problems) answers(e *event, user any, resource int64) error {
	kind, _ := blockType(e.block)
	whole, err := p.get(e.block, kind, nil, resource)
	if err != nil {
		return err
	}
	submitted := 0
	if e.answered.submitted {
		submitted = 1
	}
	for _, a := range e.answered.inputs {
		input, err := p.get(e.block+"#"+a.input, "input", whole, resource)
		if err != nil {
			return err
		}
		if err := p.submit(e, user, input, e.answered.attempt, a.text, submitted); err != nil {
			return err
		}
		if !a.judged {
			continue
		}
		grade := a.points
		if grade == nil {
			grade = 0.0
			if a.correct {
				grade = 1.0
			}
		}
		p.assessments++
		if err := p.store.add(position("assessments"), p.assessments, p.submissions, nil, grade, grade, nil, showTime(e.at)); err != nil {
			return err
		}
	}
	return nil
}

func (p *problems) submit(e *event, user any, to *problem, attempt, text any, submitted int) error {
	p.submissions++
	return p.store.add(position("submissions"), p.submissions, user, to.id, showTime(e.at), attempt, text, submitted, e.ip, e.os, orNil(e.agent))
}

// sortedKeys gives the keys of a map in order, so that the same input makes the
// same rows.
func sortedKeys[K interface{ ~int64 | ~string }, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
