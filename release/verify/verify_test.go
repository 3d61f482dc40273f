package verify

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"anonymooc/internal/fault"
)

// people are those whom the fixtures plant. Rose's names are words too.
var people = []Known{
	{Kind: UserID, Value: "48213", Person: 1500000001},
	{Kind: Username, Value: "benoit_d", Person: 1500000001},
	{Kind: Email, Value: "benoit.delacroix@courriel.example", Person: 1500000001},
	{Kind: FullName, Value: "Benoît Delacroix", Person: 1500000001},
	{Kind: FirstName, Value: "Benoît", Person: 1500000001},
	{Kind: LastName, Value: "Delacroix", Person: 1500000001},
	{Kind: AnonymousID, Value: "0f3a9c5e7b1d2f4a6c8e0b2d4f6a8c0e", Person: 1500000001},
	{Kind: Phone, Value: "06 39 98 12 34", Person: 1500000001},
	{Kind: Username, Value: "audit", Person: 1500000002},
	{Kind: UserID, Value: "1", Person: 1500000002},
	{Kind: Username, Value: "1", Person: 1500000003},
	{Kind: FullName, Value: "Rose Page", Person: 1500000002},
	{Kind: FirstName, Value: "Rose", Common: true, Person: 1500000002},
	{Kind: Username, Value: "Зоя", Person: 1500000004},
	{Kind: FullName, Value: "Анна Ковальская", Person: 1500000004},
}

// cleanRelease is a release with nothing in it that should not be there.
var cleanRelease = map[string]string{
	"auth_user.csv": "id,username,email,date_joined\r\n" +
		"1500000001,u1500000001,u1500000001@example.invalid,2014-01-02 10:11:12\r\n" +
		"1500000002,u1500000002,,2014-01-02 10:11:12\r\n",
	"auth_userprofile.csv": "id,user_id,name,goals,gender\n1700000001,1500000001,,\"to learn, slowly\",m\n1700000002,1500000002,,NULL,f\n",
	"student_courseenrollment.csv": "id,user_id,course_id,created,is_active,mode\n" +
		"1800000001,1500000001,course-v1:Univ+Rose+2014,2014-01-01,1,audit\n",
	"tracking_log.json":   `{"username": "u1500000001", "ip": "240.1.2.3", "agent": "Mozilla/5.0 Chrome/38.0.21.111", "event": "{\"id\": \"i4x://Univ/Rose/problem/1\", \"mode\": \"audit\"}", "event_type": "problem_check", "time": "2014-10-03T12:01:02.123456+00:00", "page": "https://mooc.example/courses/Univ/Rose/2014/progress/1500000001/", "context": {"user_id": 1500000001, "path": "/u/u1500000002"}, "session": "9d1c5f7a9d1c5f7a9d1c5f7a9d1c5f7a"}` + "\n",
	"forum_contents.json": `{"_id": {"$oid": "52ee0b9a6b5c1a0f11000001"}, "_type": "CommentThread", "author_id": "1500000001", "author_username": "u1500000001", "body": "Une rose, &eacute;close <b>hier</b>", "title": "x", "votes": {"up": ["1500000002"], "down": []}, "course_id": "Univ/Rose/2014"}` + "\n",
}

// write makes a release of files, with changes.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func run(t testing.TB, folder string, manifest *Manifest, source ...string) *Report {
	t.Helper()
	report, err := Run(context.Background(), Request{Release: folder, Known: slices.Values(people), Manifest: manifest, Source: source})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// with changes one file of the clean release.
func changed(name, old, new string) map[string]string {
	files := map[string]string{}
	for n, content := range cleanRelease {
		files[n] = content
	}
	files[name] = strings.Replace(files[name], old, new, 1)
	return files
}

func TestCleanReleasePasses(t *testing.T) {
	report := run(t, write(t, cleanRelease), nil)
	if !report.Passed() {
		t.Errorf("residuals %v, problems %v", report.Residuals, report.Problems)
	}
	if report.People != 2 {
		t.Errorf("%d people, want 2", report.People)
	}
	if report.Err() != nil {
		t.Error(report.Err())
	}
}

