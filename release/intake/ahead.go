package intake

import (
	"io"
	"sync"
)

// reader reads ahead: while somebody works on what was read, the layer below
// decrypts or unpacks what comes next, on another core.
type reader struct {
	in   io.ReadCloser
	full chan chunk
	free chan []byte
	stop chan struct{}
	done sync.WaitGroup
	once sync.Once

	now  chunk
	rest []byte
	err  error
}

type chunk struct {
	data []byte
	err  error
}

// How far ahead is read: enough for both sides to be busy.
const (
	aheadSize   = 128 << 10
	aheadChunks = 4
)

// ahead begins to read in.
func ahead(in io.ReadCloser) io.ReadCloser {
	r := &reader{in: in, full: make(chan chunk, aheadChunks), free: make(chan []byte, aheadChunks), stop: make(chan struct{})}
	for range aheadChunks {
		r.free <- nil // made when it is needed: most files are short
	}
	r.done.Go(r.fill)
	return r
}

// fill reads until the end, an error, or Close.
func (r *reader) fill() {
	defer close(r.full)
	for {
		var buffer []byte
		select {
		case buffer = <-r.free:
		case <-r.stop:
			return
		}
		if buffer == nil {
			buffer = make([]byte, aheadSize)
		}
		n, err := readFull(r.in, buffer)
		select {
		case r.full <- chunk{buffer[:n], err}:
		case <-r.stop:
			return
		}
		if err != nil {
			return
		}
	}
}

// readFull fills a buffer, and gives the error that ended it as it came.
func readFull(in io.Reader, buffer []byte) (n int, err error) {
	for n < len(buffer) && err == nil {
		var read int
		read, err = in.Read(buffer[n:])
		n += read
	}
	return n, err
}

func (r *reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for len(r.rest) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		if r.now.data != nil {
			r.free <- r.now.data[:cap(r.now.data)]
		}
		next, ok := <-r.full
		if !ok {
			return 0, io.ErrClosedPipe
		}
		r.now, r.rest, r.err = next, next.data, next.err
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Close ends reading; the layer below is not touched afterwards.
func (r *reader) Close() error {
	r.once.Do(func() { close(r.stop) })
	r.done.Wait()
	return r.in.Close()
}
