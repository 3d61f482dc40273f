package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"anonymooc": main})
}

// TestScripts runs the commands as a user does: see testdata/script. $EXPORT is
// the bundled export, $BROKEN the folder of broken ones, $PACKAGES that of packed
// and encrypted ones.
func TestScripts(t *testing.T) {
	testdata, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	packages := packExports(t, filepath.Join(testdata, "export"))
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXPORT", filepath.Join(testdata, "export"))
			env.Setenv("BROKEN", filepath.Join(testdata, "broken"))
			env.Setenv("PACKAGES", packages)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "mode": mode},
	})
}

// exits runs a command that must end with the given exit status:
//
//	exits 3 anonymooc check export
func exits(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND ...")
	}
	err := ts.Exec(args[1], args[2:]...)
	status := "0"
	if err != nil {
		status = err.Error()
		if len(status) > len("exit status ") {
			status = status[len("exit status "):]
		}
	}
	if status != args[0] {
		ts.Fatalf("exit status %s, wanted %s", status, args[0])
	}
}

// mode checks the permissions of a file: mode 0700 project
func mode(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) != 2 {
		ts.Fatalf("usage: mode BITS FILE")
	}
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[0] {
		ts.Fatalf("%s has mode %s, wanted %s", args[1], got, args[0])
	}
}