func quoteASCII(s string) string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, `\u%04x`, r)
	}
	return b.String()
}

func quoteJSON(s string) string {
	data, _ := json.Marshal(s)
	return string(data[1 : len(data)-1])
}

// encodings are the ways in which a value may stand in a string of a log.
var encodings = map[string]func(string) string{
	"plain":           func(s string) string { return s },
	"upper case":      strings.ToUpper,
	"unicode escapes": quoteASCII,
	"percent":         url.QueryEscape,
	"percent twice":   func(s string) string { return url.QueryEscape(url.QueryEscape(s)) },
	"every byte":      func(s string) string { return percentAll(s) },
	"html":            html.EscapeString,
	"html numbers":    func(s string) string { return htmlNumbers(s) },
	"html of percent": func(s string) string { return htmlNumbers(percentAll(s)) },
	"base64":          func(s string) string { return base64.StdEncoding.EncodeToString([]byte("id: " + s)) },
	"base64 url":      func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte("<" + s + ">?~")) },
	"base64, percent": func(s string) string {
		return url.QueryEscape(base64.StdEncoding.EncodeToString([]byte("\x7e\x7e?" + s + "??")))
	},
	"json in json":     func(s string) string { return quoteJSON(`{"x": ["` + quoteJSON(s) + `"]}`) },
	"json in json * 3": func(s string) string { return quoteJSON(`{"x": "` + quoteJSON(`{"y": "`+quoteASCII(s)+`"}`) + `"}`) },
	"json cut off":     func(s string) string { return quoteJSON(`{"a": 1, "x": "it is ` + s + ` who`) },
	"json key":         func(s string) string { return quoteJSON(`{"` + s + `": 1}`) },
	"query string":     func(s string) string { return "a=1&b=" + url.QueryEscape(s) + "&c=" },
	"markup":           func(s string) string { return s[:1] + "<b></b>" + s[1:] },
	"inside a path":    func(s string) string { return "/submissions/" + url.PathEscape(s) + "/essay.pdf" },
	"decomposed":       func(s string) string { return strings.ReplaceAll(s, "î", "i\u0302") },
}

func percentAll(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return b.String()
}

func htmlNumbers(s string) string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, "&#%d;", r)
	}
	return b.String()
}

// TestPlantedIdentifierIsFoundInEveryEncoding is the mutation test of the
// detectors: each kind, each encoding, in a field that nobody knows.
func TestPlantedIdentifierIsFoundInEveryEncoding(t *testing.T) {
	planted := map[Kind]string{
		Username: "benoit_d", Email: "benoit.delacroix@courriel.example", FullName: "Benoît Delacroix",
		AnonymousID: "0f3a9c5e7b1d2f4a6c8e0b2d4f6a8c0e", Phone: "06 39 98 12 34",
	}
	for kind, value := range planted {
		for name, encode := range encodings {
			if name == "upper case" && kind == Phone {
				continue
			}
			t.Run(string(kind)+"/"+name, func(t *testing.T) {
				line := fmt.Sprintf(`, "unheard_of": "%s"}`+"\n", encode(value))
				report := run(t, write(t, changed("tracking_log.json", "}\n", line)), nil)
				if !slices.ContainsFunc(report.Residuals, func(f Finding) bool {
					return f.Kind == kind && f.File == "tracking_log.json" && f.Line == 1
				}) {
					t.Errorf("not found: %v", report.Residuals)
				}
				if fault.CodeOf(report.Err()) != fault.Residual {
					t.Errorf("exit status %d", fault.CodeOf(report.Err()))
				}
			})
		}
	}
}

