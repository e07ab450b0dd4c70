package watchlab

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

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
