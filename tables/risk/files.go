package risk

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"anonymooc/internal/fault"
	"anonymooc/tables/risk/readback"
)

// releaseFile is a file of a release with the roles of its columns.
type releaseFile struct {
	path    string // as the user would find it
	table   string
	log     bool
	columns []releaseColumn
}

type releaseColumn struct {
	Name   string `json:"name"`
	Role   string `json:"role"`
	Action string `json:"action"` // with its settings: "pseudonym(user_id)"
}

// did reports whether the action has one of the names, whatever its settings.
func (c *releaseColumn) did(names ...string) bool {
	name, _, _ := strings.Cut(c.Action, "(")
	return slices.Contains(names, strings.TrimSpace(name))
}

// recoded reports whether the action of a column made other values than the
// export's. A date that was cut to its day, month or year can be cut further,
// with the same result as at once; weeks do not fit into months.
func (f *releaseFile) recoded(name string) bool {
	for i := range f.columns {
		if c := &f.columns[i]; c.Name == name {
			switch c.Action {
			case "", "keep", "date(day)", "date(month)", "date(year)":
				return false
			}
			return true
		}
	}
	return false
}

// gone reports whether the release does not show the column.
func (c *releaseColumn) gone() bool { return c.did("drop", "blank", "redact") }

// listFiles finds the files of a release and the roles of their columns: from
// the manifest, or from headers when there is none.
func listFiles(dir string) ([]releaseFile, error) {
	data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return listUndescribed(dir)
	}
	if err != nil {
		return nil, fault.New(fault.Failure, "the manifest cannot be read").At(dir, 0, "")
	}
	var manifest struct {
		Outputs []struct {
			Path    string          `json:"path"`
			Table   string          `json:"table"`
			Format  string          `json:"format"`
			Columns []releaseColumn `json:"columns"`
		} `json:"outputs"`
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		return nil, fault.New(fault.Failure, "the manifest is not what a release has").At(filepath.Join(dir, "manifest.json"), 0, "").
			WithHint("make the release again")
	}
	var files []releaseFile
	for _, o := range manifest.Outputs {
		if !filepath.IsLocal(filepath.FromSlash(o.Path)) {
			return nil, fault.New(fault.Failure, "the manifest names a file outside of the release").At(filepath.Join(dir, "manifest.json"), 0, "")
		}
		if o.Format == "bson" || o.Format == "json" {
			continue // a forum: what tells its people apart stands in the tables and the log
		}
		files = append(files, releaseFile{
			path: filepath.Join(dir, filepath.FromSlash(o.Path)), table: o.Table,
			log: o.Format == "json lines", columns: o.Columns,
		})
	}
	return files, nil
}

// listUndescribed finds the tables of a folder that has no manifest. Their
// columns have no roles: the user names them.
func listUndescribed(dir string) ([]releaseFile, error) {
	var files []releaseFile
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name := strings.TrimSuffix(strings.TrimSuffix(entry.Name(), ".gz"), ".zst")
		switch filepath.Ext(name) {
		case ".csv", ".tsv", ".sql":
		default:
			return nil
		}
		in, err := readback.Open(path)
		if err != nil {
			return err
		}
		defer in.Close()
		header, _, err := readback.NewTable(in)
		if err != nil {
			return nil // empty, or no table
		}
		file := releaseFile{path: path, table: strings.TrimSuffix(name, filepath.Ext(name))}
		for _, column := range header {
			file.columns = append(file.columns, releaseColumn{Name: column})
		}
		files = append(files, file)
		return nil
	})
	if err != nil {
		return nil, fault.New(fault.Failure, "the release cannot be read").At(dir, 0, "").WithHint("name the folder of a release")
	}
	return files, nil
}

// personColumns are the columns that hold whose row it is, the best first.
var personColumns = []string{"user_id", "student_id", "author_id", "username", "author_username", "id"}

// person finds the column that says whose row it is.
func (f *releaseFile) person() (string, bool) {
	described := slices.ContainsFunc(f.columns, func(c releaseColumn) bool { return c.Action != "" })
	for _, name := range personColumns {
		for _, c := range f.columns {
			if c.Name == name && (c.did("pseudonym") || !described && (name != "id" || strings.Contains(f.table, "auth_user"))) {
				return name, true
			}
		}
	}
	return "", false
}

// wanted returns the names of the columns that are chosen, or have the role.
func (f *releaseFile) wanted(chosen []string, role string) []string {
	var names []string
	for i := range f.columns {
		c := &f.columns[i]
		isChosen := slices.Contains(chosen, c.Name) || slices.Contains(chosen, f.table+"."+c.Name)
		if !c.gone() && (isChosen || len(chosen) == 0 && c.Role == role) {
			names = append(names, c.Name)
		}
	}
	return names
}
