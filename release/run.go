package release

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"anonymooc/config"
	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
	"anonymooc/internal/source"
	"anonymooc/release/intake"
	"anonymooc/release/pack"
	"anonymooc/tables"
	"anonymooc/tables/geo"
)

// Request is one run.
type Request struct {
	Exports []string
	Intake  intake.Options
	Out     string
	Seal    *pack.Recipients // who can open the release, which is one encrypted archive then; nil for a folder
	Replace bool             // an existing release may be replaced
	DryRun  bool             // stop before anything is published

	Project  *config.Project
	Rules    *tables.RuleSet
	RulesSHA string
	Map      *idmap.Map
	Geo      *geo.Database
	Limits   tables.Limits // zero for the defaults
	Version  string

	// Text makes the text engine once people are linked; nil for the drop
	// policy.
	Text func(*idmap.Domain, []Source) (Text, error)
	// Verify checks the finished release before it is published; nil for none.
	Verify func(ctx context.Context, domain *idmap.Domain, dir string) error
	// Progress hears what is going on; nil for nobody.
	Progress Progress
}

// Text is a text engine that can tell what it did.
type Text interface {
	tables.TextEngine
	// Finish returns what goes into the manifest once every text was treated,
	// or why the release must not appear: somebody has yet to decide.
	Finish() (any, error)
}

// Progress hears of a run's doings. Its methods are called from one goroutine.
type Progress interface {
	Start(files int, bytes int64)
	File(name string, bytes int64)
	Read(bytes, rows int64)
	Stage(name string)
	Done()
}

// Result is what a run did.
type Result struct {
	Out       string
	Manifest  *Manifest
	People    int // known to the id map's domain
	Conflicts idmap.Conflicts
	Warnings  []string
	Aside     string // folder of the records set aside; empty for none
}

type run struct {
	Request
	context  context.Context
	limits   tables.Limits
	export   *intake.Export
	found    *Discovery
	domain   *idmap.Domain
	session  *tables.Session
	text     Text
	partial  string
	result   Result
	manifest *Manifest

	ownPartial bool   // the partial folder is this run's to remove
	resumed    string // what is told of an interrupted run; no part of the manifest
}

// What the folders beside a release end in while it is made, and while it takes
// the place of another.
const (
	partialSuffix  = ".partial"
	replacedSuffix = ".partial-replaced"
)

// Run makes a release. On any error, and when ctx is cancelled, nothing of it is
// left; the id map keeps whom it met.
func Run(ctx context.Context, request Request) (*Result, error) {
	r := &run{Request: request, context: ctx, limits: request.Limits, partial: pack.Base(request.Out) + partialSuffix}
	if r.limits == (tables.Limits{}) {
		r.limits = tables.DefaultLimits()
	}
	if r.Progress == nil {
		r.Progress = silent{}
	}
	defer r.Progress.Done()
	if err := r.checkPlaces(); err != nil {
		return nil, err
	}
	export, err := intake.Open(ctx, r.Exports, r.Intake)
	if err != nil {
		return nil, err
	}
	defer export.Close() // only ever read from
	r.export = export
	if r.found, err = Discover(ctx, export, r.Rules, r.Project.Settings.Unknown == "drop", r.limits); err != nil {
		return nil, err
	}
	for _, w := range r.found.Warnings {
		r.warn("%s", w)
	}
	if r.DryRun {
		return &r.result, nil
	}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	if err := r.make(); err != nil {
		return nil, errors.Join(err, r.discard())
	}
	return &r.result, nil
}

// discard leaves nothing of a run that failed.
func (r *run) discard() error {
	if !r.ownPartial {
		return nil
	}
	if err := os.Remove(filepath.Join(r.Project.Dir, stateFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(r.partial)
}

func (r *run) warn(format string, args ...any) {
	r.result.Warnings = append(r.result.Warnings, fmt.Sprintf(format, args...))
}

// checkPlaces refuses places where the release could do harm, or be harmed.
func (r *run) checkPlaces() error {
	if r.Out == "" && r.DryRun {
		return nil
	}
	if r.Out == "" {
		return fault.New(fault.Usage, "a release wants a place").WithHint("--out RELEASE names the folder to be made")
	}
	if err := r.Seal.Fits(r.Out); err != nil {
		return err
	}
	out, err := filepath.Abs(r.Out)
	if err != nil {
		return err
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(out)); err == nil {
		out = filepath.Join(folder, filepath.Base(out))
	}
	for _, export := range r.Exports {
		in, err := filepath.Abs(export)
		if err != nil {
			return err
		}
		if real, err := filepath.EvalSymlinks(in); err == nil {
			in = real
		}
		for _, place := range []string{out, pack.Base(out) + partialSuffix, out + replacedSuffix} {
			if below(place, in) || below(in, place) {
				return fault.New(fault.Usage, "the release and the export lie in one another").At(r.Out, 0, "").
					WithHint("choose a folder outside of the export; beside the release, names that end in %s are made and removed", partialSuffix)
			}
		}
	}
	if err := idmap.CheckPlace(filepath.Join(r.Project.Dir, "map"), out, pack.Base(out)+partialSuffix, out+replacedSuffix); err != nil {
		return err
	}
	if project, err := filepath.Abs(r.Project.Dir); err != nil || below(out, project) {
		return fault.New(fault.Usage, "the release lies in the project folder, which must stay private").At(r.Out, 0, "").
			WithHint("choose a folder outside of the project")
	}
	_, err = os.Lstat(r.Out)
	if err == nil && !r.Replace {
		return fault.New(fault.Usage, "there is a release here already").At(r.Out, 0, "").
			WithHint("choose another folder, or pass --replace to put the new release in its place")
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.Failure, "the place of the release cannot be read").At(r.Out, 0, "").Because(errors.Unwrap(err))
	}
	if r.Replace && err == nil && r.Seal != nil {
		if !pack.Sealed(r.Out) {
			return fault.New(fault.Usage, "what is to be replaced is no encrypted archive").At(r.Out, 0, "").
				WithHint("choose another name")
		}
		return nil
	}
	if r.Replace && err == nil {
		if _, err := os.Stat(filepath.Join(r.Out, ManifestFile)); err != nil {
			return fault.New(fault.Usage, "what is to be replaced is no release: it has no manifest").At(r.Out, 0, "").
				WithHint("choose another folder")
		}
	}
	return nil
}

func below(path, dir string) bool {
	relative, err := filepath.Rel(dir, path)
	return err == nil && relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator))
}

