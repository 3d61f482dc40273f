package intake

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"anonymooc/internal/fault"
	"anonymooc/internal/source"
)

// folder lists the files of an export folder, by name.
func folder(export, prefix string) ([]source.File, error) {
	root, err := filepath.EvalSymlinks(export)
	if err != nil {
		return nil, fault.New(fault.Usage, "the export cannot be opened").At(export, 0, "").WithHint("is the path right?").Because(errors.Unwrap(err))
	}
	info, err := os.Stat(root)
	if err != nil || !info.IsDir() {
		return nil, fault.New(fault.Usage, "the export is not a folder").At(export, 0, "").
			WithHint("name the folder that holds auth_user.csv and the other files")
	}
	var files []source.File
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fault.New(fault.Failure, "a folder of the export cannot be read").At(export, 0, "").Because(errors.Unwrap(err))
		}
		if entry.IsDir() {
			return nil
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		file, err := regular(root, path, prefix+filepath.ToSlash(relative))
		if err != nil {
			return err
		}
		files = append(files, file)
		return nil
	})
	return files, err
}

// regular makes sure that a file is one, and inside the export.
func regular(root, path, name string) (source.File, error) {
	file := source.OnDisk(path)
	file.Name = name
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return file, fault.New(fault.Failure, "the link leads nowhere").At(name, 0, "").WithHint("remove it from the export")
	}
	if inside, err := filepath.Rel(root, target); err != nil || inside == ".." || strings.HasPrefix(inside, ".."+string(filepath.Separator)) {
		return file, fault.New(fault.Failure, "the link leads out of the export").At(name, 0, "").
			WithHint("copy the file into the export, or remove the link")
	}
	info, err := os.Stat(target)
	if err != nil {
		return file, fault.New(fault.Failure, "the file cannot be read").At(name, 0, "").Because(errors.Unwrap(err))
	}
	if !info.Mode().IsRegular() {
		return file, fault.New(fault.Failure, "this is no ordinary file").At(name, 0, "").WithHint("remove it from the export")
	}
	return file, nil
}
