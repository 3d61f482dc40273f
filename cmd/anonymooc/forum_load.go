package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"anonymooc/config"
	"anonymooc/forum"
	"anonymooc/forum/corpus"
	"anonymooc/forum/corpus/mongo"
	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
	"anonymooc/forum/lists"
	"anonymooc/forum/mine"
	"anonymooc/forum/oral"
	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/internal/source"
	"anonymooc/release"
	"anonymooc/release/intake"
	"anonymooc/tables"
)

// forumFlags are the flags of every command that reads an export's forum.
type forumFlags struct {
	project  projectFlags
	packages packageFlags
	mongo    mongoFlags
	known    bool
	json     bool
}

func (f *forumFlags) add(cmd *cobra.Command) {
	f.project.add(cmd)
	f.project.addKey(cmd)
	f.packages.add(cmd)
	f.mongo.add(cmd)
	addSettings(cmd)
	cmd.Flags().BoolVar(&f.known, "known", false, "take people as the id map knows them, without reading who is who in the export again")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON lines")
}

// forumArguments is what commands that read a forum take.
var forumArguments = argumentsOrServer(1, -1, "one export or forum file, or more")

// forumSession is an open project with the forum files of some exports.
type forumSession struct {
	project *config.Project
	people  *idmap.Map
	domain  *idmap.Domain
	folder  forum.Folder
	files   []source.File
	export  *intake.Export // nil when only files were named
	server  *mongo.Server  // nil when the forum comes from files
	oral    bool           // some of the files are transcripts

	sources  []release.Source            // of the export folders
	identify func([]detect.Token) string // language of a text
}

// forumFolder is the plug-in's part of a project.
func forumFolder(p *config.Project) forum.Folder { return forum.Folder(filepath.Join(p.Dir, "forum")) }

