package config_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"anonymooc/config"
	"anonymooc/idmap"
	"anonymooc/internal/sample"
	"anonymooc/internal/sample/canary"
	"anonymooc/internal/secret"
	"anonymooc/release"
	"anonymooc/tables/geo"

	"github.com/klauspost/compress/gzip"
)

// edxRelease makes an edX data package of two courses and a release of it.
func edxRelease(t *testing.T) (export, out string, planted []canary.Canary) {
	t.Helper()
	var set canary.Set
	export = filepath.Join(t.TempDir(), "export")
	if _, err := sample.Write(export, sample.Options{
		Style: "edx", People: 60, Events: 1000, Posts: 80, Courses: 2, Seed: 5, Planted: set.Add,
	}); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "project")
	if _, err := config.CreateProject(dir); err != nil {
		t.Fatal(err)
	}
	project, err := config.OpenProject(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	project.Settings.Rules = "edx"
	rules, sum, err := project.RuleSet()
	if err != nil {
		t.Fatal(err)
	}
	people, err := idmap.Create(filepath.Join(dir, "map"), idmap.Options{
		Key: secret.Key{Secret: secret.New(bytes.Repeat([]byte{3}, 32))}, Purpose: "test", Rand: rand.NewChaCha8([32]byte{9}),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := people.Close(); err != nil {
			t.Error(err)
		}
	})
	places, err := geo.Open("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { places.Close() })
	out = filepath.Join(t.TempDir(), "release")
	if _, err := release.Run(context.Background(), release.Request{
		Exports: []string{export}, Out: out, Project: project, Rules: rules, RulesSHA: sum, Map: people, Geo: places, Version: "test",
	}); err != nil {
		t.Fatal(err)
	}
	return export, out, set.List()
}

// TestDataPackage makes one release of an edX data package and looks at it.
func TestDataPackage(t *testing.T) {
	export, out, planted := edxRelease(t)
	t.Run("no canary is left", func(t *testing.T) { checkCanaries(t, out, planted) })
	t.Run("people join", func(t *testing.T) { checkPeople(t, export, out) })
	t.Run("anonymous ids join", func(t *testing.T) { checkAnonymous(t, export, out) })
	t.Run("rows and content join", func(t *testing.T) { checkRows(t, export, out) })
}

// checkCanaries: none of the identifiers planted in the export is left in a drop
// release, in any encoding.
func checkCanaries(t *testing.T, out string, planted []canary.Canary) {
	t.Helper()
	if len(planted) < 1000 {
		t.Fatalf("only %d canaries", len(planted))
	}
	hits, err := canary.Search(out, planted, canary.Options{Altered: true, Phrases: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, hit := range hits {
		t.Error(hit)
	}
}

// sqlColumn reads a column of the tables of one name, the courses one after the
// other. The sample's keys hold nothing that would be escaped.
func sqlColumn(t *testing.T, root, pattern, column string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no file %s: %v", pattern, err)
	}
	var values []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rows := [][]string{}
		if strings.HasSuffix(file, ".csv") {
			if rows, err = csv.NewReader(bytes.NewReader(data)).ReadAll(); err != nil {
				t.Fatal(err)
			}
		} else {
			for line := range strings.Lines(string(data)) {
				rows = append(rows, strings.Split(strings.TrimRight(line, "\n"), "\t"))
			}
		}
		at := -1
		for i, name := range rows[0] {
			if name == column {
				at = i
			}
		}
		if at < 0 {
			t.Fatalf("%s has no column %s", pattern, column)
		}
		for _, row := range rows[1:] {
			values = append(values, row[at])
		}
	}
	return values
}

// pairs checks that values keep being equal or different, and are replaced.
type pairs struct {
	t                 *testing.T
	forward, backward map[string]string
	count             int
}

func newPairs(t *testing.T) *pairs {
	return &pairs{t: t, forward: map[string]string{}, backward: map[string]string{}}
}

func (p *pairs) add(where string, real, released []string) {
	p.t.Helper()
	if len(real) != len(released) {
		p.t.Fatalf("%s: %d values became %d", where, len(real), len(released))
	}
	for i := range real {
		if real[i] == "" || real[i] == "NULL" {
			if released[i] != real[i] {
				p.t.Errorf("%s: row %d: NULL became something", where, i+1)
			}
			continue
		}
		p.count++
		if have, ok := p.forward[real[i]]; ok && have != released[i] {
			p.t.Errorf("%s: row %d: equal became different", where, i+1)
		}
		if have, ok := p.backward[released[i]]; ok && have != real[i] {
			p.t.Errorf("%s: row %d: different became equal", where, i+1)
		}
		if real[i] == released[i] {
			p.t.Errorf("%s: row %d: the value is still there", where, i+1)
		}
		p.forward[real[i]], p.backward[released[i]] = released[i], real[i]
	}
}

// columns compares one column of the export with that of the release.
func (p *pairs) columns(export, out, pattern, column string) {
	p.t.Helper()
	p.add(pattern+" "+column, sqlColumn(p.t, export, pattern, column), sqlColumn(p.t, out, pattern, column))
}

// checkPeople holds joins 1 and 2, by number and by username, and 3: e-mail
// addresses are not released.
func checkPeople(t *testing.T, export, out string) {
	t.Helper()
	person := newPairs(t)
	for _, c := range [][2]string{
		{"*-auth_user-*.sql", "id"}, {"*-auth_userprofile-*.sql", "user_id"}, {"*-student_courseenrollment-*.sql", "user_id"},
		{"*-courseware_studentmodule-*.sql", "student_id"}, {"*-certificates_generatedcertificate-*.sql", "user_id"},
		{"*-user_id_map-*.sql", "id"}, {"*-student_anonymoususerid-*.sql", "user_id"}, {"*-user_api_usercoursetag-*.sql", "user_id"},
		{"*-teams_membership-*.sql", "user_id"}, {"*-verify_student_verificationstatus-*.sql", "user_id"}, {"*-student_courseaccessrole-*.sql", "user_id"},
		{"*-django_comment_client_role_users-*.sql", "user_id"}, {"*-grades_persistentcoursegrade-*.sql", "user_id"},
		{"*-grades_persistentsubsectiongrade-*.sql", "user_id"}, {"*-course_groups_cohortmembership-*.sql", "user_id"},
		{"*-auth_user_groups-*.sql", "user_id"}, {"*-wiki_article-*.sql", "owner_id"}, {"*-wiki_articlerevision-*.sql", "user_id"}, {"*-email_opt_in-*.csv", "user_id"},
	} {
		person.columns(export, out, c[0], c[1])
	}
	if person.count < 500 {
		t.Errorf("only %d people were compared", person.count)
	}

	names := newPairs(t)
	for _, c := range [][2]string{
		{"*-auth_user-*.sql", "username"}, {"*-user_id_map-*.sql", "username"}, {"*-credit_crediteligibility-*.sql", "username"}, {"*-email_opt_in-*.csv", "username"},
	} {
		names.columns(export, out, c[0], c[1])
	}
	ids, released := sqlColumn(t, out, "*-user_id_map-*.sql", "id"), sqlColumn(t, out, "*-user_id_map-*.sql", "username")
	for i := range ids {
		if released[i] != "u"+ids[i] {
			t.Errorf("user_id_map: row %d: the username does not follow from the number", i+1)
		}
	}

	for _, pattern := range []string{"*-auth_user-*.sql", "*-email_opt_in-*.csv"} {
		files, err := filepath.Glob(filepath.Join(out, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil || bytes.ContainsRune(data, '@') {
				t.Errorf("%s holds an address, %v", filepath.Base(file), err)
			}
		}
	}
}

// checkAnonymous holds join 4, over tables, assessments and the payloads of logs.
func checkAnonymous(t *testing.T, export, out string) {
	t.Helper()
	anonymous := newPairs(t)
	for _, c := range [][2]string{
		{"*-student_anonymoususerid-*.sql", "anonymous_user_id"}, {"ora/*-submissions_studentitem-*.sql", "student_id"},
		{"ora/*-assessment_assessment-*.sql", "scorer_id"}, {"ora/*-assessment_peerworkflow-*.sql", "student_id"},
		{"ora/*-assessment_studenttrainingworkflow-*.sql", "student_id"}, {"*-user_id_map-*.sql", "hash_id"},
	} {
		anonymous.columns(export, out, c[0], c[1])
	}
	before, after := payloadIDs(t, export), payloadIDs(t, out)
	anonymous.add("log", before, after)
	if len(before) < 5 || anonymous.count < 100 {
		t.Errorf("only %d anonymous ids in payloads and %d in all", len(before), anonymous.count)
	}

}

// checkRows holds join 6 and those of the row keys.
func checkRows(t *testing.T, export, out string) {
	t.Helper()
	for _, keys := range [][][2]string{
		{{"*-auth_userprofile-*.sql", "id"}, {"*-student_languageproficiency-*.sql", "user_profile_id"}},
		{{"*-wiki_article-*.sql", "id"}, {"*-wiki_articlerevision-*.sql", "article_id"}},
		{{"*-wiki_articlerevision-*.sql", "id"}, {"*-wiki_article-*.sql", "current_revision_id"}, {"*-wiki_articlerevision-*.sql", "previous_revision_id"}},
		{{"*-teams-*.sql", "id"}, {"*-teams_membership-*.sql", "team_id"}},
		{{"ora/*-submissions_submission-*.sql", "uuid"}, {"ora/*-assessment_assessment-*.sql", "submission_uuid"}, {"ora/*-workflow_assessmentworkflow-*.sql", "submission_uuid"}},
		{{"ora/*-assessment_assessment-*.sql", "id"}, {"ora/*-assessment_assessmentpart-*.sql", "assessment_id"}},
		{{"ora/*-submissions_studentitem-*.sql", "id"}, {"ora/*-submissions_submission-*.sql", "student_item_id"}, {"ora/*-submissions_score-*.sql", "student_item_id"}},
	} {
		p := newPairs(t)
		for _, c := range keys {
			p.columns(export, out, c[0], c[1])
		}
	}

	for _, c := range [][2]string{ // content stays
		{"*-courseware_studentmodule-*.sql", "module_id"}, {"*-teams-*.sql", "discussion_topic_id"}, {"ora/*-submissions_studentitem-*.sql", "item_id"}, {"*-grades_persistentsubsectiongrade-*.sql", "usage_key"},
	} {
		before, after := sqlColumn(t, export, c[0], c[1]), sqlColumn(t, out, c[0], c[1])
		if strings.Join(before, "\n") != strings.Join(after, "\n") {
			t.Errorf("%s %s was changed", c[0], c[1])
		}
	}
}

// payloadIDs collects the anonymous ids of the event payloads, in order.
func payloadIDs(t *testing.T, root string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "*-events-*.log.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no logs: %v", err)
	}
	var ids []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		unpacked, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if _, err := text.ReadFrom(unpacked); err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text.Bytes()) {
			var event struct{ Event json.RawMessage }
			if i := bytes.IndexByte(line, '{'); i < 0 || json.Unmarshal(line[i:], &event) != nil {
				continue
			}
			var payload map[string]any
			if json.Unmarshal(event.Event, &payload) != nil {
				continue
			}
			for _, key := range []string{"scorer_id", "requesting_student_id", "anonymous_student_id", "student_id"} {
				if id, ok := payload[key].(string); ok && len(id) == 32 {
					ids = append(ids, id)
				}
			}
		}
	}
	return ids
}
