package verify

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"anonymooc/internal/fault"
	"anonymooc/release/records"
)

// Request says what to verify, and against what.
type Request struct {
	Release string   // folder of the release
	Known   People   // every identifier of every person; nil looks for shapes only
	Source  []string // folders of the export it was made from; none: see Report.Limits
	// Manifest is what the release says of itself; nil reads it from the folder.
	Manifest *Manifest
	Jobs     int // workers; 0 means one a core
}

// Run reads a release and tells what is wrong with it. The error is about
// reading; what was found is in the Report, and Report.Err makes an error of it.
func Run(ctx context.Context, request Request) (*Report, error) {
	v := &verifier{request: request, report: &Report{}, people: map[uint32]struct{}{}, joined: joinSets{}}
	if v.request.Jobs <= 0 {
		v.request.Jobs = runtime.GOMAXPROCS(0)
	}
	if v.request.Known == nil {
		v.request.Known = func(func(Known) bool) {}
		v.limit("no identifiers were given: only shapes and places were checked")
	}
	if v.manifest = request.Manifest; v.manifest == nil {
		var err error
		if v.manifest, err = ReadManifest(request.Release); err != nil {
			return nil, err
		}
	}
	if v.manifest == nil {
		v.limit("the release has no manifest: hashes, rows and actions were not checked")
	}
	if err := v.run(ctx); err != nil {
		return nil, err
	}
	v.report.Unjudged = v.once(v.report.Unjudged)
	v.report.sort()
	return v.report, nil
}

// once leaves out what of a Parquet file is to be looked at in the file it was made
// of.
func (v *verifier) once(all []Unjudged) []Unjudged {
	if v.manifest == nil || len(v.manifest.Parquet) == 0 {
		return all
	}
	type doubtOf struct {
		file string
		kind Kind
		why  string
	}
	told := map[doubtOf]bool{}
	for _, u := range all {
		told[doubtOf{u.File, u.Kind, u.Why}] = true
	}
	return slices.DeleteFunc(all, func(u Unjudged) bool {
		c := v.manifest.parquet(u.File)
		return c != nil && told[doubtOf{c.Of, u.Kind, u.Why}]
	})
}

// verifier is one run.
type verifier struct {
	request  Request
	manifest *Manifest
	report   *Report
	index    *Index
	talk     *talk
	people   map[uint32]struct{}
	joined   joinSets
}

func (v *verifier) limit(what string) { v.report.Limits = append(v.report.Limits, what) }

func (v *verifier) problem(file, what string) {
	v.report.Problems = append(v.report.Problems, Problem{File: file, What: what})
}

func (v *verifier) run(ctx context.Context) error {
	files, err := records.List(v.request.Release)
	if err != nil {
		return err
	}
	v.privateThings(files)
	exports, err := v.exports()
	if err != nil {
		return err
	}
	builder := newIndexBuilder()
	for known := range v.request.Known {
		builder.add(known)
	}
	var source joinSets
	if len(exports) > 0 {
		source = joinSets{}
		if err := v.harvest(ctx, exports, source, builder.add); err != nil {
			return err
		}
	} else {
		v.limit("the export was not given: kept values, joins and the export's own keys and sessions were not compared")
	}
	v.index = builder.build()
	v.report.Spelled = v.index.Len()
	if err := v.conversations(files); err != nil {
		return err
	}
	for _, file := range files {
		if !file.Regular {
			continue // told by privateThings
		}
		if err := v.file(ctx, file); err != nil {
			return err
		}
	}
	v.manifestFiles(files)
	if err := v.sums(files); err != nil {
		return err
	}
	v.joins(v.joined, source)
	v.report.People = len(v.people)
	v.index, v.talk, v.people, v.joined = nil, nil, nil, nil // what follows needs the memory
	return v.comparisons(ctx, exports)
}

// comparisons compares what was kept with the export.
func (v *verifier) comparisons(ctx context.Context, exports []exportFile) error {
	if v.manifest == nil {
		return nil // nothing tells what was to be kept
	}
	shared := &compared{values: map[string]*bijection{}, told: map[[3]string]*Problem{}}
	given := map[*Output]bool{}
	for _, e := range exports {
		if e.schema.output == nil {
			continue // no file of the release was made of it
		}
		given[e.schema.output] = true
		if err := v.compare(ctx, e, shared); err != nil {
			return err
		}
	}
	for i := range v.manifest.Outputs {
		if o := &v.manifest.Outputs[i]; len(exports) > 0 && !given[o] {
			v.limit(filepath.ToSlash(o.Path) + ": the file it was made of is not in the export that was given, so kept values and joins were not compared with all of it")
		}
	}
	for _, problem := range shared.told {
		v.report.Problems = append(v.report.Problems, *problem)
	}
	return nil
}