// open opens the project and finds the forum files. Unless told otherwise it
// also reads who is who in the export folders, as a run would.
func (f *forumFlags) open(cmd *cobra.Command, exports []string) (*forumSession, error) {
	s, link, err := f.begin(cmd, exports)
	if err != nil {
		return nil, err
	}
	if err := link(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// begin is open without reading who is who, which takes as long as the export is
// large: link does that.
func (f *forumFlags) begin(cmd *cobra.Command, exports []string) (s *forumSession, link func() error, err error) {
	options, err := f.packages.options()
	if err != nil {
		return nil, nil, err
	}
	s = new(forumSession)
	if s.server, options.Also, err = f.mongo.open(cmd.Context()); err != nil {
		return nil, nil, err
	}
	if s.project, err = f.project.open(cmd, true, cmd.ErrOrStderr()); err != nil {
		return nil, nil, errors.Join(err, s.close())
	}
	found, err := s.discover(cmd.Context(), exports, options)
	if err != nil {
		return nil, nil, errors.Join(err, s.close())
	}
	s.folder = forumFolder(s.project)
	if err := os.MkdirAll(string(s.folder), 0o700); err != nil {
		return nil, nil, errors.Join(fault.New(fault.Failure, "the forum's folder cannot be made").At(string(s.folder), 0, "").Because(cause(err)), s.close())
	}
	if err := lists.WriteOfficerDefaults(s.folder.Lists()); err != nil {
		return nil, nil, errors.Join(fault.New(fault.Failure, "the lists for the officer cannot be written").At(s.folder.Lists(), 0, "").Because(cause(err)), s.close())
	}
	if s.people, err = f.project.openMap(s.project, true, "forum", cmd.ErrOrStderr()); err != nil {
		return nil, nil, errors.Join(err, s.close())
	}
	return s, func() error { return s.link(cmd, found, f.known || found == nil) }, nil
}

// close lets the id map and the export go.
func (s *forumSession) close() error {
	var errs []error
	if s.people != nil {
		errs = append(errs, s.people.Close())
	}
	if s.export != nil {
		errs = append(errs, s.export.Close())
	}
	if s.server != nil {
		errs = append(errs, s.server.Close())
	}
	return errors.Join(errs...)
}

// discover finds the forum files: those named as files, and in exports those that
// the rules take for a forum. It returns nil for the discovery when no export was
// named.
func (s *forumSession) discover(ctx context.Context, arguments []string, options intake.Options) (found *release.Discovery, err error) {
	exports, named := sortArguments(arguments)
	if s.files, err = namedFiles(named, options); err != nil {
		return nil, err
	}
	s.oral = slices.ContainsFunc(named, isTranscript)
	if len(exports) == 0 {
		s.files = append(s.files, forumsAmong(options.Also)...)
	}
	if len(exports) > 0 {
		rules, _, err := s.project.RuleSet()
		if err != nil {
			return nil, err
		}
		if s.export, err = intake.Open(ctx, exports, options); err != nil {
			return nil, err
		}
		if found, err = release.Discover(ctx, s.export, rules, s.project.Settings.Unknown == "drop", tables.DefaultLimits()); err != nil {
			return nil, err
		}
		s.files = append(s.files, forumFiles(found.Sources)...)
		s.sources = found.Sources
	}
	if len(s.files) == 0 {
		return nil, fault.New(fault.Usage, "the export holds no forum").WithHint("name the forum's file, or the folder that holds it; \"anonymooc check\" lists what is recognised")
	}
	return found, nil
}

// sortArguments tells exports from single files.
func sortArguments(arguments []string) (exports, named []string) {
	for _, path := range arguments {
		if intake.Holds(path) {
			exports = append(exports, path)
		} else {
			named = append(named, path)
		}
	}
	return exports, named
}

// namedFiles are forum files named one by one, whatever they are called; transcripts
// are read as the forum they stand for.
func namedFiles(paths []string, options intake.Options) ([]source.File, error) {
	named, err := intake.Named(paths, options) // holds nothing open
	if err != nil {
		return nil, err
	}
	files := named.Files
	for i, path := range paths {
		if !isTranscript(path) {
			continue
		}
		delivery, err := oral.Gather([]string{path}, "")
		if err != nil {
			return nil, err
		}
		files[i] = delivery.Transcripts[0].Posts()
	}
	return files, nil
}

func isTranscript(path string) bool {
	_, ok := oral.FormatOf(path)
	return ok
}

// withForumFiles runs work with the forum files that commands without a project
// are given: named ones, and those in exports that are called like a forum's.
func withForumFiles(ctx context.Context, arguments []string, packages *packageFlags, servers *mongoFlags, work func([]source.File) error) (err error) {
	options, err := packages.options()
	if err != nil {
		return err
	}
	exports, named := sortArguments(arguments)
	files, err := namedFiles(named, options)
	if err != nil {
		return err
	}
	server, collections, err := servers.open(ctx)
	if err != nil {
		return err
	}
	if server != nil {
		defer server.Close()
		files = append(files, forumsAmong(collections)...)
	}
	if len(exports) > 0 {
		export, err := intake.Open(ctx, exports, options)
		if err != nil {
			return err
		}
		defer export.Close() // only ever read from
		files = append(files, forum.Among(export.Files)...)
	}
	if len(files) == 0 {
		return fault.New(fault.Usage, "no forum file found").WithHint("name the forum's file: it ends in .mongo, or is called forum.json or contents.bson")
	}
	return work(files)
}

// forumFiles are the files of an export that hold a forum.
func forumFiles(sources []release.Source) []source.File {
	var files []source.File
	for _, s := range sources {
		if s.Table.Name == "forum" {
			files = append(files, s.File)
		}
	}
	return files
}

// link reads who is who in the export, as a run does, and writes nothing but the
// map. With known, people are taken as the map knows them.
func (s *forumSession) link(cmd *cobra.Command, found *release.Discovery, known bool) error {
	var err error
	if s.domain, err = s.people.Domain(s.project.Settings.Domain); err != nil || known {
		return err
	}
	if _, err := found.Link(cmd.Context(), s.domain, tables.DefaultLimits()); err != nil {
		return err
	}
	return s.people.Commit()
}

// engineOptions are those of every engine of a project: the detectors that its
// settings choose, with what the program ships and the officer's own lists,
// grammars, forests and expressions.
func engineOptions(p *config.Project, policy forum.Policy) (forum.Options, error) {
	folder := forumFolder(p)
	detectors, err := forum.ParseDetectors(p.Settings.Detectors)
	if err != nil {
		return forum.Options{}, err
	}
	expert, err := detect.ParseExpert(p.Settings.Expert)
	if err != nil {
		return forum.Options{}, err
	}
	options, err := forum.StandardChoice(folder, forum.Choice{Detectors: detectors, Expert: expert})
	if err != nil {
		return options, err
	}
	options.Policy = policy
	regular, err := officerExpressions(folder)
	if regular != nil {
		options.Detectors = append(options.Detectors, regular)
	}
	if err != nil {
		return options, err
	}
	options.Styles, options.HideGender, err = officerStyles(folder)
	return options, err
}

// officerStyles reads how the officer wants names replaced; none without a file.
func officerStyles(folder forum.Folder) (map[detect.Category]forum.Style, bool, error) {
	file, err := os.Open(folder.Styles())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fault.New(fault.Failure, "the styles cannot be read").At(folder.Styles(), 0, "").Because(cause(err))
	}
	defer file.Close()
	return forum.ReadStyles(file, folder.Styles())
}

// officerExpressions reads the officer's expressions; nil when there are none.
func officerExpressions(folder forum.Folder) (detect.Detector, error) {
	path := filepath.Join(string(folder), "expressions.txt")
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(fault.Failure, "the expressions cannot be read").At(path, 0, "").Because(cause(err))
	}
	defer file.Close()
	regular, err := mine.ReadRegular(file, path)
	if err != nil {
		return nil, err
	}
	return regular, nil
}

