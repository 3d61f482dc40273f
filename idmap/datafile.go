package idmap

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"anonymooc/internal/fault"
)

// dataFile is the sealed, append-only file of one generation of the map:
//
//	"anonymooc-people" generation:8
//	{ length:4 nonce:12 sealed:length-28 tag:16 }…
//
// Each frame is sealed with AES-256-GCM under the generation's own key; the
// generation and the frame's position are authenticated with it, so that
// frames cannot be swapped, dropped or taken from elsewhere. How many frames
// count, and where the last one ends, stands in the head: a longer file was
// being written when the power went, a shorter one was cut.
type dataFile struct {
	file       *os.File
	out        io.WriterAt // file, but for tests of full disks
	seal       cipher.AEAD
	generation uint64
	frames     uint64
	length     int64
}

const (
	dataMagic    = "anonymooc-people"
	dataHeader   = len(dataMagic) + 8
	frameTarget  = 256 << 10 // plaintext bytes after which a frame is written
	maximumFrame = 16 << 20
)

func dataPath(dir string, generation uint64) string {
	return filepath.Join(dir, "people."+strconv.FormatUint(generation, 10))
}

func createDataFile(dir string, generation uint64, seal cipher.AEAD) (*dataFile, error) {
	path := dataPath(dir, generation)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, writeFault(path, err)
	}
	f := &dataFile{file: file, out: file, seal: seal, generation: generation}
	if err := f.write(binary.LittleEndian.AppendUint64([]byte(dataMagic), generation)); err != nil {
		file.Close()
		return nil, err
	}
	return f, nil
}

// openDataFile opens the file the head speaks of, and drops what was written
// after the last commit.
func openDataFile(dir string, h head, seal cipher.AEAD) (*dataFile, error) {
	path := dataPath(dir, h.generation)
	if err := checkMode(path, 0o077); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, readFault(path, err)
	}
	f := &dataFile{
		file: file, out: file, seal: seal,
		generation: h.generation, frames: h.body.Frames, length: h.body.Length,
	}
	if err := f.check(); err != nil {
		file.Close()
		return nil, err
	}
	return f, nil
}

func (f *dataFile) check() error {
	start := make([]byte, dataHeader)
	if _, err := f.file.ReadAt(start, 0); err != nil && !errors.Is(err, io.EOF) {
		return readFault(f.file.Name(), err)
	}
	want := binary.LittleEndian.AppendUint64([]byte(dataMagic), f.generation)
	if !bytes.Equal(start, want) {
		return f.damaged("it does not begin as a map does")
	}
	info, err := f.file.Stat()
	switch {
	case err != nil:
		return readFault(f.file.Name(), err)
	case info.Size() < f.length:
		return f.damaged("its end is missing")
	case info.Size() > f.length:
		if err := f.file.Truncate(f.length); err != nil {
			return writeFault(f.file.Name(), err)
		}
	}
	return nil
}

func (f *dataFile) damaged(what string) error {
	return fault.New(fault.Failure, "the id map is damaged: %s", what).At(f.file.Name(), 0, "").
		WithHint("restore the whole map folder from its last backup; do not go on with this one")
}

// append seals payload into the next frame.
func (f *dataFile) append(payload []byte) error {
	frame := make([]byte, 4, 4+len(payload)+f.seal.Overhead())
	binary.LittleEndian.PutUint32(frame, uint32(len(payload)+f.seal.Overhead()))
	frame = f.seal.Seal(frame, nil, payload, f.position(f.frames))
	if err := f.write(frame); err != nil {
		return err
	}
	f.frames++
	return nil
}

func (f *dataFile) write(b []byte) error {
	if _, err := f.out.WriteAt(b, f.length); err != nil {
		return writeFault(f.file.Name(), err)
	}
	f.length += int64(len(b))
	return nil
}

// position is what a frame is bound to.
func (f *dataFile) position(frame uint64) []byte {
	b := binary.LittleEndian.AppendUint64([]byte("frame"), f.generation)
	return binary.LittleEndian.AppendUint64(b, frame)
}

// opened is a frame on its way from the disk to the reader.
type opened struct {
	payload []byte
	err     error
}

// each opens the frames up to a length in their order. Several are unsealed
// at once while visit works; visit may keep the payload.
func (f *dataFile) each(frames uint64, length int64, visit func(payload []byte) error) error {
	queue := make(chan chan opened, runtime.GOMAXPROCS(0)+1)
	stop := make(chan struct{})
	defer close(stop)
	go f.unseal(frames, length, queue, stop)
	for result := range queue {
		frame := <-result
		if frame.err != nil {
			return frame.err
		}
		if err := visit(frame.payload); err != nil {
			if errors.Is(err, errRecord) {
				return f.damaged(err.Error())
			}
			return err
		}
	}
	return nil
}

// unseal reads frames and gives each to a goroutine of its own; queue keeps
// their order and bounds how many are under way.
func (f *dataFile) unseal(frames uint64, length int64, queue chan<- chan opened, stop <-chan struct{}) {
	defer close(queue)
	source := io.NewSectionReader(f.file, int64(dataHeader), length-int64(dataHeader))
	for n := range frames {
		result := make(chan opened, 1)
		sealed, err := f.readFrame(source)
		if err != nil {
			result <- opened{err: err}
		} else {
			go func() {
				payload, err := f.seal.Open(sealed[:0], nil, sealed, f.position(n))
				if err != nil {
					err = f.damaged("a part of it does not fit its seal")
				}
				result <- opened{payload, err}
			}()
		}
		select {
		case queue <- result:
		case <-stop:
			return
		}
		if err != nil {
			return
		}
	}
	if at, _ := source.Seek(0, io.SeekCurrent); at != source.Size() {
		result := make(chan opened, 1)
		result <- opened{err: f.damaged("its length and its parts disagree")}
		select {
		case queue <- result:
		case <-stop:
		}
	}
}

func (f *dataFile) readFrame(source io.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(source, size[:]); err != nil {
		return nil, f.damaged("a part of it is missing")
	}
	n := binary.LittleEndian.Uint32(size[:])
	if n < uint32(f.seal.Overhead()) || n > maximumFrame {
		return nil, f.damaged("a part of it has no sensible length")
	}
	sealed := make([]byte, n)
	if _, err := io.ReadFull(source, sealed); err != nil {
		return nil, f.damaged("a part of it is missing")
	}
	return sealed, nil
}

func (f *dataFile) sync() error {
	if err := f.file.Sync(); err != nil {
		return writeFault(f.file.Name(), err)
	}
	return nil
}

func writeFault(path string, err error) error {
	return fault.New(fault.Failure, "the id map cannot be written").At(path, 0, "").Because(withoutPath(err)).
		WithHint("nothing since the last commit was kept; make room or give write access, then run again")
}

func readFault(path string, err error) error {
	return fault.New(fault.Failure, "the id map cannot be read").At(path, 0, "").Because(withoutPath(err))
}

// withoutPath is the cause alone: the fault names the file already.
func withoutPath(err error) error {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
