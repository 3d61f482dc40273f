package verify

import (
	"context"
	"iter"
	"sync"

	"golang.org/x/sync/errgroup"

	"anonymooc/release/records"
)

// inStep compares files of which rows were dropped: which row of the export is
// which of the release is known only when those before are.
func (c *comparison) inStep(source, released string) error {
	next, stop := iter.Pull2(c.releaseRecords(released))
	defer stop()
	line, record, more := next()
	err := records.Walk(source, c.source.format, func(_ int64, before []byte) bool {
		if !more {
			return false // what is left in the export was dropped
		}
		c.line = line
		if c.one(before, record) {
			line, record, more = next()
		}
		return true
	})
	if err == nil && more {
		c.tooMany()
	}
	return err
}

func (c *comparison) tooMany() {
	c.problem(c.line, "", "holds a row that the export does not, or not in this order")
}

// recordPairs is a run of records of the export, and what became of them.
type recordPairs struct {
	number        int
	before, after [][]byte
	lines         []int64
	found         []surrogate
}

// pairsAtOnce is how many records a worker gets; runsAhead is how many runs a
// worker may have read or compared for it before their turn.
const (
	pairsAtOnce = 256
	runsAhead   = 4
)

// inParallel compares files whose rows are one to one on all workers:
//
//	free ─► read both files ─► work ─► compare (all workers) ─► done ─► settle, in order ─► free
func (c *comparison) inParallel(ctx context.Context, source, released string, jobs int) error {
	group, ctx := errgroup.WithContext(ctx)
	free, work, done := make(chan *recordPairs, jobs*runsAhead), make(chan *recordPairs, jobs), make(chan *recordPairs, jobs)
	for range jobs * runsAhead {
		free <- &recordPairs{}
	}
	group.Go(func() error {
		defer close(work)
		return c.readPairs(ctx, source, released, free, work)
	})
	var comparing sync.WaitGroup
	workers := make([]*comparison, jobs)
	for i := range workers {
		w := newComparison(c.file, c.release, c.source, c.shared)
		if len(c.table) > 0 {
			w.columns()
		}
		workers[i] = w
		comparing.Add(1)
		group.Go(func() error {
			defer comparing.Done()
			for run := range work {
				w.pairs = run.found[:0]
				for i, line := range run.lines {
					w.line = line
					w.one(run.before[i], run.after[i])
				}
				run.found = w.pairs
				done <- run
			}
			return nil
		})
	}
	group.Go(func() error {
		waiting := map[int]*recordPairs{}
		next := 0
		for run := range done {
			for waiting[run.number] = run; waiting[next] != nil; next++ {
				turn := waiting[next]
				delete(waiting, next)
				c.settle(turn.found)
				free <- turn
			}
		}
		return nil
	})
	go func() {
		comparing.Wait()
		close(done)
	}()
	err := group.Wait()
	for _, w := range workers {
		for column, n := range w.others {
			c.others[column] += n
		}
	}
	return err
}

// readPairs sends runs of records of both files to work.
func (c *comparison) readPairs(ctx context.Context, source, released string, free <-chan *recordPairs, work chan<- *recordPairs) error {
	next, stop := iter.Pull2(c.releaseRecords(released))
	defer stop()
	number := 0
	var run *recordPairs
	begin := func() bool {
		select {
		case run = <-free:
			run.number, run.before, run.after, run.lines = number, run.before[:0], run.after[:0], run.lines[:0]
			number++
			return true
		case <-ctx.Done():
			return false
		}
	}
	if !begin() {
		return ctx.Err()
	}
	more := true
	err := records.Walk(source, c.source.format, func(_ int64, before []byte) bool {
		var line int64
		var after []byte
		if line, after, more = next(); !more {
			return false // its rows are counted elsewhere
		}
		run.before, run.after, run.lines = append(run.before, before), append(run.after, after), append(run.lines, line)
		if len(run.lines) < pairsAtOnce {
			return true
		}
		work <- run
		return begin()
	})
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	work <- run
	if more {
		if line, _, another := next(); another {
			c.line = line
			c.tooMany()
		}
	}
	return nil
}

// one compares two records; false when this one of the export was dropped, and
// the next may be the release's.
func (c *comparison) one(before, after []byte) bool {
	if c.release.format == records.Lines {
		c.lines(before, after)
		return true
	}
	c.fields[0].Read(before, c.source.format)
	c.fields[1].Read(after, c.release.format)
	return c.row(&c.fields[0], &c.fields[1])
}
