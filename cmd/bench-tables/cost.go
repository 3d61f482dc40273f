package main

import (
	"runtime"
	"syscall"
	"time"
)

// cost is what a piece of work took.
type cost struct {
	clock     float64 // seconds on the wall
	processor float64 // seconds of all cores, the garbage collector's included
}

func (c cost) times(factor float64) cost { return cost{c.clock * factor, c.processor * factor} }

// repeat runs work until time is up, three times at least, and returns the least
// that it took: whatever else the machine does only adds.
func (b *bench) repeat(work func() error) (least cost, err error) {
	runtime.GC() // what the step before left is not this one's to clear
	var spent float64
	for n := 0; n < 3 || spent < b.seconds; n++ {
		c, err := timed(work)
		if err != nil {
			return cost{}, err
		}
		if spent += c.clock; n == 0 {
			least = c
		}
		least.clock, least.processor = min(least.clock, c.clock), min(least.processor, c.processor)
	}
	return least, nil
}

func timed(work func() error) (cost, error) {
	start, used := time.Now(), processorTime(syscall.RUSAGE_SELF)
	err := work()
	return cost{time.Since(start).Seconds(), processorTime(syscall.RUSAGE_SELF) - used}, err
}

// processorTime is the user and system time so far, of this process or of its
// children that have ended.
func processorTime(of int) float64 {
	var usage syscall.Rusage
	if syscall.Getrusage(of, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}
