package release_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"anonymooc/internal/fault"
	"anonymooc/release"
)

// TestParquetBesideTheFiles: the files are what they are without it, every table,
// log and forum has its Parquet, the manifest and the list of hashes name it, and
// it is the same the next time.
func TestParquetBesideTheFiles(t *testing.T) {
	m := newMaker(t)
	plain, first, second := filepath.Join(t.TempDir(), "plain"), filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "second")
	m.mustRun(plain, nil, bundled)
	parquet := func(jobs int) func(*release.Request) {
		return func(r *release.Request) { r.Project.Settings.Format, r.Project.Settings.Jobs = "parquet", jobs }
	}
	result := m.mustRun(first, parquet(1), bundled)
	m.mustRun(second, parquet(2), bundled)
	without, with := readTree(t, plain), readTree(t, first)
	if len(result.Manifest.Parquet) != 14 || len(with) != len(without)+14 {
		t.Errorf("%d Parquet files, %d files", len(result.Manifest.Parquet), len(with))
	}
	for name, text := range without {
		if name != release.ManifestFile && name != "SHA256SUMS" && with[name] != text {
			t.Errorf("%s is another with Parquet beside it", name)
		}
	}
	for name, text := range readTree(t, second) {
		if with[name] != text {
			t.Errorf("%s is another the second time", name)
		}
	}
	for _, c := range result.Manifest.Parquet {
		if with[c.Path] == "" || int64(len(with[c.Path])) != c.Bytes || !strings.Contains(with["SHA256SUMS"], c.SHA256+"  "+c.Path+"\n") {
			t.Errorf("%+v", c)
		}
	}
}

// TestTheListOfHashesIsWhole, as sha256sum wants it.
func TestTheListOfHashesIsWhole(t *testing.T) {
	m := newMaker(t)
	out := filepath.Join(t.TempDir(), "release")
	m.mustRun(out, nil, bundled)
	files := readTree(t, out)
	if lines := strings.Count(files["SHA256SUMS"], "\n"); lines != len(files)-1 {
		t.Errorf("%d lines for %d files", lines, len(files)-1)
	}
}

// TestCellsOfSinglePeople: a release shows what the project's list says, and no
// list is passed over in silence.
func TestCellsOfSinglePeople(t *testing.T) {
	m := newMaker(t)
	before := filepath.Join(t.TempDir(), "before")
	m.mustRun(before, nil, bundled)
	const file = "ImaginaireX-BOT101-Automne_2014/auth_userprofile.csv"
	rows := strings.Split(readTree(t, before)[file], "\n")
	person := strings.Split(rows[1], ",")[1]
	list := func(text string) error {
		return errors.Join(
			os.WriteFile(filepath.Join(m.project, "project.yaml"), []byte("version: 1\nsettings: {cells: cells.csv}\n"), 0o600),
			os.WriteFile(filepath.Join(m.project, "cells.csv"), []byte("person,table,column,value\n"+text), 0o600))
	}
	if err := list(person + ",auth_userprofile,country,\n" + person + ",auth_userprofile,gender,o\n"); err != nil {
		t.Fatal(err)
	}
	after := filepath.Join(t.TempDir(), "after")
	result := m.mustRun(after, nil, bundled)
	for i, row := range strings.Split(readTree(t, after)[file], "\n") {
		if i == 1 {
			if cells := strings.Split(strings.TrimSuffix(row, "\r"), ","); cells[2] != "o" || cells[len(cells)-1] != "" {
				t.Errorf("%q", row)
			}
		} else if row != rows[i] {
			t.Errorf("row %d is another person's and changed", i)
		}
	}
	if !strings.Contains(strings.Join(result.Warnings, "\n"), file+": 2 cells of single people") {
		t.Errorf("%q", result.Warnings)
	}
	for name, text := range map[string]string{
		"a column that is not released": person + ",auth_userprofile,mailing_address,x\n",
		"a table that is not there":     person + ",auth_profile,gender,x\n",
		"who it is":                     person + ",auth_user,id,x\n",
		"a log":                         person + ",tracking_log,agent,x\n",
		"another domain's people":       "1999999998,auth_userprofile,gender,x\n",
	} {
		if err := list(text); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "none")
		if _, err := m.run(out, nil, bundled); fault.CodeOf(err) != fault.Usage {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Lstat(out); err == nil {
			t.Errorf("%s: there is a release", name)
		}
	}
}
