package intake

import (
	"archive/zip"
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"

	"anonymooc/internal/fault"
)

// Methods of packing a zip's members; others are refused when they are listed.
const zipZstd = zstd.ZipMethodWinZip

// maxDirectory is what the list of a zip's members may take.
const maxDirectory = 32 << 20

// listZip lists a zip. Its list stands at the end; a zip that can be read only from
// its front is decoded once to come there.
func (e *Export) listZip(ctx context.Context, c content) ([]member, error) {
	sequential := c.at == nil
	if sequential {
		s := &stream{content: c}
		a, err := newAnywhere(ctx, s)
		if err != nil {
			return nil, err
		}
		e.open = append(e.open, a)
		e.streams = append(e.streams, a)
		c.at, c.size = a, a.size
	}
	at := &metered{ReaderAt: c.at, left: maxDirectory, name: c.name}
	archive, err := zip.NewReader(at, c.size)
	if err != nil {
		return nil, explainZip(err, c.name)
	}
	at.off = true
	archive.RegisterDecompressor(zip.Deflate, func(in io.Reader) io.ReadCloser { return flate.NewReader(bufio.NewReaderSize(in, readSize)) })
	archive.RegisterDecompressor(zipZstd, zstd.ZipDecompressor(zstd.WithDecoderMaxMemory(256<<20)))
	if len(archive.File) > maxMembers {
		return nil, tooMany(c.name)
	}
	var members []member
	var offsets []int64
	var total uint64
	for _, f := range archive.File {
		if strings.HasSuffix(f.Name, "/") && f.UncompressedSize64 == 0 {
			if err := checkFolder(c.name, f.Name); err != nil {
				return nil, err
			}
			continue
		}
		if err := checkZipped(c.name, f); err != nil {
			return nil, err
		}
		offset, err := f.DataOffset()
		if err != nil {
			return nil, explainZip(err, c.name)
		}
		total += f.UncompressedSize64
		offsets = append(offsets, offset)
		members = append(members, zipped(f, offset))
	}
	if total > allowance && total > maxRatio*uint64(c.size) {
		return nil, tooMuch(c.name)
	}
	return members, inOrder(c.name, members, offsets, c.size, sequential)
}

// checkZipped refuses a member that cannot be read, or harms.
func checkZipped(archive string, f *zip.File) error {
	const encrypted, strongly, masked = 1 << 0, 1 << 6, 1 << 13
	name := f.Name
	switch mode := f.Mode(); {
	case mode&fs.ModeSymlink != 0:
		return special(archive, name, "a link")
	case !mode.IsRegular():
		return special(archive, name, "what is no ordinary file")
	case f.Flags&(encrypted|strongly|masked) != 0 || f.Method == 99:
		return fault.New(fault.Failure, "the zip is encrypted by a password, which zip does badly").At(archive, 0, "").
			WithHint("unpack it with 7z or unzip, and have it packed with gpg or age next time")
	case f.Method != zip.Store && f.Method != zip.Deflate && f.Method != zipZstd:
		return fault.New(fault.Failure, "the zip uses a rare compression (method %d)", f.Method).At(archive, 0, "").
			WithHint("pack it again with an ordinary one, or as .tar.gz or .tar.zst")
	case f.UncompressedSize64 > allowance && f.UncompressedSize64/maxRatio > f.CompressedSize64:
		return tooMuch(archive)
	case f.UncompressedSize64 >= 1<<62 || f.CompressedSize64 >= 1<<62:
		return explainZip(zip.ErrFormat, archive)
	}
	return nil
}

// zipped makes a member that ends where the list says, or fails.
func zipped(f *zip.File, offset int64) member {
	size := int64(f.UncompressedSize64)
	return member{
		name: f.Name, size: size, packed: int64(f.CompressedSize64), stamp: fmt.Sprintf("%d %d %08x", offset, size, f.CRC32),
		open: func(context.Context) (io.ReadCloser, error) {
			in, err := f.Open()
			if err != nil {
				return nil, explainZip(err, "")
			}
			return ahead(&layer{in: &exactly{in, size}, below: in, explain: func(err error) error { return explainZip(err, "") }}), nil
		},
	}
}

// exactly stops where a member should have ended already.
type exactly struct {
	in   io.Reader
	left int64
}

func (r *exactly) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	if r.left -= int64(n); r.left < 0 {
		return 0, zip.ErrFormat
	}
	return n, err
}

// inOrder refuses members that share bytes, as in an archive that is small and
// unpacks to everything, and sorts those that are cheaper in the archive's order.
func inOrder(archive string, members []member, offsets []int64, size int64, sequential bool) error {
	order := make([]int, len(members))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(min(max(offsets[a]-offsets[b], -1), 1)) })
	end := int64(0)
	sorted := make([]member, 0, len(members))
	for _, i := range order {
		if offsets[i] < end {
			return fault.New(fault.Failure, "members of the archive lie in one another").At(archive, 0, "").
				WithHint("this is no honest export; look at it by hand")
		}
		end = offsets[i] + members[i].packed
		sorted = append(sorted, members[i])
	}
	if end > size {
		return explainZip(io.ErrUnexpectedEOF, archive)
	}
	if !sequential { // as a folder is read
		slices.SortStableFunc(sorted, func(a, b member) int { return strings.Compare(a.name, b.name) })
	}
	copy(members, sorted)
	return nil
}

// explainZip says what is wrong with a zip.
func explainZip(err error, name string) error {
	if err == zip.ErrChecksum {
		return fault.New(fault.Failure, "a member of the zip is damaged").At(name, 0, "").
			WithHint("copy it again")
	}
	return explain(err, name, "zip")
}

// metered reads no more than a list of members may take.
type metered struct {
	io.ReaderAt
	left int64
	name string
	off  bool
}

func (m *metered) ReadAt(p []byte, offset int64) (int, error) {
	n, err := m.ReaderAt.ReadAt(p, offset)
	if m.off {
		return n, err
	}
	if m.left -= int64(n); m.left < 0 {
		return 0, tooMany(m.name)
	}
	return n, err
}
