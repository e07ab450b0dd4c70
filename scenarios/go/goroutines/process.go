package watchlab

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A process hangs that says nothing while it computes for this long, or has nothing to compute. It gives a sign
// between two runs, and on a busy machine a run may take as long as it has to.
const (
	patience  = 10 * time.Second
	lookEvery = patience / 20
)

// played is what a process has found and printed.
type played struct {
	outcome
	printed string
}

// process plays the task in a process of its own. An error says why that cannot be done.
func process(work task) (played, error) {
	self, err := executable()
	if !work.Own {
		self, err = program(work.Options.Race)
	}
	if err != nil {
		return played{}, err
	}
	folder, err := os.MkdirTemp("", "watchlab-")
	if err != nil {
		return played{}, err
	}
	defer os.RemoveAll(folder)
	work.Result = filepath.Join(folder, "outcome")
	text, err := json.Marshal(work)
	if err != nil {
		return played{}, err
	}
	ours, theirs, err := os.Pipe()
	if err != nil {
		return played{}, err
	}
	defer ours.Close()
	words := []string{"-test.run=" + pattern(work.Test), "-test.count=1", "-test.timeout=0"}
	if testing.Short() {
		words = append(words, "-test.short")
	}
	command := exec.Command(self, words...)
	var printed bytes.Buffer
	command.Stdout, command.Stderr, command.ExtraFiles = &printed, &printed, []*os.File{theirs}
	command.WaitDelay = time.Second
	command.Env = append(environment(), workVariable+"="+string(text), "GOMAXPROCS=1", "GOTRACEBACK=all",
		"GODEBUG=randautoseed=0,randseednop=0")
	if work.Own {
		command.Env = append(environment(), workVariable+"="+string(text))
	}
	err = command.Start()
	theirs.Close()
	if err != nil {
		return played{}, err
	}
	signs, hung := listen(ours, command.Process)
	err = command.Wait()
	p := played{printed: printed.String()}
	if <-hung {
		return p, hanging(p.printed)
	}
	if text, err := os.ReadFile(work.Result); err == nil {
		if err := json.Unmarshal(text, &p.outcome); err != nil {
			return p, fmt.Errorf("the process has written %q: %w", text, err)
		}
		if p.Kind == kindOutside {
			return p, errors.New(p.Why)
		}
	} else if work.Own {
		p.Kind, p.Run, p.Why = "panic", *signs, diedOf(p.printed)
	} else if p.died(work) {
		if strings.Contains(p.Why, "bubble") {
			return p, fromOutside(p)
		}
	} else {
		return p, fmt.Errorf("the process of the test has ended without a result (%v), and has printed\n%s", command.ProcessState, p.printed)
	}
	if p.Kind == kindFailed && strings.Contains(p.printed, "WARNING: DATA RACE") {
		p.Kind, p.Why = "data race", raceLine(p.printed)
	} else if p.Kind == kindFailed {
		p.Why = failureLine(p.printed)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return p, err
	}
	return p, nil
}

func pattern(test string) string {
	var parts []string
	for _, part := range strings.Split(test, "/") {
		parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
	}
	return strings.Join(parts, "/")
}

func environment() (kept []string) {
	for _, each := range environmentAtStart {
		if !strings.HasPrefix(each, scheduleVariable+"=") {
			kept = append(kept, each)
		}
	}
	return kept
}

// silence is how long a process has given no sign: in looks of real time, in those of them in which it could not run,
// and in its own time of the processor.
type silence struct {
	looked, waited, began time.Duration
}

// look says whether the process hangs, of which another look has seen no sign.
func (s *silence) look(used time.Duration, runs bool) bool {
	if s.looked == 0 {
		s.began = used
	}
	s.looked += lookEvery
	if !runs {
		s.waited += lookEvery
	}
	return s.looked >= patience && (s.waited >= patience || used-s.began >= patience)
}

// listen counts the signs of the process. It ends it when there is none for too long, with the stacks of its
// goroutines, and then says so.
func listen(pulse *os.File, process *os.Process) (signs *int, hung chan bool) {
	signs, hung = new(int), make(chan bool, 1)
	go func() {
		buffer := make([]byte, 64)
		var quiet silence
		for {
			pulse.SetReadDeadline(time.Now().Add(lookEvery))
			n, err := pulse.Read(buffer)
			*signs += n
			if errors.Is(err, os.ErrDeadlineExceeded) {
				if !quiet.look(processorTimeOf(process)) {
					continue
				}
				quit(process)
				time.AfterFunc(2*time.Second, func() { process.Kill() })
				hung <- true
				return
			}
			if err != nil {
				hung <- false
				return
			}
			quiet = silence{}
		}
	}()
	return signs, hung
}

var diedLine = regexp.MustCompile(`(?m)^watchlab-died points=(\d+) decisions=(\d+) goroutines=\d+ missed=(\d+) values=(\d+) seed=(\d+) ` +
	`strategy=(\d+) depth=-?\d+ lag=(-?\d+) digest=(\d+) deviations=(\S*) trail=(\S*)$`)

// died takes what the runtime has said as the process died in a bubble; false if it has not.
func (p *played) died(work task) bool {
	match := diedLine.FindStringSubmatch(p.printed)
	why := diedOf(p.printed)
	if match == nil || why == "" {
		return false
	}
	number := func(i int) uint64 {
		n, _ := strconv.ParseInt(match[i], 10, 64)
		if n == 0 {
			u, _ := strconv.ParseUint(match[i], 10, 64)
			return u
		}
		return uint64(n)
	}
	p.Kind, p.Why = "panic", strings.TrimSuffix(strings.TrimPrefix(why, "panic: "), " [recovered, repanicked]")
	if strings.HasPrefix(why, "fatal") {
		p.Kind, p.Why = "fatal error", strings.TrimPrefix(why, "fatal error: ")
	}
	p.Points, p.Decisions, p.Missed = number(1), number(2), int(number(3))
	trail, err := parseTrail(match[10], 10)
	if err != nil {
		return false
	}
	p.Schedule = schedule{Values: number(4), Lag: int64(number(7)), Digest: parseDigest(match[8]), Points: number(1), Trail: trail}
	if match[9] != "" {
		p.Schedule.Deviations = strings.Split(match[9], ",")
	}
	switch strategy := int(number(6)); {
	case strategy == strategyDefault: // before the first run
	case strategy == strategyPrefix:
		p.Runs, p.Strategy = int(number(5)), "dfs"
	case work.Replay != nil || work.Candidates != nil:
		p.Runs = int(number(5)) + 1
	default:
		p.Runs = int(number(5)-work.Options.Seed) + 1
		p.Strategy, _ = strategyOf(work.Options, number(5))
	}
	p.Run = p.Runs
	p.Blocked = panicking(p.printed)
	p.Explained = explainDead(p.printed)
	p.printed = placed.ReplaceAllString(strings.Replace(p.printed, match[0]+"\n", "", 1), "")
	return true
}

func diedOf(printed string) string {
	return regexp.MustCompile(`(?m)^(panic|fatal error): .*`).FindString(printed)
}

func parseDigest(text string) uint64 {
	n, _ := strconv.ParseUint(text, 10, 64)
	return n
}
