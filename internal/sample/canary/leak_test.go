package canary

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// harmless is a release that holds nobody: pseudonyms, content ids, enum
// values and the words that common identifiers share with everyday text.
var harmless = map[string]string{
	"auth_user.csv": "id,username,first_name,is_staff\r\n1834567201,u1834567201,,0\r\n",
	"student_courseenrollment.csv": "id,user_id,course_id,mode\n1200000001,1834567201,ImaginaireX/BOT101/Automne_2014,audit\n" +
		"1200000002,1834567202,ImaginaireX/BOT101/Automne_2014,honor\n",
	"tracking_log.json": `{"username": "u1834567201", "event_type": "/courses/x/page/1", "ip": "240.1.2.3", "event": "{\"mode\": \"audit\", \"problem\": \"problem/1\", \"code\": true, \"n\": 48}", "context": {"user_id": 1834567201}, "page": null}` + "\n" +
		`{"username": "", "event": "input_1=rose&page=12&null=true", "time": "2014-10-01T10:00:00.104729+00:00"}` + "\n",
	"forum_contents.json": `{"_id":{"$oid":"542bc0700000000000000001"},"author_id":"1834567201","author_username":"u1834567201","body":"La rose et l'olive, page 12. Paris est une capitale ; C'est vrai, Pierre de taille.","votes":{"up":["1834567202"],"count":1,"point":1}}` + "\n",
}

