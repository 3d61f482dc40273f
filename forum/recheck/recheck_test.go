package recheck

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestWilsonCoversWhatItSays: of all samples of 60 from a known share, weighed by
// how likely they are, the interval holds the share in 95 % or nearly so.
func TestWilsonCoversWhatItSays(t *testing.T) {
	const n = 60
	for _, share := range []float64{0.02, 0.05, 0.1, 0.3, 0.5, 0.9} {
		covered := 0.0
		for hits := range n + 1 {
			if i := Wilson(hits, n); i.Low <= share && share <= i.High {
				logarithm := lgamma(n+1) - lgamma(hits+1) - lgamma(n-hits+1) + float64(hits)*math.Log(share) + float64(n-hits)*math.Log(1-share)
				covered += math.Exp(logarithm)
			}
		}
		if covered < 0.91 || covered > 0.995 {
			t.Errorf("share %.2f: the interval holds it in %.3f of samples", share, covered)
		}
	}
	if i := Wilson(0, 0); i.Low != 0 || i.High != 1 {
		t.Errorf("of nothing it says %v", i)
	}
}

func lgamma(n int) float64 {
	v, _ := math.Lgamma(float64(n))
	return v
}

func TestChecksAreReadAsTheyWereWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "recheck.jsonl")
	if none, err := Read(path); none != nil || err != nil {
		t.Fatalf("without a file: %v, %v", none, err)
	}
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	all := []Check{{at, "ada", "p1", 4, 1}, {at, "bob", "p2", 0, 0}}
	if err := Write(path, all); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
	again, err := Read(path)
	if err != nil || len(again) != 2 || again[0] != all[0] || again[1] != all[1] {
		t.Errorf("%+v, %v", again, err)
	}
	e := Estimated(again)
	if e.Texts != 2 || e.Names != 4 || e.Missed != 1 || e.TextsShow != 1 || e.TextsShare.Share != 0.5 || e.NameShare.String() != "25.0 % (4.6–69.9)" {
		t.Errorf("%+v, %s", e, e.NameShare)
	}
}

func TestADamagedFileNamesItsLineAndNoValue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "recheck.jsonl")
	if err := os.WriteFile(path, []byte("{\"who\":\"ada\"}\n{\"who\":\"Zephyrine"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Read(path)
	if err == nil || !strings.Contains(err.Error(), "line 2") || strings.Contains(err.Error(), "Zephyrine") {
		t.Errorf("%v", err)
	}
}
