package jsonedit

// The records of a log have their keys in few orders. An Editor remembers, for
// every object that paths tell apart, which key came after which: a right guess
// saves reading the key and looking it up, and a wrong one costs a comparison.

// step is a key that was met in an object.
type step struct {
	key   string
	child *node
	next  int // the step that came behind it the last time, 0 for none
}

// order is where the reading of one object stands in what is remembered.
type order struct {
	steps  *[]step // the first is the start of the object; nil where none is remembered
	at     int
	people bool // the keys are people
}

// knownSteps bounds what is remembered of one object: one that is keyed by ids
// has no order.
const knownSteps = 96

// steps returns what is remembered of the objects at a node.
func (e *Editor) steps(at *node) *[]step {
	steps := e.orders[at]
	if steps == nil {
		steps = &[]step{{}}
		e.orders[at] = steps
	}
	return steps
}

// guess reads the next key if it is the one that came the last time.
func (o *order) guess(l *level) (key []byte, child *node, ok bool) {
	if o.steps == nil {
		return nil, nil, false
	}
	next := (*o.steps)[o.at].next
	if next == 0 {
		return nil, nil, false
	}
	s := &(*o.steps)[next]
	start, end := l.pos+1, l.pos+1+len(s.key)
	if end >= len(l.src) || l.src[l.pos] != '"' || l.src[end] != '"' || string(l.src[start:end]) != s.key {
		return nil, nil, false
	}
	o.at = next
	l.pos = end + 1
	return l.src[start:end], s.child, true
}

// learn notes which key came. Keys hold no escapes here.
func (o *order) learn(key []byte, child *node) {
	steps := *o.steps
	for i := 1; i < len(steps); i++ {
		if steps[i].key == string(key) {
			steps[o.at].next = i
			o.at = i
			return
		}
	}
	if len(steps) < knownSteps {
		steps[o.at].next = len(steps)
		o.at = len(steps)
		*o.steps = append(steps, step{key: string(key), child: child})
	}
}
