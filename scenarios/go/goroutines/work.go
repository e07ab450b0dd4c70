package watchlab

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// task is what a process is asked to play.
type task struct {
	Test    string
	Options Options
	Result  string // the file for the outcome
	Own     bool   // by Go's own scheduler

	// If one of these is not nil, only that is played.
	Replay     *schedule
	Candidates []schedule // one after the other, until one fails
	Places     bool       // note where deviations are
}

// outcome is what a process has found.
type outcome struct {
	Kind     string // empty: nothing
	Why      string // in a line
	Blocked  []string
	Run      int // of the finding; 0 is the default order before all
	Strategy string
	Schedule schedule
	Missed   int

	Runs      int
	Points    uint64 // of all runs
	Decisions uint64
	Spent     time.Duration
	Digests   uint64 // of all runs together
	Complete  bool   // dfs has played all there are
	Explained []string
	Traced    []string // the points of a replay, one each
	Trail     []uint16 // the digests before each of them
}

// player plays one task in this process.
type player struct {
	t    *testing.T
	test func(*testing.T)
	task task
	outcome
	playing  bool
	strategy string // of the run
	began    time.Time
	beat     time.Time
	longest  uint64
	limit    uint64
	pulse    *os.File
	now      config
}

const (
	garbageMin  = 64 << 20 // bytes
	memoryMax   = 1 << 30  // beyond that, garbage is collected in a run too
	heapSize    = "/memory/classes/heap/objects:bytes"
	deadlocked  = "all goroutines in bubble are blocked"
	leftBehind  = "blocked goroutines remain"
	kindBlocked = "deadlock"
	kindLeak    = "leak"
	kindFailed  = "failure"
	kindForever = "no end"
	kindOutside = "time from outside" // not a finding: the test does not fit
	farAway     = 10 * 365 * 24 * time.Hour
)

