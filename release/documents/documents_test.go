package documents

import (
	"bytes"
	"encoding/json"
	"errors"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"anonymooc/forum/recheck"
	"anonymooc/internal/fault"
	"anonymooc/release/verify"
	"anonymooc/tables/risk"
)

// fullFacts fills every part of the facts.
func fullFacts() *Facts {
	return &Facts{
		Tool: "anonymooc", Version: "1.0", Date: "2026-01-31", Name: "Release 2026", Domain: "default",
		Rules: Rules{"fun", "aa11"}, TextPolicy: "strict", Geo: Geo{"DBIP-Country-Lite", "IP Geolocation by DB-IP (https://db-ip.com), CC BY 4.0"},
		Files: []File{
			{Path: "A/auth_user.csv", Table: "auth_user", Format: "csv", Bytes: 10, SHA256: strings.Repeat("0", 64), RowsIn: 1234567, RowsOut: 1234567, People: 1234567,
				PrimaryKey: []string{"id"}, Columns: []Column{
					{Name: "id", Role: "direct identifier", Action: "pseudonym(user_id)", Why: "joins", Type: "integer", Distinct: 65536, Many: true, Changed: 1234567},
					{Name: "email", Role: "direct identifier", Action: "drop", Why: "reaches | the <person>", Distinct: -1, Emptied: 5},
					{Name: "last_login", Role: "quasi-identifier", Action: "keep", Type: "datetime", Distinct: 12, Kept: 7, Nulls: 3},
				}},
			{Path: "A/auth_userprofile.sql", Table: "auth_userprofile", Format: "tsv", RowsIn: 5, RowsOut: 5, SetAside: 2,
				ForeignKeys: []ForeignKey{{"user_id", "A/auth_user.csv", "id"}},
				Columns:     []Column{{Name: "user_id", Action: "pseudonym(user_id)", Type: "integer", Distinct: 5}, {Name: "goals", Role: "free text", Action: "text", Distinct: -1, Masked: 4}}},
			{Path: "A/tracking_log.json.gz", Table: "tracking_log", Format: "json lines", Columns: []Column{{Name: "event › answers", Role: "sensitive", Action: "scrub", Distinct: -1}}},
		},
		Verify: &verify.Report{Spelled: 12345, Unjudged: make([]verify.Unjudged, 3), Problems: make([]verify.Problem, 1), Joins: []verify.Join{{Name: "user_id → auth_user.id", Distinct: 5}}, Limits: []string{"no source was given"}},
		Risk: &risk.Report{
			K: 5, Person: risk.Measures{Scope: "person", Quasi: []string{"auth_user.last_login"}, People: 100, Classes: 40, K: 1, Uniques: 7, Unique: .07,
				Under: []risk.Under{{K: 2, People: 7, Share: .07}, {K: 5, People: 30, Share: .3}}, MeanRisk: .4, HighestRisk: 1,
				Sensitive: []risk.Diversity{{Column: "c.grade", Distinct: 2, Closeness: .25, Disclosed: 9}}},
			Courses: &risk.Measures{Scope: "courses", Uniques: 60, Unique: .6, Under: []risk.Under{{K: 2, People: 60, Share: .6}, {K: 5, People: 90, Share: .9}}},
			Traces:  []risk.Trace{{Points: 1, Sampled: 10, Unique: .5}}, Drivers: []risk.Driver{{Column: "auth_user.last_login", Adds: 30}},
			Longitudinal: []string{"m.created"}, Unmeasured: []string{"x.city"},
		},
		Text:     &Text{Texts: 50, Forms: 20, Mined: 4, Decisions: 3, Questions: 2, Masked: map[string]int{"name": 12}, Kept: map[string]int{"name": 3, "place": 1}, Waiting: map[string]int{"name": 1}},
		Officer:  Officer{Controller: "A university", Purpose: "Research on learning"},
		Erasures: []Erasure{{"2026-01-02", "default", 1, "request"}},
		Warnings: []string{"3 values could not be read"},
	}
}

// both writes all documents of some facts.
func both(t *testing.T, f *Facts) map[string]string {
	t.Helper()
	release, officer := t.TempDir(), filepath.Join(t.TempDir(), "officer")
	texts := map[string]string{}
	for dir, write := range map[string]func(string, *Facts) ([]string, error){release: WriteRelease, officer: WriteOfficer} {
		names, err := write(dir, f)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			texts[name] = string(data)
		}
	}
	return texts
}

