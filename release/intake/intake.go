// Package intake opens what a platform delivers and lists the files in it.
//
//	folder ───────────┐
//	archive ──────────┼─► Open ─► Export: source.Files ─► release, forum ─► Whole
//	encrypted package ┤
//	dump of a database┘
//
// An export is read as it was delivered, from front to back and as often as a
// run needs; nothing of it is written anywhere. One file per kind of delivery.
//
// What is packed in what is a pile of contents, each reading the one below:
//
//	file on disk ─ decrypted ─ unpacked ─ archive ─ member ─ decrypted ─► source.File
//	  read anywhere │ from the front only: a stream, kept where its last reader stopped
//
// A member's name loses the suffix of its encryption (x.sql.gpg is x.sql), and its
// size and hash are those of the file as the platform wrote it, so that the same
// export gives the same release however it was packed.
package intake

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"anonymooc/internal/fault"
	"anonymooc/internal/source"
	"anonymooc/tables/sqldump"
)

// Options say how a delivery is opened.
type Options struct {
	Keys *Keyring // opens what is encrypted; nil for nothing
	// Also are files that lie at no path: a collection of a server. With them an
	// export needs no path at all.
	Also []source.File
}

// Export is what was delivered: the files of one or several exports.
type Export struct {
	Paths []string      // as named by the user, for messages
	Files []source.File // in the order in which reading them is cheapest

	keys    *Keyring
	open    []io.Closer
	held    []held
	streams []interface{ finish(context.Context) error }
}

// held is a package that stays open, and what tells that it changed.
type held struct {
	file  *os.File
	name  string
	stamp string
}

// kind is one kind of delivery: how it is told from others, and how its files are
// listed below a prefix.
type kind struct {
	is   func(path string) bool
	list func(e *Export, ctx context.Context, path, prefix string) error
}

// kinds are asked in this order.
func kinds() []kind {
	return []kind{
		{isFolder, (*Export).folder},
		{isPackage, (*Export).pack},
		{isSealedFile, (*Export).sealedFile},
		{isDump, (*Export).dump},
		{isMongoArchive, (*Export).mongoArchive},
	}
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
	e := &Export{Paths: paths, keys: options.Keys}
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
		if err := e.add(ctx, path, prefix); err != nil {
			return nil, errors.Join(err, e.Close())
		}
	}
	if e.Files = append(e.Files, options.Also...); len(paths) == 0 && len(options.Also) > 0 {
		e.Paths = []string{options.Also[0].Name}
	}
	if err := e.distinct(); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// Named opens single files, whatever they are called; encrypted ones are decrypted
// as they are read.
func Named(paths []string, options Options) (*Export, error) {
	e := &Export{Paths: paths, keys: options.Keys}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fault.New(fault.Usage, "no such file or folder").At(path, 0, "")
		}
		if !info.Mode().IsRegular() {
			return nil, fault.New(fault.Usage, "this is no ordinary file").At(path, 0, "")
		}
		e.Files = append(e.Files, e.file(path, source.OnDisk(path)))
	}
	return e, nil
}

// file is a file on a disk, decrypted if its name says that it is encrypted.
func (e *Export) file(path string, onDisk source.File) source.File {
	c, name := e.opened(contentOf(path, onDisk), onDisk.Name)
	return source.File{Name: name, Size: c.size, Stamp: c.stamp, Open: c.open}
}

// distinct refuses files that would be one in the release.
func (e *Export) distinct() error {
	names := map[string]bool{}
	for _, f := range e.Files {
		if names[f.Name] {
			return fault.New(fault.Failure, "two files of the export would be one in the release").At(f.Name, 0, "").
				WithHint("one is packed or encrypted and the other is not: remove one of them")
		}
		names[f.Name] = true
	}
	return nil
}

// Holds reports whether a path is a delivery of files rather than one file.
func Holds(path string) bool {
	return isFolder(path) || isPackage(path) || isDump(path) || isMongoArchive(path)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// isPackage tells archives, encrypted or not, by their names.
func isPackage(path string) bool {
	_, kind := isArchive(filepath.Base(path))
	return kind >= 0
}

func isSealedFile(path string) bool {
	_, suffix := sealed(filepath.Base(path))
	return suffix != ""
}

// nameOf is what a delivery is called: a link by what it leads to, a package
// without its suffixes.
func nameOf(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	name := filepath.Base(path)
	if isFolder(path) {
		return name
	}
	name, _ = isArchive(name)
	return sqldump.Called(name)
}

// add lists the files of one delivery.
func (e *Export) add(ctx context.Context, path, prefix string) error {
	for _, k := range kinds() {
		if k.is(path) {
			return k.list(e, ctx, path, prefix)
		}
	}
	return noExport(path)
}

// noExport says why a path is none.
func noExport(path string) error {
	if _, err := os.Stat(path); err != nil {
		return cannotOpen(path, err)
	}
	return fault.New(fault.Usage, "the export is no folder and no package").At(path, 0, "").
		WithHint("name the folder that holds auth_user.csv and the other files, or a .zip, .tar, .tar.gz or .tar.zst of it, which may be encrypted (.gpg, .age), or a MySQL dump (.sql, .sql.gz)")
}

// pack lists the files of an archive.
func (e *Export) pack(ctx context.Context, path, prefix string) error {
	c, err := e.heldOpen(path, path)
	if err != nil {
		return err
	}
	return e.archive(ctx, c, prefix)
}

// sealedFile is one encrypted file, delivered alone.
func (e *Export) sealedFile(ctx context.Context, path, prefix string) error {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return noExport(path)
	}
	file := e.file(path, source.OnDisk(path))
	file.Name = prefix + file.Name
	return e.put(ctx, file)
}
