//go:build unix

package mine

import (
	"syscall"
	"time"
)

// cpuTime is the processor time this process has used. Unlike the clock, it does
// not count the time that other programs take on a busy machine.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
