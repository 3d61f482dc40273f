package jsonedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// The rules of the tests: what a Rule number means to the recorder below.
const (
	keepIt Rule = iota
	upper
	empty
	raw
	besideIt
)

// scribe changes values as their rule says.
type scribe struct{ seen []string }

func (s *scribe) Value(dst []byte, rule Rule, v Scalar) ([]byte, []byte, Outcome, error) {
	s.seen = append(s.seen, v.Path.String()+"="+string(v.Text))
	switch rule {
	case upper:
		return append(dst, bytes.ToUpper(v.Text)...), nil, Replace, nil
	case empty:
		return dst, nil, Empty, nil
	case raw:
		return append(dst, `{"a":1}`...), nil, Raw, nil
	case besideIt:
		return append(dst, "x"...), []byte(`"geo": {}`), Replace, nil
	}
	return dst, nil, Keep, nil
}

func (s *scribe) Key(dst []byte, key string, people bool) ([]byte, bool) {
	return append(dst, "k"...), key == "bob" || people && key == "audit"
}

func (s *scribe) KeyedByPeople(path *Path) bool { return path.String() == "graders" }

func edit(t *testing.T, bindings []Binding, src string) (string, error) {
	t.Helper()
	paths, err := Compile(bindings, keepIt)
	if err != nil {
		t.Fatal(err)
	}
	out, err := NewEditor(paths, &scribe{}).Edit(nil, []byte(src))
	return string(out), err
}