// work plays what the process is asked to play: the test is the one that has called Explore.
func work(t *testing.T, test func(*testing.T), text string) {
	p := &player{t: t, test: test, began: time.Now(), limit: garbageMin, pulse: os.NewFile(3, "pulse")}
	if err := json.Unmarshal([]byte(text), &p.task); err != nil || hooks == nil && !p.task.Own {
		t.Fatalf("watchlab: %s is for processes that Explore starts with the overlay (%v)", workVariable, err)
	}
	if p.task.Test != t.Name() {
		t.Skip("watchlab: another test is explored")
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(memoryMax)
	runtime.GC() // also waits for one that is under way since the start
	p.began = time.Now()
	defer p.finish() // also when the test's goroutine ends in a failed run
	if p.task.Own {
		p.playOwn()
		return
	}
	options := p.task.Options
	first := config{strategy: strategyDefault}
	if p.task.Replay != nil {
		if p.task.Places {
			runtime.MemProfileRate = 1 // who has made what: a goroutine waits for the channel of a line
		}
		p.replay(first)
		return
	}
	if !options.Processes {
		p.play("default", first)
	}
	switch {
	case p.Kind != "":
	case p.task.Candidates != nil:
		for i, each := range p.task.Candidates {
			if !p.playSchedule(each, i) {
				return
			}
		}
	case options.Strategy == "dfs":
		p.searchByDeviations()
	default:
		p.sample()
	}
}

// replay plays the schedule of the task, after the default order as the search has done.
func (p *player) replay(first config) {
	s := p.task.Replay
	if !p.task.Options.Processes && !p.play("default", first) {
		return
	}
	if p.playSchedule(*s, 0) {
		p.describe()
	}
}

func (p *player) playSchedule(s schedule, i int) bool {
	if !hooks.schedule(strings.Join(s.Deviations, ",")) {
		p.t.Fatalf("watchlab: %s: a deviation is not of the form 1.1@3:1.2", scheduleVariable)
	}
	p.Runs = i + 1
	return p.play("replay", config{strategy: strategyReplay, seed: uint64(i), values: s.Values, lag: s.Lag, places: p.task.Places})
}

// portfolio are the strategies that take turns, with their depths and whether time is a choice.
var portfolio = []struct {
	name     string
	strategy int
	depth    int
	lag      bool
}{
	{"random", strategyRandom, 0, false}, {"pct", strategyPCT, 3, true}, {"pos", strategyPOS, 0, true},
	{"pct", strategyPCT, 2, false}, {"pos", strategyPOS, 0, false}, {"pct", strategyPCT, 5, true},
	{"random", strategyRandom, 0, true}, {"sticky", strategySticky, 4, true},
}

func (p *player) sample() {
	o := p.task.Options
	for run := 0; run < o.Runs && p.inTime(); run++ {
		seed := o.Seed + uint64(run)
		name, c := strategyOf(o, seed)
		c.length = p.longest
		p.Runs = run + 1
		if !p.play(name, c) {
			return
		}
	}
}

// strategyOf is the one of a run.
func strategyOf(o Options, seed uint64) (name string, c config) {
	c = config{seed: seed, values: seed, depth: o.Depth, lag: int64(o.Lag)}
	switch name = o.Strategy; name {
	case "random":
		c.strategy = strategyRandom
	case "pct":
		c.strategy = strategyPCT
	case "pos":
		c.strategy = strategyPOS
	case "sticky":
		c.strategy, c.depth = strategySticky, o.Depth+1
	default:
		each := portfolio[(seed-o.Seed)%uint64(len(portfolio))]
		name, c.strategy, c.depth = each.name, each.strategy, each.depth
		if !each.lag {
			c.lag = 0
		}
	}
	return name, c
}

func (p *player) inTime() bool { return time.Since(p.began) < p.task.Options.Time }

// play plays one run, and says whether it has passed. Where the test fails, it does not return.
func (p *player) play(name string, c config) bool {
	if time.Since(p.beat) > 200*time.Millisecond {
		p.beat = time.Now()
		p.pulse.Write([]byte{'.'})
	}
	c.maxPoints, c.maxTime, c.memory = uint64(p.task.Options.MaxPoints), int64(p.task.Options.MaxTime), p.task.Options.Race
	p.strategy, p.now, p.playing = name, c, true
	hooks.set(&c)
	p.bubble()
	hooks.set(&config{})
	p.playing = false
	var r report
	hooks.report(&r)
	p.Points += r.points
	p.Decisions += r.decisions
	p.Digests = p.Digests*31 + r.digest
	p.longest = max(p.longest, r.decisions)
	if p.Kind == "" && p.t.Failed() {
		p.Kind, p.Why = kindFailed, "the test says so"
	}
	if p.Kind != "" {
		p.found()
		return false
	}
	p.collect()
	return p.Kind == ""
}

func (p *player) bubble() {
	defer func() {
		why := recover()
		if why == nil {
			return
		}
		said := fmt.Sprint(why)
		var r report
		hooks.report(&r)
		switch {
		case time.Duration(r.due) > farAway:
			p.Kind, p.Why = kindOutside, timeFromOutside(time.Duration(r.due))
		case r.overtime:
			p.Kind, p.Why = kindForever, fmt.Sprintf("it has not ended after %v of its time", p.task.Options.MaxTime)
		case strings.Contains(said, deadlocked):
			p.Kind, p.Why = kindBlocked, "all goroutines wait, and the test has not ended"
		case strings.Contains(said, leftBehind):
			p.Kind = kindLeak
			p.Why = fmt.Sprintf("the test has ended, and %v later goroutines remain", p.task.Options.Grace)
		default:
			panic(why)
		}
		p.Blocked = blocked()
	}()
	synctest.Test(p.t, func(t *testing.T) {
		over := false
		t.Cleanup(func() { // the last one: those of the test come before it
			if over {
				p.letEnd()
			}
		})
		defer func() { over = true }()
		p.test(t)
	})
}

// letEnd waits until the goroutines of the test have ended.
func (p *player) letEnd() {
	const alone = 3 // the root, the first goroutine of the bubble, and the one of the test
	synctest.Wait()
	if hooks.total() > alone {
		time.Sleep(p.task.Options.Grace)
	}
}

// collect collects garbage, between two runs only: it would change the order in one. What is kept in pools is gone
// then, and so a run of the default order follows, as at the start.
func (p *player) collect() {
	if p.Runs%64 != 63 {
		return
	}
	sample := []metrics.Sample{{Name: heapSize}}
	if metrics.Read(sample); sample[0].Value.Uint64() < p.limit {
		return
	}
	runtime.GC()
	metrics.Read(sample)
	p.limit = max(garbageMin, 2*sample[0].Value.Uint64())
	if p.strategy != "default" {
		p.play("default", config{strategy: strategyDefault})
	}
}

// found notes the run that has just ended as the finding.
func (p *player) found() {
	p.Run, p.Strategy = p.Runs, p.strategy
	p.describe()
}

// describe notes the schedule of the run that has just ended.
func (p *player) describe() {
	var r report
	hooks.report(&r)
	p.Schedule = schedule{Values: p.now.values, Lag: p.now.lag, Digest: r.digest, Points: r.points, Trail: trailOf(hooks.digests())}
	p.Missed = r.missed
	for i := range r.kept {
		p.Schedule.Deviations = append(p.Schedule.Deviations, deviation(i))
	}
	if p.task.Places {
		p.Explained, p.Traced, p.Trail = explain(r), trace(r), hooks.digests()
	}
}

// finish writes the outcome, for the process that has asked.
func (p *player) finish() {
	if p.playing { // synctest.Test has ended this goroutine, since the test has failed
		p.playing = false
		p.Kind, p.Why = kindFailed, "the test says so"
		if p.task.Own {
			p.Run = p.Runs
		} else {
			hooks.set(&config{})
			p.found()
		}
	}
	p.Spent = time.Since(p.began)
	text, err := json.Marshal(p.outcome)
	if err == nil {
		err = os.WriteFile(p.task.Result, text, 0o644)
	}
	if err != nil {
		p.t.Errorf("watchlab: %v", err)
	}
	if p.Kind != "" {
		p.t.Fail() // so that what it has printed is shown
	}
}
