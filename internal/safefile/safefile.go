// Package safefile writes files and folders whole or not at all.
//
// A file is written beside its final name, flushed to the disk and renamed; a
// folder likewise. Until Commit returns nil nothing exists under the final
// name, and after Abort (which is safe to defer) nothing is left of the
// attempt.
package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a file that exists under its name only once Commit has returned nil.
type File struct {
	*os.File
	path string
	done bool
}

// Create opens a new file that Commit will put at path with the permissions perm.
func Create(path string, perm fs.FileMode) (*File, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".partial-*")
	if err != nil {
		return nil, err
	}
	if err := f.Chmod(perm); err != nil {
		f.Close()
		os.Remove(f.Name())
		return nil, err
	}
	return &File{File: f, path: path}, nil
}

// CreateAs is Create with a name for the unfinished file, so that what a killed
// program left of it is replaced by the next.
func CreateAs(unfinished, path string, perm fs.FileMode) (*File, error) {
	if err := os.Remove(unfinished); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(unfinished, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return nil, err
	}
	return &File{File: f, path: path}, nil
}

// Commit flushes the file to the disk and gives it its name.
func (f *File) Commit() error {
	if f.done {
		return errors.New("safefile: committed twice")
	}
	f.done = true
	err := f.Sync()
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), f.path)
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	return SyncDir(filepath.Dir(f.path))
}

// Abort removes the unfinished file; after Commit it does nothing.
func (f *File) Abort() {
	if f.done {
		return
	}
	f.done = true
	f.Close()
	os.Remove(f.Name())
}

// Write puts data at path, whole or not at all.
func Write(path string, data []byte, perm fs.FileMode) error {
	f, err := Create(path, perm)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.File.Write(data); err != nil {
		return err
	}
	return f.Commit()
}

// SyncDir flushes a folder's entries to the disk, so that a rename in it lasts.
func SyncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	err = d.Sync()
	if cerr := d.Close(); err == nil {
		err = cerr
	}
	return err
}
