package intake

import (
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"anonymooc/internal/fault"
	"anonymooc/internal/source"
)

// archives are the suffixes of archives: what they are compressed with, and who
// lists them.
var archives = []struct {
	suffix string
	codec  source.Codec
	list   func(*Export, context.Context, content) ([]member, error)
}{
	{".zip", source.Plain, (*Export).listZip},
	{".tar", source.Plain, (*Export).listTar},
	{".tar.gz", source.Gzip, (*Export).listTar},
	{".tgz", source.Gzip, (*Export).listTar},
	{".tar.zst", source.Zstd, (*Export).listTar},
	{".tzst", source.Zstd, (*Export).listTar},
}

// member is one file of an archive.
type member struct {
	name   string // as the archive calls it
	size   int64
	packed int64 // bytes it takes in the archive; source.Unknown when only the archive is compressed
	stamp  string
	open   func(context.Context) (io.ReadCloser, error)
}

// maxMembers bounds what an archive lists. A course of years has some thousand.
const maxMembers = 100_000

// isArchive tells an archive by its name, under its encryption.
func isArchive(name string) (called string, kind int) {
	for range 4 {
		inside, suffix := sealed(name)
		if suffix == "" {
			break
		}
		name = inside
	}
	lower := strings.ToLower(name)
	for i, a := range archives {
		if strings.HasSuffix(lower, a.suffix) && len(path.Base(lower)) > len(a.suffix) {
			return name[:len(name)-len(a.suffix)], i
		}
	}
	return name, -1
}

// archive lists the files of an archive below a prefix. Archives in it are not
// opened: they are files that no rule names.
func (e *Export) archive(ctx context.Context, c content, prefix string) error {
	packageName := c.name
	_, kind := isArchive(c.name)
	c, _ = e.opened(c, c.name)
	c = c.unpacked(archives[kind].codec)
	members, err := archives[kind].list(e, ctx, c)
	if err != nil {
		return err
	}
	names, err := checkNames(packageName, members)
	if err != nil {
		return err
	}
	for i := range members {
		m := &members[i]
		inside, name := e.opened(content{name: packageName + ": " + names[i], size: m.size, stamp: c.stamp + " " + m.stamp, open: m.open}, names[i])
		if err := e.put(ctx, source.File{Name: prefix + name, Size: inside.size, Stamp: inside.stamp, Open: inside.open}); err != nil {
			return err
		}
	}
	return nil
}

// checkNames refuses members that could end up anywhere but in the release, or on
// top of one another on any computer, and returns their names made plain.
func checkNames(archive string, members []member) ([]string, error) {
	names := make([]string, len(members))
	files, folders := map[string]bool{}, map[string]bool{}
	for i, m := range members {
		name, wrong := plainName(m.name)
		if wrong != "" {
			return nil, fault.New(fault.Failure, "member %d of the archive %s", i+1, wrong).At(archive, 0, "").
				WithHint("an honest export has plain relative names; pack it again, or look at it by hand")
		}
		names[i] = name
		inside := name
		for range 4 {
			inside, _ = sealed(inside)
		}
		key := twin(inside)
		if files[key] {
			return nil, fault.New(fault.Failure, "two members of the archive have the same name, or would on another computer").At(archive+": "+name, 0, "").
				WithHint("pack it again with one of each")
		}
		files[key] = true
		for dir := path.Dir(key); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for _, name := range names {
		if folders[twin(name)] {
			return nil, fault.New(fault.Failure, "a file and a folder of the archive have the same name").At(archive+": "+name, 0, "").
				WithHint("pack it again with one of each")
		}
	}
	return names, nil
}

// twin is what names are that some file systems take for one.
func twin(name string) string { return norm.NFC.String(cases.Fold().String(norm.NFC.String(name))) }

// plainName makes a name relative and plain, or says what is wrong with it.
func plainName(name string) (plain, wrong string) {
	switch {
	case !utf8.ValidString(name):
		return "", "has a name that is not UTF-8"
	case strings.ContainsFunc(name, unicode.IsControl):
		return "", "has a control character in its name"
	case strings.ContainsRune(name, '\\'):
		return "", "has a backslash in its name"
	case strings.HasPrefix(name, "/"):
		return "", "has an absolute name"
	case len(name) > 1 && name[1] == ':' && unicode.IsLetter(rune(name[0])):
		return "", "has a drive in its name"
	case slices.Contains(strings.Split(name, "/"), ".."):
		return "", "has a name that leads out of the archive"
	}
	plain = path.Clean(name)
	if plain == "." || strings.HasSuffix(name, "/") {
		return "", "has no name"
	}
	return plain, ""
}

// special refuses members that are no files.
func special(archive, name, what string) error {
	if plain, wrong := plainName(name); wrong == "" {
		archive += ": " + plain
	}
	return fault.New(fault.Failure, "the archive holds %s", what).At(archive, 0, "").
		WithHint("pack it again with ordinary files only")
}

// checkFolder refuses folders that lie elsewhere; the archive's own is called "./".
func checkFolder(archive, name string) error {
	inside := strings.TrimRight(name, "/")
	if _, wrong := plainName(inside); wrong == "" || inside != "" && path.Clean(inside) == "." {
		return nil
	}
	return special(archive, "", "a folder whose name is not plain and relative")
}

func tooMany(archive string) error {
	return fault.New(fault.Failure, "the archive holds more than %d files", maxMembers).At(archive, 0, "").
		WithHint("this is no honest export; look at it by hand")
}

// Whole makes sure that what was read is what was delivered: encrypted packages
// are read to their ends, where they are proved, and no file has changed since it
// was listed. A release is published only afterwards.
func (e *Export) Whole(ctx context.Context) error {
	var errs []error
	for _, s := range e.streams {
		errs = append(errs, s.finish(ctx))
	}
	for _, h := range e.held {
		info, err := h.file.Stat()
		if err != nil || source.Stamp(info) != h.stamp {
			errs = append(errs, fault.New(fault.Failure, "the package was changed while it was read").At(h.name, 0, "").
				WithHint("run again when its transfer is finished"))
		}
	}
	return errors.Join(errs...)
}
