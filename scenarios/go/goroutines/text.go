package watchlab

import (
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// place is the first frame in the user's code.
func place(pcs []uintptr) string {
	if len(pcs) == 0 {
		return "-"
	}
	frames := runtime.CallersFrames(pcs)
	for {
		frame, more := frames.Next()
		if frame.File != "" && !standard(frame.File, frame.Function) {
			return fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line)
		}
		if !more {
			return "-"
		}
	}
}

// A swap is a deviation with its places; "-" is an unknown one.
type swap struct {
	from, fromBorn, wasAt, made string
	op                          int
	to, toBorn, toAt            string
}

// called is a goroutine with the line of its go.
func called(path, born string) string {
	switch {
	case path == "0":
		return "the test itself"
	case born != "-" && path != "1":
		return fmt.Sprintf("goroutine %s of %s", path, born)
	case path == "1":
		return "goroutine 1 (the test's function)"
	}
	return "goroutine " + path
}

func bornAt(id uint32) string {
	_, _, pc := hooks.birth(id)
	return place([]uintptr{pc})
}

// explain says of each deviation of the last run who went before whom.
func explain(r report) (lines []string) {
	for i := range r.kept {
		lines = append(lines, explainOne(i))
	}
	return lines
}

func explainOne(i int) string {
	from, _, op, to, fromPCs, toPCs, madePCs := hooks.deviation(i)
	s := swap{from: path(from), fromBorn: bornAt(from), wasAt: place(fromPCs), made: place(madePCs), op: int(op), to: fmt.Sprint(int32(to))}
	if to != toClock && op != operationCase {
		s.to, s.toBorn, s.toAt = path(to), bornAt(to), place(toPCs)
	}
	return s.String()
}

func (s swap) String() string {
	who, at := called(s.from, s.fromBorn), ""
	if s.wasAt != "-" {
		at = " at " + s.wasAt
	}
	if s.made != "-" && objects[s.op] != "" {
		at += " (the " + objects[s.op] + " made at " + s.made + ")"
	}
	resumes := "goes on"
	if s.toAt != "-" {
		resumes += " from " + s.toAt
	}
	if s.toAt == s.toBorn {
		resumes = "starts"
	}
	stops := "stops before " + operations[s.op] + at
	if s.op == operationGo {
		stops = "stops after its go" + at
	} else if s.op == operationBlocked {
		if stops = "waits" + at; at == "" {
			stops = "has ended"
		}
	}
	switch {
	case s.op == operationCase:
		return fmt.Sprintf("%s takes the ready case %s of its select%s, counted from 0", who, s.to, at)
	case s.to == "-1":
		return fmt.Sprintf("%s %s, and then time passes to the next timer although some could run", who, stops)
	case s.op == operationBlocked:
		return fmt.Sprintf("%s %s, and then %s %s before the others", who, stops, called(s.to, s.toBorn), resumes)
	}
	return fmt.Sprintf("%s %s, and %s %s before it", who, stops, called(s.to, s.toBorn), resumes)
}

var placed = regexp.MustCompile(`(?m)^watchlab-place (\S+) (\S+) (\S+) (\S+) (\d+) (\S+) (\S+) (\S+)\n`)

// explainDead is explain for a process that has died: the runtime has printed the places.
func explainDead(printed string) (lines []string) {
	for _, match := range placed.FindAllStringSubmatch(printed, -1) {
		op, _ := strconv.Atoi(match[5])
		if op >= len(operations) {
			continue
		}
		s := swap{match[1], filepath.Base(match[2]), filepath.Base(match[3]), filepath.Base(match[4]), op, match[6],
			filepath.Base(match[7]), filepath.Base(match[8])}
		lines = append(lines, s.String())
	}
	return lines
}

// trace has the points of the last run, a line for each.
func trace(r report) (lines []string) {
	for i := range min(int(r.points), 4096) {
		goroutine, step, op, pcs := hooks.point(i)
		lines = append(lines, fmt.Sprintf("%5d  %s, step %d, before %s at %s", i, called(path(goroutine), bornAt(goroutine)), step, operations[op], place(pcs)))
	}
	return lines
}

