// Package source is a file to be read, wherever it lies: on a disk, in an
// archive, in an encrypted package, in a database.
//
//	File ── Open ─► bytes as they are delivered ── Read ─► text, unpacked
//
// Whoever makes a File says how its bytes are had; nobody else needs to know. A
// File is opened for reading only, as often as needed, and gives the same bytes
// each time or an error.
package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"anonymooc/internal/fault"
)

// File is one file of an export.
type File struct {
	Name string // as messages and the release call it, with slashes
	Size int64  // bytes that Open gives; Unknown when only reading tells

	// Stamp changes when the bytes may have: size and time, a checksum. Empty
	// when nothing tells, and then an interrupted run reads the file again.
	Stamp string
	// Open gives the file's bytes, as delivered. It ends with ctx.
	Open func(ctx context.Context) (io.ReadCloser, error)
}

// Unknown is the size of a file that nobody knows before it is read.
const Unknown = int64(-1)

// OnDisk is the file at a path, under its base name.
func OnDisk(path string) File {
	f := File{Name: filepath.Base(path), Size: Unknown}
	if info, err := os.Stat(path); err == nil {
		f.Size, f.Stamp = info.Size(), Stamp(info)
	}
	f.Open = func(context.Context) (io.ReadCloser, error) {
		file, err := os.Open(path)
		if err != nil {
			return nil, cause(err)
		}
		return file, nil
	}
	return f
}

// AllOnDisk is OnDisk for several paths.
func AllOnDisk(paths ...string) []File {
	files := make([]File, len(paths))
	for i, path := range paths {
		files[i] = OnDisk(path)
	}
	return files
}

// Stamp tells a file's state by its size and time.
func Stamp(info fs.FileInfo) string {
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}

// cause is the system's reason without the path, which messages name already.
func cause(err error) error {
	var inFile *fs.PathError
	if errors.As(err, &inFile) {
		return inFile.Err
	}
	return err
}

// cannotOpen says that a file cannot be opened; a fault says so itself.
func (f *File) cannotOpen(err error) error {
	var known *fault.Fault
	if errors.As(err, &known) {
		return placed(known, f.Name)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fault.New(fault.Failure, "the file cannot be opened").At(f.Name, 0, "").
		WithHint("may this user read it?").Because(err)
}

// placed says where a fault is, unless it says so itself: the package that a file
// lies in.
func placed(known *fault.Fault, name string) error {
	if known.File == "" {
		known.At(name, 0, "")
	}
	return known
}