func TestEveryDocumentExistsInBothLanguages(t *testing.T) {
	want := []string{"datapackage.json", "CODEBOOK.md", "CODEBOOK.fr.md", "CODEBOOK.en.html", "CODEBOOK.fr.html", "report.en.html", "report.fr.html"}
	for _, name := range []string{"record", "dpia", "checklist", "erasure"} {
		want = append(want, name+".en.md", name+".fr.md")
	}
	slices.Sort(want)
	for name, facts := range map[string]*Facts{"full": fullFacts(), "empty": {}} {
		texts := both(t, facts)
		if got := slices.Sorted(maps.Keys(texts)); !slices.Equal(got, want) {
			t.Errorf("%s: documents %v, want %v", name, got, want)
		}
		for document, text := range texts {
			for _, sign := range []string{"<no value>", "%!", "ZgotmplZ", "{{", "<nil>"} {
				if strings.Contains(text, sign) {
					t.Errorf("%s: %s holds %q", name, document, sign)
				}
			}
		}
	}
}

func TestTheLanguagesSayTheSameThings(t *testing.T) {
	english, err := wordsOf("en")
	if err != nil {
		t.Fatal(err)
	}
	french, err := wordsOf("fr")
	if err != nil {
		t.Fatal(err)
	}
	verbs := regexp.MustCompile(`%[sd]`)
	for key, message := range english.messages {
		other, ok := french.messages[key]
		if !ok {
			t.Errorf("no French for %q", key)
		}
		if !slices.Equal(verbs.FindAllString(message, -1), verbs.FindAllString(other, -1)) {
			t.Errorf("%q takes other arguments in French", key)
		}
	}
	for key := range french.messages {
		if _, ok := english.messages[key]; !ok {
			t.Errorf("no English for %q", key)
		}
	}
	// Every message is used, and the officer's templates have the same fields.
	used := map[string]bool{"lang": true}
	call := regexp.MustCompile(`(?:\bt |w\.say\()"([^"]+)"`)
	field := regexp.MustCompile(`\{\{[^}]*\}\}`)
	templates, err := filepath.Glob("templates/*.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	code, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(templates, code...) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range call.FindAllSubmatch(data, -1) {
			used[string(match[1])] = true
		}
		if twin := strings.Replace(path, ".en.", ".fr.", 1); twin != path {
			other, err := os.ReadFile(twin)
			if err != nil {
				t.Fatal(err)
			}
			a, b := field.FindAllString(string(data), -1), field.FindAllString(string(other), -1)
			slices.Sort(a)
			slices.Sort(b)
			if !slices.Equal(a, b) {
				t.Errorf("%s and %s do not show the same facts", path, twin)
			}
		}
	}
	for key := range english.messages {
		kind, _, _ := strings.Cut(key, ".")
		if !used[key] && !slices.Contains([]string{"role", "scope", "join", "limit"}, kind) {
			t.Errorf("message %q is used nowhere", key)
		}
	}
}

// TestJoinsAreNamedInFrench: none that verify checks is left in English.
func TestJoinsAreNamedInFrench(t *testing.T) {
	french, err := wordsOf("fr")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range verify.JoinNames() {
		if said := french.named("join")(name); said == name {
			t.Errorf("%q has no French", name)
		}
	}
}

// TestTheBlindRecheckIsReported with its interval; where there was none, that is said.
func TestTheBlindRecheckIsReported(t *testing.T) {
	f := fullFacts()
	for name, want := range map[string]string{"report.en.html": "No blind re-check was made", "dpia.fr.md": "Aucun contrôle à l'aveugle"} {
		if text := both(t, f)[name]; !strings.Contains(html.UnescapeString(text), want) {
			t.Errorf("%s does not say %q", name, want)
		}
	}
	estimate := recheck.Estimated(append(make([]recheck.Check, 99), recheck.Check{Names: 4, Missed: 1}))
	f.Text.Recheck = &estimate
	for name, want := range map[string][]string{
		"report.en.html": {"100 settled texts", "1 of them still show", "25"}, "report.fr.html": {"100 textes réglés"},
		"dpia.en.md": {"100 settled texts"}, "dpia.fr.md": {"100 textes réglés"},
	} {
		text := html.UnescapeString(both(t, f)[name])
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s does not say %q", name, w)
			}
		}
		if strings.Contains(text, "%!") || strings.Contains(text, "NaN") {
			t.Errorf("%s: a figure is missing", name)
		}
	}
}

func TestDocumentsNeverPromiseAnonymity(t *testing.T) {
	texts := both(t, fullFacts())
	for name, text := range texts {
		if strings.Contains(text, "GDPR-compliant") || strings.Contains(text, "fully anonym") || strings.Contains(text, "are anonymous") {
			t.Errorf("%s promises", name)
		}
	}
	for name, want := range map[string]string{
		"report.en.html": "pseudonymised, not anonymous", "report.fr.html": "pseudonymisées, non anonymes",
		"dpia.en.md": "Nothing below asserts that", "dpia.fr.md": "Rien de ce qui suit ne l'affirme",
		"datapackage.json": "Pseudonymised course data",
	} {
		if !strings.Contains(texts[name], want) {
			t.Errorf("%s does not say %q", name, want)
		}
	}
}

