package intake

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"anonymooc/internal/fault"
	"anonymooc/internal/source"
)

// folder lists the files of an export folder, by name. Archives in it are opened,
// and their files stand in a folder of the archive's name.
func (e *Export) folder(ctx context.Context, export, prefix string) error {
	root, err := filepath.EvalSymlinks(export)
	if err != nil {
		return cannotOpen(export, err)
	}
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
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
		name := prefix + filepath.ToSlash(relative)
		file, err := regular(root, path, name)
		if err != nil {
			return err
		}
		if called, kind := isArchive(name); kind >= 0 {
			c, err := e.heldOpen(path, name)
			if err != nil {
				return err
			}
			return e.archive(ctx, c, called+"/")
		}
		return e.put(ctx, e.file(name, file))
	})
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
