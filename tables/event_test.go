package tables_test

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"anonymooc/tables"
)

// event runs one line of the tracking log through the rules of FUN.
func (b *bench) event(t testing.TB, line string) string {
	t.Helper()
	if b.log == nil {
		b.log = bindRecords(t, builtin(t, "fun", "tracking_log"))
	}
	out, tally := b.must(t, b.log, line+"\n")
	if tally.Quarantined > 0 {
		t.Fatalf("the line is set aside: %s", line)
	}
	return strings.TrimSuffix(out, "\n")
}

// payload runs a payload through the rules and returns what is left of it.
func (b *bench) payload(t testing.TB, payload string) string {
	t.Helper()
	const before, after = `{"event_type": "x", "event": `, `, "time": "2014-10-07T13:34:43.937760+00:00"}`
	out := b.event(t, before+payload+after)
	if !strings.HasPrefix(out, before) || !strings.HasSuffix(out, after) {
		t.Fatalf("more than the payload changed: %s", out)
	}
	return out[len(before) : len(out)-len(after)]
}

// secrets are what none of the tests' releases may hold, of prudence.martin and
// zoe: no word of theirs is a word of the platform.
var secrets = []string{"prudence", "martin", "4711", "zoe", "zoé", "blanc", "90210", "5608781fc048460e", "413a0a6504c5f5d6"}

// clean fails when a person is left in a text.
func clean(t testing.TB, what, text string) {
	t.Helper()
	lower := strings.ToLower(text)
	for _, secret := range secrets {
		if strings.Contains(lower, secret) {
			t.Errorf("%s: somebody is left: %s", what, text)
			return
		}
	}
}

