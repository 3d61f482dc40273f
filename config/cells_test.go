package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"anonymooc/config"
	"anonymooc/internal/fault"
	"anonymooc/tables"
)

// TestCells: the cells of single people are read from the project, where nobody
// else may read them; no message tells a value.
func TestCells(t *testing.T) {
	const header = "person,table,column,value\n"
	for name, c := range map[string]struct {
		text  string
		mode  os.FileMode
		where string
		code  fault.Code
		cells int
	}{
		"good":            {header + "1500000001,auth_userprofile,country,\"Europe, South\"\n1500000001,auth_userprofile,gender,\n", 0o600, "cells.csv", fault.OK, 2},
		"none":            {header, 0o600, "cells.csv", fault.OK, 0},
		"no such file":    {header, 0o600, "other.csv", fault.Usage, 0},
		"outside":         {header, 0o600, "../cells.csv", fault.Usage, 0},
		"others may read": {header, 0o640, "cells.csv", fault.Failure, 0},
		"no header":       {"1500000001,a,b,c\n", 0o600, "cells.csv", fault.Usage, 0},
		"empty":           {"", 0o600, "cells.csv", fault.Usage, 0},
		"no pseudonym":    {header + "4711secret,a,b,c\n", 0o600, "cells.csv", fault.Usage, 0},
		"a user id":       {header + "48213,a,b,c\n", 0o600, "cells.csv", fault.Usage, 0},
		"three fields":    {header + "1500000001,a,b\n", 0o600, "cells.csv", fault.Usage, 0},
		"twice":           {header + "1500000001,a,b,secret\n1500000001,a,b,other\n", 0o600, "cells.csv", fault.Usage, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := project(t, "version: 1\nsettings: {cells: "+c.where+"}\n", nil)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(p.Dir, "cells.csv")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, c.mode); err != nil {
				t.Fatal(err)
			}
			cells, err := p.Cells()
			if fault.CodeOf(err) != c.code || len(cells) != c.cells {
				t.Errorf("%d cells, %v", len(cells), err)
			}
			if err != nil && (strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "48213")) {
				t.Errorf("tells a value: %v", err)
			}
			if name == "good" && cells[0] != (tables.SingleCell{Person: 1500000001, Table: "auth_userprofile", Column: "country", Value: "Europe, South"}) {
				t.Errorf("%+v", cells[0])
			}
		})
	}
}

// TestCellsBelongToTheRules: other cells make another hash, so that an interrupted
// run is not gone on with.
func TestCellsBelongToTheRules(t *testing.T) {
	sums := map[string]bool{}
	for _, text := range []string{"", "person,table,column,value\n", "person,table,column,value\n1500000001,a,b,c\n"} {
		settings := "{}"
		if text != "" {
			settings = "{cells: cells.csv}"
		}
		p, err := project(t, "version: 1\nsettings: "+settings+"\n", nil)
		if err != nil {
			t.Fatal(err)
		}
		if text != "" {
			if err := os.WriteFile(filepath.Join(p.Dir, "cells.csv"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, sum, err := p.RuleSet()
		if err != nil {
			t.Fatal(err)
		}
		sums[sum] = true
	}
	if _, plain, err := config.LoadRules("fun"); err != nil || len(sums) != 3 || !sums[plain] {
		t.Errorf("%v, %v", sums, err)
	}
}

// TestFormatIsTheReleases: a flag called format lies over the setting only where it
// is the setting's.
func TestFormatIsTheReleases(t *testing.T) {
	for _, c := range []struct {
		marked bool
		want   string
	}{{true, "parquet"}, {false, "export"}} {
		flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
		flags.String("format", "", "")
		if c.marked {
			flags.Lookup("format").Annotations = map[string][]string{config.FormatFlag: {}}
		}
		if err := flags.Parse([]string{"--format", "parquet"}); err != nil {
			t.Fatal(err)
		}
		p, err := project(t, "version: 1\nsettings: {}\n", flags)
		if err != nil || p.Settings.Format != c.want {
			t.Errorf("marked %v: %q, %v", c.marked, p.Settings.Format, err)
		}
	}
	if p, err := project(t, "version: 1\nsettings: {format: parquet}\n", nil); err != nil || p.Settings.Format != "parquet" {
		t.Errorf("%v", err)
	}
	if _, err := project(t, "version: 1\nsettings: {format: csv}\n", nil); fault.CodeOf(err) != fault.Usage {
		t.Errorf("%v", err)
	}
}