func TestEditInPlace(t *testing.T) {
	user := []Binding{{Path: "user", Rule: upper}}
	for _, c := range []struct {
		name     string
		bindings []Binding
		src, out string
	}{
		{"untouched bytes", user, " { \"a\" : 1.50e+1 ,\t\"user\":\"bob\", \"b\":\"\\u00e9\\/\" } ", " { \"a\" : 1.50e+1 ,\t\"user\":\"BOB\", \"b\":\"\\u00e9\\/\" } "},
		{"escaped value", user, `{"user":"b\u006fb\"\n"}`, `{"user":"BOB\"\n"}`},
		{"escaped key", user, `{"us\u0065r":"bob"}`, `{"us\u0065r":"BOB"}`},
		{"duplicate keys", user, `{"user":"a","user":"b"}`, `{"user":"A","user":"B"}`},
		{"elements of a list", user, `{"user":["a",["b"],1]}`, `{"user":["A",["B"],1]}`},
		{"inherited by what is inside", user, `{"user":{"x":{"y":"a"}}}`, `{"user":{"x":{"y":"A"}}}`},
		{"flat: not for what is inside", []Binding{{Path: "user", Rule: upper, Flat: true}}, `{"user":[{"x":"a"},"b",{"$oid":"c"}]}`, `{"user":[{"x":"a"},"B",{"$oid":"C"}]}`},
		{"dropped with a key that names someone", []Binding{{Path: "**.b*", Rule: upper, Drop: true}}, `{"a":1,"bob":2,"c":3}`, `{"a":1,"c":3}`},
		{"not at another depth", user, `{"x":{"user":"a"}}`, `{"x":{"user":"a"}}`},
		{"any depth", []Binding{{Path: "**.user", Rule: upper}}, `{"x":[{"user":"a"}],"user":"b"}`, `{"x":[{"user":"A"}],"user":"B"}`},
		{"pattern with a star", []Binding{{Path: "**.*_id", Rule: upper}}, `{"x":{"user_id":"a"},"_id":"b","id":"c"}`, `{"x":{"user_id":"A"},"_id":"B","id":"c"}`},
		{"star in a path", []Binding{{Path: "a.*.c", Rule: upper}}, `{"a":{"b":{"c":"x"},"d":{"c":"y"}},"c":"z"}`, `{"a":{"b":{"c":"X"},"d":{"c":"Y"}},"c":"z"}`},
		{"full path before any depth", []Binding{{Path: "**.u", Rule: upper}, {Path: "a.u", Rule: empty}}, `{"a":{"u":"x"},"u":"y"}`, `{"a":{"u":""},"u":"Y"}`},
		{"below a path, any depth", []Binding{{Path: "a.b", Rule: keepIt}, {Path: "**.u", Rule: upper}}, `{"a":{"b":{"u":"x"}}}`, `{"a":{"b":{"u":"X"}}}`},
		{"empty by type", []Binding{{Path: "a", Rule: empty}}, `{"a":["x",1,true,null]}`, `{"a":["",null,null,null]}`},
		{"raw", []Binding{{Path: "a", Rule: raw}}, `{"a":"x","b":1}`, `{"a":{"a":1},"b":1}`},
		{"beside in an object", []Binding{{Path: "ip", Rule: besideIt}}, `{"ip":"1","b":2}`, `{"ip":"x", "geo": {},"b":2}`},
		{"beside in a list is left out", []Binding{{Path: "ip", Rule: besideIt}}, `{"ip":["1","2"]}`, `{"ip":["x","x"]}`},
		{"drop the first", []Binding{{Path: "a", Drop: true}}, `{ "a":{"x":[1]}, "b":2}`, `{"b":2}`},
		{"drop the middle", []Binding{{Path: "b", Drop: true}}, `{"a":1, "b":[2,3], "c":4}`, `{"a":1, "c":4}`},
		{"drop the last", []Binding{{Path: "c", Drop: true}}, `{"a":1, "c":"x" }`, `{"a":1}`},
		{"drop several", []Binding{{Path: "a", Drop: true}, {Path: "b", Drop: true}, {Path: "d", Drop: true}}, `{"a":1,"b":2,"c":3,"d":4}`, `{"c":3}`},
		{"drop all", []Binding{{Path: "a", Drop: true}, {Path: "b", Drop: true}}, `{"a":1,"b":2}`, `{}`},
		{"key that names someone", nil, `{"bob":{"bob":1}}`, `{"k":{"k":1}}`},
		{"key that is a person only where people are", nil, `{"audit":{"audit":1},"graders":{"audit":{"audit":2}},"audit":3}`, `{"audit":{"audit":1},"graders":{"k":{"audit":2}},"audit":3}`},
		{"null becomes a string", []Binding{{Path: "a", Rule: upper}}, `{"a":null}`, `{"a":"NULL"}`},
		{"Python literals", user, `{"g":NaN,"h":-Infinity,"user":"x"}`, `{"g":NaN,"h":-Infinity,"user":"X"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := edit(t, c.bindings, c.src)
			if err != nil {
				t.Fatal(err)
			}
			if squeeze(out) != squeeze(c.out) {
				t.Errorf("got  %s\nwant %s", out, c.out)
			}
		})
	}
}

// squeeze forgets the white space that a dropped first member may leave.
func squeeze(s string) string { return strings.ReplaceAll(s, "{ ", "{") }

func TestEmbeddedJSON(t *testing.T) {
	rules := []Binding{{Path: "event", Rule: keepIt, Embedded: true}, {Path: "**.user", Rule: upper}}
	for _, c := range []struct{ name, src, out string }{
		{"edited inside", `{"event":"{\"user\": \"bob\", \"n\": 1}"}`, `{"event":"{\"user\": \"BOB\", \"n\": 1}"}`},
		{"untouched when nothing changes", `{"event":"{\"n\"\u003a 1}"}`, `{"event":"{\"n\"\u003a 1}"}`},
		{"twice encoded", `{"event":"\"{\\\"user\\\":\\\"bob\\\"}\""}`, `{"event":"\"{\\\"user\\\":\\\"BOB\\\"}\""}`},
		{"cut in a value", `{"event":"{\"n\":1,\"user\":\"bo"}`, `{"event":"{\"n\":1"}`},
		{"cut in a key", `{"event":"{\"n\":1,\"us"}`, `{"event":"{\"n\":1"}`},
		{"cut behind a value", `{"event":"{\"user\":\"bob\""}`, `{"event":"{\"user\":\"BOB\""}`},
		{"cut in a number", `{"event":"{\"a\":2,\"n\":12"}`, `{"event":"{\"a\":2"}`},
		{"cut in an escape", `{"event":"{\"a\":2,\"n\":\"x\\"}`, `{"event":"{\"a\":2"}`},
		{"broken in a value", `{"event":"{\"a\":2,\"user\":\"bob` + `\\q\"}"}`, `{"event":"{\"a\":2"}`},
		{"no JSON but a text", `{"event":"[see] user bob"}`, `{"event":"[see] user bob"}`},
		{"query string", `{"event":"user=bob"}`, `{"event":"user=bob"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := edit(t, rules, c.src)
			if err != nil {
				t.Fatal(err)
			}
			if out != c.out {
				t.Errorf("got  %s\nwant %s", out, c.out)
			}
		})
	}
}

