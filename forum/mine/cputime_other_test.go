//go:build !unix

package mine

import "time"

// started is when the tests began.
var started = time.Now()

// cpuTime is the clock where the processor's time is not to be had.
func cpuTime() time.Duration { return time.Since(started) }
