// Overlay writes an overlay of Go's runtime in which all that a bubble of testing/synctest leaves to
// chance follows from a seed: the order of maps, select among ready cases, timers that are due at
// one instant, math/rand/v2, hash/maphash; and in which no goroutine of a bubble is interrupted.
//
//	go run watchlab/overlay -o build/overlay
//	go test -overlay build/overlay/overlay.json …
//
// The seed is that of the story, which the world hands over in WATCHLAB_SEED; 1 without one. The
// overlay is made from the sources of the installed Go, whose minor version it must know.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const knownVersion = "go1.26"

// A change of one of the runtime's files: `old` stands there once.
type change struct{ file, old, new string }

var changes = []change{
	{"synctest.go", "\tactive  int // other sources of activity\n",
		"\tactive  int // other sources of activity\n\n\tseed uint64 // of what is drawn in the bubble\n" +
			"\tlooks int // at its time\n"},
	{"synctest.go", "\tbubble.now = synctestBaseTime\n",
		"\tbubble.now = synctestBaseTime\n\tbubble.seed = seedOfEnvironment()\n"},
	{"select.go", "cheaprandn(uint32(norder + 1))", "bubbleRandn(uint32(norder + 1))"},
	{"time.go", "t.rand = cheaprand()", "t.rand = bubbleRandn(1 << 31)"},
	{"rand.go", "func rand() uint64 {\n",
		"func rand() uint64 {\n\tif bubble := getg().bubble; bubble != nil {\n\t\treturn bubble.draw()\n\t}\n"},
	// What is drawn outside of bubbles, as the keys of hashes at the start, is always the same.
	{"rand.go", "\tseed := &globalRand.seed\n",
		"\tseed := &globalRand.seed\n\tstartupRand = nil\n\tseed[0] = 1\n"},
	{"rand.go", "\t\tif readRandom(seed[:]) != len(seed) || allZero(seed[:]) {\n",
		"\t\tif allZero(seed[:]) {\n"},
	{"proc.go", "\tgp.preempt = true\n\n\t// Every call in a goroutine checks",
		"\tif gp.bubble != nil && !sched.gcwaiting.Load() {\n\t\treturn false\n\t}\n\n" +
			"\tgp.preempt = true\n\n\t// Every call in a goroutine checks"},
	// A goroutine keeps its turn while it is in a system call, as when it prints: on a busy machine the
	// others would run meanwhile. After a second they do, since one may wait for another then.
	{"proc.go", "\t\t// Retake the P if it's there for more than 1 sysmon tick",
		"\t\tif thread.gp.bubble != nil {\n" +
			"\t\t\tif calls := pp.syscalltick; pd.syscalltick != calls || pd.syscallwhen == 0 {\n" +
			"\t\t\t\tpd.syscalltick, pd.syscallwhen = calls, now\n\t\t\t}\n" +
			"\t\t\tif pd.syscallwhen+1e9 > now {\n" +
			"\t\t\t\tthread.resume()\n\t\t\t\tgoto done\n\t\t\t}\n\t\t}\n\n" +
			"\t\t// Retake the P if it's there for more than 1 sysmon tick"},
	{"proc.go", "if thread, ok := setBlockOnExitSyscall(oldp); ok {",
		"if thread, ok := setBlockOnExitSyscall(oldp); ok && thread.gp.bubble != nil {\n" +
			"\t\t\tthread.resume()\n\t\t} else if ok {"},
	// Time passes while a goroutine waits for a mutex: controller-runtime holds one over its requests.
	{"runtime2.go", "\twaitReasonSyncCondWait:          true,\n",
		"\twaitReasonSyncCondWait:          true,\n\twaitReasonSyncMutexLock:         true,\n" +
			"\twaitReasonSyncRWMutexRLock:      true,\n\twaitReasonSyncRWMutexLock:       true,\n"},
	// A mutex goes to the one that waits when it has waited for a millisecond, and otherwise to the one
	// that comes first: that millisecond is one of the bubble.
	{"sema.go", "func internal_sync_nanotime() int64 {\n",
		"func internal_sync_nanotime() int64 {\n" +
			"\tif bubble := getg().bubble; bubble != nil {\n\t\treturn bubble.now\n\t}\n"},
	// Since no goroutine is interrupted, one that tries again at once and never waits would keep its turn
	// for ever, also from the one that is to end it.
	{"time.go", "\t\tsec = bubble.now / (1000 * 1000 * 1000)\n",
		"\t\tbubble.look()\n\t\tsec = bubble.now / (1000 * 1000 * 1000)\n"},
}

// What stands at the end of synctest.go.
const functions = `
// seedOfEnvironment is the seed of a bubble.
func seedOfEnvironment() uint64 {
	seed := uint64(0)
	for _, c := range []byte(gogetenv("WATCHLAB_SEED")) {
		seed = seed*10 + uint64(c-'0')
	}
	return seed + 1
}

// draw is the next number of the bubble (SplitMix64).
//
//go:nosplit
func (bubble *synctestBubble) draw() uint64 {
	bubble.seed += 0x9e3779b97f4a7c15
	z := bubble.seed
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// look counts how often goroutines look at the time. After a thousand looks the others get their
// turns; a look of the runtime itself, as of a timer that sends the time, waits for the next one.
func (bubble *synctestBubble) look() {
	gp := getg()
	if bubble.looks++; bubble.looks >= 1000 && gp == gp.m.curg && canPreemptM(gp.m) {
		bubble.looks = 0
		Gosched()
	}
}

// bubbleRandn is below n: drawn from the bubble in one, and by chance outside.
func bubbleRandn(n uint32) uint32 {
	if bubble := getg().bubble; bubble != nil {
		return uint32(bubble.draw() % uint64(n))
	}
	return cheaprandn(n)
}
`

func main() {
	out := flag.String("o", "", "the folder to write to")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: overlay -o FOLDER")
		os.Exit(2)
	}
	if err := write(*out); err != nil {
		fmt.Fprintf(os.Stderr, "overlay: %v\n", err)
		os.Exit(2)
	}
}

func write(folder string) error {
	environment, err := exec.Command("go", "env", "GOVERSION", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("there is no go: %w", err)
	}
	version, root, _ := strings.Cut(strings.TrimSpace(string(environment)), "\n")
	if version != knownVersion && !strings.HasPrefix(version, knownVersion+".") {
		return fmt.Errorf("this overlay is made for %s, and there is %s: play without it", knownVersion, version)
	}
	sources := filepath.Join(root, "src", "runtime")
	texts, err := changed(func(file string) (string, error) {
		text, err := os.ReadFile(filepath.Join(sources, file))
		return string(text), err
	})
	if err != nil {
		return err
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	replace := map[string]string{}
	for file, text := range texts {
		place := filepath.Join(folder, file)
		replace[filepath.Join(sources, file)] = place
		if err := os.WriteFile(place, []byte(text), 0o644); err != nil {
			return err
		}
	}
	list, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "overlay.json"), append(list, '\n'), 0o644)
}

// changed are the runtime's files with all changes.
func changed(read func(file string) (string, error)) (map[string]string, error) {
	texts := map[string]string{}
	for _, each := range changes {
		text, known := texts[each.file]
		if !known {
			var err error
			if text, err = read(each.file); err != nil {
				return nil, err
			}
		}
		if strings.Count(text, each.old) != 1 {
			return nil, fmt.Errorf("runtime/%s is not as this overlay knows it: %q should stand there once",
				each.file, strings.TrimSpace(each.old))
		}
		texts[each.file] = strings.Replace(text, each.old, each.new, 1)
	}
	texts["synctest.go"] += functions
	return texts, nil
}