// TestPeopleFieldsOfPayloads: every field of edx-data section 4 that holds a
// person shows the pseudonym the person has everywhere, in the type it had.
func TestPeopleFieldsOfPayloads(t *testing.T) {
	b := newBench(t, people)
	number, name := b.number(t, "4711"), b.username(t, "4711")
	for in, want := range map[string]string{
		`{"user_id": 4711}`:                                              `{"user_id": ` + number + `}`,
		`{"user_id": "4711"}`:                                            `{"user_id": "` + number + `"}`,
		`{"user_id": null}`:                                              `{"user_id": null}`,
		`{"user_id": ""}`:                                                `{"user_id": ""}`,
		`{"username": "prudence.martin"}`:                                `{"username": "` + name + `"}`,
		`{"user": "prudence.martin"}`:                                    `{"user": "` + name + `"}`,
		`{"user": 4711}`:                                                 `{"user": ` + number + `}`,
		`{"student": "prudence.martin"}`:                                 `{"student": "` + name + `"}`,
		`{"student": "prudence.martin@post.example"}`:                    `{"student": "` + name + `@example.invalid"}`,
		`{"instructor": "prudence.martin"}`:                              `{"instructor": "` + name + `"}`,
		`{"target_username": "prudence.martin"}`:                         `{"target_username": "` + name + `"}`,
		`{"instructor_id": 4711}`:                                        `{"instructor_id": ` + number + `}`,
		`{"attempt_user_id": 4711}`:                                      `{"attempt_user_id": ` + number + `}`,
		`{"allowance_user_id": 4711}`:                                    `{"allowance_user_id": ` + number + `}`,
		`{"requesting_student_id": "prudence.martin"}`:                   `{"requesting_student_id": "` + name + `"}`,
		`{"requesting_staff_id": "prudence.martin"}`:                     `{"requesting_staff_id": "` + name + `"}`,
		`{"users": [{"id": 1, "username": "prudence.martin"}]}`:          ``,
		`{"users": ["prudence.martin", "zoe"]}`:                          `{"users": ["` + name + `", "` + b.username(t, "90210") + `"]}`,
		`{"student_id": 4711}`:                                           `{"student_id": ` + number + `}`,
		`{"bookmark_id": "prudence.martin,i4x://X/Y/problem/1"}`:         `{"bookmark_id": "[redacted]"}`,
		`{"certificate_url": "https://x.example/4711"}`:                  `{"certificate_url": "[redacted]"}`,
		`{"source_url": "https://x.example/4711"}`:                       `{"source_url": "[redacted]"}`,
		`{"report_url": "https://x.example/martin.csv"}`:                 `{"report_url": "[redacted]"}`,
		`{"assertion_json_url": "https://x.example/4711"}`:               `{"assertion_json_url": "[redacted]"}`,
		`{"assertion_image_url": "https://x.example/4711"}`:              `{"assertion_image_url": "[redacted]"}`,
		`{"fileName": "martin.pdf"}`:                                     `{"fileName": "[redacted]"}`,
		`{"file_upload_key": "5608781fc048460e78c7fc81f7b6c1ca/X/1"}`:    `{"file_upload_key": "[redacted]"}`,
		`{"file_keys": ["5608781fc048460e78c7fc81f7b6c1ca/X/1"]}`:        `{"file_keys": ["[redacted]"]}`,
		`{"url": "/u/prudence.martin"}`:                                  `{"url": "/u/` + name + `"}`,
		`{"POST": {"email": ["prudence.martin@post.example"]}}`:          `{"POST": {"email": ["` + name + `@example.invalid"]}}`,
		`{"POST": {"username": ["prudence.martin"]}}`:                    `{"POST": {"username": ["` + name + `"]}}`,
		`{"POST": {"name": ["Prudence Martin"]}}`:                        `{"POST": {"name": ["[redacted]"]}}`,
		`{"POST": {"unique_student_identifier": ["prudence.martin"]}}`:   `{"POST": {"unique_student_identifier": ["` + name + `"]}}`,
		`{"POST": {"betausers": ["prudence.martin, zoe"]}}`:              `{"POST": {"betausers": ["[redacted]"]}}`,
		`{"POST": {"instructor": ["prudence.martin"]}}`:                  `{"POST": {"instructor": ["` + name + `"]}}`,
		`{"POST": {"staffuser": ["prudence.martin"]}}`:                   `{"POST": {"staffuser": ["` + name + `"]}}`,
		`{"POST": {"new_password1": ["prudence4711"]}}`:                  `{"POST": {"new_password1": ["[redacted]"]}}`,
		`{"POST": {"mailing_address": ["4711 Martin Street"]}}`:          `{"POST": {"mailing_address": ["[redacted]"]}}`,
		`{"POST": {"csrfmiddlewaretoken": ["4711martin"]}}`:              `{"POST": {"csrfmiddlewaretoken": ["[redacted]"]}}`,
		`{"certificate_id": "6f6408ff25d0c30099c5edbb2eccbde6"}`:         ``,
		`{"anonymous_student_id": "5608781fc048460e78c7fc81f7b6c1ca"}`:   ``,
		`{"scorer_id": "5608781fc048460e78c7fc81f7b6c1ca"}`:              ``,
		`{"requesting_student_id": "413a0a6504c5f5d659e28ad6fd58df5c"}`:  ``,
		`{"student_id": "ffffffffffffffffffffffffffffffff"}`:             ``,
		`{"anonymous_student_id": "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"}`: ``,
	} {
		out := b.payload(t, in)
		clean(t, in, out)
		if want != "" && out != want {
			t.Errorf("%s became %s, not %s", in, out, want)
		}
		if out == in && !strings.Contains(in, "null") && !strings.Contains(in, `""`) {
			t.Errorf("%s stays", in)
		}
	}
}

// TestAnonymousIDsJoin: the anonymous id of a payload is that of the tables, also
// when nobody knows whose it is.
func TestAnonymousIDsJoin(t *testing.T) {
	b := newBench(t, people)
	for _, id := range []string{"5608781fc048460e78c7fc81f7b6c1ca", "ffffffffffffffffffffffffffffffff"} {
		want, _ := b.cell(t, tables.Column{Action: "pseudonym", Kind: "anonymous_id"}, id)
		if len(want) != 32 || want == id {
			t.Fatalf("%s became %s", id, want)
		}
		for _, field := range []string{"student_id", "scorer_id", "anonymous_student_id", "requesting_student_id", "anonymous_user_id"} {
			if out := b.payload(t, `{"`+field+`": "`+id+`"}`); out != `{"`+field+`": "`+want+`"}` {
				t.Errorf("%s is not %s", out, want)
			}
		}
	}
}

// TestPeopleInListsWhomNobodyKnows: the id of a person in a list is replaced also
// when no table and no event of theirs told of it.
func TestPeopleInListsWhomNobodyKnows(t *testing.T) {
	b := newBench(t, people)
	for _, in := range []string{
		`{"report_type": "user_ids", "users": [{"username": "nobody.known", "id": 2889629}]}`, `{"user": {"id": 2889629}}`, `{"students": [{"id": "2889629"}]}`, `{"student": {"id": 2889629}}`,
	} {
		out := b.payload(t, in)
		if strings.Contains(out, "2889629") || strings.Contains(out, "nobody") || strings.Contains(out, "null") || strings.Contains(out, `""`) {
			t.Errorf("%s became %s", in, out)
		}
	}
}

