package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"anonymooc/internal/fault"
)

// TestMOOCdbCommand builds from the bundled export, in a table and for scripts.
func TestMOOCdbCommand(t *testing.T) {
	folder := t.TempDir()
	tests := []struct {
		args   []string
		status fault.Code
		said   string
		made   string
	}{
		{[]string{"../../testdata/export", "--out", filepath.Join(folder, "a.sqlite")}, fault.OK, "observed_events      600", "a.sqlite"},
		{[]string{"../../testdata/export", "--out", filepath.Join(folder, "a.sqlite")}, fault.Usage, "", ""},
		{[]string{"../../testdata/export", "--out", filepath.Join(folder, "a.sqlite"), "--replace", "--json"}, fault.OK, `"observed_events": 600`, "a.sqlite"},
		{[]string{"../../testdata/export", "--out", filepath.Join(folder, "b"), "--format", "mysql"}, fault.OK, "collaborations       160", "b/load.sql"},
		{[]string{"../../testdata/export", "--out", filepath.Join(folder, "c"), "--format", "oracle"}, fault.Usage, "", ""},
		{[]string{"../../testdata/export"}, fault.Usage, "", ""},
		{[]string{filepath.Join(folder, "nowhere"), "--out", filepath.Join(folder, "d")}, fault.Usage, "", ""},
		{nil, fault.Usage, "", ""},
	}
	for _, test := range tests {
		cmd := newMOOCdbCommand()
		var out bytes.Buffer
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		cmd.SetArgs(append([]string{}, test.args...))
		err := cmd.Execute()
		if fault.CodeOf(err) != test.status {
			t.Errorf("%q: status %d, %v", test.args, fault.CodeOf(err), err)
		}
		if !strings.Contains(out.String(), test.said) {
			t.Errorf("%q: %s", test.args, out.String())
		}
		if test.made != "" {
			if _, err := os.Stat(filepath.Join(folder, test.made)); err != nil {
				t.Error(err)
			}
		}
	}
}