// document cuts one of a post's texts as the engine does.
func (s *forumSession) document(p *corpus.Post, field, text string) *detect.Document {
	doc := detect.NewDocument(*p, field, []byte(text))
	if s.identify != nil && doc.Lang == "" {
		doc.Lang = s.identify(doc.Tokens)
	}
	return doc
}

// eachText calls visit with every title and body of the forum.
func (s *forumSession) eachText(visit func(*detect.Document) error) error {
	posts, err := corpus.Open(s.files...)
	if err != nil {
		return err
	}
	return posts.Each(func(p *corpus.Post) error {
		for _, part := range [...]struct{ field, text string }{{"title", p.Title}, {"body", p.Body}} {
			if part.text == "" {
				continue
			}
			if err := visit(s.document(p, part.field, part.text)); err != nil {
				return err
			}
		}
		return nil
	})
}

// engine builds the engine that asks about everything undecided.
func (s *forumSession) engine() (*forum.Engine, error) { return s.engineOf(forum.Reviewed) }

// engineOf builds the engine of a policy. Mining reads what a run of the same
// exports would, so that the queue and the run ask the same.
func (s *forumSession) engineOf(policy forum.Policy) (*forum.Engine, error) {
	options, err := engineOptions(s.project, policy)
	if err != nil {
		return nil, err
	}
	options.Strangers = s.oral
	if len(s.sources) > 0 {
		options.Texts = textsBeside(s.domain, s.sources)
	}
	s.identify = options.Identify
	return forum.Open(s.domain, s.files, s.folder, options)
}

// openLedger opens a project's ledger for writing and tells when it had to be
// repaired.
func openLedger(cmd *cobra.Command, folder forum.Folder) (*ledger.Ledger, error) {
	l, err := ledger.Open(folder.Ledger(), ledger.Options{})
	if err == nil && l.Repaired() > 0 {
		cmd.PrintErrf("the ledger's last line was cut short by a crash: %d bytes of an unfinished entry were removed\n", l.Repaired())
	}
	return l, err
}

// cause is the system's reason without the path, which the fault names.
func cause(err error) error {
	var inFile *fs.PathError
	if errors.As(err, &inFile) {
		return inFile.Err
	}
	return err
}

// withEngine runs work with the engine of a project and some exports.
func (f *forumFlags) withEngine(cmd *cobra.Command, exports []string, work func(*forumSession, *forum.Engine) error) (err error) {
	s, err := f.open(cmd, exports)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	engine, err := s.engine()
	if err != nil {
		return err
	}
	return work(s, engine)
}