// TestResidualsWhereTheyStand plants leaks that only their place gives away, and
// words that are no leaks where they stand.
func TestResidualsWhereTheyStand(t *testing.T) {
	tests := []struct {
		name, file, old, new string
		kind                 Kind // empty: no residual
	}{
		{"name turned round", "auth_userprofile.csv", "to learn, slowly", "DELACROIX, benoit", FullName},
		{"name run together", "auth_userprofile.csv", "to learn, slowly", "see benoitdelacroix.pdf", FullName},
		{"address spelled out", "auth_userprofile.csv", "to learn, slowly", "benoit.delacroix (at) courriel.example", Email},
		{"Cyrillic", "auth_userprofile.csv", "to learn, slowly", "АННА Ковальская", FullName},
		{"telephone in other groups", "auth_userprofile.csv", "to learn, slowly", "+33 639 981 234", Phone},
		{"unknown telephone", "auth_userprofile.csv", "to learn, slowly", "call 01 99 00 12 34", Phone},
		{"unknown address", "auth_userprofile.csv", "to learn, slowly", "to me@unheard.example", Email},
		{"unknown IP", "auth_userprofile.csv", "to learn, slowly", "from 192.0.2.17", IP},
		{"IPv6", "auth_userprofile.csv", "to learn, slowly", "from 2001:db8::17", IP},
		{"long IPv6", "auth_userprofile.csv", "to learn, slowly", "from 2001:db8:1:2:3:4:5:17", IP},
		{"unknown number of a person", "auth_userprofile.csv", "1500000001", "77", UserID},
		{"unknown username", "auth_user.csv", "u1500000001", "somebody", Username},
		{"common username in its column", "auth_user.csv", "u1500000001", "audit", Username},
		{"number as username", "auth_user.csv", "u1500000001,", "1,", Username},
		{"address in ip", "tracking_log.json", "240.1.2.3", "192.0.2.1", IP},
		{"host in ip", "tracking_log.json", "240.1.2.3", "proxy.univ.example", IP},
		{"int in context", "tracking_log.json", `"user_id": 1500000001`, `"user_id": 48213`, UserID},
		{"id 1 in context", "tracking_log.json", `"user_id": 1500000001`, `"user_id": 1`, UserID},
		{"progress page", "tracking_log.json", "progress/1500000001", "progress/1", UserID},
		{"profile page", "tracking_log.json", "/u/u1500000002", "/u/somebody", Username},
		{"profile page, platform word", "tracking_log.json", "/u/u1500000002", "/u/account", ""},
		{"parameter", "tracking_log.json", "/u/u1500000002", "/x?user=Зоя", Username},
		{"parameter with a number", "tracking_log.json", "/u/u1500000002", "/x?page=1&user=1", UserID},
		{"vote", "forum_contents.json", `["1500000002"]`, `["48213"]`, UserID},
		{"neighbour", "forum_contents.json", "hier", "Bonjour Benoît !", FirstName},
		{"no neighbour", "forum_contents.json", "hier", "Bonjour Rose !", ""},
		{"username in content", "tracking_log.json", "problem/1", "problem/benoit_d", ""},
		{"version of a program", "tracking_log.json", "38.0.21.111", "1.2.3.4", ""},
		{"asset of a course", "tracking_log.json", "i4x://Univ/Rose/problem/1", "asset-v1:U+R+2+type@asset+block@image.png", ""},
		{"other name of the same words", "auth_userprofile.csv", "to learn, slowly", "benoit-d and auditing", ""},
		{"pseudonyms in text", "auth_userprofile.csv", "to learn, slowly", "as u1500000001 (u1500000001@example.invalid) said from 240.7.8.9", ""},
		{"number of another person's digits", "student_courseenrollment.csv", ",1,audit", ",48213,audit", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := changed(test.file, test.old, test.new)
			if files[test.file] == cleanRelease[test.file] {
				t.Fatal("nothing was planted")
			}
			report := run(t, write(t, files), nil)
			found := slices.ContainsFunc(report.Residuals, func(f Finding) bool { return f.Kind == test.kind && f.File == test.file })
			if test.kind == "" && report.ResidualCount > 0 || test.kind != "" && !found {
				t.Errorf("want %q, found %v", test.kind, report.Residuals)
			}
		})
	}
}

