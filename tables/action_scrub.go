package tables

import (
	"bytes"

	"anonymooc/idmap"
	"anonymooc/tables/jsonedit"
)

func scrubSpec() Spec {
	return Spec{
		Name: "scrub", Family: "pseudonymise", Summary: "replace every identifier that is known or has the shape of one, keep the rest",
		Doc:     `For values that no rule knows. Known usernames, e-mails, anonymous ids and full names, anything shaped like an e-mail, an IP address or a telephone number, and people in URLs and query strings are replaced by what stands for them everywhere. Content ids, words of the platform (audit, problem, true), numbers and times never change, even when somebody is called so. JSON in a string is followed, running text is treated as action text does. Where the path says that a person is meant (mentor, graders, rescored_by …), known user ids and usernames are replaced whatever they look like.`,
		Example: "{column: event_type, action: scrub, why: URL events hold usernames}",
		New:     func(*Column) (Action, error) { return scrub{}, nil },
	}
}

// scrub replaces what names someone in a value of unknown meaning.
type scrub struct{}

func (scrub) Apply(w *Worker, dst []byte, c Cell) ([]byte, Effect, error) {
	if c.null() || c.Type == jsonedit.Bool {
		return dst, Kept, nil
	}
	if meant := w.personPath(); meant != nobodyMeant {
		if kind, ok := w.knownAnywhere(c); ok && (meant == personMeant || kind == idmap.Username) {
			return w.pseudonym(dst, kind, c)
		}
	}
	if c.Type != jsonedit.String {
		return dst, Kept, nil
	}
	if isLocalPhone(c.Text) {
		return append(dst, redacted...), Changed, nil
	}
	out, changed, err := w.scrub(dst, c.Text)
	if err != nil || !changed {
		return dst, Kept, err
	}
	return out, Changed, nil
}

// isLocalPhone reports whether a whole value is ten or eleven digits from 0: a
// telephone number written without spaces. In the middle of a value the same
// digits may belong to an id of the course.
func isLocalPhone(text []byte) bool {
	return (len(text) == 10 || len(text) == 11) && text[0] == '0' && digitsOnly(text)
}

// knownAnywhere resolves a whole value that is a known user id or username,
// however common a word or number it may be. Digits in a string may be either:
// they are a username where the path says that a name is meant.
func (w *Worker) knownAnywhere(c Cell) (idmap.Kind, bool) {
	return w.knownIdentifier(c, isNamePath(w.path))
}

func (w *Worker) knownIdentifier(c Cell, nameFirst bool) (idmap.Kind, bool) {
	if len(c.Text) > 64 {
		return 0, false
	}
	_, named := w.ids.Known(idmap.Username, c.Text)
	named = named && c.Type == jsonedit.String
	if digitsOnly(c.Text) {
		if _, ok := w.ids.Known(idmap.UserID, c.Text); ok && !(named && nameFirst) {
			return idmap.UserID, true
		}
	} else if len(c.Text) == 32 && hexOnly(c.Text) {
		return idmap.AnonymousID, true // where a person stands it can be nothing else
	}
	return idmap.Username, named
}

// isNamePath reports whether the last key of a path asks for a username.
func isNamePath(path []byte) bool {
	last := bytes.ToLower(path[bytes.LastIndexByte(path, '.')+1:])
	return bytes.HasSuffix(last, []byte("login")) || bytes.HasSuffix(last, []byte("name")) || bytes.HasSuffix(last, []byte("handle")) || isForPath(path)
}

// What a path says about the value that stands there.
type pathMeaning uint8

const (
	unjudged    pathMeaning = iota
	nobodyMeant             // nothing
	nameMeant               // a username is a person, a number is not
	personMeant             // a user id or a username is a person
)

// personPath tells what the path of the value at hand says. Logs have few paths:
// the answers are remembered, most of them with the path itself.
func (w *Worker) personPath() pathMeaning {
	if w.meaning == nil {
		return w.judgePath()
	}
	if *w.meaning == byte(unjudged) {
		*w.meaning = byte(w.judgePath())
	}
	return pathMeaning(*w.meaning)
}

func (w *Worker) judgePath() pathMeaning {
	if m := w.paths[string(w.path)]; m != unjudged {
		return m
	}
	m := nobodyMeant
	switch {
	case isPersonPath(w.path):
		m = personMeant
	case isForPath(w.path):
		m = nameMeant
	}
	if len(w.paths) >= rememberedPaths {
		clear(w.paths)
	}
	w.paths[string(w.path)] = m
	return m
}

// rememberedPaths bounds the memory for paths: some objects are keyed by ids.
const rememberedPaths = 4096

// personWords in a path say that a person is meant, whatever the field is called
// besides.
var personWords = map[string]bool{
	"user": true, "users": true, "uid": true, "login": true, "student": true, "students": true, "learner": true, "learners": true,
	"participant": true, "participants": true, "member": true, "members": true, "author": true, "authors": true, "owner": true, "owners": true,
	"grader": true, "graders": true, "scorer": true, "scorers": true, "reviewer": true, "reviewers": true, "assessor": true, "peer": true,
	"mentor": true, "mentors": true, "mentee": true, "mentees": true, "tutor": true, "tutors": true, "teacher": true, "instructor": true, "instructors": true,
	"moderator": true, "editor": true, "creator": true, "sender": true, "recipient": true, "recipients": true, "assignee": true, "operator": true,
	"person": true, "people": true, "who": true, "by": true, "masquerading": true, "masquerade": true, "impersonator": true, "respondent": true, "contact": true,
}

// isPersonPath reports whether one of the words of a path is a person's.
func isPersonPath(path []byte) bool {
	start := 0
	for i := 0; i <= len(path); i++ {
		if i < len(path) && path[i] != '.' && path[i] != '_' && path[i] != '-' {
			continue
		}
		word := path[start:i]
		if personWords[string(word)] || personWords[string(bytes.ToLower(word))] {
			return true
		}
		start = i + 1
	}
	return false
}

// isForPath reports whether a path says for whom something is: "answer_for". What
// something is for may also be a number of seconds, so that only usernames count.
func isForPath(path []byte) bool {
	return bytes.HasSuffix(path, []byte("_for")) || bytes.HasSuffix(path, []byte(".for"))
}