func TestNotJSON(t *testing.T) {
	for _, src := range []string{
		"", " ", "{", `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{a:1}`, `[1,]`, `[1 2]`, `{"a" 1}`, `{"a":1}x`, `{"a":1} {"b":2}`,
		`"a`, `"\x"`, `"\u12g4"`, "\"a\nb\"", `01`, `1.`, `.5`, `+1`, `1e`, `--1`, `tru`, `nul`, `nan`,
		strings.Repeat("[", 400) + strings.Repeat("]", 400),
	} {
		out, err := edit(t, nil, src)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q: error %v", src, err)
		}
		if out != "" {
			t.Errorf("%q: half an output", src)
		}
	}
}

func TestWrongPaths(t *testing.T) {
	for _, paths := range [][]string{{""}, {"a..b"}, {"**."}, {"**.a.b"}, {"a.**.b"}, {"a*.b"}, {"**.*"}, {"**.a*b*"}, {"a", "a"}, {"**.a", "**.a"}} {
		var bindings []Binding
		for _, p := range paths {
			bindings = append(bindings, Binding{Path: p, Rule: upper})
		}
		if _, err := Compile(bindings, keepIt); err == nil {
			t.Errorf("%q: no error", paths)
		}
	}
}

// FuzzKeptBytes holds invariant 11: with rules that keep, what is accepted comes
// out as it went in, and what encoding/json accepts is accepted.
func FuzzKeptBytes(f *testing.F) {
	for _, s := range []string{`{"a":[1,"x\n",{"b":null}],"é":1e5}`, `"\ud83d\ude00"`, `{"event":"{\"a\":\"b"}`, `[]`, ` {} `, `"["`} {
		f.Add([]byte(s))
	}
	paths, err := Compile([]Binding{{Path: "**.event", Rule: keepIt}}, keepIt)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		out, err := NewEditor(paths, &scribe{}).Edit(nil, src)
		if bytes.Contains(src, []byte("bob")) {
			return // the scribe renames this key
		}
		if err != nil {
			if json.Valid(src) && bytes.Count(src, []byte("["))+bytes.Count(src, []byte("{")) < MaxDepth {
				t.Fatalf("refused valid JSON: %v", err)
			}
			return
		}
		if !bytes.Equal(out, src) {
			t.Fatalf("%q became %q", src, out)
		}
	})
}

// FuzzChangedStaysJSON: whatever is changed, JSON stays JSON and nothing of a
// treated value is left.
func FuzzChangedStaysJSON(f *testing.F) {
	f.Add([]byte(`{"user":"bob","event":"{\"user\":\"amy\",\"x\":[1,{\"user\":\"z"}`), "bob")
	paths, err := Compile([]Binding{{Path: "**.user", Rule: empty}, {Path: "**.gone", Drop: true}}, keepIt)
	if err != nil {
		f.Fatal(err)
	}
	paths.EmbeddedEverywhere = true
	f.Fuzz(func(t *testing.T, src []byte, _ string) {
		out, err := NewEditor(paths, &scribe{}).Edit(nil, src)
		if err == nil && json.Valid(src) && !json.Valid(out) {
			t.Fatalf("%q became %q", src, out)
		}
	})
}

func BenchmarkEditKeep(b *testing.B) {
	line := []byte(`{"username": "person_17", "event_type": "play_video", "ip": "203.0.113.7", "agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/96.0 Safari/537.36", "host": "courses.example.org", "session": "0123456789abcdef0123456789abcdef", "event": "{\"id\": \"i4x-Org-Course-video-1\", \"currentTime\": 12.345, \"code\": \"abcdefg\"}", "event_source": "browser", "context": {"user_id": 1234, "org_id": "Org", "course_id": "Org/Course/Run", "path": "/event"}, "time": "2014-02-03T10:11:12.123456+00:00", "page": "https://courses.example.org/courses/Org/Course/Run/courseware/x/y/"}`)
	paths, err := Compile([]Binding{{Path: "event", Rule: keepIt, Embedded: true}, {Path: "username", Rule: upper}, {Path: "context.user_id", Rule: keepIt}, {Path: "**.user_id", Rule: keepIt}}, keepIt)
	if err != nil {
		b.Fatal(err)
	}
	e := NewEditor(paths, quiet{})
	var dst []byte
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		dst, err = e.Edit(dst[:0], line)
		if err != nil {
			b.Fatal(err)
		}
	}
}

type quiet struct{}

func (quiet) Value(dst []byte, rule Rule, _ Scalar) ([]byte, []byte, Outcome, error) {
	if rule == upper {
		return append(dst, "u1234567890"...), nil, Replace, nil
	}
	return dst, nil, Keep, nil
}
func (quiet) KeyedByPeople(*Path) bool                        { return false }
func (quiet) Key(dst []byte, _ string, _ bool) ([]byte, bool) { return dst, false }
