package jsonedit

// place is where a value stands: for each path that records were seen to have there
// is one, with all that follows from the path. An object knows the members that
// came, and which came after which: records have their keys in few orders, so that
// a right guess saves reading the key and looking anything up.
//
//	{"username": "bob", "context": {"user_id": 4711, …
//	 └ step: `"username": ` → place(username) ─ next ─► step: `"context": ` → place(context)
//
// Places are kept with the Editor, in bounded number. Keys that are many, that name
// somebody or that are written with escapes get a place for the time being.
type place struct {
	kept     bool
	embedded bool // a string here may hold JSON
	deep     int  // keys from the outermost object
	note     byte // the handler's
	people   byte // of an object: see keyedByPeople
	rule     Rule // what holds here
	node     *node
	path     []byte

	steps []step  // the first is the start of the object
	index []uint8 // of steps by the hash of the key; 0: none
}

// step is a member that was met in an object.
type step struct {
	text  string // key, colon and blank as they are written
	key   int    // text[1:key] is the key
	to    *place
	next  uint8 // the steps that came behind it, the last first, 0 for none
	other uint8
}

const (
	knownSteps  = 96   // of one object: one that is keyed by ids has no order
	knownPlaces = 8192 // of all
	indexSize   = 256  // a power of two, more than twice knownSteps
	longestStep = 80   // bytes of a step's text
)

// keyedByPeople says whether the keys of the object at a place are people.
func (e *Editor) keyedByPeople(at *place) bool {
	const no, yes = 1, 2
	if at.people == 0 || !at.kept {
		e.here.bytes = at.path
		if at.people = no; e.handler.KeyedByPeople(&e.here) {
			at.people = yes
		}
	}
	return at.people == yes
}

// enter makes the place of a member, kept or for the time being: until another
// member of the same object is entered.
func (e *Editor) enter(at *place, key []byte, child *node, keep bool) *place {
	var to *place
	if keep {
		e.places++
		to = &place{kept: true}
	} else {
		for len(e.passing) <= at.deep {
			e.passing = append(e.passing, &place{})
		}
		to = e.passing[at.deep]
		*to = place{path: to.path[:0]}
	}
	to.deep, to.node = at.deep+1, child
	to.rule = e.ruleOf(at.node, at.rule, key, child)
	to.embedded = e.paths.EmbeddedEverywhere || child != nil && child.embedded
	if to.path = append(to.path, at.path...); at.deep > 0 {
		to.path = append(to.path, '.')
	}
	to.path = append(to.path, key...)
	return to
}

// ruleOf is the rule that holds for a member: its own, or what its object passes on.
func (e *Editor) ruleOf(at *node, inherited Rule, key []byte, child *node) Rule {
	switch {
	case child != nil && child.rule != None:
		return child.rule
	case at != nil && at.flat && (len(key) == 0 || key[0] != '$'):
		return e.paths.otherwise
	}
	return inherited
}

// guess reads the next member's key, colon and blank if it is one of the two that
// came behind the last the times before.
func (at *place) guess(l *level, last uint8) uint8 {
	if len(at.steps) == 0 {
		return 0
	}
	s := &at.steps[last]
	for _, n := range [...]uint8{s.next, s.other} {
		if n == 0 {
			return 0
		}
		text := at.steps[n].text
		if end := l.pos + len(text); end <= len(l.src) && string(l.src[l.pos:end]) == text {
			l.pos = end
			return n
		}
	}
	return 0
}

// find returns the step of a key, 0 for none.
func (at *place) find(key []byte) uint8 {
	if at.index == nil {
		return 0
	}
	for i := hashKey(key); ; i++ {
		n := at.index[i%indexSize]
		if n == 0 || at.steps[n].text[1:at.steps[n].key] == string(key) {
			return n
		}
	}
}

// follow notes that one step came behind another.
func (at *place) follow(last, n uint8) {
	if s := &at.steps[last]; s.next != n {
		s.next, s.other = n, s.next
	}
}

// learn adds a step.
func (at *place) learn(text []byte, key int, to *place) uint8 {
	if at.index == nil {
		at.index, at.steps = make([]uint8, indexSize), make([]step, 1, 8)
	}
	n := uint8(len(at.steps))
	at.steps = append(at.steps, step{text: string(text), key: key, to: to})
	i := hashKey(text[1:key])
	for at.index[i%indexSize] != 0 {
		i++
	}
	at.index[i%indexSize] = n
	return n
}
