package intake

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"anonymooc/internal/fault"
	"anonymooc/internal/source"
)

// listTar lists a tar archive. One on a disk is read anywhere afterwards; one that
// is compressed or encrypted from its front, and then the first part of each
// member is kept, so that telling the tables apart costs no decoding.
func (e *Export) listTar(ctx context.Context, c content) ([]member, error) {
	if c.at != nil {
		in := io.NewSectionReader(c.at, 0, c.size)
		l := tarLister{name: c.name, in: in, at: func() int64 { at, _ := in.Seek(0, io.SeekCurrent); return at }}
		return l.list(ctx, func(offset, size int64, _ []byte) func(context.Context) (io.ReadCloser, error) {
			return func(context.Context) (io.ReadCloser, error) {
				return c.part(offset, size), nil
			}
		})
	}
	s := &stream{content: c}
	e.open = append(e.open, s)
	e.streams = append(e.streams, s)
	raw, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	s.opens++
	defer raw.Close()
	in := &counter{in: raw}
	l := tarLister{name: c.name, in: in, at: in.read.Load, heads: maxHeads}
	return l.list(ctx, func(offset, size int64, head []byte) func(context.Context) (io.ReadCloser, error) {
		return func(ctx context.Context) (io.ReadCloser, error) {
			return &headed{head: head, rest: func() (io.ReadCloser, error) {
				return s.section(ctx, offset+int64(len(head)), size-int64(len(head)))
			}, size: size}, nil
		}
	})
}

// What is kept of the members when they are listed: as much as is looked at to
// tell tables apart, of as many as a small machine has room for.
const (
	headSize = 1 << 20
	maxHeads = 64 << 20
)

// tarLister reads an archive once, from its front.
type tarLister struct {
	name  string
	in    io.Reader
	at    func() int64 // bytes read
	heads int          // bytes of beginnings that may be kept
}

type opener = func(context.Context) (io.ReadCloser, error)

func (l *tarLister) list(ctx context.Context, opens func(offset, size int64, head []byte) opener) ([]member, error) {
	var members []member
	archive := tar.NewReader(l.in)
	end := int64(0) // of the last member
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, l.explain(err)
		}
		offset := l.at()
		end = offset + (header.Size+511)/512*512
		isFile, err := l.check(header)
		if err != nil {
			return nil, err
		}
		if !isFile {
			end = offset
			continue
		}
		if len(members) == maxMembers {
			return nil, tooMany(l.name)
		}
		var head []byte
		if want := int(min(header.Size, headSize)); want > 0 && want <= l.heads {
			head = make([]byte, want)
			if _, err := io.ReadFull(archive, head); err != nil {
				return nil, l.explain(err)
			}
			l.heads -= want
		}
		members = append(members, member{
			name: header.Name, size: header.Size, packed: source.Unknown, stamp: fmt.Sprintf("%d %d", offset, header.Size),
			open: opens(offset, header.Size, head),
		})
	}
	if l.at() < end+512 {
		return nil, l.explain(io.ErrUnexpectedEOF)
	}
	return members, l.drain(ctx)
}

// check tells files from folders and refuses everything else.
func (l *tarLister) check(header *tar.Header) (isFile bool, err error) {
	switch header.Typeflag {
	case tar.TypeReg:
		for key := range header.PAXRecords {
			if strings.HasPrefix(key, "GNU.sparse") {
				return false, special(l.name, header.Name, "a file with holes")
			}
		}
		return true, nil
	case tar.TypeDir:
		return false, checkFolder(l.name, header.Name)
	case tar.TypeXGlobalHeader:
		return false, nil
	case tar.TypeLink, tar.TypeSymlink:
		return false, special(l.name, header.Name, "a link")
	case tar.TypeGNUSparse:
		return false, special(l.name, header.Name, "a file with holes")
	}
	return false, special(l.name, header.Name, "what is no ordinary file")
}

// drain reads what follows the end of the archive: nothing but zeros, and with an
// encrypted package the proof that it is whole.
func (l *tarLister) drain(ctx context.Context) error {
	buffer := make([]byte, readSize)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := l.in.Read(buffer)
		if len(bytes.Trim(buffer[:n], "\x00")) > 0 {
			return fault.New(fault.Failure, "something follows the end of the archive").At(l.name, 0, "").
				WithHint("pack every archive in a file of its own")
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return l.explain(err)
		}
	}
}

func (l *tarLister) explain(err error) error {
	if errors.Is(err, tar.ErrFieldTooLong) || errors.Is(err, tar.ErrInsecurePath) {
		err = tar.ErrHeader
	}
	return explain(err, l.name, "archive")
}

// headed reads a member whose beginning is known. The archive is decoded only for
// whoever reads on.
type headed struct {
	head   []byte
	rest   func() (io.ReadCloser, error)
	size   int64
	read   int64
	behind io.ReadCloser
}

func (r *headed) Read(p []byte) (int, error) {
	if r.read < int64(len(r.head)) {
		n := copy(p, r.head[r.read:])
		r.read += int64(n)
		return n, nil
	}
	if r.read == r.size {
		return 0, io.EOF
	}
	if r.behind == nil {
		behind, err := r.rest()
		if err != nil {
			return 0, err
		}
		r.behind = behind
	}
	n, err := r.behind.Read(p)
	r.read += int64(n)
	return n, err
}

func (r *headed) Close() error {
	if r.behind == nil {
		return nil
	}
	behind := r.behind
	r.behind = nil
	r.read = r.size
	return behind.Close()
}
