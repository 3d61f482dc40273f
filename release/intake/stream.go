package intake

import (
	"context"
	"errors"
	"io"
	"sync"
)

// stream is an archive that can be read only from its front: somewhere in a
// compressed or encrypted package. Whoever wants bytes further on goes on from
// where the last reader stopped; only going back begins again. Members that are
// opened in their order cost one decoding together.
type stream struct {
	content content

	mutex sync.Mutex
	idle  *cursor // where the last reader stopped
	opens int     // how often decoding began
}

// cursor is one decoding, and how far it has come.
type cursor struct {
	in io.ReadCloser
	at int64
}

// take returns a decoding that stands at offset.
func (s *stream) take(ctx context.Context, offset int64) (*cursor, error) {
	s.mutex.Lock()
	c := s.idle
	if c != nil && c.at <= offset {
		s.idle = nil
	} else {
		c = nil
		s.opens++
	}
	s.mutex.Unlock()
	if c == nil {
		in, err := s.content.open(ctx)
		if err != nil {
			return nil, err
		}
		c = &cursor{in: in}
	}
	if err := c.skip(ctx, offset-c.at); err != nil {
		return nil, errors.Join(explain(err, s.content.name, "package"), c.in.Close())
	}
	return c, nil
}

// skip reads on without looking.
func (c *cursor) skip(ctx context.Context, n int64) error {
	for n > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		read, err := io.CopyN(io.Discard, c.in, min(n, 8<<20))
		c.at += read
		n -= read
		if err != nil {
			return err
		}
	}
	return nil
}

// park keeps a decoding for whoever reads on, instead of the one that was kept.
func (s *stream) park(c *cursor) error {
	s.mutex.Lock()
	old := s.idle
	s.idle = c
	s.mutex.Unlock()
	if old != nil {
		return old.in.Close()
	}
	return nil
}

// finish reads the last decoding to its end: what is encrypted is proved only there.
func (s *stream) finish(ctx context.Context) error {
	s.mutex.Lock()
	c := s.idle
	s.idle = nil
	s.mutex.Unlock()
	if c == nil {
		return nil
	}
	for {
		if err := ctx.Err(); err != nil {
			return errors.Join(err, c.in.Close())
		}
		n, err := io.CopyN(io.Discard, c.in, 8<<20)
		c.at += n
		if err == io.EOF {
			return c.in.Close()
		}
		if err != nil {
			return errors.Join(explain(err, s.content.name, "package"), c.in.Close())
		}
	}
}

// Close ends the decoding that is kept.
func (s *stream) Close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.idle == nil {
		return nil
	}
	err := s.idle.in.Close()
	s.idle = nil
	return err
}

// section opens size bytes at offset.
func (s *stream) section(ctx context.Context, offset, size int64) (io.ReadCloser, error) {
	c, err := s.take(ctx, offset)
	if err != nil {
		return nil, err
	}
	return &section{stream: s, cursor: c, left: size}, nil
}

// section reads a part of a stream.
type section struct {
	stream *stream
	cursor *cursor
	left   int64
	failed bool
}

func (r *section) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n, err := r.cursor.in.Read(p[:min(int64(len(p)), r.left)])
	r.cursor.at += int64(n)
	r.left -= int64(n)
	if err == nil || err == io.EOF && r.left == 0 {
		return n, nil
	}
	r.failed = true
	return n, explain(err, r.stream.content.name, "package")
}

func (r *section) Close() error {
	if r.cursor == nil {
		return nil
	}
	c := r.cursor
	r.cursor = nil
	if r.failed {
		return c.in.Close()
	}
	return r.stream.park(c)
}

// anywhere lets a stream be read like a file on a disk, for archives whose list of
// members stands at their end: going back decodes again from the front.
type anywhere struct {
	context context.Context
	stream  *stream
	tail    []byte // the last bytes, which are asked for again and again
	size    int64

	mutex  sync.Mutex
	cursor *cursor
}

// maxTail is how much of an archive's end is kept.
const maxTail = 1 << 20

// newAnywhere decodes once, to know the size and to keep the end.
func newAnywhere(ctx context.Context, s *stream) (*anywhere, error) {
	c, err := s.take(ctx, 0)
	if err != nil {
		return nil, err
	}
	tail, previous := make([]byte, 0, maxTail), make([]byte, 0, maxTail)
	for {
		if err := ctx.Err(); err != nil {
			return nil, errors.Join(err, c.in.Close())
		}
		previous, tail = tail, previous
		n, err := readFull(c.in, tail[:maxTail])
		tail = tail[:n]
		c.at += int64(n)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, errors.Join(explain(err, s.content.name, "package"), c.in.Close())
		}
	}
	return &anywhere{context: ctx, stream: s, tail: append(previous, tail...), size: c.at}, c.in.Close()
}

func (a *anywhere) ReadAt(p []byte, offset int64) (int, error) {
	if start := a.size - int64(len(a.tail)); offset >= start {
		if offset >= a.size {
			return 0, io.EOF
		}
		n := copy(p, a.tail[offset-start:])
		if n < len(p) {
			return n, io.EOF
		}
		return n, nil
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.cursor == nil || a.cursor.at > offset {
		if err := a.release(); err != nil {
			return 0, err
		}
		c, err := a.stream.take(a.context, offset)
		if err != nil {
			return 0, err
		}
		a.cursor = c
	}
	if err := a.cursor.skip(a.context, offset-a.cursor.at); err != nil {
		return 0, explain(err, a.stream.content.name, "package")
	}
	n, err := readFull(a.cursor.in, p)
	a.cursor.at += int64(n)
	return n, err
}

// release gives the decoding back.
func (a *anywhere) release() error {
	if a.cursor == nil {
		return nil
	}
	c := a.cursor
	a.cursor = nil
	return a.stream.park(c)
}

// finish reads what was decoded last to its end.
func (a *anywhere) finish(ctx context.Context) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return errors.Join(a.release(), a.stream.finish(ctx))
}

// Close ends reading.
func (a *anywhere) Close() error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return errors.Join(a.release(), a.stream.Close())
}
