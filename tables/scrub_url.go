package tables

import (
	"bytes"
	neturl "net/url"

	"anonymooc/idmap"
	"anonymooc/tables/jsonedit"
)

// isURL reports whether a value is a URL or a path: it starts with a scheme or a
// slash and has no white space.
func isURL(value []byte) bool {
	if len(value) < 2 || bytes.ContainsAny(value, " \t\n") {
		return false
	}
	if value[0] == '/' {
		return true
	}
	i := bytes.Index(value, []byte("://"))
	return i > 0 && i < 32
}

// personSegments are the path segments behind which a person stands, and of what
// kind: see edx-data, section 4. Numbers after "progress" and "users" are user
// ids whoever they belong to.
var personSegments = map[string]segmentRule{
	"u":                      {kind: idmap.Username},
	"profile":                {kind: idmap.Username},
	"user":                   {any: true},
	"users":                  {any: true},
	"student":                {any: true},
	"students":               {any: true},
	"accounts":               {kind: idmap.Username},
	"preferences":            {kind: idmap.Username},
	"progress":               {kind: idmap.UserID, digits: true},
	"activate":               {secret: true},
	"password_reset_confirm": {secret: true},
	"certificates":           {secretHex: true},
	"certificate":            {secretHex: true},
	"verify":                 {secretHex: true},
	"unsubscribe":            {secret: true},
	"account_confirmation":   {secret: true},
	"email_confirm":          {secret: true},
}

type segmentRule struct {
	kind      idmap.Kind
	any       bool // the kind is read off the value
	digits    bool // only a number is a person
	secret    bool // a token that leads to a person
	secretHex bool // likewise, where it is hexadecimal
}

// scrubURL treats the people in a URL: authority, path, query, fragment.
func (w *Worker) scrubURL(dst, value []byte) ([]byte, bool, error) {
	rest, fragment, hasFragment := bytes.Cut(value, []byte{'#'})
	path, query, hasQuery := bytes.Cut(rest, []byte{'?'})
	out, changed, err := w.scrubPath(dst, path)
	if err != nil {
		return dst, false, err
	}
	if !changed {
		out = append(out, path...)
	}
	for _, part := range [...]struct {
		mark  byte
		text  []byte
		there bool
	}{{'?', query, hasQuery}, {'#', fragment, hasFragment}} {
		if !part.there {
			continue
		}
		out = append(out, part.mark)
		treat := w.scrubQuery
		if !isQuery(part.text) {
			treat = w.scrubEscaped
			if len(part.text) > 0 && part.text[0] == '/' {
				treat = w.scrubPath
			}
		}
		next, c, err := treat(out, part.text)
		if err != nil {
			return dst, false, err
		}
		if out = next; !c {
			out = append(out, part.text...)
		}
		changed = changed || c
	}
	if !changed {
		return dst, false, nil
	}
	return out, true, nil
}

// scrubPath treats scheme, authority and path.
func (w *Worker) scrubPath(dst, path []byte) ([]byte, bool, error) {
	e := edits{dst: dst, src: path}
	at := 0
	if i := bytes.Index(path, []byte("://")); i >= 0 {
		at = i + 3
		end := until(path, at, '/')
		if user := bytes.LastIndexByte(path[at:end], '@'); user >= 0 {
			e.replace(at, at+user+1) // name and password of the one who logs in
			at += user + 1
		}
		if err := w.scrubSpan(&e, at, end); err != nil {
			return dst, false, err
		}
		at = end
	}
	previous := ""
	for at < len(path) {
		if path[at] == '/' {
			at++
			continue
		}
		if isContentID(path[at:]) {
			at = until(path, at, '/')
			previous = ""
			continue
		}
		end := until(path, at, '/')
		if err := w.scrubSegment(&e, previous, at, end); err != nil {
			return dst, false, err
		}
		previous, at = string(path[at:end]), end
	}
	out, changed := e.done()
	return out, changed, nil
}

// until returns where the next mark stands at or behind at, or the end.
func until(text []byte, at int, mark byte) int {
	if i := bytes.IndexByte(text[at:], mark); i >= 0 {
		return at + i
	}
	return len(text)
}

