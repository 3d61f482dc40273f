package documents

import (
	"errors"
	"path/filepath"

	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/release/sums"
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
	Erasures   []idmap.Erasure // of all domains
}

// Make gathers the facts of a release, measures its risk and writes all
// documents. It returns the facts and the paths written.
func Make(request Request) (*Facts, []string, error) {
	f, err := Gather(request.Release)
	if err != nil {
		return nil, nil, err
	}
	f.Title, f.Date, f.Verify, f.Officer, f.Erasures = request.Title, request.Date, request.Verify, request.Officer, erasuresOf(f.Domain, request.Erasures)
	f.Risk, _, err = risk.Assess(request.Release, request.Risk)
	if err != nil && !errors.Is(err, risk.ErrNothing) { // such a release has documents too: they say so
		return nil, nil, err
	}
	names, err := WriteRelease(request.Release, f)
	if err != nil {
		return f, names, err
	}
	if err := sums.Refresh(request.Release, names...); err != nil {
		return f, names, fault.New(fault.Failure, "the list of hashes cannot be brought up to date").At(filepath.Join(request.Release, sums.Name), 0, "").
			WithHint("verify will not accept the papers that were just written: make the release again")
	}
	if request.OfficerDir == "" {
		return f, names, nil
	}
	officer, err := WriteOfficer(request.OfficerDir, f)
	return f, append(names, officer...), err
}

// erasuresOf lists the erasures that concern the releases of a domain.
func erasuresOf(domain string, all []idmap.Erasure) []Erasure {
	var list []Erasure
	for _, e := range all {
		if people := e.Domains[domain]; people > 0 {
			list = append(list, Erasure{Date: e.Time.UTC().Format("2006-01-02"), Domain: domain, People: people, Reason: e.Reason})
		}
	}
	return list
}
