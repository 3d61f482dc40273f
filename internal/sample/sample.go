// Package sample writes exports of invented courses, of any size, that hold
// every trap a real export is known to hold.
//
// Everything is a template. A table is a list of columns whose cells are
// templates (tables_*.go), a log line is an envelope, an event type and a
// payload (envelopes.go, events*.go), a forum document and a sentence are
// templates too (forum.go, texts.go). A template's slots are filled from a
// scene: who acts, whom they meet, in which course, when (scene.go, slots.go).
// Because a slot knows whether it names somebody, the generator can report
// every identifier it planted, and where: the canaries of the tests.
//
//	Options ─► roster (people by number) ─► Course ─► scene ─► template ─► file
//	                                                     └──► canary.Canary
//
// The people of a roster and the members of a course follow from their numbers
// alone, so that an export of millions takes no memory. Everything follows
// from the seed (math/rand/v2, PCG): the same options give the same bytes.
package sample

import (
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
	"anonymooc/internal/sample/canary"
)

// Style is the naming and form of an export's files.
type Style string

// The two styles: comma separated files as FUN hands them out, and the tab
// separated data packages of edX.
const (
	FUN Style = "fun"
	EDX Style = "edx"
)

// Options say what to write. Events and Posts count over all courses.
type Options struct {
	People  int
	Events  int
	Posts   int
	Courses int
	Seed    uint64
	Style   Style
	// Planted receives every identifier written, if set. It is meant for small
	// exports: a large one plants millions.
	Planted func(canary.Canary)
}

// File is one file written.
type File struct {
	Path string // below the export folder
	Rows int64
	Size int64
}

// generator holds what all files share.
type generator struct {
	options Options
	roster  *roster
	courses []*Course
	events  []eventKind
	wheel   []uint16
	forums  [2]forum // older and newer documents
	phrases map[string]*compiledPhrases
	modules []module
	tables  []*compiledTable
	out     string
	files   []File
}

// Write writes an export into the folder out, which must be empty or not yet
// exist, and returns its files in the order they were written.
func Write(out string, options Options) ([]File, error) {
	g, err := newGenerator(out, options)
	if err != nil {
		return nil, err
	}
	if err := emptyFolder(out); err != nil {
		return nil, err
	}
	if options.Style == EDX {
		err = g.writePackage()
	} else {
		err = g.writeFUN()
	}
	return g.files, err
}

func newGenerator(out string, options Options) (*generator, error) {
	if options.Style == "" {
		options.Style = FUN
	}
	switch {
	case options.Style != FUN && options.Style != EDX:
		return nil, fault.New(fault.Usage, "no such style").WithHint("use fun or edx")
	case options.Courses < 1 || options.People < max(8, options.Courses) || options.Events < 0 || options.Posts < 0:
		return nil, fault.New(fault.Usage, "an export needs a course, 8 people and at least as many people as courses")
	}
	g := &generator{options: options, out: out, roster: newRoster(options.Seed, options.People), phrases: map[string]*compiledPhrases{}}
	for i := range options.Courses {
		g.courses = append(g.courses, newCourse(i, options.Courses, options.People, options.Seed, g.roster))
	}
	return g, g.compile()
}

func (g *generator) compile() (err error) {
	for _, list := range [][]eventSource{learnerEvents, staffEvents, oddEvents} {
		for _, source := range list {
			kind, err := compileEvent(source)
			if err != nil {
				return err
			}
			g.events = append(g.events, kind)
		}
	}
	g.wheel = wheel(g.events)
	for i, documents := range []forumDocuments{olderForum, newerForum} {
		if g.forums[i], err = compileForum(documents); err != nil {
			return err
		}
	}
	for language, sources := range languages {
		compiled, err := compilePhrases(sources)
		if err != nil {
			return err
		}
		g.phrases[language] = &compiled
	}
	g.modules = moduleKinds()
	for i := range g.modules {
		if g.modules[i].state, err = compileAll(g.modules[i].states); err != nil {
			return err
		}
	}
	list := funTables()
	if g.options.Style == EDX {
		list = packageTables()
	}
	for _, t := range list {
		compiled, err := compileTable(t)
		if err != nil {
			return err
		}
		g.tables = append(g.tables, compiled)
	}
	return nil
}

// emptyFolder makes out, or refuses a folder that holds anything.
func emptyFolder(out string) error {
	entries, err := os.ReadDir(out)
	switch {
	case err == nil && len(entries) > 0:
		return fault.New(fault.Failure, "folder is not empty").At(out, 0, "").WithHint("name a new folder, or remove this one first")
	case err != nil && !os.IsNotExist(err):
		return err
	}
	return os.MkdirAll(out, 0o755)
}

// writeFUN writes the six tables, the log and the forum of every course. The
// first course's tables have CRLF line ends, quote only what must be quoted
// and spell NULL as NULL; the second's have LF, quote everything, leave NULL
// empty, and one begins with a byte order mark.
func (g *generator) writeFUN() error {
	for _, c := range g.courses {
		folder := c.Folder
		if len(g.courses) == 1 {
			folder = ""
		}
		d := dialect{lineEnd: "\r\n", null: "NULL"}
		if c.opaque {
			d = dialect{lineEnd: "\n", quoteAll: true}
		}
		for _, t := range g.tables {
			d.bom = c.opaque && t.name == "auth_userprofile"
			d.noEnd = t.name == "certificates_generatedcertificate"
			if err := g.writeTable(filepath.Join(folder, t.name+".csv"), t, c, d); err != nil {
				return err
			}
		}
		if err := g.write(filepath.Join(folder, "tracking_log.json"), c, func(w io.Writer, s *scene) (int64, error) {
			return s.writeLog(w, share(g.options.Events, len(g.courses), c.Index))
		}); err != nil {
			return err
		}
		if err := g.write(filepath.Join(folder, "forum_contents.json"), c, func(w io.Writer, s *scene) (int64, error) {
			return s.writeForum(w, share(g.options.Posts, len(g.courses), c.Index))
		}); err != nil {
			return err
		}
	}
	return nil
}

// share is course i's part of a total.
func share(total, courses, i int) int {
	return total*(i+1)/courses - total*i/courses
}

func (g *generator) writeTable(path string, t *compiledTable, c *Course, d dialect) error {
	return g.write(path, c, func(w io.Writer, s *scene) (int64, error) {
		return t.write(w, s, d, t.order(c.opaque || d.tab))
	})
}

// write writes one file of course c with a scene of its own, whole or not at
// all.
func (g *generator) write(path string, c *Course, fill func(io.Writer, *scene) (int64, error)) error {
	full := filepath.Join(g.out, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return err
	}
	file, err := safefile.Create(full, 0o644)
	if err != nil {
		return err
	}
	defer file.Abort()
	s := &scene{
		gen: g, course: c, file: filepath.ToSlash(path), ascii: !c.opaque, plant: g.options.Planted,
		rng: rand.New(rand.NewPCG(g.options.Seed, stream(path, c.Index))),
	}
	rows, err := fill(file, s)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	size, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	g.files = append(g.files, File{Path: s.file, Rows: rows, Size: size})
	return file.Commit()
}

// stream numbers a stream of random numbers by what it is for.
func stream(name string, course int) uint64 {
	h := fnv.New64a()
	io.WriteString(h, filepath.ToSlash(name))
	return mix(h.Sum64() + uint64(course))
}
