package moocdb

import (
	"os"
	"strings"
	"testing"
)

// TestQueriesOfTheGuideRun runs the queries that docs/researchers.md shows.
func TestQueriesOfTheGuideRun(t *testing.T) {
	guide, err := os.ReadFile("../../docs/researchers.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(guide), "## MOOCdb")
	if !found {
		t.Fatal("the guide has no section on MOOCdb")
	}
	db, _ := build(t, write(t, course))
	run := 0
	for _, code := range strings.Split(section, "```sql\n")[1:] {
		code, _, _ = strings.Cut(code, "```")
		for _, statement := range strings.Split(code, ";") {
			if strings.TrimSpace(statement) == "" {
				continue
			}
			if query(t, db, statement) == "" {
				t.Errorf("finds nothing: %s", statement)
			}
			run++
		}
	}
	if run < 3 {
		t.Errorf("only %d queries", run)
	}
}
