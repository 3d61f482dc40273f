package moocdb_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"anonymooc/config"
	"anonymooc/idmap"
	"anonymooc/internal/secret"
	"anonymooc/release"
	"anonymooc/release/moocdb"
	"anonymooc/tables/geo"
)

const export = "../../testdata/export"

// makeRelease makes a release of the bundled export.
func makeRelease(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "project")
	if _, err := config.CreateProject(dir); err != nil {
		t.Fatal(err)
	}
	ids, err := idmap.Create(filepath.Join(dir, "map"), idmap.Options{
		Key:     secret.Key{Secret: secret.New(bytes.Repeat([]byte{7}, 32))},
		Purpose: "test", Rand: rand.NewChaCha8(sha256.Sum256([]byte("moocdb"))),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer ids.Close()
	project, err := config.OpenProject(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	rules, sum, err := project.RuleSet()
	if err != nil {
		t.Fatal(err)
	}
	places, err := geo.Open("")
	if err != nil {
		t.Fatal(err)
	}
	defer places.Close()
	out := filepath.Join(t.TempDir(), "release")
	_, err = release.Run(context.Background(), release.Request{
		Exports: []string{export}, Out: out, Project: project, Rules: rules, RulesSHA: sum, Map: ids, Geo: places, Version: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func build(t *testing.T, source string) (*sql.DB, *moocdb.Report) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "moocdb.sqlite")
	report, err := moocdb.Build(context.Background(), moocdb.Request{Source: source, Out: out, Format: moocdb.SQLite})
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db, report
}

func result(t *testing.T, db *sql.DB, query string) string {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for rows.Next() {
		values, places := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			places[i] = &values[i]
		}
		if err := rows.Scan(places...); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b, values...)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestReleaseAndExportMakeTheSameMOOCdb compares the tables of a release with
// those of its export: the same rows, the same joins, the same times; only names
// and numbers of people, addresses and free text differ.
func TestReleaseAndExportMakeTheSameMOOCdb(t *testing.T) {
	before, reportBefore := build(t, export)
	after, reportAfter := build(t, makeRelease(t))
	for table, rows := range reportBefore.Rows {
		if reportAfter.Rows[table] != rows {
			t.Errorf("%s: the export has %d rows, the release %d", table, rows, reportAfter.Rows[table])
		}
	}
	if reportBefore.Rows["observed_events"] < 500 || reportBefore.Rows["submissions"] == 0 || reportBefore.Rows["collaborations"] < 100 {
		t.Fatalf("the bundled export has grown thin: %v", reportBefore.Rows)
	}
	queries := map[string]string{
		"events, in order, by the first event of their person": `SELECT e.observed_event_id, (SELECT min(f.observed_event_id) FROM observed_events f WHERE f.user_id = e.user_id), e.url_id, e.observed_event_timestamp, e.observed_event_duration, e.observed_event_os
			FROM observed_events e ORDER BY 1`,
		"resources":                 `SELECT resource_id, resource_parent_id, resource_child_number, resource_type_name FROM resources JOIN resource_types USING (resource_type_id) ORDER BY 1`,
		"URLs of resources":         `SELECT resource_id, url_id FROM resources_urls ORDER BY 2`,
		"problems":                  `SELECT * FROM problems ORDER BY 1`,
		"submissions":               `SELECT submission_id, problem_id, submission_timestamp, submission_attempt_number, submission_is_submitted, (SELECT min(observed_event_id) FROM observed_events e WHERE e.user_id = s.user_id) FROM submissions s ORDER BY 1`,
		"assessments":               `SELECT assessment_id, submission_id, assessment_grade, assessment_timestamp FROM assessments ORDER BY 1`,
		"collaborations":            `SELECT collaboration_id, collaboration_parent_id, collaboration_child_number, collaboration_type_id, collaboration_timestamp, resource_id FROM collaborations ORDER BY 1`,
		"authors":                   `SELECT collaboration_id, (SELECT min(d.collaboration_id) FROM collaborations d WHERE d.user_id = c.user_id) FROM collaborations c ORDER BY 1`,
		"authors who are in logs":   `SELECT collaboration_id, (SELECT min(observed_event_id) FROM observed_events e WHERE e.user_id = c.user_id) FROM collaborations c ORDER BY 1`,
		"people who did nothing":    `SELECT count(*) FROM users WHERE user_id NOT IN (SELECT user_id FROM observed_events WHERE user_id IS NOT NULL)`,
		"quasi-identifiers as kept": `SELECT user_gender, user_birthdate, user_country, user_final_grade, count(*) FROM users GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
	}
	for what, query := range queries {
		was, is := result(t, before, query), result(t, after, query)
		if was != is {
			t.Errorf("%s differ:\n%s", what, firstDifference(was, is))
		}
	}
}

func firstDifference(was, is string) string {
	a, b := strings.Split(was, "\n"), strings.Split(is, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return fmt.Sprintf("line %d: %s\nis now: %s", i+1, a[i], append(b, "nothing")[min(i, len(b))])
		}
	}
	return "more lines than before"
}
