package pack

import (
	"io"
	"sync"
)

// behind hands over what is written to it to a goroutine that writes it on: reading
// files, encrypting them and writing the archive are on a core each.
type behind struct {
	to   io.Writer
	now  []byte
	full chan []byte
	free chan []byte
	done sync.WaitGroup

	mutex  sync.Mutex
	failed error
}

const (
	chunkSize = 256 << 10
	chunks    = 4
)

func writeBehind(to io.Writer) *behind {
	b := &behind{to: to, full: make(chan []byte, chunks), free: make(chan []byte, chunks)}
	for range chunks {
		b.free <- make([]byte, 0, chunkSize)
	}
	b.done.Go(b.write)
	return b
}

func (b *behind) write() {
	for chunk := range b.full {
		if b.err() == nil {
			if _, err := b.to.Write(chunk); err != nil {
				b.mutex.Lock()
				b.failed = err
				b.mutex.Unlock()
			}
		}
		b.free <- chunk[:0]
	}
}

func (b *behind) err() error {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.failed
}

func (b *behind) Write(p []byte) (int, error) {
	written := 0
	for len(p) > 0 {
		if b.now == nil {
			if err := b.err(); err != nil {
				return written, err
			}
			b.now = <-b.free
		}
		n := min(len(p), chunkSize-len(b.now))
		b.now = append(b.now, p[:n]...)
		p, written = p[n:], written+n
		if len(b.now) == chunkSize {
			b.full <- b.now
			b.now = nil
		}
	}
	return written, nil
}

// Close waits until everything is written.
func (b *behind) Close() error {
	if len(b.now) > 0 {
		b.full <- b.now
		b.now = nil
	}
	close(b.full)
	b.done.Wait()
	return b.failed
}