// prepare links people and builds what the workers share.
func (r *run) prepare() error {
	var err error
	if r.domain, err = r.Map.Domain(r.Project.Settings.Domain); err != nil {
		return err
	}
	r.session = &tables.Session{IDs: r.domain, Geo: r.Geo, Forgotten: r.Project.Settings.Forgotten}
	r.Progress.Stage("linking people")
	if r.result.Conflicts, err = r.found.Link(r.context, r.domain, r.limits); err != nil {
		return err
	}
	for _, c := range r.result.Conflicts {
		r.warn("identities: %s: %d of kind %s (see docs/identity.md)", c.Sort, c.Count, c.Kind)
	}
	if err := r.singleCells(); err != nil {
		return err
	}
	if r.session.Names, err = Names(r.domain); err != nil {
		return err
	}
	if r.Text != nil {
		r.Progress.Stage("preparing the text engine")
		if r.text, err = r.Text(r.domain, r.found.Sources); err != nil {
			if fault.CodeOf(err) == fault.Undecided { // who answers the questions works with the people of this map
				err = errors.Join(err, r.Map.Commit())
			}
			return err
		}
		r.session.Text = r.text
	}
	r.manifest = &Manifest{
		Tool: "anonymooc", Version: r.Version, Format: 1, Domain: r.domain.Name(),
		Rules: RulesRef{r.Rules.Name, r.RulesSHA}, TextPolicy: r.Project.Settings.Text,
		Geo: r.Geo.Info().Type, GeoCredit: r.Geo.Info().Credit, LeftOut: r.found.Unknown, Conflicts: r.result.Conflicts,
	}
	return nil
}

// make transforms, verifies and publishes.
func (r *run) make() error {
	state, err := r.openPartial()
	if err != nil {
		return err
	}
	var total int64
	for _, s := range r.found.Sources {
		if s.Size == source.Unknown {
			total = source.Unknown
			break
		}
		total += s.Size
	}
	r.Progress.Start(len(r.found.Sources), total)
	var made []finished
	for i := range r.found.Sources {
		s := &r.found.Sources[i]
		r.Progress.File(s.Name, s.Size)
		done, ok := state.finished(s, r.partial)
		if !ok {
			if done, err = r.transform(s); err != nil {
				return err
			}
			if err := r.Map.Commit(); err != nil {
				return err
			}
			if err := state.finish(s, done); err != nil {
				return err
			}
		}
		made = append(made, done)
	}
	slices.SortFunc(made, func(a, b finished) int { return byFolder(a.Input.Path, b.Input.Path) }) // however they were packed
	for i := range made {
		r.manifest.Inputs = append(r.manifest.Inputs, made[i].Input)
		r.manifest.Outputs = append(r.manifest.Outputs, made[i].Output)
		r.warnFile(&made[i])
	}
	if r.text != nil {
		if r.manifest.Text, err = r.text.Finish(); err != nil {
			return err
		}
	}
	if err := r.parquet(); err != nil {
		return err
	}
	r.manifest.Warnings = r.result.Warnings
	if err := r.manifest.write(r.partial); err != nil {
		return err
	}
	r.session, r.text = nil, nil // what made the release is not asked any more: its memory is verify's
	if r.Verify != nil {
		r.Progress.Stage("verifying")
		if err := r.Verify(r.context, r.domain, r.partial); err != nil {
			return err
		}
	}
	if err := r.writeSums(); err != nil {
		return err
	}
	if err := r.Map.Commit(); err != nil {
		return err
	}
	r.result.Manifest, r.result.Out = r.manifest, r.Out
	r.result.People = r.domain.People() // those that only texts or logs name, too
	if r.resumed != "" {
		r.result.Warnings = append(r.result.Warnings, r.resumed)
	}
	return r.publish(state)
}

