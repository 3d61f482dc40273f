package tables

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"anonymooc/internal/fault"
)

// Limits bound what a run takes on.
type Limits struct {
	Block  int // bytes of a block at most; it holds at least one record
	Record int // bytes of the longest record
}

// DefaultLimits suit any export: memory stays near Jobs × 4 × Block.
func DefaultLimits() Limits { return Limits{Block: 1 << 20, Record: 64 << 20} }

// Stream says how a file is read and written.
type Stream struct {
	Jobs     int
	Limits   Limits
	Compress func(dst, src []byte) []byte // makes a block a member of the output's codec; nil for none
	Aside    io.Writer                    // receives records that could not be read
	Progress func(bytes, rows int64)      // called as blocks are written; may be nil
}

// cachedBlock is what a block holds at most where it is not packed: what a worker
// reads and writes of it, and what it remembers, has room in the cache of one core.
// A packed block is larger, because the codec starts anew with each.
const cachedBlock = 1 << 18

// Transform reads a file, lets the plan's rules treat it and writes what they
// leave. The output does not depend on the number of jobs.
func (s *Session) Transform(ctx context.Context, p *Plan, in io.Reader, out io.Writer, how Stream) (FileTally, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if how.Compress == nil {
		how.Limits.Block = min(how.Limits.Block, cachedBlock)
	}
	t := transfer{session: s, plan: p, how: how, counts: make([]ColumnTally, p.rules)}
	jobs := max(how.Jobs, 1)
	t.work = make(chan *Block, jobs)
	t.order = make(chan *Block, 2*jobs)
	t.free = make(chan *Block, 3*jobs+2)
	t.people = make(chan *peopleSet, jobs)
	if j, ok := p.Format.(jointed); ok {
		t.joint = j.joint()
	}

	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			w := s.NewWorker()
			for b := range t.work {
				t.treat(w, b)
				close(b.ready)
			}
			t.people <- &w.people
		})
	}
	var readErr error
	go func() {
		defer close(t.order)
		defer close(t.work)
		readErr = t.read(ctx, in)
	}()
	writeErr := t.write(ctx, out)
	if writeErr != nil {
		cancel()
		for range t.order { // the reader sees the cancelled context and ends
		}
	}
	workers.Wait()
	err := writeErr
	if err == nil {
		err = readErr
	}
	if err == nil && t.joint != nil {
		err = t.joint.end(p)
	}
	if err != nil {
		return FileTally{}, err
	}
	t.tally.Columns = p.tally(t.counts)
	t.tally.People = t.countPeople()
	return t.tally, nil
}

// transfer is one file on its way.
type transfer struct {
	session *Session
	plan    *Plan
	how     Stream
	work    chan *Block     // to the workers
	order   chan *Block     // to the writer, as they came
	free    chan *Block     // written, to be used again
	people  chan *peopleSet // of each worker, at the end
	joint   joint           // nil where any blocks fit to one another
	tally   FileTally
	counts  []ColumnTally
}

func (t *transfer) countPeople() int64 {
	close(t.people)
	all := <-t.people
	all.flush()
	for more := range t.people {
		for _, p := range more.all() {
			if p != 0 {
				all.add(p)
			}
		}
	}
	all.flush()
	return int64(all.count)
}

