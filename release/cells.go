package release

import (
	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/tables"
)

// singleCells lays the cells of single people that the project lists over the
// plans of the files. A cell that no file of the release can show stops the run:
// whoever listed it counts on it.
func (r *run) singleCells() error {
	cells, err := r.Project.Cells()
	if err != nil || len(cells) == 0 {
		return err
	}
	byTable := map[string][]tables.SingleCell{}
	for _, cell := range cells {
		byTable[cell.Table] = append(byTable[cell.Table], cell)
	}
	type place struct{ table, column string }
	shown := map[place]bool{}
	for i := range r.found.Sources {
		plan := r.found.Sources[i].Plan
		elsewhere := map[tables.SingleCell]bool{}
		for _, cell := range plan.Single(byTable[plan.Table.Name]) {
			elsewhere[cell] = true
		}
		for _, cell := range byTable[plan.Table.Name] {
			shown[place{cell.Table, cell.Column}] = shown[place{cell.Table, cell.Column}] || !elsewhere[cell]
		}
	}
	var faults fault.List
	told := map[place]bool{}
	for _, cell := range cells {
		if at := (place{cell.Table, cell.Column}); !shown[at] && !told[at] {
			told[at] = true
			faults = append(faults, fault.New(fault.Usage, "the cells name a column that no file of this release shows, or that says who a person is").
				At(r.Project.CellsFile(), 0, cell.Table+"."+cell.Column).
				WithHint("make the cells anew: anonymooc risk RELEASE --suggest --cells-out FILE"))
		}
	}
	if len(faults) > 0 {
		return faults.Err()
	}
	return r.knownPeople(cells)
}

// knownPeople makes sure that the cells are of this domain's people, not of
// another's.
func (r *run) knownPeople(cells []tables.SingleCell) error {
	people, unknown := map[idmap.Pseudonym]bool{}, 0
	for _, cell := range cells {
		if !people[cell.Person] && !r.domain.Has(cell.Person) {
			unknown++
		}
		people[cell.Person] = true
	}
	if unknown == len(people) {
		return fault.New(fault.Usage, "nobody whose cells are listed is known to the id map").At(r.Project.CellsFile(), 0, "person").
			WithHint("the cells were made from a release of another domain or project")
	}
	if unknown > 0 {
		r.warn("cells: %d of %d people are not known to the id map: they were forgotten, or are another domain's", unknown, len(people))
	}
	return nil
}