// warnFile tells what a reader of the summary should know about a file.
func (r *run) warnFile(done *finished) {
	t := &done.Output
	if t.Quarantined > 0 {
		r.warn("%s: %d lines could not be read and were set aside in the project, the first is line %d", t.Path, t.Quarantined, t.QuarantinedLines[0])
		r.result.Aside = r.quarantineDir()
	}
	if n := t.Dropped[tables.DroppedForgotten]; n > 0 {
		r.warn("%s: %d rows of people who were forgotten are left out", t.Path, n)
	}
	var failed, cut, single int64
	for _, c := range t.Columns {
		single += c.Single
		failed += c.Failed
		cut += c.Cut
		for _, f := range c.Fields {
			failed += f.Failed
			cut += f.Cut
		}
	}
	if failed > 0 {
		r.warn("%s: %d values could not be read and were emptied", t.Path, failed)
	}
	if single > 0 {
		r.warn("%s: %d cells of single people are what the project's list says", t.Path, single)
	}
	if cut > 0 {
		r.warn("%s: %d embedded texts had lost their end", t.Path, cut)
	}
}

// transform writes one file of the release below the partial folder.
func (r *run) transform(s *Source) (finished, error) {
	in, err := s.Read(r.context)
	if err != nil {
		return finished{}, err
	}
	defer in.Close()
	path := filepath.Join(r.partial, filepath.FromSlash(s.Name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return finished{}, r.cannotWrite(err)
	}
	file, err := safefile.Create(path, 0o644)
	if err != nil {
		return finished{}, r.cannotWrite(err)
	}
	defer file.Abort()
	out := &hashWriter{to: file, hash: sha256.New()}
	aside := &asideFile{path: filepath.Join(r.quarantineDir(), filepath.FromSlash(s.Name))}
	defer aside.abort()
	before := int64(0)
	tally, err := r.session.Transform(r.context, s.Plan, in, out, tables.Stream{
		Jobs: r.jobs(), Limits: r.limits, Compress: Compressor(s.Codec), Aside: aside,
		Progress: func(_, rows int64) {
			now := in.Packed()
			r.Progress.Read(now-before, rows)
			before = now
		},
	})
	if err != nil {
		return finished{}, err
	}
	if s.Codec != source.Plain && out.size == 0 { // an empty text is a member too
		if _, err := out.Write(Compressor(s.Codec)(nil, nil)); err != nil {
			return finished{}, r.cannotWrite(err)
		}
	}
	size, sum, err := in.Sum()
	if err != nil {
		return finished{}, err
	}
	if err := file.Commit(); err != nil {
		return finished{}, r.cannotWrite(err)
	}
	if err := aside.commit(); err != nil {
		return finished{}, r.cannotWrite(err)
	}
	return finished{
		Input:  Input{Path: s.Name, Bytes: size, SHA256: sum, Rows: tally.RowsIn},
		Output: Output{Path: s.Name, Table: s.Table.Name, Format: s.Plan.Format.Name(), Bytes: out.size, SHA256: hex.EncodeToString(out.hash.Sum(nil)), FileTally: tally},
	}, nil
}

func (r *run) jobs() int {
	if n := r.Project.Settings.Jobs; n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

func (r *run) cannotWrite(err error) error {
	return fault.New(fault.Failure, "the release cannot be written").At(r.Out, 0, "").
		WithHint("is there space left, and may the folder be written to?").Because(errors.Unwrap(err))
}

// quarantineDir is where records that cannot be read are set aside: in the
// project, never in the release.
func (r *run) quarantineDir() string {
	return filepath.Join(r.Project.Dir, "quarantine", filepath.Base(r.Out))
}

// hashWriter counts and hashes what is written.
type hashWriter struct {
	to   io.Writer
	hash interface {
		io.Writer
		Sum([]byte) []byte
	}
	size int64
}

func (w *hashWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	w.size += int64(n)
	w.hash.Write(p[:n])
	return n, err
}

// asideFile receives records that could not be read; it exists only if there
// were any.
type asideFile struct {
	path string
	file *safefile.File
}

func (a *asideFile) Write(p []byte) (int, error) {
	if a.file == nil {
		if err := os.MkdirAll(filepath.Dir(a.path), 0o700); err != nil {
			return 0, err
		}
		file, err := safefile.Create(a.path, 0o600)
		if err != nil {
			return 0, err
		}
		a.file = file
	}
	return a.file.Write(p)
}

func (a *asideFile) commit() error {
	if a.file == nil {
		return nil
	}
	return a.file.Commit()
}

func (a *asideFile) abort() {
	if a.file != nil {
		a.file.Abort()
	}
}

type silent struct{}

func (silent) Start(int, int64)   {}
func (silent) File(string, int64) {}
func (silent) Read(int64, int64)  {}
func (silent) Stage(string)       {}
func (silent) Done()              {}
