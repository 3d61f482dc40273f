package main

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"anonymooc/internal/fault"
	"anonymooc/internal/sample/canary"
)

func TestCommandWritesExportCanariesAndBrokenInputs(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "canaries.jsonl")
	err := run([]string{"-people", "20", "-events", "50", "-posts", "10", "-courses", "2", "-canaries", list,
		"-broken", filepath.Join(dir, "broken"), filepath.Join(dir, "export")})
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(list)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if canaries, err := canary.Read(file); err != nil || len(canaries) < 100 {
		t.Errorf("%d canaries (%v)", len(canaries), err)
	}
	for _, name := range []string{"export/ImaginaireX-BOT101-Automne_2014/auth_user.csv", "broken/truncated-gzip/tracking_log.json.gz"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestCommandRefusesWrongUse(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		code fault.Code
	}{
		{nil, fault.Usage},
		{[]string{"a", "b"}, fault.Usage},
		{[]string{"-people", "many", "out"}, fault.Usage},
		{[]string{"-style", "moodle", filepath.Join(t.TempDir(), "out")}, fault.Usage},
		{[]string{"-people", "2", filepath.Join(t.TempDir(), "out")}, fault.Usage},
		{[]string{full}, fault.Failure},
	} {
		if err := run(test.args); fault.CodeOf(err) != test.code {
			t.Errorf("%v: %v has code %d, want %d", test.args, err, fault.CodeOf(err), test.code)
		}
	}
	if err := run([]string{"-h"}); !errors.Is(err, flag.ErrHelp) {
		t.Error(err)
	}
}
