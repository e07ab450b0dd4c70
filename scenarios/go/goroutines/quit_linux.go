package watchlab

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// processorTimeOf is how much a process has used, and whether a thread of it runs, or would if there were a processor
// for it.
func processorTimeOf(process *os.Process) (used time.Duration, runs bool) {
	const tick = 10 * time.Millisecond // of the clock in /proc
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", process.Pid))
	for _, file := range threads {
		text, _ := os.ReadFile(file)
		_, state, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(state)
		if len(fields) < 13 {
			continue
		}
		runs = runs || fields[0] == "R" || fields[0] == "D"
		for _, ticks := range fields[11:13] { // in the program, in the system
			n, _ := strconv.Atoi(ticks)
			used += time.Duration(n) * tick
		}
	}
	return used, runs
}

// quit lets a process print the stacks of its goroutines and end. The signal goes to the thread that runs, if there is
// one: no other thread can see the stack of its goroutine.
func quit(process *os.Process) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", process.Pid))
	for _, file := range threads {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		_, state, _ := strings.Cut(string(text), ") ")
		thread, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err == nil && strings.HasPrefix(state, "R") && syscall.Tgkill(process.Pid, thread, syscall.SIGQUIT) == nil {
			return
		}
	}
	process.Signal(syscall.SIGQUIT)
}