// A box is ticked only when a figure says so.
func TestChecklistTicksOnlyWhatWasMeasured(t *testing.T) {
	clean := fullFacts()
	clean.Verify.Unjudged, clean.Verify.Problems, clean.Risk.Pass, clean.TextPolicy = nil, nil, true, "drop"
	for name, c := range map[string]struct {
		facts *Facts
		ticks int
	}{"nothing measured": {&Facts{TextPolicy: "strict"}, 0}, "problems": {fullFacts(), 2}, "all right": {clean, 6}} {
		for _, language := range Languages() {
			text, err := render("checklist."+language+".md", language, c.facts)
			if err != nil {
				t.Fatal(err)
			}
			if got := bytes.Count(text, []byte("- [x]")); got != c.ticks {
				t.Errorf("%s, %s: %d ticks, want %d", name, language, got, c.ticks)
			}
		}
	}
}

func TestPagesAreSelfContainedAndEscapeWhatTheyShow(t *testing.T) {
	f := fullFacts()
	const hostile = `<script src="https://evil.example">alert(1)</script>`
	f.Files[0].Path, f.Files[0].Columns[0].Name, f.Name, f.Warnings[0] = hostile, hostile, hostile, hostile
	f.Risk.Drivers[0].Column, f.Geo.Credit = hostile, hostile
	for name, text := range both(t, f) {
		if strings.HasSuffix(name, ".json") {
			continue
		}
		if strings.Contains(text, "<script") && !strings.HasSuffix(name, ".md") {
			t.Errorf("%s holds a script", name)
		}
		for _, sign := range []string{"<link", "<img", "@import", "url("} {
			if strings.Contains(text, sign) {
				t.Errorf("%s loads something: %q", name, sign)
			}
		}
	}
	text, err := render("codebook.md", "en", f)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(`reaches \| the &lt;person&gt;`)) {
		t.Error("a cell breaks out of its table")
	}
}

func TestNumbersAreWrittenAsTheLanguageDoes(t *testing.T) {
	for language, want := range map[string][]string{
		"en": {"1,234,567", "0", "-1,000", "12.3%", "< 0.1%", "> 99.9%", "0.0%", "100.0%"},
		"fr": {"1\u202f234\u202f567", "0", "-1\u202f000", "12,3\u202f%", "< 0,1\u202f%", "> 99,9\u202f%", "0,0\u202f%", "100,0\u202f%"},
	} {
		w, err := wordsOf(language)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{w.number(1234567), w.number(0), w.number(-1000), w.share(.123), w.share(.0001), w.share(.9999), w.share(0), w.share(1)}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", language, got, want)
		}
	}
	if _, err := wordsOf("de"); err == nil {
		t.Error("a language without messages was taken")
	}
}

func TestGatherReadsAReleaseAndKeepsNoValue(t *testing.T) {
	const canary = "Zéphyrine"
	dir := filepath.Join(t.TempDir(), "Release")
	files := map[string]string{
		"A/auth_user.csv":        "id,last_login\n1000000001,2014-01-02 10:11:12\n1000000002,NULL\n",
		"A/auth_userprofile.csv": "user_id,id,gender,year_of_birth,meta,goals\n1000000001,1,f,1980,{},\"" + canary + "\nwas here\"\n1000000002,2,m,,\"{\"\"a\"\": 1}\"," + canary + "\n",
		"A/tracking_log.json":    `{"username":"` + canary + `"}` + "\n",
		"manifest.json": `{"tool":"anonymooc","version":"1","domain":"d","rules":{"name":"fun","sha256":"ab"},"text_policy":"drop","geo_database":"DBIP-Country-Lite","inputs":[{},{}],
			"outputs":[
			{"path":"A/auth_user.csv","table":"auth_user","format":"csv","rows_in":2,"rows_out":2,"people":2,"columns":[{"name":"id","action":"pseudonym(user_id)","changed":2},{"name":"email","action":"drop","emptied":2},{"name":"last_login","action":"keep","kept":1,"nulls":1}]},
			{"path":"A/auth_userprofile.csv","table":"auth_userprofile","format":"csv","rows_in":2,"rows_out":2,"people":2,"columns":[{"name":"user_id","action":"pseudonym(user_id)"},{"name":"id","action":"key(p)"},{"name":"gender","role":"quasi-identifier","action":"keep"},{"name":"year_of_birth","action":"keep"},{"name":"meta","action":"json","fields":[{"name":"old_names","action":"redact"}]},{"name":"goals","action":"text"}]},
			{"path":"A/tracking_log.json","table":"tracking_log","format":"json lines","rows_in":1,"rows_out":1,"columns":[{"name":"username","action":"pseudonym(username)"}]}]}`,
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Gather(dir)
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]string{}
	for _, file := range f.Files {
		for _, c := range file.Columns {
			types[file.Table+"."+c.Name] = c.Type
		}
	}
	for column, want := range map[string]string{
		"auth_user.id": "integer", "auth_user.last_login": "datetime", "auth_userprofile.year_of_birth": "year",
		"auth_userprofile.gender": "string", "auth_userprofile.meta": "object", "auth_userprofile.goals": "string", "auth_userprofile.meta › old_names": "",
	} {
		if types[column] != want {
			t.Errorf("%s is %q, want %q", column, types[column], want)
		}
	}
	profile := f.Files[1]
	if !slices.Equal(profile.PrimaryKey, []string{"id"}) || len(profile.ForeignKeys) != 1 || profile.ForeignKeys[0] != (ForeignKey{"user_id", "A/auth_user.csv", "id"}) {
		t.Errorf("keys %v, %v", profile.PrimaryKey, profile.ForeignKeys)
	}
	if f.Name != "Release" || f.Geo.Credit == "" || f.Inputs != 2 {
		t.Errorf("%+v", f)
	}
	for name, text := range both(t, f) {
		if strings.Contains(text, canary) || strings.Contains(text, "1000000001") {
			t.Errorf("%s holds a value", name)
		}
	}
}