// TestPeopleAreCountedByAnyIdentifier: whose rows a file holds is told by user ids
// and by anonymous ids alike.
func TestPeopleAreCountedByAnyIdentifier(t *testing.T) {
	b := newBench(t, people)
	text := "student_id\titem_id\n5608781fc048460e78c7fc81f7b6c1ca\ti4x://X/Y/1\n5608781fc048460e78c7fc81f7b6c1ca\ti4x://X/Y/2\n413a0a6504c5f5d659e28ad6fd58df5c\ti4x://X/Y/1\n"
	if _, tally := b.must(t, bindText(t, builtin(t, "edx", "submissions_studentitem"), tables.TSV{}, text), text); tally.People != 2 {
		t.Errorf("%d people", tally.People)
	}
}

// TestTextFieldsOfPayloads: what people wrote is no part of a drop release, and
// goes through the text engine otherwise.
func TestTextFieldsOfPayloads(t *testing.T) {
	b := newBench(t, people)
	engine := &recordingEngine{}
	masked := newBench(t, people)
	masked.session.Text = engine
	const secret = "a text of mine"
	for _, in := range []string{
		`{"body": "a text of mine"}`, `{"title": "a text of mine"}`, `{"query": "a text of mine"}`, `{"search_text": "a text of mine"}`,
		`{"search_string": "a text of mine"}`, `{"note_text": "a text of mine"}`, `{"old_note_text": "a text of mine"}`, `{"highlighted_content": "a text of mine"}`,
		`{"feedback_text": "a text of mine"}`, `{"feedback": "a text of mine"}`, `{"answer": "a text of mine"}`, `{"answers": {"i4x-X_2_1": "a text of mine"}}`,
		`{"answers": {"i4x-X_2_1": ["a text of mine", "choice_1"]}}`, `{"student_answer": "a text of mine"}`, `{"submission": {"i4x-X_2_1": {"answer": "a text of mine"}}}`,
		`{"saved_response": "a text of mine"}`, `{"hint_text": "a text of mine"}`, `{"parts": [{"text": "a text of mine"}]}`, `{"hints": [{"text": "a text of mine"}]}`,
		`{"old": "a text of mine"}`, `{"new": "a text of mine"}`, `{"undocumented": "a text of mine"}`, `{"deep": {"er": [{"undocumented": "a text of mine"}]}}`,
	} {
		if out := b.payload(t, in); strings.Contains(out, secret) {
			t.Errorf("%s became %s", in, out)
		}
		engine.fields = nil
		if out := masked.payload(t, in); strings.Contains(out, secret) || !strings.Contains(out, "<masked>") || len(engine.fields) == 0 {
			t.Errorf("with an engine, %s became %s", in, out)
		}
	}
}

// recordingEngine masks every text whole, and notes where they stood.
type recordingEngine struct{ fields []string }

func (e *recordingEngine) Treat(dst, _ []byte, place tables.TextPlace) ([]byte, tables.TextTally, error) {
	e.fields = append(e.fields, place.Table+" "+place.Field)
	return append(dst, "<masked>"...), tables.TextTally{Masked: 1}, nil
}

// TestAnswersThatAreNoTextStay: what the platform writes for a choice is studied.
func TestAnswersThatAreNoTextStay(t *testing.T) {
	b := newBench(t, people)
	for _, in := range []string{
		`{"answers": {"i4x-X_2_1": "choice_2"}}`, `{"answers": {"i4x-X_2_1": ["choice_0", "choice_3"]}}`, `{"answers": {"a_2_1": 42, "b_2_1": "-1.5"}}`,
		`{"submission": {"i4x-X_2_1": {"answer": "choice_1", "correct": true, "input_type": "choicegroup"}}}`, `{"student_answer": ""}`, `{"answer": null}`,
		`{"old": 3, "new": 4}`, `{"old": 1, "new": 2, "id": "i4x://X/Y/sequential/1"}`,
	} {
		if out := b.payload(t, in); out != in {
			t.Errorf("%s became %s", in, out)
		}
	}
}

