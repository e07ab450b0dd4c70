//go:build !linux

package watchlab

import (
	"os"
	"syscall"
)

// quit lets a process print the stacks of its goroutines and end.
func quit(process *os.Process) { process.Signal(syscall.SIGQUIT) }
