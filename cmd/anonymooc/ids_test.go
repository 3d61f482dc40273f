package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"anonymooc/config"
	"anonymooc/forum"
	"anonymooc/forum/ledger"
	"anonymooc/idmap"
	"anonymooc/internal/fault"
)

// idsProject is a project whose map knows a few people in two domains.
func idsProject(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "project")
	if _, err := config.CreateProject(dir); err != nil {
		t.Fatal(err)
	}
	m := openTestMap(t, dir, true)
	for _, name := range []string{"default", "other study"} {
		d, err := m.Domain(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, person := range [][3]string{{"17", "mdurand", "marie@example.org"}, {"18", "pmartin", "paul@example.org"}} {
			if err := d.Claim(idmap.Identifier{Kind: idmap.UserID, Value: person[0]}, idmap.Identifier{Kind: idmap.Username, Value: person[1]},
				idmap.Identifier{Kind: idmap.Email, Value: person[2]}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := d.Settle(); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Commit(); err != nil {
		t.Fatal(err)
	}
	m.Close()
	return dir
}

func openTestMap(t *testing.T, dir string, create bool) *idmap.Map {
	t.Helper()
	project, err := config.OpenProject(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	flags := projectFlags{dir: dir, passphraseFD: -1}
	m, err := flags.openMap(project, create, "test", &bytes.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// ids runs a sub-command of ids in a project.
func ids(dir, stdin string, args ...string) (string, error) {
	var out bytes.Buffer
	cmd := newIDsCommand()
	cmd.SetArgs(append(args, "--project", dir))
	cmd.SetIn(strings.NewReader(stdin))
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := cmd.Execute()
	return out.String(), err
}

func mustIDs(t *testing.T, dir, stdin string, args ...string) string {
	t.Helper()
	out, err := ids(dir, stdin, args...)
	if err != nil {
		t.Fatalf("ids %v: %v", args, err)
	}
	return out
}

func TestIDsStatAndDomainsCountAndNameNobody(t *testing.T) {
	dir := idsProject(t)
	var stat idmap.Stat
	out := mustIDs(t, dir, "", "stat", "--json")
	if err := json.Unmarshal([]byte(out), &stat); err != nil {
		t.Fatal(err)
	}
	if len(stat.Domains) != 2 || stat.Domains[0].People != 2 || stat.Domains[0].Identifiers[idmap.Email] != 2 || stat.Lock != "key file" {
		t.Errorf("%s", out)
	}
	text := out + mustIDs(t, dir, "", "stat") + mustIDs(t, dir, "", "domains") + mustIDs(t, dir, "", "audit")
	for _, value := range []string{"mdurand", "marie"} {
		if strings.Contains(text, value) {
			t.Errorf("%q is shown", value)
		}
	}
	if !strings.Contains(text, "other study  2 people") {
		t.Errorf("domains: %s", text)
	}
}

func TestIDsLookupLeadsThereAndBackAndIsOnRecord(t *testing.T) {
	dir := idsProject(t)
	var entries []idmap.Entry
	out := mustIDs(t, dir, "# comment\n\nemail: MARIE@example.org\n", "lookup", "--from", "-", "--json", "--reason", "she asked")
	if err := json.Unmarshal([]byte(out), &entries); err != nil || len(entries) != 1 || len(entries[0].Identifiers) != 3 {
		t.Fatalf("%v: %s", err, out)
	}
	file := filepath.Join(t.TempDir(), "pseudonyms")
	os.WriteFile(file, []byte(entries[0].Pseudonym.Username()+"\n"), 0o600)
	if back := mustIDs(t, dir, "", "lookup", "--pseudonyms", "--from", file); !strings.Contains(back, "username: mdurand") {
		t.Errorf("%s", back)
	}
	if plain := mustIDs(t, dir, "mdurand\n", "lookup", "--from", "-", "--kind", "username", "--domain", "other study"); !strings.Contains(plain, "user_id: 17") {
		t.Errorf("%s", plain)
	}
	audit := mustIDs(t, dir, "", "audit")
	if !strings.Contains(audit, "lookup pseudonyms") || !strings.Contains(audit, "1 email") || !strings.Contains(audit, "she asked") {
		t.Errorf("%s", audit)
	}
}

func TestIDsExportIsPrivateAndComplete(t *testing.T) {
	dir := idsProject(t)
	for _, format := range []string{"csv", "jsonl"} {
		to := filepath.Join(t.TempDir(), "contact")
		mustIDs(t, dir, "", "export", "--to", to, "--format", format)
		content, err := os.ReadFile(to)
		if err != nil {
			t.Fatal(err)
		}
		info, _ := os.Stat(to)
		if info.Mode().Perm() != 0o600 || strings.Count(string(content), "@example.org") != 2 {
			t.Errorf("%s: mode %v: %s", format, info.Mode(), content)
		}
	}
}

func TestIDsCrosswalkPairsTwoDomains(t *testing.T) {
	dir := idsProject(t)
	to := filepath.Join(t.TempDir(), "crosswalk.csv")
	mustIDs(t, dir, "", "crosswalk", "default", "other study", "--to", to)
	content, _ := os.ReadFile(to)
	if lines := strings.Split(strings.TrimSpace(string(content)), "\n"); len(lines) != 3 || lines[0] != "default,other study" {
		t.Errorf("%s", content)
	}
}

func TestIDsForgetReachesMapLedgerAndLinesSetAside(t *testing.T) {
	dir := idsProject(t)
	aside := filepath.Join(dir, "quarantine", "release", "tracking_log.json")
	os.MkdirAll(filepath.Dir(aside), 0o700)
	os.WriteFile(aside, []byte("{\"username\": \"mdurand\", cut"), 0o600)
	path := forum.Folder(filepath.Join(dir, "forum")).Ledger()
	decisions, err := ledger.Open(path, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decisions.Append(ledger.Entry{Question: ledger.QuestionID(ledger.KindForm, "mdurand"), Kind: ledger.KindForm, Surface: "mdurand", Verdict: ledger.Mask, Category: "username", Who: "officer"}); err != nil {
		t.Fatal(err)
	}
	decisions.Close()

	if _, err := ids(dir, "", "forget", "--yes", "--from", filepath.Join(dir, "absent")); fault.CodeOf(err) != fault.Usage {
		t.Errorf("%v, want a usage error", err)
	}
	out := mustIDs(t, dir, "username: mdurand\n", "forget", "--yes", "--from", "-", "--reason", "a letter")
	if !strings.Contains(out, "erased: 1 people") || !strings.Contains(out, "ledger: 1 decisions") || !strings.Contains(out, "domain other study again") {
		t.Errorf("%s", out)
	}
	err = filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte("mdurand")) {
			t.Errorf("%s still names the person", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = ids(dir, "username: mdurand\n", "lookup", "--from", "-")
	if fault.CodeOf(err) != fault.Failure {
		t.Errorf("%v, want that nobody is found", err)
	}
	var erasure idmap.Erasure
	out = mustIDs(t, dir, "user_id: 18\nuser_id: 17\n", "forget", "--yes", "--from", "-", "--json")
	if err := json.Unmarshal([]byte(out), &erasure); err != nil || erasure.People != 1 || erasure.Already != 1 {
		t.Errorf("%v: %s", err, out)
	}
}

func TestIDsForgetAsksFirst(t *testing.T) {
	dir := idsProject(t)
	f := idsFlags{project: projectFlags{dir: dir, passphraseFD: -1}}
	var questions []string
	answers := []string{"user_id: 17\n", "no\n"}
	f.ask = func(question string) ([]byte, error) {
		questions = append(questions, question)
		return []byte(answers[len(questions)-1]), nil
	}
	cmd := &cobra.Command{}
	cmd.SetOut(&bytes.Buffer{})
	if err := f.forget(cmd, false); fault.CodeOf(err) != fault.Usage || len(questions) != 2 {
		t.Errorf("%v after %q", err, questions)
	}
	if out := mustIDs(t, dir, "user_id: 17\n", "lookup", "--from", "-"); !strings.Contains(out, "mdurand") {
		t.Error("the person was erased without a yes")
	}
}

func TestIDsRekeyChangesTheKeyAndNothingElse(t *testing.T) {
	dir := idsProject(t)
	key := filepath.Join(dir, "key")
	oldKey, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	before := mustIDs(t, dir, "user_id: 17\n", "lookup", "--from", "-")
	mustIDs(t, dir, "", "rekey")
	if after := mustIDs(t, dir, "user_id: 17\n", "lookup", "--from", "-"); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
	old := filepath.Join(t.TempDir(), "old")
	os.WriteFile(old, oldKey, 0o600)
	if _, err := ids(dir, "", "stat", "--key", old); err == nil {
		t.Error("the old key still opens the map")
	}
	passphrase := filepath.Join(t.TempDir(), "passphrase")
	os.WriteFile(passphrase, []byte("a long passphrase\n"), 0o600)
	mustIDs(t, dir, "", "rekey", "--new-passphrase-file", passphrase)
	if out := mustIDs(t, dir, "", "stat", "--passphrase-file", passphrase); !strings.Contains(out, "passphrase") {
		t.Errorf("%s", out)
	}
	os.Chmod(passphrase, 0o644)
	if _, err := ids(dir, "", "stat", "--passphrase-file", passphrase); err == nil {
		t.Error("a passphrase that others may read was taken")
	}
}

func TestIDsMistakesAreUsageErrorsThatRepeatNothing(t *testing.T) {
	dir := idsProject(t)
	tests := []struct {
		name, stdin string
		args        []string
		code        fault.Code
	}{
		{"an identifier as an argument", "", []string{"lookup", "mdurand"}, fault.Usage},
		{"no kind", "mdurand\n", []string{"lookup", "--from", "-"}, fault.Usage},
		{"unknown kind", "mdurand\n", []string{"lookup", "--from", "-", "--kind", "shoe_size"}, fault.Usage},
		{"nothing given", "\n", []string{"lookup", "--from", "-"}, fault.Usage},
		{"not a pseudonym", "mdurand\n", []string{"lookup", "--pseudonyms", "--from", "-"}, fault.Usage},
		{"unknown domain", "user_id: 17\n", []string{"lookup", "--from", "-", "--domain", "elsewhere"}, fault.Usage},
		{"export without a file", "", []string{"export"}, fault.Usage},
		{"crosswalk of one", "", []string{"crosswalk", "default"}, fault.Usage},
		{"forget somebody unknown", "username: mdurand2\n", []string{"forget", "--yes", "--from", "-"}, fault.Failure},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out, err := ids(dir, test.stdin, test.args...)
			if fault.CodeOf(err) != test.code {
				t.Errorf("%v, want status %d", err, test.code)
			}
			var f *fault.Fault
			if !errors.As(err, &f) || strings.Contains(out+err.Error()+f.Hint, "mdurand") {
				t.Errorf("not a fault, or it repeats the value: %v", err)
			}
		})
	}
}

func TestIDsAuditSaysWhenItWasChanged(t *testing.T) {
	dir := idsProject(t)
	mustIDs(t, dir, "user_id: 17\n", "lookup", "--from", "-")
	path := filepath.Join(dir, "map", "audit.jsonl")
	content, _ := os.ReadFile(path)
	lines := strings.SplitAfter(string(content), "\n")
	var kept []string
	for _, line := range lines {
		if !strings.Contains(line, `"lookup"`) {
			kept = append(kept, line)
		}
	}
	os.WriteFile(path, []byte(strings.Join(kept, "")), 0o600)
	out, err := ids(dir, "", "audit")
	if fault.CodeOf(err) != fault.Failure || !strings.Contains(out, "open") {
		t.Errorf("%v: %s", err, out)
	}
}
