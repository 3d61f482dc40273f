package idmap

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"anonymooc/internal/fault"
)

// CheckPlace refuses a place for the map from which it could leave the house:
// inside an output folder or a git work tree. The folders need not exist yet;
// symbolic links are followed.
func CheckPlace(mapDir string, outputs ...string) error {
	place, err := realPath(mapDir)
	if err != nil {
		return fault.New(fault.Failure, "the id map's folder cannot be found").At(mapDir, 0, "").Because(withoutPath(err))
	}
	for _, output := range outputs {
		out, err := realPath(output)
		if err != nil {
			return fault.New(fault.Failure, "the output folder cannot be found").At(output, 0, "").Because(withoutPath(err))
		}
		if isBelow(place, out) {
			return fault.New(fault.Usage, "the id map is inside the output folder").At(mapDir, 0, "").
				WithHint("whoever gets the release would get the map: keep the project outside %s", output)
		}
	}
	for dir := place; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return fault.New(fault.Usage, "the id map is inside a git work tree").At(mapDir, 0, "").
				WithHint("a commit would publish it: keep the project outside %s", dir)
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

func isBelow(path, dir string) bool {
	relative, err := filepath.Rel(dir, path)
	return err == nil && relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator))
}

// realPath resolves the part of path that exists and keeps the rest.
func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rest := ""
	for dir := path; ; dir = filepath.Dir(dir) {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return "", err
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// checkMode refuses a file or folder that others than its owner may use.
func checkMode(path string, forbidden fs.FileMode) error {
	info, err := os.Stat(path)
	if err != nil {
		return readFault(path, err)
	}
	if info.Mode().Perm()&forbidden != 0 {
		return fault.New(fault.Failure, "others than its owner may use the id map").At(path, 0, "").
			WithHint("chmod -R go= the project folder")
	}
	return nil
}
