package moocdb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
	"anonymooc/release/records"
)

// Request says what to build.
type Request struct {
	Source  string // folder of a release, or of an export
	Out     string // database file, or folder
	Format  Format
	Replace bool // what is at Out may be replaced
	Jobs    int  // goroutines that decode; 0 for one a core
}

// Report counts what was built.
type Report struct {
	Rows    map[string]int64 `json:"rows"`    // by table
	Skipped int64            `json:"skipped"` // lines that are no event or no post
	// Backward counts events that came before an earlier one of the same person:
	// their durations are unknown.
	Backward int64 `json:"backward"`
	// Orphans counts assessments of work that the log does not hold.
	Orphans int64 `json:"orphans"`
}

// Build reads a folder and writes its MOOCdb, whole or not at all.
func Build(ctx context.Context, request Request) (*Report, error) {
	if err := request.check(); err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp(filepath.Dir(request.Out), ".moocdb-")
	if err != nil {
		return nil, cannotWrite(request.Out)
	}
	defer os.RemoveAll(scratch)
	database := filepath.Join(scratch, "moocdb.sqlite")
	b, err := newBuilder(database, request.Jobs)
	if err != nil {
		return nil, err
	}
	if err := b.build(ctx, request.Source); err != nil {
		return nil, errors.Join(err, b.store.close())
	}
	made := database
	if request.Format != SQLite {
		made = filepath.Join(scratch, "moocdb")
		err = dump(ctx, b.store.db, made, request.Format)
	}
	if err = errors.Join(err, b.store.close()); err != nil {
		return nil, err
	}
	return &b.report, publish(made, request)
}

func (r *Request) check() error {
	if typeNames[r.Format] == nil && r.Format != CSV {
		return fault.New(fault.Usage, "unknown format %q", string(r.Format)).WithHint("the formats are sqlite, csv, mysql and postgres")
	}
	if r.Out == "" {
		return fault.New(fault.Usage, "a database wants a place").WithHint("--out names the file or folder to be made")
	}
	if info, err := os.Stat(r.Source); err != nil || !info.IsDir() {
		return fault.New(fault.Usage, "is no folder that can be read").At(r.Source, 0, "").WithHint("give the folder of a release or of an export")
	}
	if _, err := os.Lstat(r.Out); err == nil && !r.Replace {
		return fault.New(fault.Usage, "something is here already").At(r.Out, 0, "").WithHint("choose another name, or pass --replace")
	}
	return nil
}

// publish gives what was made its name.
func publish(made string, request Request) error {
	if request.Format == SQLite { // written without waiting for the disk
		file, err := os.OpenFile(made, os.O_RDWR, 0)
		if err != nil {
			return cannotWrite(request.Out)
		}
		if err := errors.Join(file.Sync(), file.Close()); err != nil {
			return cannotWrite(request.Out)
		}
	}
	if request.Replace {
		if err := os.RemoveAll(request.Out); err != nil {
			return cannotWrite(request.Out)
		}
	}
	if err := os.Rename(made, request.Out); err != nil {
		return cannotWrite(request.Out)
	}
	return safefile.SyncDir(filepath.Dir(request.Out))
}

// file is one file of the folder.
type file struct {
	name   string // on disk
	table  string
	format records.Format
}

// builder holds what is gathered.
type builder struct {
	store     *store
	people    *people
	resources *resources
	problems  *problems
	forum     *forum
	pending   map[int64]*observed
	events    int64
	jobs      int
	report    Report
}

func newBuilder(database string, jobs int) (*builder, error) {
	s, err := newStore(database)
	if err != nil {
		return nil, err
	}
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	return &builder{
		store: s, people: newPeople(), resources: newResources(s), problems: newProblems(s), forum: newForum(),
		pending: map[int64]*observed{}, jobs: jobs,
	}, nil
}

// build reads tables before the forum and the forum before the log: who is whom
// and what a problem weighs must be known when events are met.
func (b *builder) build(ctx context.Context, source string) error {
	files, err := discover(source)
	if err != nil {
		return err
	}
	for _, f := range files {
		if read := tableReaders[f.table]; read != nil {
			if err := b.readTable(f, read); err != nil {
				return unreadable(f.name, err)
			}
		}
	}
	for _, f := range files {
		if f.table != "forum" {
			continue
		}
		err := records.Walk(f.name, f.format, func(_ int64, record []byte) bool {
			if !b.forum.take(record, b.people) {
				b.report.Skipped++
			}
			return true
		})
		if err != nil {
			return unreadable(f.name, err)
		}
	}
	for _, f := range files {
		if f.table == "tracking_log" {
			if err := b.readLog(ctx, f); err != nil {
				return unreadable(f.name, err)
			}
		}
	}
	return b.finish(ctx)
}