// TestPeopleInURLs: the places of edx-data section 4, in page, referer, path and
// in the names of URL events.
func TestPeopleInURLs(t *testing.T) {
	b := newBench(t, people)
	number, name := b.number(t, "4711"), b.username(t, "4711")
	for in, want := range map[string]string{
		"/u/prudence.martin":                                  "/u/" + name,
		"https://x.example/u/prudence%2Emartin":               "https://x.example/u/" + name,
		"/courses/X/Y/Z/progress/4711/":                       "/courses/X/Y/Z/progress/" + number + "/",
		"/courses/X/Y/Z/discussion/forum/users/4711/followed": "/courses/X/Y/Z/discussion/forum/users/" + number + "/followed",
		"/api/user/v1/accounts/prudence.martin":               "/api/user/v1/accounts/" + name,
		"/wiki/X/prudence-martin-homepage/":                   "/wiki/X/someone-homepage/",
		"/courses/X/Y/Z/wiki/search?user=prudence.martin&email=prudence.martin%40post.example&p=1": "/courses/X/Y/Z/wiki/search?user=" + name + "&email=" + name + "@example.invalid&p=1",
		"/courses/X/Y/Z/courseware/1/2/": "/courses/X/Y/Z/courseware/1/2/",
		"/jsi18n/":                       "/jsi18n/",
	} {
		for _, field := range []string{"page", "referer", "event_type", "name"} {
			if out := b.event(t, `{"`+field+`": "`+in+`"}`); out != `{"`+field+`": "`+want+`"}` {
				t.Errorf("%s %s became %s", field, in, out)
			}
		}
		if out := b.event(t, `{"context": {"path": "`+in+`"}}`); out != `{"context": {"path": "`+want+`"}}` {
			t.Errorf("context.path %s became %s", in, out)
		}
	}
	for _, in := range []string{"/activate/bdfcc769d9560b2d79ecfa9c281cdd21", "/password_reset_confirm/3mv-bdfcc769d9560b2d79ec/", "/u/nobody.known"} {
		if out := b.event(t, `{"event_type": "`+in+`"}`); strings.Contains(out, "bdfcc769d9560b2d79ec") || strings.Contains(out, "nobody") {
			t.Errorf("%s became %s", in, out)
		}
	}
}

// TestEnvelopeOfEvents: the members around a payload.
func TestEnvelopeOfEvents(t *testing.T) {
	b := newBench(t, people)
	out := b.event(t, `{"username": "prudence.martin", "ip": "90.36.40.224", "session": "efa2bc235872a61defb725fdb3a2e324", "context": {"user_id": 4711, "username": "prudence.martin", "ip": "90.36.40.224", "session": "efa2bc235872a61defb725fdb3a2e324", "email": "prudence.martin@post.example", "course_id": "course-v1:X+Y+Z", "client": {"ip": "90.36.40.224", "device": {"id": "4711"}}}, "time": "2014-10-07T13:34:43.937760+00:00", "event_source": "server", "course_id": "course-v1:X+Y+Z", "agent": "Mozilla/5.0 (X11; Linux x86_64)"}`)
	clean(t, "envelope", out)
	var event struct {
		Username, IP, Session string
		Geo                   struct{ Country string }
		Context               struct {
			UserID                       json.Number `json:"user_id"`
			Username, IP, Session, Email string
			CourseID                     string                     `json:"course_id"`
			Client                       map[string]json.RawMessage `json:"client"`
		}
		Time, Agent string
	}
	if err := json.Unmarshal([]byte(out), &event); err != nil {
		t.Fatal(err)
	}
	name := b.username(t, "4711")
	switch {
	case event.Username != name, event.Context.Username != name, event.Context.UserID.String() != name[1:], event.Context.Email != name+"@example.invalid":
		t.Errorf("one person has several pseudonyms: %s", out)
	case event.IP != event.Context.IP, strings.HasPrefix(event.IP, "90."), event.Geo.Country != "GP":
		t.Errorf("addresses: %s", out)
	case event.Session != event.Context.Session, event.Session == "efa2bc235872a61defb725fdb3a2e324", len(event.Session) != 32:
		t.Errorf("sessions: %s", out)
	case event.Context.CourseID != "course-v1:X+Y+Z", event.Time != "2014-10-07T13:34:43.937760+00:00", event.Agent != "Mozilla/5.0 (X11; Linux x86_64)":
		t.Errorf("what is kept was changed: %s", out)
	case event.Context.Client["device"] != nil:
		t.Errorf("the device's id is there: %s", out)
	}
	for _, in := range []string{`{"ip": null}`, `{"ip": ""}`, `{"username": ""}`, `{"username": null}`, `{"context": {"user_id": null}}`, `{"context": {"user_id": ""}}`, `{"event": ""}`, `{"page": null}`} {
		if out := b.event(t, in); out != in {
			t.Errorf("%s became %s", in, out)
		}
	}
}

