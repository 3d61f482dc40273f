package main

import (
	"anonymooc/config"
	"anonymooc/idmap"
	"anonymooc/release"
	"anonymooc/tables"
)

// textEngine chooses what treats free text; nil for the drop policy.
func textEngine(p *config.Project) (func(*idmap.Domain, []release.Source) (tables.TextEngine, func() any, error), error) {
	if p.Settings.Text == "drop" {
		return nil, nil
	}
	return nil, errNotReviewed(0)
}
