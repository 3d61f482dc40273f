// Package intake opens what a platform delivers and lists the files in it.
//
//	folder ──┐
//	archive ─┼─► Open ─► Export: source.Files ─► release, forum
//	…        ┘
//
// An export is read as it was delivered, from front to back and as often as a
// run needs; nothing of it is written anywhere. One file per kind of delivery.
package intake

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"anonymooc/internal/fault"
	"anonymooc/internal/source"
)

// Options say how a delivery is opened.
type Options struct{}

// Export is what was delivered: the files of one or several exports.
type Export struct {
	Paths []string // as named by the user, for messages
	Files []source.File

	open []io.Closer
}

// Close lets go of what Open holds; no file can be opened afterwards.
func (e *Export) Close() error {
	var errs []error
	for _, c := range e.open {
		errs = append(errs, c.Close())
	}
	e.open = nil
	return errors.Join(errs...)
}

// Open opens the deliveries at the paths. With more than one, the files of each
// stand under its name.
func Open(ctx context.Context, paths []string, options Options) (*Export, error) {
	e := &Export{Paths: paths}
	names := map[string]bool{}
	for _, path := range paths {
		prefix := ""
		if len(paths) > 1 {
			prefix = nameOf(path) + "/"
			if names[prefix] {
				return nil, errors.Join(fault.New(fault.Usage, "two exports have the same name, and so would their folders in the release").At(path, 0, "").
					WithHint("rename one of them"), e.Close())
			}
			names[prefix] = true
		}
		if err := e.add(ctx, path, prefix, options); err != nil {
			return nil, errors.Join(err, e.Close())
		}
	}
	return e, nil
}

// Holds reports whether a path is a delivery of files rather than one file.
func Holds(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// nameOf is what a delivery is called: a link by what it leads to.
func nameOf(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return filepath.Base(path)
}

// add lists the files of one delivery.
func (e *Export) add(_ context.Context, path, prefix string, _ Options) error {
	files, err := folder(path, prefix)
	e.Files = append(e.Files, files...)
	return err
}