func TestAnIDIsAPrimaryKeyOnlyWhenItIsUnique(t *testing.T) {
	for name, c := range map[string]struct {
		column Column
		want   bool
	}{
		"as many as rows":    {Column{Name: "id", Action: "keep", Distinct: 5}, true},
		"fewer":              {Column{Name: "id", Action: "keep", Distinct: 4}, false},
		"some are empty":     {Column{Name: "id", Action: "keep", Distinct: 5, Nulls: 1}, false},
		"not in the release": {Column{Name: "id", Action: "drop", Distinct: 5}, false},
		"another name":       {Column{Name: "user_id", Action: "keep", Distinct: 5}, false},
		"too many to count":  {Column{Name: "id", Action: "key(rows)", Distinct: maxDistinct, Many: true}, true},
		"many, as they came": {Column{Name: "id", Action: "keep", Distinct: maxDistinct, Many: true}, false},
	} {
		f := &File{RowsOut: 5}
		if got := f.identifies(c.column); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestGatherRefusesWhatIsNoRelease(t *testing.T) {
	for name, manifest := range map[string]string{
		"none": "", "broken": "{", "leads outside": `{"outputs":[{"path":"../x.csv","format":"csv"}]}`, "file is missing": `{"outputs":[{"path":"x.csv","format":"csv"}]}`,
	} {
		dir := t.TempDir()
		if manifest != "" {
			if err := os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(manifest), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var f *fault.Fault
		if _, err := Gather(dir); !errors.As(err, &f) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The package follows the rules of the specification that a program can check:
// names, profiles, and references that lead to a resource and its fields.
func TestDataPackageIsSound(t *testing.T) {
	data, err := dataPackageJSON(fullFacts())
	if err != nil {
		t.Fatal(err)
	}
	var p dataPackage
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile(`^([-a-z0-9._/])+$`)
	fields := map[string]map[string]bool{}
	for _, r := range p.Resources {
		if !name.MatchString(r.Name) || fields[r.Name] != nil {
			t.Errorf("resource name %q", r.Name)
		}
		fields[r.Name] = map[string]bool{}
		if r.Schema != nil {
			for _, f := range r.Schema.Fields {
				fields[r.Name][f.Name] = true
			}
		}
	}
	if !name.MatchString(p.Name) || len(p.Resources) != 3 || p.Profile != "data-package" {
		t.Errorf("package %q with %d resources", p.Name, len(p.Resources))
	}
	references := 0
	for _, r := range p.Resources {
		if r.Schema == nil {
			continue
		}
		for _, key := range r.Schema.PrimaryKey {
			if !fields[r.Name][key] {
				t.Errorf("%s: no field %q for the primary key", r.Name, key)
			}
		}
		for _, key := range r.Schema.ForeignKeys {
			references++
			if !fields[r.Name][key.Fields[0]] || !fields[key.Reference.Resource][key.Reference.Fields[0]] {
				t.Errorf("%s: the reference %+v leads nowhere", r.Name, key)
			}
		}
		if fields[r.Name]["email"] {
			t.Error("a dropped column is a field")
		}
	}
	if references != 1 {
		t.Errorf("%d references", references)
	}
}

func TestTheSameFactsGiveTheSameBytes(t *testing.T) {
	if first, again := both(t, fullFacts()), both(t, fullFacts()); !maps.Equal(first, again) {
		t.Error("a document changed between two writings")
	}
}