func release(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestHarmlessReleaseHasNoHit proves that common words, content ids, enum
// values and fractions of seconds are not taken for people.
func TestHarmlessReleaseHasNoHit(t *testing.T) {
	hits, err := Search(release(t, harmless), bundled(t), Options{Altered: true, Phrases: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hits {
		t.Error(h)
	}
}

// codes are the ways a value may be left in a release.
func codes() map[string]func(string) string {
	inJSON := func(v string) string {
		quoted, _ := json.Marshal(v)
		return strings.Trim(string(quoted), `"`)
	}
	ascii := func(v string) string {
		var b strings.Builder
		for _, unit := range v {
			if unit > 0xFFFF {
				return inJSON(v)
			}
			fmt.Fprintf(&b, `\u%04X`, unit)
		}
		return b.String()
	}
	entity := func(v string) string {
		var b strings.Builder
		for _, r := range v {
			fmt.Fprintf(&b, "&#x%x;", r)
		}
		return b.String()
	}
	base := func(v string) string { return base64.StdEncoding.EncodeToString([]byte(v)) }
	return map[string]func(string) string{
		"as written":        func(v string) string { return v },
		"upper":             strings.ToUpper,
		"lower":             strings.ToLower,
		"unaccented":        Fold,
		"json":              inJSON,
		"json ascii":        ascii,
		"json twice":        func(v string) string { return inJSON(inJSON(ascii(v))) },
		"percent":           url.PathEscape,
		"query":             url.QueryEscape,
		"percent twice":     func(v string) string { return url.QueryEscape(url.QueryEscape(v)) },
		"html":              html.EscapeString,
		"html numeric":      entity,
		"base64":            base,
		"base64 url":        func(v string) string { return base64.RawURLEncoding.EncodeToString([]byte(v)) },
		"base64 of json":    func(v string) string { return base(`{"u": "` + ascii(v) + `"}`) },
		"base64 of base64":  func(v string) string { return base(base(v)) },
		"hex":               func(v string) string { return hex.EncodeToString([]byte(v)) },
		"percent in json":   func(v string) string { return inJSON(`"next=` + url.QueryEscape(v) + `"`) },
		"entities in query": func(v string) string { return url.QueryEscape(entity(v)) },
	}
}

// TestLeakIsFoundInEveryCode plants one distinctive identifier of every kind
// in every code into a harmless release, and expects it found where it is.
func TestLeakIsFoundInEveryCode(t *testing.T) {
	canaries := bundled(t)
	byKind := map[string]Canary{}
	for _, c := range canaries {
		if _, ok := byKind[c.Kind]; !ok && !c.Common && c.Altered == "" && judged(c) && !strings.Contains(c.Value, "\n") {
			byKind[c.Kind] = c
		}
	}
	if len(byKind) < 12 {
		t.Fatalf("only %d kinds have a distinctive canary", len(byKind))
	}
	x := newIndex(canaries, Options{})
	for kind, c := range byKind {
		for name, encode := range codes() {
			leaky := `{"unknown": "…"}` + "\n" + `{"unknown": "x ` + encode(c.Value) + ` y"}` + "\n"
			hits, err := x.searchReader(strings.NewReader(leaky), "tracking_log.json")
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, h := range hits {
				found = found || h.Kind == kind && h.Person == c.Person && h.Line == 2
			}
			if !found {
				t.Errorf("%s in code %q was not found", kind, name)
			}
		}
	}
}

// TestCommonIdentifierIsFoundWhereAPersonStands puts usernames and ids that
// are ordinary words and numbers where people stand: each must be found there.
func TestCommonIdentifierIsFoundWhereAPersonStands(t *testing.T) {
	for _, leak := range []struct{ file, content, kind string }{
		{"auth_user.csv", "id,username\r\n1834567201,audit\r\n", "username"},
		{"auth_user.csv", "\uFEFFusername,id\n\"u1834567201\",\"48\"\n", "user_id"},
		{"student_courseenrollment.csv", "mode,user_id\naudit,1\n", "user_id"},
		{"courseware_studentmodule.csv", "state,student_id\n\"{\"\"a\"\": \"\"x\ny\"\"}\",7\n", "user_id"},
		{"certificates_generatedcertificate.csv", "id,name\n1,\"Rose\nx\"\n2,ROSE OLIVE\n", "full_name"},
		{"tracking_log.json", `{"username": "page"}`, "username"},
		{"tracking_log.json", `{"user\u006eame": "\u0070age"}`, "username"},
		{"tracking_log.json", `{"username": "page", "username": "u1834567201"}`, "username"},
		{"tracking_log.json", `Oct  3 [x 1] INFO - {"context": {"user_id": 48}}`, "user_id"},
		{"tracking_log.json", `{"event": "{\"target_username\": \"audit\"}"}`, "username"},
		{"tracking_log.json", `{"event": "\"{\\\"user_id\\\": \\\"1\\\"}\""}`, "user_id"},
		{"tracking_log.json", `{"event_type": "/courses/x/progress/1/"}`, "user_id"},
		{"tracking_log.json", `{"page": "https://h/u/audit?x=1"}`, "username"},
		{"tracking_log.json", `{"page": "https%3A%2F%2Fh%2Fx%3Fuser%3Drose"}`, "username"},
		{"tracking_log.json", `{"seats": {"rose": 1}}`, "username"},
		{"forum_contents.json", `{"votes":{"up":["1834567201","48"]}}`, "user_id"},
		{"forum_contents.json", `{"author_username":"rose"}`, "username"},
	} {
		files := map[string]string{leak.file: leak.content}
		hits, err := Search(release(t, files), bundled(t), Options{})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, h := range hits {
			found = found || h.Kind == leak.kind
		}
		if !found {
			t.Errorf("%s in %s was not found: %s", leak.kind, leak.file, leak.content)
		}
	}
}

// FuzzViewsKeepTheLine proves that reading codes never loses the line itself
// and ends for any input.
func FuzzViewsKeepTheLine(f *testing.F) {
	for _, seed := range []string{`{"a": "\ud83d\ude00\n"}`, "%41%zz%", "&eacute;&#x;", "em9lYg==", `""`, "\\", "\\u12"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		list := views(line)
		if list[0].text != line || list[0].code != "" {
			t.Fatal("the first view is not the line")
		}
		seen := map[string]bool{}
		for _, v := range list {
			if seen[v.text] {
				t.Fatal("a view came twice")
			}
			seen[v.text] = true
		}
	})
}

// FuzzEscapedValueIsReadBack proves that what JSON and percent-encoding write
// is read back to the same text.
func FuzzEscapedValueIsReadBack(f *testing.F) {
	f.Add("Zoé \"Ø\" \\ 😀\n")
	f.Fuzz(func(t *testing.T, value string) {
		quoted, err := json.Marshal(value)
		if err != nil {
			t.Skip("not JSON")
		}
		var want string
		if err := json.Unmarshal(quoted, &want); err != nil {
			t.Fatal(err)
		}
		if got := unescapeJSON(string(quoted[1 : len(quoted)-1])); got != want {
			t.Errorf("JSON: %q is read as %q", want, got)
		}
		if got := unescapePercent(url.PathEscape(value)); got != value {
			t.Errorf("percent: %q is read as %q", value, got)
		}
	})
}
