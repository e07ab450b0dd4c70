package watchlab

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	lookEvery = 250 * time.Millisecond // of real time
	looksMax  = 4
	callsMax  = 32 // looks at a system call, which may come back by itself
	busyMax   = 10 // looks that count as one, while a program that was started could run: the machine may be busy
)

// watchdog looks, from outside of the bubble, whether the bubble stands still: no goroutine of it
// can run, and one waits for something that does not let the bubble's time go on. A slow machine
// does not make it bark, because there a goroutine can run.
type watchdog struct {
	turn atomic.Int64 // counts the turns of the program; negative while the world has its turn
	over atomic.Bool
}

func watch(link *link) *watchdog {
	dog := &watchdog{}
	dog.turn.Store(-1)
	go dog.run(link)
	return dog
}

func (d *watchdog) stop() { d.over.Store(true) }

// rest and look are called by the bridge when the world's turn begins and ends.
func (d *watchdog) rest() { d.turn.Store(-max(d.turn.Load(), -d.turn.Load())) }
func (d *watchdog) look() { d.turn.Store(-d.turn.Load() + 1) }

func (d *watchdog) run(link *link) {
	var last int64
	same := 0
	for !d.over.Load() {
		standBy(lookEvery)
		turn := d.turn.Load()
		why, patience := "", 0
		if turn > 0 && turn == last {
			why, patience = standstill(bubbleGoroutines())
		}
		if why == "" {
			last, same = turn, 0
			continue
		}
		if childRuns() {
			same++
		} else {
			same += busyMax
		}
		if same < patience*busyMax {
			continue
		}
		if d.turn.Load() == turn {
			link.send(report{Failed: why})
			time.Sleep(5 * time.Second) // the world ends this process
			os.Exit(1)
		}
	}
}

// childRuns says whether a process that this one has started runs, or would if there were a processor for it.
func childRuns() bool {
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		numbers, _ := os.ReadFile(list)
		for _, number := range strings.Fields(string(numbers)) {
			text, _ := os.ReadFile("/proc/" + number + "/stat")
			_, state, _ := strings.Cut(string(text), ") ")
			if strings.HasPrefix(state, "R") || strings.HasPrefix(state, "D") {
				return true
			}
		}
	}
	return false
}

// standBy blocks a thread and not only a goroutine: a timer of the runtime that fell due would change the
// order of the goroutines that can run.
func standBy(span time.Duration) {
	left := syscall.NsecToTimespec(span.Nanoseconds())
	for syscall.Nanosleep(&left, &left) == syscall.EINTR {
	}
}

// goroutine is one of a bubble, as the runtime prints it.
type goroutine struct {
	state   string // "sync.Mutex.Lock", "chan receive"
	durable bool   // this wait lets the bubble's time go on
	stack   string
}

var header = regexp.MustCompile(`^goroutine (\d+)[^\[]*\[([^\]]*)\]:`)

// bubbleGoroutines are all that are in a bubble.
func bubbleGoroutines() []goroutine {
	text := make([]byte, 1<<20)
	text = text[:runtime.Stack(text, true)]
	var all []goroutine
	for _, stack := range strings.Split(string(text), "\n\n") {
		found := header.FindStringSubmatch(stack)
		if found == nil || !strings.Contains(found[2], "synctest bubble") {
			continue
		}
		state, _, _ := strings.Cut(found[2], ",")
		name := strings.TrimSuffix(state, " (durable)")
		all = append(all, goroutine{state: name, durable: name != state, stack: stack})
	}
	return all
}

// standstill says why the time of the bubble cannot go on, and how many looks have to see it; "" when it
// can, or a goroutine can run.
func standstill(all []goroutine) (why string, looks int) {
	looks = looksMax
	for _, g := range all {
		if g.durable || strings.HasPrefix(g.state, "synctest.") {
			continue
		}
		reason := reasonOf(g.state)
		if reason == "" {
			return "", 0
		}
		called := g.state == "syscall"
		if called {
			looks = callsMax
		}
		if why == "" || called {
			why = fmt.Sprintf("stands still: a goroutine %s, at %s; as long as it does, the time of the "+
				"story cannot go on%s\n%s", reason, place(g.stack), adviceOf(g.state), indented(g.stack))
		}
	}
	return why, looks
}

// reasonOf is what a goroutine in that state does; "" for one that runs, or will by itself.
func reasonOf(state string) string {
	switch {
	case strings.HasPrefix(state, "sync.Mutex"), strings.HasPrefix(state, "sync.RWMutex"), state == "semacquire":
		return "waits for a mutex that another one holds while it sleeps or waits (" + state + ")"
	case strings.HasPrefix(state, "chan "), strings.HasPrefix(state, "select"):
		return "waits for a channel that was made outside of the test's function (" + state + ")"
	case strings.HasPrefix(state, "IO wait"):
		return "waits for a real network or a pipe (" + state + ")"
	case state == "syscall":
		return fmt.Sprintf("is in a system call for %v, as one that runs a program is", callsMax*lookEvery)
	case strings.HasPrefix(state, "sync.WaitGroup"), strings.HasPrefix(state, "sync.Cond"):
		return "waits for a " + strings.TrimSuffix(state, ".Wait") + " of outside of the test's function"
	}
	return ""
}

func adviceOf(state string) string {
	switch {
	case strings.HasPrefix(state, "chan "), strings.HasPrefix(state, "select"):
		return ": use ctx, not wait.NeverStop, ctrl.SetupSignalHandler or a variable of a package"
	case strings.HasPrefix(state, "IO wait"):
		return ": all clients need the rest.Config that they are given"
	case state == "syscall":
		return ": what is run must end within seconds"
	}
	return ": no lock may be held over a sleep, a channel or a request"
}

// leftBehind lists the goroutines of the bubble but the one that calls, in lines; "" for none.
func leftBehind() string {
	text := ""
	for _, g := range bubbleGoroutines() {
		// The bubble's own goroutines wait for the one that calls.
		own := strings.HasPrefix(g.state, "synctest.") || strings.Contains(g.stack, "testingSynctestTest(")
		if g.state != "running" && !own {
			text += fmt.Sprintf("\n  %s, at %s", g.state, place(g.stack))
		}
	}
	if text != "" {
		text = ":" + text
	}
	return text
}

// place is the first line of a stack that is not of Go itself: "file.go:12 (pkg.function)".
func place(stack string) string {
	lines := strings.Split(stack, "\n")
	goroot := runtime.GOROOT() + "/src/"
	for i := 1; i+1 < len(lines); i += 2 {
		file, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " ")
		if goroot != "/src/" && strings.HasPrefix(file, goroot) {
			continue
		}
		function, _, _ := strings.Cut(lines[i], "(0x")
		return fmt.Sprintf("%s (%s)", file[strings.LastIndex(file, "/")+1:], strings.TrimSuffix(function, "(...)"))
	}
	return "a place of Go itself"
}

func indented(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }
