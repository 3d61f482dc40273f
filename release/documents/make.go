package documents

import (
	"errors"

	"anonymooc/release/verify"
	"anonymooc/tables/risk"
)

// Request says what Make should write, and what it cannot find out by itself.
type Request struct {
	Release    string // the release's folder
	OfficerDir string // folder for the officer's documents, outside the release; empty for none
	Title      string
	Date       string // YYYY-MM-DD; empty for none
	Verify     *verify.Report
	Risk       risk.Request
	Officer    Officer
	Erasures   []Erasure
}

// Make gathers the facts of a release, measures its risk and writes all
// documents. It returns the facts and the paths written.
func Make(request Request) (*Facts, []string, error) {
	f, err := Gather(request.Release)
	if err != nil {
		return nil, nil, err
	}
	f.Title, f.Date, f.Verify, f.Officer, f.Erasures = request.Title, request.Date, request.Verify, request.Officer, request.Erasures
	f.Risk, _, err = risk.Assess(request.Release, request.Risk)
	if err != nil && !errors.Is(err, risk.ErrNothing) { // such a release has documents too: they say so
		return nil, nil, err
	}
	names, err := WriteRelease(request.Release, f)
	if err != nil || request.OfficerDir == "" {
		return f, names, err
	}
	officer, err := WriteOfficer(request.OfficerDir, f)
	return f, append(names, officer...), err
}