// TestPayloadsInEveryForm: an object, a JSON string, a string cut off, a query
// string, a list, JSON in JSON in JSON, base64, HTML.
func TestPayloadsInEveryForm(t *testing.T) {
	b := newBench(t, people)
	quote := func(s string) string {
		quoted, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(quoted)
	}
	inner := `{"username": "prudence.martin", "user_id": 4711, "id": "i4x://X/Y/problem/1", "query": "blanc"}`
	for name, in := range map[string]string{
		"object":                inner,
		"string":                quote(inner),
		"doubly encoded":        quote(quote(inner)),
		"string in an object":   `{"state": ` + quote(inner) + `}`,
		"list":                  `[` + inner + `, ` + quote(inner) + `]`,
		"cut in a value":        quote(inner[:20]),
		"cut in a number":       quote(inner[:46]),
		"cut in a key":          quote(`{"a": 1, "prudence.martin": 2, "zoe.bl`),
		"cut in an escape":      quote(`{"username": "prudence.martin\`),
		"cut with spaces":       quote(` { "username" : "prudence.martin" , "student" : "zoe`),
		"query string":          quote("username=prudence.martin&user_id=4711&input_2_1=Zo%C3%A9+Blanc&input_3_1=choice_1"),
		"query, plus signs":     quote("email=prudence.martin%40post.example&name=Prudence+Martin&q=Zo%C3%A9"),
		"base64":                quote(base64.StdEncoding.EncodeToString([]byte("prudence.martin@post.example"))),
		"base64 in a URL":       quote("https://x.example/x?d=" + base64.RawURLEncoding.EncodeToString([]byte(" prudence.martin "))),
		"URL in a URL":          quote("https://x.example/login?next=" + url.QueryEscape("/u/prudence.martin?mail=zoe.blanc@courriel.example")),
		"HTML":                  quote(`<a href="/u/prudence.martin">Prudence&nbsp;Martin</a>`),
		"Python's repr":         quote(`{'username': 'prudence.martin', u'email': u'zoe.blanc@courriel.example'}`),
		"keyed by people":       `{"graders": {"prudence.martin": 0.5, "5608781fc048460e78c7fc81f7b6c1ca": 1.50}}`,
		"escaped key":           `{"user\u006eame": "prudence.martin", "\u0075ser_id": 4711}`,
		"escaped value":         `{"username": "prudence\u002emartin", "x": "\u0070rudence.martin"}`,
		"duplicate keys":        `{"username": "prudence.martin", "username": "zoe", "user_id": 4711, "user_id": 90210}`,
		"JSON5 braces":          quote(`{username: "prudence.martin"}`),
		"upper case":            `{"x": "PRUDENCE.MARTIN@POST.EXAMPLE", "y": "Prudence MARTIN"}`,
		"between punctuation":   quote("(prudence.martin),<zoe.blanc@courriel.example>;"),
		"underscore identifier": quote("report_prudence.martin_2014.csv"),
		"undocumented people":   `{"mentor": "prudence.martin", "rescored_by": 4711, "graders": ["zoe"], "peer": {"uid": "90210"}}`,
		"undocumented ids":      `{"x": ["prudence.martin", {"y": "zoe"}], "z": "zoe.blanc@courriel.example"}`,
		"Cyrillic beside it":    quote("Привет prudence.martin"),
	} {
		out := b.payload(t, in)
		clean(t, name, out)
		if !json.Valid([]byte(out)) {
			t.Errorf("%s: %s is no JSON", name, out)
		}
		if jsonKind(t, json.RawMessage(in)) != jsonKind(t, json.RawMessage(out)) {
			t.Errorf("%s: a %s became a %s", name, jsonKind(t, json.RawMessage(in)), jsonKind(t, json.RawMessage(out)))
		}
		if strings.Contains(in, "i4x:") && !strings.Contains(out, "i4x://X/Y/problem/1") && !strings.HasPrefix(name, "cut") {
			t.Errorf("%s: the content id is gone: %s", name, out)
		}
	}
}

// TestLoggerPrefixes: what a logger wrote before the object names people too.
func TestLoggerPrefixes(t *testing.T) {
	b := newBench(t, people)
	for _, prefix := range []string{
		"Oct  7 13:34:43 app1 [service_variant=lms][tracking][env:x] INFO [app1  1234] [logger.py:13] - ",
		"2014-10-07 13:34:43,938 INFO 1234 [tracking] [user 4711] [ip 90.36.40.224] logger.py:41 - ",
		"INFO [user prudence.martin] [ip 2001:db8::17] - ",
		"INFO [user None] [ip None] - ",
		"from zoe.blanc@courriel.example: ",
	} {
		out := b.event(t, prefix+`{"username": "prudence.martin", "time": "2014-10-07"}`)
		clean(t, prefix, out)
		if strings.Contains(out, "90.36.40.224") || strings.Contains(out, "2001:db8") {
			t.Errorf("an address is left: %s", out)
		}
		if !strings.HasSuffix(out, `{"username": "`+b.username(t, "4711")+`", "time": "2014-10-07"}`) {
			t.Errorf("%s", out)
		}
		if strings.HasPrefix(prefix, "Oct") && !strings.HasPrefix(out, prefix) {
			t.Errorf("the prefix was changed: %s", out)
		}
	}
}

// TestContentIsNotDamaged: people are called audit, page, problem, true and 1,
// and the ids, modes, grades and times of events stay what they are.
func TestContentIsNotDamaged(t *testing.T) {
	b := newBench(t, people)
	for _, in := range []string{
		`{"mode": "audit", "course_id": "course-v1:audit+page+1"}`, `{"problem_id": "i4x://X/problem/1"}`, `{"type": "page", "name": "problem"}`,
		`{"grade": 1.5, "max_grade": 1, "attempts": 1, "success": "true", "done": true}`, `{"id": "block-v1:X+problem+type@problem+block@1", "page": 1}`,
		`{"undocumented_mode": "audit", "kind": "problem", "flag": "true", "level": "1", "score": "1.5", "count": 12, "position": 13, "ratio": 48}`,
		`{"module_id": "i4x://X/Y/page/audit", "usage_key": "i4x://X/Y/problem/1", "time": "2014-10-07T13:34:43+00:00"}`,
		`{"code": "page-1", "speed": "1.25", "version": "1.1.1", "duration": 4711.5}`, `{"correct_map": {"i4x-X_2_1": {"correctness": "correct", "npoints": 1, "hint": "", "queuestate": null}}}`,
		`{"currentTime": 12, "id": "video_page_1", "code": "html5"}`, `{"chapter": "/static/Manual/page.pdf", "type": "gotopage"}`, `{"seed": 1, "state": {"seed": 1, "done": true}}`,
		`{"timestamp": 1412161258860, "ts": "1412161258", "number": 90210.25}`,
	} {
		if out := b.payload(t, in); out != in {
			t.Errorf("%s became\n%s", in, out)
		}
	}
	for _, line := range []string{
		`{"event_type": "page_close", "event_source": "browser", "context": {"course_id": "X/audit/1", "org_id": "audit"}, "page": "/courses/problem/1/page/"}`,
		`{"event_type": "problem_check", "name": "problem_check", "host": "page.example", "agent": "audit/1.0"}`,
	} {
		if out := b.event(t, line); out != line {
			t.Errorf("%s became\n%s", line, out)
		}
	}
	// And yet they are people where people stand.
	for in, want := range map[string]string{
		`{"user_id": 1}`: `{"user_id": ` + b.number(t, "1") + `}`, `{"username": "audit"}`: `{"username": "` + b.username(t, "48") + `"}`,
		`{"target_username": "1"}`: `{"target_username": "` + b.username(t, "7") + `"}`, `{"users": ["true", "page"]}`: `{"users": ["` + b.username(t, "12") + `", "` + b.username(t, "1") + `"]}`,
		`{"mentor": "audit"}`: `{"mentor": "` + b.username(t, "48") + `"}`, `{"shown_for": "problem"}`: `{"shown_for": "` + b.username(t, "13") + `"}`, `{"shown_for": 1}`: `{"shown_for": 1}`,
		`{"url": "/u/audit"}`: `{"url": "/u/` + b.username(t, "48") + `"}`,
	} {
		if out := b.payload(t, in); out != want {
			t.Errorf("%s became %s, not %s", in, out, want)
		}
	}
}
