package watchlab

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// The first line of a goroutine in a dump, in a bubble.
var inBubble = regexp.MustCompile(`^goroutine \d+ [^\n]*\[([^\],]+)[^\n]*synctest bubble \d+(?:, explored (\S+))?(?: on (\S+:\d+))?[^\n]*\]:`)

var placeLine = regexp.MustCompile(`^\t(\S+):(\d+)`)

// blocked says where the goroutines of a bubble wait, a line for each.
func blocked() []string {
	buffer := make([]byte, 1<<20)
	return waiting(string(buffer[:runtime.Stack(buffer, true)]))
}

func waiting(dump string) (lines []string) {
	for _, each := range strings.Split(dump, "\n\n") {
		match := inBubble.FindStringSubmatch(each)
		if match == nil || strings.Contains(each, "synctest.Run(") || strings.Contains(each, "testing/synctest.testingSynctestTest") {
			continue
		}
		state, _, _ := strings.Cut(match[1], " (durable")
		at, started := userPlace(each)
		if at == "" {
			continue
		}
		if match[2] == "" {
			match[2] = "of the runtime"
		}
		if started == "" {
			started = "-"
		}
		line := fmt.Sprintf("%s at %s: %s", called(match[2], started), at, state)
		if match[3] != "" {
			line += ", on what was made at " + filepath.Base(match[3])
		}
		lines = append(lines, line)
	}
	return lines
}

// userPlace is where a goroutine of a dump is in the user's code, and where it was started.
func userPlace(stack string) (at, started string) {
	function, creator := "", false
	for _, line := range strings.Split(stack, "\n")[1:] {
		if match := placeLine.FindStringSubmatch(line); match != nil {
			if standard(match[1], function) {
				continue
			}
			place := filepath.Base(match[1]) + ":" + match[2]
			if creator {
				started = place
			} else if at == "" {
				at = place
			}
			continue
		}
		function = strings.TrimPrefix(line, "created by ")
		creator = function != line
	}
	return at, started
}

// standard says whether a frame is of Go or of this package.
func standard(file, function string) bool {
	if filepath.Base(file) == "_cgo_gotypes.go" { // glue between Go and C
		return true
	}
	slash := strings.LastIndex(function, "/")
	pkg, _, _ := strings.Cut(function[slash+1:], ".")
	if pkg = function[:slash+1] + pkg; pkg == "example.org/watchlab/goroutines" || pkg == "example.org/watchlab" {
		return !strings.HasSuffix(file, "_test.go")
	}
	if strings.HasPrefix(file, runtime.GOROOT()+"/") || strings.Contains(file, "/src/runtime/") { // some have names of other packages
		return true
	}
	return strings.Contains(file, "/src/"+pkg+"/") || pkg == "panic" || strings.HasPrefix(pkg, "panic(")
}

// panicking is where the goroutine that ended the process was.
func panicking(printed string) []string {
	at := strings.Index(printed, "\ngoroutine ")
	if at < 0 {
		return nil
	}
	stack, _, _ := strings.Cut(printed[at+1:], "\n\n")
	place, started := userPlace(stack)
	if place == "" {
		return nil
	}
	if started != "" {
		return []string{fmt.Sprintf("at %s, in a goroutine started at %s", place, started)}
	}
	return []string{"at " + place}
}

// outside says for the states of goroutines what they wait for, when it is not of the bubble.
var outside = map[string]string{"IO wait": "the network, a pipe or a terminal", "syscall": "a call of the system or of C",
	"chan receive": "a channel", "chan send": "a channel", "select": "a channel", "sync.WaitGroup.Wait": "a WaitGroup"}

const fits = "docs/go-races.md says what fits into a bubble"

// fromOutside says of a process that died since something in the bubble was used by a goroutine that is not.
func fromOutside(p played) error {
	at := ""
	if len(p.Blocked) > 0 {
		at = ", " + p.Blocked[0]
	}
	return fmt.Errorf("%s%s: a goroutine from outside of the bubble takes part, as that of a finaliser, or one that an earlier "+
		"test has left", p.Why, at)
}

// timeFromOutside explains a run whose next timer is years away, and names the place where a goroutine waits for it.
func timeFromOutside(due time.Duration) string {
	buffer := make([]byte, 1<<20)
	where := ""
	for _, each := range strings.Split(string(buffer[:runtime.Stack(buffer, true)]), "\n\n") {
		match := inBubble.FindStringSubmatch(each)
		if at, _ := userPlace(each); match != nil && at != "" && (where == "" || strings.HasPrefix(match[1], "sleep")) {
			where = " at " + at
		}
	}
	return fmt.Sprintf("a run waits for %d years%s: time in a bubble starts in the year 2000, and the code compares it with "+
		"a time from outside, kept in a package variable; %s", int(due.Hours()/(24*365)), where, fits)
}

// hanging says why a process has given no sign: what its goroutines do that a bubble cannot have.
func hanging(dump string) error {
	for _, each := range strings.Split(dump, "\n\n") {
		match := inBubble.FindStringSubmatch(strings.TrimLeft(each, "\n"))
		if match == nil || strings.Contains(each, "(durable") {
			continue
		}
		at, _ := userPlace(strings.TrimLeft(each, "\n"))
		if at == "" {
			continue
		}
		switch state := match[1]; {
		case state == "running" || state == "runnable":
			return fmt.Errorf("a run does not end: a goroutine runs in circles at %s, without an operation at which "+
				"another could go on; %s", at, fits)
		case state != "synctest.Run":
			return fmt.Errorf("a run stands still: a goroutine at %s is in %q, which is %s from outside of the "+
				"bubble; %s", at, state, cmp.Or(outside[state], "something"), fits)
		}
	}
	return errors.New("a run stands still, and no goroutine of it says why: " + fits + "\n" + last(dump, 3000))
}

func last(text string, most int) string { return text[max(0, len(text)-most):] }

var (
	failure  = regexp.MustCompile(`(?m)^\s+(\S+\.go:\d+): (.*)$`)
	raceSide = regexp.MustCompile(`(?m)^(?:Previous )?(?:Read|Write|read|write|Atomic|atomic|Previous)[^\n]* by [^\n]*:\n((?:  .*\n)+)`)
)

// failureLine is what the test has said first.
func failureLine(printed string) string {
	for _, match := range failure.FindAllStringSubmatch(printed, -1) {
		if !strings.HasPrefix(match[2], "watchlab: ") {
			return match[1] + ": " + match[2]
		}
	}
	return "the test says so, without a reason"
}

// raceLine is where the two accesses of the first data race are.
func raceLine(printed string) string {
	at := strings.Index(printed, "WARNING: DATA RACE")
	var sides []string
	for _, match := range raceSide.FindAllStringSubmatch(printed[at:], 2) {
		if place := regexp.MustCompile(`([^/\s]+\.go:\d+)`).FindString(match[1]); place != "" {
			sides = append(sides, place)
		}
	}
	if len(sides) < 2 {
		return "of memory"
	}
	return sides[0] + " and " + sides[1] + " use memory without an order between them"
}
