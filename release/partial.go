package release

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
)

// stateFile notes, in the project, which files of an unfinished release are
// whole, so that a run that was killed need not do them again.
const stateFile = "unfinished.json"

// finished is a file of the release that is whole.
type finished struct {
	Input  Input  `json:"input"`
	Output Output `json:"output"`
}

// partialState is what the project knows about an unfinished release.
type partialState struct {
	path  string
	Out   string              `json:"out"`
	Print string              `json:"print"` // of everything that decides what the files hold
	Files map[string]finished `json:"files"`
	Times map[string]string   `json:"times"` // size and time of the sources
}

// openPartial makes the folder in which the release grows, or goes on with the
// one that a killed run left, if nothing has changed since.
func (r *run) openPartial() (*partialState, error) {
	out, err := filepath.Abs(r.Out)
	if err != nil {
		return nil, err
	}
	fresh := &partialState{
		path: filepath.Join(r.Project.Dir, stateFile), Out: out, Print: r.print(),
		Files: map[string]finished{}, Times: map[string]string{},
	}
	state := readState(fresh.path)
	ours := state != nil && state.Out == out
	if _, err := os.Lstat(r.partial); err == nil && !ours {
		return nil, fault.New(fault.Usage, "a folder is in the way that no run of this project has made").At(r.partial, 0, "").
			WithHint("move it away, or choose another name for the release")
	}
	r.ownPartial = true
	if ours && state.Print == fresh.Print {
		state.withdraw(r.found.Sources)
		if err := state.tidy(r.partial); err == nil {
			state.path = fresh.path
			r.resumed = fmt.Sprintf("an interrupted run was resumed: %d files were finished", len(state.Files))
			return state, nil
		}
	}
	if err := os.RemoveAll(r.partial); err != nil {
		return nil, r.cannotWrite(err)
	}
	if err := os.MkdirAll(r.partial, 0o755); err != nil {
		return nil, r.cannotWrite(err)
	}
	return fresh, fresh.write()
}

// withdraw forgets the files whose sources are no longer in the export.
func (p *partialState) withdraw(sources []Source) {
	there := map[string]bool{}
	for i := range sources {
		there[sources[i].Name] = true
	}
	for name := range p.Files {
		if !there[name] {
			delete(p.Files, name)
		}
	}
}

// tidy removes from the partial folder what is not a finished file: the killed
// run was writing it.
func (p *partialState) tidy(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if _, ok := p.Files[filepath.ToSlash(name)]; ok {
			return nil
		}
		return os.Remove(path)
	})
}

// textFiles are the parts of the project that decide what becomes of free text:
// what reviewers decided, and what the officer has written or had trained.
func textFiles() []string {
	return []string{"ledger.jsonl", "catalogue.csv", "expressions.txt", "styles.txt", "contexts", "lists", "grammars", "models"}
}

// print stands for everything beside the sources that decides what files hold:
// the program, the rules, the settings, who was forgotten, what decides about
// texts, and the country database.
func (r *run) print() string {
	s := r.Project.Settings
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00%s\x00%s\x00%s\x00%s\x00", r.Version, r.RulesSHA, s.Text, s.Unknown, s.Domain, s.Forgotten)
	fmt.Fprintf(h, "%d\x00%s\x00%s\x00", r.Map.Stat().Forgotten, r.Geo.Info().Type, r.Geo.Info().Built)
	fmt.Fprintf(h, "%s\x00%s\x00", s.Detectors, s.Expert)
	for _, name := range textFiles() {
		root := filepath.Join(r.Project.Dir, "forum", name)
		_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error { // what cannot be read, the engine will say
			if err != nil || entry.IsDir() {
				return nil
			}
			if data, err := os.ReadFile(path); err == nil {
				fmt.Fprintf(h, "%s\x00%d\x00", strings.TrimPrefix(path, root), len(data))
				h.Write(data)
			}
			return nil
		})
	}
	return hex.EncodeToString(h.Sum(nil))
}

func readState(path string) *partialState {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	state := &partialState{}
	if json.Unmarshal(data, state) != nil || state.Files == nil || state.Times == nil {
		return nil // a damaged note only costs time
	}
	return state
}

func (p *partialState) write() error {
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return safefile.Write(p.path, data, 0o600)
}

// finished returns what a killed run made of a source, if the source has not
// changed since and the file is still what it was.
func (p *partialState) finished(s *Source, dir string) (finished, bool) {
	done, ok := p.Files[s.Name]
	if !ok || s.Stamp == "" || p.Times[s.Name] != s.Stamp {
		return finished{}, false
	}
	file, err := os.Open(filepath.Join(dir, filepath.FromSlash(s.Name)))
	if err != nil {
		return finished{}, false
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return finished{}, false
	}
	sum, err := hex.DecodeString(done.Output.SHA256)
	return done, err == nil && bytes.Equal(sum, h.Sum(nil))
}

// finish notes that a file is whole.
func (p *partialState) finish(s *Source, done finished) error {
	p.Files[s.Name], p.Times[s.Name] = done, s.Stamp
	return p.write()
}

func (p *partialState) remove() error { return os.Remove(p.path) }
