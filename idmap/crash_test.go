package idmap

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestKillNeverLosesOrDoublesAReleasedPseudonym kills a process that draws,
// commits and "releases" without pause, again and again. Whatever a release
// shows must still be in the map, for the same person, once.
func TestKillNeverLosesOrDoublesAReleasedPseudonym(t *testing.T) {
	if dir := os.Getenv("IDMAP_TEST_CRASH"); dir != "" {
		releaseUntilKilled(t, dir)
		return
	}
	root := t.TempDir()
	m, err := Create(filepath.Join(root, "map"), Options{Key: testKey(1)})
	if err != nil {
		t.Fatal(err)
	}
	m.Close()
	for range 25 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKillNeverLosesOrDoublesAReleasedPseudonym$")
		cmd.Env = append(os.Environ(), "IDMAP_TEST_CRASH="+root)
		var output strings.Builder
		cmd.Stdout, cmd.Stderr = &output, &output
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+rand.IntN(120)) * time.Millisecond)
		cmd.Process.Kill()
		if err := cmd.Wait(); err == nil || strings.Contains(output.String(), "FAIL") {
			t.Fatalf("the process ended by itself: %s", output.String())
		}
	}
	if n := checkReleases(t, root); n == 0 {
		t.Fatal("no process lived long enough to release anything")
	}
}

// releaseUntilKilled draws people, commits, then shows their pseudonyms in a
// file, as a release does; now and then it forgets one, which rewrites the map.
func releaseUntilKilled(t *testing.T, root string) {
	m, err := Open(filepath.Join(root, "map"), Options{Key: testKey(1)})
	if err != nil {
		t.Fatal(err)
	}
	release, err := os.OpenFile(filepath.Join(root, "release"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	d := testDomain(t, m, "project")
	for round := 0; ; round++ {
		var lines strings.Builder
		for range 20 {
			name := fmt.Sprintf("learner-%d", rand.Uint64())
			fmt.Fprintf(&lines, "%s %d\n", name, person(t, d, named(name)))
		}
		gone := fmt.Sprintf("gone-%d", rand.Uint64())
		person(t, d, named(gone))
		if err := m.Commit(); err != nil {
			t.Fatal(err)
		}
		if _, err := release.WriteString(lines.String()); err != nil {
			t.Fatal(err)
		}
		if round%3 == 0 {
			if _, err := m.Forget([]Identifier{named(gone)}, ""); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func checkReleases(t *testing.T, root string) int {
	m, err := Open(filepath.Join(root, "map"), Options{Key: testKey(1)})
	if err != nil {
		t.Fatalf("the map does not open after the kills: %v", err)
	}
	defer m.Close()
	r := testDomain(t, m, "project").Resolver()
	release, err := os.Open(filepath.Join(root, "release"))
	if err != nil {
		t.Fatal(err)
	}
	defer release.Close()
	shown := map[Pseudonym]string{}
	lines := bufio.NewScanner(release)
	for lines.Scan() {
		var name string
		var p Pseudonym
		if n, _ := fmt.Sscanf(lines.Text(), "%s %d", &name, &p); n != 2 {
			continue // the line that was being written when the process died
		}
		if other, ok := shown[p]; ok && other != name {
			t.Fatalf("pseudonym %d was released for two people", p)
		}
		shown[p] = name
		if got, ok := r.Known(Username, []byte(name)); !ok || got != p {
			t.Fatalf("released as %d, the map says %d, %v", p, got, ok)
		}
	}
	return len(shown)
}