func unreadable(name string, err error) error {
	var f *fault.Fault
	if errors.As(err, &f) || errors.Is(err, context.Canceled) {
		return err
	}
	return fault.New(fault.Failure, "cannot be read to its end").At(name, 0, "").WithHint("the file may be cut off or damaged")
}

// finish writes what was held back, and checks all foreign keys.
func (b *builder) finish(ctx context.Context) error {
	if err := b.flush(); err != nil {
		return err
	}
	if err := b.forum.write(b.store, b.resources); err != nil {
		return err
	}
	if err := b.resources.types.write(b.store, "resource_types"); err != nil {
		return err
	}
	if err := b.problems.types.write(b.store, "problem_types"); err != nil {
		return err
	}
	if err := b.people.write(b.store); err != nil {
		return err
	}
	if err := b.store.finish(ctx); err != nil {
		return err
	}
	b.report.Orphans = b.problems.orphans
	b.report.Rows = map[string]int64{}
	for i := range b.store.inserts {
		b.report.Rows[schema[i].name] = b.store.inserts[i].rows
	}
	return nil
}

// discover lists the files that MOOCdb has a place for, logs in the order of
// their names, which is that of their dates.
func discover(source string) ([]file, error) {
	entries, err := records.List(source)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, entry := range entries {
		table := tableOf(entry.Path)
		if !entry.Regular || table == "" {
			continue
		}
		name := filepath.Join(source, filepath.FromSlash(entry.Path))
		head, err := records.Beginning(name)
		if err != nil {
			return nil, unreadable(name, err)
		}
		format := records.FormatOf(entry.Path, head)
		if format == records.Parquet {
			continue // of a file that is there, too
		}
		files = append(files, file{name, table, format})
	}
	if len(files) == 0 {
		return nil, fault.New(fault.Failure, "holds no file that MOOCdb has a place for").At(source, 0, "").
			WithHint("give the folder of a release or of an export: with auth_user, tracking logs or a forum in it")
	}
	return files, nil
}

// tableOf tells the table from a file's name: FUN's names, or those of an edX
// data package.
func tableOf(name string) string {
	base := strings.ToLower(path.Base(records.PlainName(name)))
	best := ""
	for table := range tableReaders {
		if strings.Contains(base, table) && len(table) > len(best) {
			best = table
		}
	}
	switch {
	case best != "" && !strings.Contains(base, "auth_user_groups"):
		return best
	case strings.Contains(base, "tracking_log") || strings.Contains(base, "-events-") || strings.HasSuffix(base, ".log"):
		return "tracking_log"
	case strings.HasSuffix(base, ".mongo") || strings.Contains(base, "forum") || strings.HasPrefix(base, "contents."):
		return "forum"
	}
	return ""
}

// readLog decodes the blocks of a log on all cores and takes the events in order.
func (b *builder) readLog(ctx context.Context, f file) error {
	r, err := records.Open(f.name)
	if err != nil {
		return err
	}
	defer r.Close()
	type decoded struct {
		events  []event
		skipped int64
	}
	type task struct {
		block records.Block
		done  chan decoded
	}
	group, ctx := errgroup.WithContext(ctx)
	order := make(chan chan decoded, 2*b.jobs) // blocks in the order of the file
	work := make(chan task, b.jobs)
	group.Go(func() error {
		defer close(order)
		defer close(work)
		return records.Blocks(r, f.format, func(block records.Block) error {
			t := task{block, make(chan decoded, 1)}
			select {
			case order <- t.done:
			case <-ctx.Done():
				return ctx.Err()
			}
			select {
			case work <- t:
			case <-ctx.Done():
				return ctx.Err()
			}
			return nil
		})
	})
	for range b.jobs {
		group.Go(func() error {
			decoder := newDecoder()
			for t := range work {
				d := decoded{events: make([]event, 0, len(t.block.Data)/500)}
				records.Each(t.block, f.format, func(_ int64, record []byte) {
					if e, ok := decoder.decode(record); ok {
						d.events = append(d.events, e)
					} else {
						d.skipped++
					}
				})
				t.done <- d
			}
			return nil
		})
	}
	group.Go(func() error {
		for done := range order {
			var d decoded
			select {
			case d = <-done:
			case <-ctx.Done(): // a block that was announced may never be worked on
				return ctx.Err()
			}
			b.report.Skipped += d.skipped
			for i := range d.events {
				if err := b.take(&d.events[i]); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return group.Wait()
}

// String tells the counts, a table a line.
func (r *Report) String() string {
	var b strings.Builder
	for i := range schema {
		fmt.Fprintf(&b, "%-20s %d\n", schema[i].name, r.Rows[schema[i].name])
	}
	fmt.Fprintf(&b, "lines that are no event or post: %d; events out of order: %d; assessments of unknown work: %d\n", r.Skipped, r.Backward, r.Orphans)
	return b.String()
}
