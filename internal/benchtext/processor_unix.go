//go:build unix

package benchtext

import (
	"syscall"
	"time"
)

// processorTime is what the program has used of the processor so far.
func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
