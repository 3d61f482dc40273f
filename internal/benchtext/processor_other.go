//go:build !unix

package benchtext

import "time"

var started = time.Now()

// processorTime is the time that has passed: here nothing better can be had.
func processorTime() time.Duration { return time.Since(started) }