// text says what was found, or that nothing was.
func (f *finding) text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if f.Kind == "" {
		f.passed(line)
		return strings.TrimRight(b.String(), "\n")
	}
	switch {
	case f.given:
		line("watchlab: %s: %s", f.Kind, f.Why)
		for _, each := range f.different {
			line("  %s", each)
		}
		if f.near {
			line("  In the recorded order the test passes. It fails in a nearby order, which is shown here.")
		}
		if f.different == nil {
			line("  The run is the recorded one: its digest is the same.")
		}
	case f.Run == 0:
		line("watchlab: %s in the default order: %s", f.Kind, f.Why)
	default:
		line("watchlab: %s in run %d (%s), after %v: %s", f.Kind, f.Run, f.Strategy, f.Spent.Round(time.Millisecond), f.Why)
	}
	for _, each := range f.Blocked {
		line("  %s", each)
	}
	f.made(line)
	if f.Kind != kindBlocked && f.Kind != kindLeak && f.Kind != kindForever {
		line("What it printed:\n%s", indent(shortened(f.printed)))
	}
	flags := ""
	if raced() {
		flags = "-race "
	}
	command := f.options.replay
	if command == "" {
		command = fmt.Sprintf("go test %s-run '%s' .", flags, pattern(f.test))
	}
	line("Replay it:\n  %s=%s %s", scheduleVariable, f.kept, command)
	return strings.TrimRight(b.String(), "\n")
}

func (f *finding) made(line func(string, ...any)) {
	n := len(f.kept.Deviations)
	switch {
	case !f.given && f.replays == 0:
		line("It cannot be replayed in a process of its own: it depends on what earlier runs left in package variables. " +
			"Try Options.Processes.")
		return
	case n == 0:
		line("It needs no special order of goroutines.")
		return
	case f.given:
		line("What happens in this order:")
	case f.minimal && n == 1:
		line("What makes the difference (without it, the run passes%s):", f.shrunk())
	case f.minimal:
		line("What makes the difference (without any one of these, the run passes%s):", f.shrunk())
	default:
		line("What makes the difference (%d deviations were shrunk to %d; there may be fewer):", f.before, n)
	}
	for i, each := range f.Explained {
		line("  %d. %s", i+1, each)
	}
	if f.Explained == nil {
		line("  %s", strings.Join(f.kept.Deviations, ", "))
	}
	if !f.given {
		line("Replayed in fresh processes: %d of %d alike.", f.replays, f.of)
	}
}

func (f *finding) shrunk() string {
	if n := len(f.kept.Deviations); n < f.before {
		return fmt.Sprintf("; %d deviations were shrunk to %d", f.before, n)
	}
	return ""
}

func (f *finding) passed(line func(string, ...any)) {
	if f.given {
		line("watchlab: the test passes in the order of %s", scheduleVariable)
		for _, each := range f.different {
			line("  %s", each)
		}
		return
	}
	rate := float64(f.Runs) / max(f.Spent.Seconds(), 1e-6)
	line("watchlab: %d runs passed (%s) in %v, %.0f a second, %d points each", f.Runs, f.options.Strategy,
		f.Spent.Round(time.Millisecond), rate, f.Points/uint64(max(f.Runs, 1)))
	if f.Complete {
		line("  These are all orders with at most %d deviations from the default order.", f.options.Depth)
	}
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ")
}

// shortened is the beginning of what a process has printed, with the stack of one goroutine at most.
func shortened(text string) string {
	const most = 40
	text = strings.TrimSpace(text)
	if first := strings.Index(text, "\ngoroutine "); first >= 0 {
		if end := strings.Index(text[first:], "\n\n"); end >= 0 {
			text = text[:first+end]
		}
	}
	lines := strings.Split(text, "\n")
	if len(lines) <= most {
		return text
	}
	return strings.Join(lines[:most], "\n") + fmt.Sprintf("\n… and %d lines more", len(lines)-most)
}