// conversations reads the forum files once, to learn who talks to whom.
func (v *verifier) conversations(files []records.Entry) error {
	t := newTalk()
	for _, file := range files {
		if !file.Regular || v.table(file.Path) != "forum" {
			continue
		}
		r, err := records.Open(filepath.Join(v.request.Release, filepath.FromSlash(file.Path)))
		if err != nil {
			return unreadable(file.Path)
		}
		err = t.read(r)
		r.Close()
		if err != nil {
			return unreadable(file.Path)
		}
	}
	t.name(v.request.Known)
	v.talk = t
	return nil
}

func (v *verifier) table(file string) string {
	if v.manifest != nil {
		if o := v.manifest.output(file); o != nil && o.Table != "" {
			return o.Table
		}
	}
	return tableOf(file)
}

func unreadable(file string) error {
	return fault.New(fault.Failure, "cannot be read to its end").At(file, 0, "").
		WithHint("the file may be cut off or damaged: make the release again")
}

// file judges one file on all workers.
func (v *verifier) file(ctx context.Context, file records.Entry) error {
	name := filepath.Join(v.request.Release, filepath.FromSlash(file.Path))
	head, err := records.Beginning(name)
	if err != nil {
		return unreadable(file.Path)
	}
	s := newSchema(file.Path, records.FormatOf(file.Path, head), v.manifest)
	if s.table == "forum" {
		s.talk = v.talk
	}
	s.reviewed = v.manifest != nil && v.manifest.TextPolicy == "reviewed"
	told := File{Path: file.Path, Format: string(s.format), Bytes: file.Size, Nulls: map[string]int64{}}
	if s.format == records.Parquet {
		results, err := v.parquetFile(ctx, name, s)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return unreadable(file.Path)
		}
		v.gather(&told, s, results)
		v.recountParquet(&told)
		return nil
	}
	if s.format == records.Binary {
		v.problem(file.Path, "is of a format that verify cannot read, so nothing is known of it")
		v.report.Files = append(v.report.Files, told)
		return nil
	}
	if s.format == records.CSV || s.format == records.TSV {
		s.header(records.Header(head, s.format))
	}
	results, err := v.judge(ctx, name, s)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return unreadable(file.Path)
	}
	v.gather(&told, s, results)
	return nil
}

// judge sends the blocks of a file to the workers; the results come in the order
// of the blocks.
func (v *verifier) judge(ctx context.Context, name string, s *schema) ([]blockResult, error) {
	r, err := records.Open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	group, ctx := errgroup.WithContext(ctx)
	work := make(chan records.Block)
	type numbered struct {
		number int
		blockResult
	}
	done := make([][]numbered, v.request.Jobs)
	checkers := make([]*checker, v.request.Jobs)
	for i := range checkers {
		checkers[i] = newChecker(v.index, s)
		group.Go(func() error {
			for b := range work {
				done[i] = append(done[i], numbered{b.Number, checkers[i].block(b)})
			}
			return nil
		})
	}
	count := 0
	group.Go(func() error {
		defer close(work)
		return records.Blocks(r, s.format, func(b records.Block) error {
			count++
			select {
			case work <- b:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	results := make([]blockResult, count)
	for i := range done {
		for _, r := range done[i] {
			results[r.number] = r.blockResult
		}
		v.met(checkers[i])
	}
	return results, nil
}

// met takes in whom a worker met.
func (v *verifier) met(c *checker) {
	for person := range c.people {
		v.people[person] = struct{}{}
	}
	v.joined.merge(c.joins)
}

// gather adds up the blocks of one file.
func (v *verifier) gather(told *File, s *schema, results []blockResult) {
	doubts := map[doubt]*Unjudged{}
	for _, r := range results {
		told.Rows += r.rows
		for i, n := range r.nulls {
			if n > 0 {
				told.Nulls[s.columns[i].name] += n
			}
		}
		v.report.ResidualCount += r.found.count
		for _, f := range r.found.residuals {
			f.File = told.Path
			v.report.Residuals = append(v.report.Residuals, f)
		}
		for _, p := range r.found.problems {
			p.File = told.Path
			v.report.Problems = append(v.report.Problems, p)
		}
		for key, t := range r.found.doubts {
			u := doubts[key]
			if u == nil {
				u = &Unjudged{File: told.Path, Column: key.column, Kind: key.kind, Why: key.why, Line: t.line}
				doubts[key] = u
			}
			u.Count += t.count
		}
	}
	for _, u := range doubts {
		v.report.Unjudged = append(v.report.Unjudged, *u)
	}
	v.report.Files = append(v.report.Files, *told)
	if s.output != nil {
		v.recount(told, s)
	}
}

// Exists reports whether a folder holds something that may be a release.
func Exists(release string) error {
	info, err := os.Stat(release)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fault.New(fault.Usage, "no such folder").At(release, 0, "").WithHint("give the folder that \"anonymooc run\" wrote")
	case err != nil || !info.IsDir():
		return fault.New(fault.Usage, "is no folder that can be read").At(release, 0, "").WithHint("give the folder that \"anonymooc run\" wrote")
	}
	return nil
}
