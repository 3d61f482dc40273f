package intake

import (
	"context"
	"io"
	"os"
	"path"
	"path/filepath"

	"anonymooc/internal/fault"
	"anonymooc/internal/source"
	"anonymooc/tables/sqldump"
)

// isDump tells a MySQL dump that was delivered alone from the tab-separated tables
// of a data package, which have the same suffix.
func isDump(path string) bool {
	if inside, _ := sealed(filepath.Base(path)); !sqldump.MayBe(inside) || isSealedFile(path) {
		return false
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	is, err := sqldump.Is(context.Background(), source.OnDisk(path))
	return err != nil || is // what is wrong with it is told when it is opened
}

// dump lists the tables of a dump that was delivered alone.
func (e *Export) dump(ctx context.Context, path, prefix string) error {
	c, err := e.heldOpen(path, path)
	if err != nil {
		return err
	}
	file := source.File{Name: path, Size: c.size, Stamp: c.stamp, Open: func(context.Context) (io.ReadCloser, error) {
		return seekable{io.NewSectionReader(c.at, 0, c.size)}, nil
	}}
	return e.tables(ctx, file, prefix)
}

// seekable is a file that can be read from anywhere and is closed by somebody else.
type seekable struct{ *io.SectionReader }

func (seekable) Close() error { return nil }

// put adds a file to the export; of a dump among other files the tables, and of an
// archive of mongodump the collections, in a folder of its name.
func (e *Export) put(ctx context.Context, file source.File) error {
	if sqldump.MayBe(file.Name) {
		is, err := sqldump.Is(ctx, file)
		if err == nil && is { // what is wrong with a file is told when it is read
			return e.tables(ctx, file, sqldump.Called(file.Name)+"/")
		}
	}
	if isMongoArchive(file.Name) {
		return e.collections(ctx, file, collectionsFolder(file.Name))
	}
	e.Files = append(e.Files, file)
	return nil
}

// tables lists the tables of a dump below a prefix.
func (e *Export) tables(ctx context.Context, dump source.File, prefix string) error {
	files, err := sqldump.Tables(ctx, dump)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fault.New(fault.Usage, "the dump holds no table").At(path.Base(dump.Name), 0, "")
	}
	for _, f := range files {
		f.Name = prefix + f.Name
		e.Files = append(e.Files, f)
	}
	return nil
}