// scrubSegment treats one segment of a path by what stands before it.
func (w *Worker) scrubSegment(e *edits, previous string, start, end int) error {
	segment := e.src[start:end]
	rule, ok := personSegments[previous]
	plain := unescapePercent(segment)
	switch {
	case bytes.HasSuffix(segment, []byte("-homepage")):
		// The wiki makes a page <first>-<last>-homepage for whoever asks.
		e.replace(start, end)
		e.dst = append(e.dst, "someone-homepage"...)
		return nil
	case !ok:
		return w.scrubSpan(e, start, end)
	case rule.secret && len(segment) >= 8, rule.secretHex && len(segment) >= 32:
		token, err := w.ids.Token("url token", plain)
		if err != nil {
			return err
		}
		e.replace(start, end)
		e.dst = appendToken(e.dst, token, plain)
		return nil
	case rule.secret || rule.secretHex || rule.digits && !digitsOnly(plain):
		return w.scrubSpan(e, start, end)
	}
	if _, known := w.ids.Known(idmap.Username, plain); !known && vocabulary[string(plain)] {
		return nil // /users/me, /u/account: the platform's own pages
	}
	kind := rule.kind
	if rule.any {
		kind = w.guessKind(plain)
	}
	return w.putPerson(e, start, end, kind, plain)
}

// putPerson replaces a span by a person's pseudonym, drawn if need be.
func (w *Worker) putPerson(e *edits, start, end int, kind idmap.Kind, plain []byte) error {
	out, effect, err := w.pseudonym(w.treated[:0], kind, Cell{plain, jsonedit.String})
	w.treated = out[:0]
	if err != nil {
		return err
	}
	e.replace(start, end)
	switch effect {
	case Changed:
		e.dst = append(e.dst, out...)
	default:
		e.dst = append(e.dst, "someone"...)
	}
	return nil
}

// scrubSpan scrubs part of a URL that may be percent-encoded.
func (w *Worker) scrubSpan(e *edits, start, end int) error {
	out, changed, err := w.scrubEscaped(nil, e.src[start:end])
	if err != nil || !changed {
		return err
	}
	e.replace(start, end)
	e.dst = append(e.dst, out...)
	return nil
}

// scrubEscaped scrubs a text that may hold percent escapes; what changes is
// escaped again.
func (w *Worker) scrubEscaped(dst, text []byte) ([]byte, bool, error) {
	plain := unescapePercent(text)
	out, changed, err := w.scrubNested(nil, plain)
	if err != nil || !changed {
		return dst, false, err
	}
	if len(plain) == len(text) {
		return append(dst, out...), true, nil
	}
	return append(dst, neturl.QueryEscape(string(out))...), true, nil
}

// scrubNested treats a decoded part of a URL: it may be a URL itself (?next=…),
// a piece of JSON, or words.
func (w *Worker) scrubNested(dst, plain []byte) ([]byte, bool, error) {
	if isURL(plain) {
		return w.scrubURL(dst, plain)
	}
	if isContentID(plain) {
		return dst, false, nil
	}
	return w.scrubWords(dst, plain, false)
}

func unescapePercent(text []byte) []byte {
	if bytes.IndexByte(text, '%') < 0 {
		return text
	}
	plain, err := neturl.QueryUnescape(string(bytes.ReplaceAll(text, []byte("+"), []byte("%2B"))))
	if err != nil {
		return text
	}
	return []byte(plain)
}

// queryRules say what stands behind the names of query parameters and form
// fields, whoever wrote the page.
var queryRules = map[string]string{
	"user": "person", "username": "person", "user_id": "person", "userid": "person", "student": "person", "student_id": "person",
	"unique_student_identifier": "person", "instructor": "person", "identifier": "person", "identifiers": "people",
	"target_username": "person", "owner": "person", "author": "person", "member": "person", "learner": "person",
	"email": "person", "user_email": "person", "mail": "person", "betausers": "people", "students": "people",
	"tel": "mask", "telephone": "mask", "mobile": "mask",
	"name": "mask", "first_name": "mask", "last_name": "mask", "full_name": "mask", "fullname": "mask", "phone": "mask",
	"mailing_address": "mask", "address": "mask", "city": "mask", "bio": "mask",
	"password": "mask", "new_password1": "mask", "new_password2": "mask", "old_password": "mask", "token": "mask", "access_token": "mask",
	"csrfmiddlewaretoken": "mask", "sessionid": "mask", "session": "mask", "signature": "mask", "code": "mask", "state": "mask", "secret": "mask",
	"query": "text", "q": "text", "search": "text", "search_query": "text", "search_string": "text", "search_text": "text",
	"from": "known", "to": "known", "sender": "known", "recipient": "known", "who": "known", "login": "known", "by": "known",
	"text": "text", "body": "text", "title": "text", "comment": "text", "message": "text", "subject": "text", "feedback": "text", "answer": "text",
}

