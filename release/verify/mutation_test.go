package verify_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"anonymooc/config"
	"anonymooc/idmap"
	"anonymooc/internal/secret"
	"anonymooc/release"
	"anonymooc/release/verify"
	"anonymooc/tables/geo"
)

const export = "../../testdata/export"

// made is a release of the bundled export, made once for all mutations.
type made struct {
	t      testing.TB
	export string
	folder string
	known  []verify.Known
}

func makeRelease(t testing.TB) *made {
	t.Helper()
	return makeReleaseOf(t, export)
}

func makeReleaseOf(t testing.TB, export string) *made {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "project")
	if _, err := config.CreateProject(dir); err != nil {
		t.Fatal(err)
	}
	ids, err := idmap.Create(filepath.Join(dir, "map"), idmap.Options{
		Key:     secret.Key{Secret: secret.New(bytes.Repeat([]byte{7}, 32))},
		Purpose: "test", Rand: rand.NewChaCha8(sha256.Sum256([]byte("verify"))),
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
	m := &made{t: t, export: export, folder: filepath.Join(t.TempDir(), "release")}
	_, err = release.Run(context.Background(), release.Request{
		Exports: []string{export}, Out: m.folder, Project: project, Rules: rules, RulesSHA: sum, Map: ids, Geo: places, Version: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	domain, err := ids.Domain(project.Settings.Domain)
	if err != nil {
		t.Fatal(err)
	}
	people, failed := verify.Roster(domain)
	for known := range people {
		m.known = append(m.known, known)
	}
	if err := failed(); err != nil {
		t.Fatal(err)
	}
	return m
}

// mutant copies the release with one file replaced, and forgets the hashes: the
// mutation must be seen in the data.
func (m *made) mutant(file string, data []byte) *verify.Report {
	m.t.Helper()
	folder := m.t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(m.folder)); err != nil {
		m.t.Fatal(err)
	}
	if file != "" {
		if err := os.WriteFile(filepath.Join(folder, file), data, 0o600); err != nil {
			m.t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(folder, "SHA256SUMS")); err != nil {
		m.t.Fatal(err)
	}
	manifest, err := verify.ReadManifest(folder)
	if err != nil {
		m.t.Fatal(err)
	}
	for i := range manifest.Outputs {
		manifest.Outputs[i].SHA256, manifest.Outputs[i].Bytes = "", 0
	}
	report, err := verify.Run(context.Background(), verify.Request{
		Release: folder, Source: []string{m.export}, Manifest: manifest,
		Known: func(yield func(verify.Known) bool) {
			for _, known := range m.known {
				if !yield(known) {
					return
				}
			}
		},
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return report
}

func (m *made) read(root, file string) []byte {
	m.t.Helper()
	data, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		m.t.Fatal(err)
	}
	return data
}

// TestBundledReleasePasses: a release of the bundled export has nothing to tell.
func TestBundledReleasePasses(t *testing.T) {
	report := makeRelease(t).mutant("", nil)
	for _, f := range report.Residuals {
		t.Errorf("residual %+v", f)
	}
	for _, p := range report.Problems {
		t.Errorf("problem %+v", p)
	}
}

// TestEveryActionOnAColumnIsMissed breaks each action of each table in turn, by
// putting the export's own column back: verify must notice all of them.
func TestEveryActionOnAColumnIsMissed(t *testing.T) {
	m := makeRelease(t)
	manifest, err := verify.ReadManifest(m.folder)
	if err != nil {
		t.Fatal(err)
	}
	broken := 0
	for _, output := range manifest.Outputs {
		if !strings.HasSuffix(output.Path, ".csv") {
			continue
		}
		released, source := m.read(m.folder, output.Path), m.read(export, output.Path)
		for _, column := range output.Columns {
			mutated := withColumn(released, source, column.Name)
			if mutated == nil || bytes.Equal(mutated, released) {
				continue // dropped, or kept
			}
			broken++
			t.Run(output.Path+"/"+column.Name, func(t *testing.T) {
				report := m.mutant(output.Path, mutated)
				if !notices(report, output.Path, column.Name) {
					t.Errorf("action %q was undone, and nobody noticed", column.Action)
				}
			})
		}
	}
	if broken < 20 {
		t.Errorf("only %d columns were broken", broken)
	}
}

// notices reports whether a column, or a path in it, is told to be wrong.
func notices(report *verify.Report, file, column string) bool {
	for _, f := range report.Residuals {
		if f.File == file && (f.Column == column || strings.HasPrefix(f.Column, column+".") || strings.HasPrefix(f.Column, column+"[")) {
			return true
		}
	}
	for _, p := range report.Problems {
		if p.File == file && p.Column == column {
			return true
		}
	}
	return false
}

// withColumn is a table of the release with one column of the export's; nil when
// either lacks it.
func withColumn(released, source []byte, column string) []byte {
	mark := []byte("\ufeff")
	out := []byte{}
	from, at := 0, 0
	here, there := -1, -1
	for row := 0; at < len(released) && from < len(source); row++ {
		end, next := verify.RecordEnd(released, at), verify.RecordEnd(source, from)
		record := released[at:end]
		fields, originals := verify.RawFields(record), verify.RawFields(source[from:next])
		if row == 0 {
			here, there = indexOf(fields, mark, column), indexOf(originals, mark, column)
			if here < 0 || there < 0 {
				return nil
			}
		} else if here < len(fields) && there < len(originals) {
			fields[here] = originals[there]
		}
		out = append(out, bytes.Join(fields, []byte{','})...)
		out = append(out, record[len(bytes.TrimRight(record, "\r\n")):]...)
		at, from = end, next
	}
	return out
}

func indexOf(fields [][]byte, mark []byte, column string) int {
	for i, field := range fields {
		if string(bytes.Trim(bytes.TrimPrefix(field, mark), `"`)) == column {
			return i
		}
	}
	return -1
}

// TestEveryLineOfALogIsMissed puts lines of the export back into logs and forums:
// each that the release changed must be told by its line.
func TestEveryLineOfALogIsMissed(t *testing.T) {
	m := makeRelease(t)
	manifest, err := verify.ReadManifest(m.folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, output := range manifest.Outputs {
		if !strings.HasSuffix(output.Path, ".json") {
			continue
		}
		t.Run(output.Path, func(t *testing.T) {
			released, source := m.read(m.folder, output.Path), m.read(export, output.Path)
			now, was := bytes.Split(released, []byte{'\n'}), bytes.Split(source, []byte{'\n'})
			if len(now) != len(was) {
				t.Fatalf("%d lines became %d", len(was), len(now))
			}
			const rounds = 8 // a report tells so many residuals of one block and no more
			for round := range rounds {
				mutated := slices.Clone(now)
				for i := round; i < len(now); i += rounds {
					mutated[i] = was[i]
				}
				report := m.mutant(output.Path, bytes.Join(mutated, []byte{'\n'}))
				told := map[int64]bool{}
				for _, f := range report.Residuals {
					told[f.Line] = told[f.Line] || f.File == output.Path
				}
				for i := round; i < len(now); i += rounds {
					if !bytes.Equal(now[i], was[i]) && !told[int64(i+1)] {
						t.Errorf("line %d was put back, and nobody noticed: %s", i+1, difference(now[i], was[i]))
					}
				}
			}
		})
	}
}

// difference shows where two lines of synthetic data begin to differ.
func difference(now, was []byte) string {
	i := 0
	for i < len(now) && i < len(was) && now[i] == was[i] {
		i++
	}
	return fmt.Sprintf("%.90s | %.90s", was[max(0, i-30):], now[max(0, i-30):])
}
