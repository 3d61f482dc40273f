package verify

import (
	"context"
	"iter"

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
	c.problem("", "holds a row that the export does not, or not in this order")
}

// recordPairs is a run of records of the export, and what became of them.
type recordPairs struct {
	before, after [][]byte
	lines         []int64
}

// pairsAtOnce is how many records a worker gets.
const pairsAtOnce = 256

// inParallel compares files whose rows are one to one on all workers.
func (c *comparison) inParallel(ctx context.Context, source, released string, jobs int) error {
	group, ctx := errgroup.WithContext(ctx)
	work := make(chan recordPairs, jobs)
	group.Go(func() error {
		defer close(work)
		next, stop := iter.Pull2(c.releaseRecords(released))
		defer stop()
		var run recordPairs
		send := func() bool {
			select {
			case work <- run:
				run = recordPairs{}
				return true
			case <-ctx.Done():
				return false
			}
		}
		more := true
		err := records.Walk(source, c.source.format, func(_ int64, before []byte) bool {
			var line int64
			var after []byte
			if line, after, more = next(); !more {
				return false // its rows are counted elsewhere
			}
			run.before, run.after, run.lines = append(run.before, before), append(run.after, after), append(run.lines, line)
			return len(run.lines) < pairsAtOnce || send()
		})
		if err != nil {
			return err
		}
		send()
		if more {
			if line, _, another := next(); another {
				c.line = line
				c.tooMany()
			}
		}
		return nil
	})
	workers := make([]*comparison, jobs)
	for i := range workers {
		w := newComparison(c.file, c.release, c.source, c.shared)
		w.kept, w.single, w.from = c.kept, c.single, c.from
		workers[i] = w
		group.Go(func() error {
			for run := range work {
				for i, line := range run.lines {
					w.line = line
					w.one(run.before[i], run.after[i])
				}
			}
			return nil
		})
	}
	err := group.Wait()
	for _, w := range workers {
		for column, n := range w.others {
			c.others[column] += n
		}
	}
	return err
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