// isQuery reports whether a text is name=value pairs joined by "&".
func isQuery(text []byte) bool {
	i := bytes.IndexByte(text, '=')
	if i < 1 || text[len(text)-1] == '=' && bytes.IndexByte(text, '&') < 0 || bytes.ContainsAny(text, " \t\n\"{}<>") {
		return false
	}
	for _, c := range text[:i] {
		if !isWordByte(c) && c != '-' && c != '.' && c != '[' && c != ']' && c != '%' && c != '+' {
			return false
		}
	}
	return true
}

// scrubQuery treats the values of name=value pairs.
func (w *Worker) scrubQuery(dst, query []byte) ([]byte, bool, error) {
	e := edits{dst: dst, src: query}
	for at := 0; at < len(query); {
		end := min(until(query, at, '&'), until(query, at, ';'))
		if bytes.HasSuffix(query[at:end], []byte("amp")) || end == at {
			at = end + 1
			continue
		}
		if i := bytes.IndexByte(query[at:end], '='); i >= 0 {
			if err := w.scrubPair(&e, at, at+i, end); err != nil {
				return dst, false, err
			}
		} else if err := w.scrubSpan(&e, at, end); err != nil {
			return dst, false, err
		}
		at = end + 1
	}
	out, changed := e.done()
	return out, changed, nil
}

// scrubPair treats name=value: the name ends at equals, the value at end.
func (w *Worker) scrubPair(e *edits, start, equals, end int) error {
	for bytes.HasPrefix(e.src[start:equals], []byte("amp;")) { // a query that was escaped for HTML
		start += len("amp;")
	}
	name := bytes.TrimSuffix(bytes.TrimSuffix(unescapePercent(e.src[start:equals]), []byte("[]")), []byte("%5B%5D"))
	value := e.src[equals+1 : end]
	if len(value) == 0 {
		return nil
	}
	rule := queryRules[string(bytes.ToLower(name))]
	if rule == "" && bytes.HasPrefix(name, []byte("input_")) {
		rule = "answer" // what a student typed into a problem
	}
	plain := unescapeForm(value)
	if rule == "" && isPersonPath(name) {
		rule = "known"
	}
	switch rule {
	case "person":
		return w.putPerson(e, equals+1, end, w.guessKind(plain), plain)
	case "known":
		if kind, known := w.knownIdentifier(Cell{plain, jsonedit.String}, true); known {
			return w.putPerson(e, equals+1, end, kind, plain)
		}
	case "people", "mask":
		e.replace(equals+1, end)
		e.dst = append(e.dst, neturl.QueryEscape(redacted)...)
		return nil
	case "text", "answer":
		if rule == "answer" && isChoice(plain) {
			return nil
		}
		out, effect, err := w.freeText(nil, plain)
		if err != nil || effect == Kept {
			return err
		}
		e.replace(equals+1, end)
		e.dst = append(e.dst, neturl.QueryEscape(string(out))...)
		return nil
	}
	out, changed, err := w.scrub(nil, plain)
	if err != nil || !changed {
		return err
	}
	e.replace(equals+1, end)
	if len(plain) == len(value) && bytes.Equal(plain, value) {
		e.dst = append(e.dst, out...)
	} else {
		e.dst = append(e.dst, neturl.QueryEscape(string(out))...)
	}
	return nil
}

// unescapeForm decodes a form value, where "+" is a space.
func unescapeForm(value []byte) []byte {
	if bytes.IndexByte(value, '%') < 0 && bytes.IndexByte(value, '+') < 0 {
		return value
	}
	plain, err := neturl.QueryUnescape(string(value))
	if err != nil {
		return value
	}
	return []byte(plain)
}
