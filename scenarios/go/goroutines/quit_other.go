//go:build !linux

package watchlab

import (
	"os"
	"syscall"
	"time"
)

// processorTimeOf is not known here: all time counts.
func processorTimeOf(process *os.Process) (used time.Duration, runs bool) { return 0, false }

// quit lets a process print the stacks of its goroutines and end.
func quit(process *os.Process) { process.Signal(syscall.SIGQUIT) }
