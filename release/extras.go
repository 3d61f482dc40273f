package release

import (
	"anonymooc/release/columnar"
	"anonymooc/release/sums"
)

// parquet writes the finished files once more as Parquet where the project asks
// for it.
func (r *run) parquet() error {
	if r.Project.Settings.Format != "parquet" {
		return nil
	}
	r.Progress.Stage("writing Parquet")
	request := columnar.Request{Release: r.partial, Jobs: r.jobs()}
	for _, o := range r.manifest.Outputs {
		request.Files = append(request.Files, columnar.File{Path: o.Path, Table: o.Table, Format: o.Format})
	}
	copies, err := columnar.Write(r.context, request)
	r.manifest.Parquet = copies
	return err
}

// writeSums writes the hashes of everything that is in the release, its papers
// included, so that a later change is seen.
func (r *run) writeSums() error {
	known := map[string]string{}
	for _, o := range r.manifest.Outputs {
		known[o.Path] = o.SHA256
	}
	for _, c := range r.manifest.Parquet {
		known[c.Path] = c.SHA256
	}
	if err := sums.Write(r.partial, known); err != nil {
		return r.cannotWrite(err)
	}
	return nil
}
