package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"anonymooc/internal/fault"
	"anonymooc/tables/risk"
)

// callRisk runs the command by itself.
func callRisk(args ...string) (stdout string, err error) {
	command := newRiskCommand()
	var out bytes.Buffer
	command.SetOut(&out)
	command.SetErr(&out)
	command.SilenceErrors, command.SilenceUsage = true, true
	command.SetArgs(args)
	err = command.Execute()
	return out.String(), err
}

// profilesOf makes a folder with one table of people, some of whom stand out.
func profilesOf(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("id,user_id,gender,year_of_birth,country\n")
	for i := range 400 {
		year, country := 1970+i%20, []string{"FR", "BE", "CH", "CA"}[i%4]
		if i%100 == 7 {
			year, country = 1921+i/100, "FJ"
		}
		text.WriteString(strconv.Itoa(i) + "," + strconv.Itoa(1000000000+i) + "," + []string{"f", "m"}[i%2] + "," + strconv.Itoa(year) + "," + country + "\n")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "auth_userprofile.csv"), []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRiskIsAGateOnlyWhenKIsGiven(t *testing.T) {
	dir := profilesOf(t)
	for _, c := range []struct {
		args []string
		code fault.Code
	}{
		{nil, fault.OK}, {[]string{"--k", "5"}, fault.Risk}, {[]string{"--k", "5", "--json"}, fault.Risk},
		{[]string{"--k", "1"}, fault.Usage}, {[]string{"--local", "2"}, fault.Usage}, {[]string{"--rules-out", "x"}, fault.Usage},
		{[]string{"--quasi", "nowhere"}, fault.Usage}, {[]string{"--quasi", "gender", "--k", "5"}, fault.OK},
	} {
		args := append([]string{dir}, c.args...)
		if !strings.Contains(strings.Join(args, " "), "--quasi") {
			args = append(args, "--quasi", "gender,year_of_birth,country")
		}
		if _, err := callRisk(args...); fault.CodeOf(err) != c.code {
			t.Errorf("%v: status %d (%v), want %d", c.args, fault.CodeOf(err), err, c.code)
		}
	}
}

func TestRiskWritesWhatItProposesOutsideTheRelease(t *testing.T) {
	dir := profilesOf(t)
	if _, err := callRisk(dir, "--quasi", "year_of_birth", "--suggest", "--cells-out", filepath.Join(dir, "cells.csv")); fault.CodeOf(err) != fault.Usage {
		t.Errorf("cells of single people were written into the release: %v", err)
	}
	out := t.TempDir()
	rules, cells := filepath.Join(out, "rules.yaml"), filepath.Join(out, "cells.csv")
	text, err := callRisk(dir, "--quasi", "gender,year_of_birth,country", "--suggest", "--effects", "--json", "--rules-out", rules, "--cells-out", cells)
	if err != nil {
		t.Fatal(err)
	}
	var report risk.Report
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		t.Fatal(err)
	}
	if s := report.Suggestion; s == nil || !s.Reached || s.After.K < 5 || len(report.Effects) == 0 {
		t.Errorf("%+v", report.Suggestion)
	}
	data, err := os.ReadFile(rules)
	if err != nil || !bytes.HasPrefix(data, []byte("overrides:\n")) {
		t.Errorf("rules %q, %v", data, err)
	}
	info, err := os.Stat(cells)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	data, err = os.ReadFile(cells)
	if err != nil || bytes.Count(data, []byte("\n")) < 2 || !bytes.HasPrefix(data, []byte("person,table,column,value\n")) {
		t.Errorf("cells %q, %v", data, err)
	}
}

func TestRiskTellsAPerson(t *testing.T) {
	text, err := callRisk(profilesOf(t), "--quasi", "gender,year_of_birth,country", "--effects", "--suggest", "--local", "0")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"auth_userprofile", "person", "continents", "overrides:", "method:", "k is then"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
