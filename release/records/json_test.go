package records

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// FuzzMembersAgreeWithTheStandardLibrary: of whatever encoding/json takes for an
// object or a list, every member is given with its value, and strings say the same.
func FuzzMembersAgreeWithTheStandardLibrary(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"a": 1, "b\u00e9\n": {"c": [1, "}]", "\\\""]}, "d": null}`, ` { "x" : "\ud83d\ude00\ud83d" , "y":-1.5e3 } `, `[]`, `["a", [{}], true]`,
		`{"a": "\\"}`, `{"a": "\\\"b"}`, `{"a": }`, `{"a": [}`, `{"a" 1}`, `{"a": 1,}`, `{"a": "`, `{"a":{"b":"c"`, `{"a":1}x`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		members := map[string][]byte{}
		whole := Members(text, func(key, value []byte) bool {
			members[string(key)] = value
			return true
		})
		var list [][]byte
		listed := Elements(text, func(value []byte) bool {
			list = append(list, value)
			return true
		})
		if !json.Valid(text) || !utf8.Valid(text) {
			return // it may only not end in a panic
		}
		var object map[string]json.RawMessage
		if err := json.Unmarshal(text, &object); (err == nil && object != nil) != whole || len(object) != len(members) {
			t.Fatalf("%v, %v: %q is %q", whole, err, text, members)
		}
		for key, value := range object {
			same(t, value, members[key])
		}
		var array []json.RawMessage
		if err := json.Unmarshal(text, &array); (err == nil && array != nil) != listed || len(array) != len(list) {
			t.Fatalf("%v, %v: %q is %q", listed, err, text, list)
		}
		for i, value := range array {
			same(t, value, list[i])
		}
	})
}

// same compares two spellings of a value, and what they say when they are strings.
func same(t *testing.T, want json.RawMessage, got []byte) {
	t.Helper()
	if string(got) != string(want) {
		t.Errorf("%q, want %q", got, want)
	}
	var text string
	if want[0] == '"' && json.Unmarshal(want, &text) == nil {
		if plain, ok := Unquote(nil, got); !ok || string(plain) != text {
			t.Errorf("%q says %q, want %q", got, plain, text)
		}
	}
}

// TestMembersStopWhenTold: the rest of an object need not be read.
func TestMembersStopWhenTold(t *testing.T) {
	seen := 0
	if whole := Members([]byte(`{"a": 1, "b": 2, broken`), func(key, _ []byte) bool { seen++; return string(key) != "b" }); !whole || seen != 2 {
		t.Errorf("%v after %d members", whole, seen)
	}
}

// FuzzMomentAgreesWithTheStandardLibrary in all forms that edX writes.
func FuzzMomentAgreesWithTheStandardLibrary(f *testing.F) {
	for _, seed := range []string{"2014-10-01T06:00:52.937694+00:00", "2014-02-29 00:00:00", "2016-02-29 23:59:59.5", "2014-10-01", "2014-10-01T06:00:52Z", "0000-00-00 00:00:00", "2014-10-01T06:00:52.-05:30", "1969-12-31T23:59:59.999999-11:30", "2014-10-01T24:00:00", "2014-10-01T06:00:52+0100"} {
		f.Add(seed)
	}
	form := regexp.MustCompile(`^\d{4}-\d\d-\d\d([T ]\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?)?$`)
	layouts := []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05", "2006-01-02"}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := Moment([]byte(text))
		if form.MatchString(text) {
			for _, layout := range layouts {
				if at, err := time.Parse(layout, strings.Replace(text, " ", "T", 1)); err == nil && at.Year() > 0 {
					if !ok || got != at.UnixMicro() {
						t.Errorf("%q: %d (%v), want %d", text, got, ok, at.UnixMicro())
					}
					return
				}
			}
		}
		if ok {
			t.Errorf("%q is taken for a moment", text)
		}
	})
}