// read hands blocks of whole records to the workers and to the writer.
func (t *transfer) read(ctx context.Context, in io.Reader) error {
	r := blockReader{in: in, file: t.plan.File, format: t.plan.Format, limits: t.how.Limits}
	header := t.plan.Table.Shape != "json"
	for {
		b := t.block()
		var end error
		b.src, b.line, end = r.next(b.src)
		if end != nil && end != io.EOF {
			return end
		}
		if header {
			if err := t.header(b); err != nil {
				return err
			}
			header = false
		}
		for _, to := range [...]chan *Block{t.order, t.work} {
			select {
			case to <- b:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if end == io.EOF {
			return nil
		}
	}
}

// header writes the columns that stay, and takes the header off the first block.
func (t *transfer) header(b *Block) error {
	format, ok := t.plan.Format.(Tabular)
	if !ok {
		return nil
	}
	_, length, err := format.Header(b.src)
	if err != nil {
		return err
	}
	keep := make([]bool, len(t.plan.columns))
	for i := range keep {
		keep[i] = !t.plan.columns[i].drop
	}
	b.out = format.AppendHeader(b.out, b.src[:length], keep)
	b.line += int64(bytes.Count(b.src[:length], []byte{'\n'}))
	b.src = b.src[length:]
	return nil
}

// block returns an empty block, a used one if there is.
func (t *transfer) block() *Block {
	select {
	case b := <-t.free:
		*b = Block{src: b.src[:0], out: b.out[:0], compressed: b.compressed[:0], tallies: b.tallies, ready: make(chan struct{})}
		return b
	default:
		return &Block{ready: make(chan struct{})}
	}
}

// treat runs a block through its format.
func (t *transfer) treat(w *Worker, b *Block) {
	w.start(t.plan)
	if b.err = t.plan.Format.Transform(w, t.plan, b); b.err != nil {
		return
	}
	b.tallies = append(b.tallies[:0], w.tallies...)
	if t.how.Compress != nil && len(b.out) > 0 {
		b.compressed = t.how.Compress(b.compressed, b.out)
	}
}

// write takes the blocks in the order of the file.
func (t *transfer) write(ctx context.Context, out io.Writer) error {
	for b := range t.order {
		select {
		case <-b.ready:
		case <-ctx.Done():
			return ctx.Err()
		}
		if b.err != nil {
			return b.err
		}
		if t.joint != nil {
			changed, err := t.joint.join(t.plan, b)
			if err != nil {
				return err
			}
			if changed && t.how.Compress != nil {
				b.compressed = t.how.Compress(b.compressed[:0], b.out)
			}
		}
		data := b.out
		if t.how.Compress != nil {
			data = b.compressed
		}
		if _, err := out.Write(data); err != nil {
			return writeFault(t.plan, err)
		}
		if err := t.count(b); err != nil {
			return err
		}
		if t.how.Progress != nil {
			t.how.Progress(int64(len(b.src)), b.rowsIn)
		}
		if cap(b.src) <= 8*t.how.Limits.Block { // a giant record's memory is given back
			select {
			case t.free <- b:
			default:
			}
		}
	}
	return ctx.Err()
}

// count adds up a block's doings and sets its unreadable records aside.
func (t *transfer) count(b *Block) error {
	t.tally.RowsIn += b.rowsIn
	t.tally.RowsOut += b.rowsOut
	t.drop(DroppedForgotten, b.forgotten)
	if aside := int64(len(b.setLines)); aside > 0 {
		t.drop(DroppedUnreadable, aside)
		t.tally.Quarantined += aside
		if len(t.tally.QuarantinedLines) < quarantinedLines {
			t.tally.QuarantinedLines = append(t.tally.QuarantinedLines, b.setLines...)
			t.tally.QuarantinedLines = t.tally.QuarantinedLines[:min(len(t.tally.QuarantinedLines), quarantinedLines)]
		}
		if t.how.Aside != nil {
			if _, err := t.how.Aside.Write(b.set); err != nil {
				return writeFault(t.plan, err)
			}
		}
	}
	for i := range b.tallies {
		t.counts[i].add(&b.tallies[i])
	}
	return nil
}

// quarantinedLines is how many line numbers of unreadable records are told.
const quarantinedLines = 20

func (t *transfer) drop(rule string, rows int64) {
	if rows == 0 {
		return
	}
	if t.tally.Dropped == nil {
		t.tally.Dropped = map[string]int64{}
	}
	t.tally.Dropped[rule] += rows
}

func writeFault(p *Plan, err error) error {
	return fault.New(fault.Failure, "the release cannot be written").At(p.File, 0, "").
		WithHint("is there space left, and may the folder be written to?").Because(err)
}

func readFault(file string, line int64, err error) error {
	var f *fault.Fault
	if errors.As(err, &f) {
		return f.At(file, line, "")
	}
	return fault.New(fault.Failure, "the file cannot be read").At(file, line, "").Because(err)
}