// TestNothingUnjudgedIsHidden: a word that may name somebody is counted for a
// person to look at.
func TestNothingUnjudgedIsHidden(t *testing.T) {
	tests := []struct {
		name, file, old, new string
		kind                 Kind
	}{
		{"enumeration", "student_courseenrollment.csv", "2014-01-01", "2014-01-01", Username}, // mode is audit
		{"content", "tracking_log.json", "problem/1", "problem/benoit_d", Username},
		{"page of a person", "auth_userprofile.csv", "to learn, slowly", "www.facebook.com/some.body", URL},
		{"number", "auth_userprofile.csv", "to learn, slowly", "mine is 48213", UserID},
		{"small letters", "forum_contents.json", "hier", "merci benoît", FirstName},
		{"program", "tracking_log.json", "38.0.21.111", "1.2.3.4", IP},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			report := run(t, write(t, changed(test.file, test.old, test.new)), nil)
			if !slices.ContainsFunc(report.Unjudged, func(u Unjudged) bool { return u.Kind == test.kind && u.File == test.file && u.Count > 0 }) {
				t.Errorf("not listed: %v", report.Unjudged)
			}
		})
	}
}

// TestReportHoldsNoValue: whatever was planted, no part of it is in the report.
func TestReportHoldsNoValue(t *testing.T) {
	files := changed("tracking_log.json", "}\n", `, "x": {"benoit_d": "benoit.delacroix@courriel.example"}, "benoit_d": {"Delacroix": "Benoît Delacroix"}}`+"\n")
	report := run(t, write(t, files), nil)
	if report.ResidualCount < 3 {
		t.Fatalf("planted leaks were not found: %v", report.Residuals)
	}
	data, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := report.WriteText(&text, 0); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{string(data), text.String(), report.Err().Error()} {
		for _, value := range []string{"benoit", "elacroix", "courriel"} {
			if strings.Contains(strings.ToLower(out), value) {
				t.Errorf("%q is in the report", value)
			}
		}
	}
}

// TestOrdinaryWordsAreJudgedWhereTheyStand: a dictionary makes "Rose" a flower in
// running text, and leaves her a person wherever she is meant.
func TestOrdinaryWordsAreJudgedWhereTheyStand(t *testing.T) {
	dictionary := map[string]bool{"rose": true, "page": true, "victoire": true, "martin": true}
	known := MarkCommon(slices.Values([]Known{
		{Kind: Username, Value: "victoire"}, {Kind: Username, Value: "delacroix"}, {Kind: FullName, Value: "Rose Page"},
	}), func(word string) bool { return dictionary[strings.ToLower(word)] })
	tests := []struct {
		text     string
		residual Kind
		unjudged Kind
	}{
		{"quelle victoire !", "", Username},
		{"bravo @victoire !", Username, ""},
		{"> victoire a écrit : non", Username, ""},
		{"victoire wrote: no", Username, ""},
		{"/u/victoire", Username, ""},
		{"quelle delacroix !", Username, ""},
		{"une rose, page 12", "", FullName},
		{"merci Rose Page", FullName, ""},
		{"une page rose", "", FullName},
	}
	for _, test := range tests {
		folder := write(t, map[string]string{"auth_userprofile.csv": "id,user_id,goals\n1700000001,1500000001,\"" + test.text + "\"\n"})
		report, err := Run(t.Context(), Request{Release: folder, Known: known})
		if err != nil {
			t.Fatal(err)
		}
		found := slices.ContainsFunc(report.Residuals, func(f Finding) bool { return f.Kind == test.residual })
		listed := slices.ContainsFunc(report.Unjudged, func(u Unjudged) bool { return u.Kind == test.unjudged })
		if found != (test.residual != "") || test.unjudged != "" && !listed {
			t.Errorf("%q: %+v %+v", test.text, report.Residuals, report.Unjudged)
		}
	}
}
