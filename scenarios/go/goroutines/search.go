package watchlab

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// finding is what a search has come to.
type finding struct {
	played
	test      string
	options   Options
	kept      schedule // the small one
	before    int      // how many deviations there were
	minimal   bool     // none of them can be taken away, and then the test does not fail so
	replays   int      // of as many as `replayed`
	of        int
	given     bool     // a schedule was replayed, instead of a search
	different []string // how that replay was not the run of the schedule
	near      bool     // the recorded order passed, and the finding is from a nearby one
}

const (
	replaysOfFinding = 5
	timeOfShrinking  = 30 * time.Second
	pairsOfShrinking = 40 // deviations at most, of which pairs are taken away
)

// search plays the test until it fails, and makes the schedule small.
func search(test string, options Options) (*finding, error) {
	if scheduleAtStart != "" {
		return replayGiven(test, options, scheduleAtStart)
	}
	if _, err := program(options.Race); err != nil { // before the clock runs
		return nil, err
	}
	began := time.Now()
	found, err := searchProcesses(task{Test: test, Options: options})
	if err != nil {
		return nil, err
	}
	if found.Spent == 0 {
		found.Spent = time.Since(began)
	}
	f := &finding{played: found, test: test, options: options, kept: found.Schedule, before: len(found.Schedule.Deviations)}
	if f.Kind == "" {
		return f, nil
	}
	if err := f.shrink(); err != nil {
		return nil, err
	}
	return f, f.check()
}

// searchProcesses searches in one process, or with Options.Processes in one for each order.
func searchProcesses(work task) (played, error) {
	if !work.Options.Processes || work.Options.Strategy == "dfs" {
		return process(work)
	}
	began := time.Now()
	whole := work.Options
	work.Options.Runs = 1
	var all played
	for run := 0; run < whole.Runs && time.Since(began) < whole.Time; run++ {
		each := work
		each.Options.Seed = whole.Seed + uint64(run)
		if whole.Strategy == "portfolio" { // each process begins at its first strategy
			of := portfolio[run%len(portfolio)]
			each.Options.Strategy = of.name
			if of.depth > 0 {
				each.Options.Depth = of.depth
			}
			if !of.lag {
				each.Options.Lag = -1
			}
		}
		p, err := process(each)
		if err != nil {
			return p, err
		}
		all.Runs++
		all.Points += p.Points
		all.Decisions += p.Decisions
		all.Spent = time.Since(began)
		if p.Kind != "" {
			p.Runs, p.Run = all.Runs, all.Runs
			return p, nil
		}
	}
	return all, nil
}

var anyNumber = regexp.MustCompile(`0x[0-9a-f]+|\d+`)

// alike says whether two failures are the same one, whatever numbers they name.
func alike(one, other played) bool {
	if one.Kind != other.Kind {
		return false
	}
	if one.Kind == kindLeak || one.Kind == kindBlocked || one.Kind == kindForever {
		return true
	}
	place := func(p played) string {
		if p.Kind == kindFailed {
			at, _, _ := strings.Cut(p.Why, ": ")
			return at
		}
		return anyNumber.ReplaceAllString(p.Why, "N")
	}
	return place(one) == place(other)
}

func (f *finding) replay(s schedule, places bool) (played, error) {
	return process(task{Test: f.test, Options: f.options, Replay: &s, Places: places})
}

// check replays the small schedule in fresh processes, and lets one say what it does.
func (f *finding) check() error {
	for f.of = 0; f.of < replaysOfFinding; f.of++ {
		p, err := f.replay(f.kept, f.of == 0)
		if err != nil {
			return err
		}
		if !alike(p, f.played) || p.Schedule.Digest != f.kept.Digest {
			continue
		}
		f.replays++
		if f.of == 0 {
			f.Explained, f.Blocked, f.Why, f.printed = p.Explained, p.Blocked, p.Why, p.printed
		}
	}
	return nil
}

// replayGiven plays the schedule that the user has given.
func replayGiven(test string, options Options, text string) (*finding, error) {
	s, err := parseSchedule(text)
	if err != nil {
		return nil, err
	}
	f := &finding{test: test, options: options, kept: s, before: len(s.Deviations), given: true}
	if f.played, err = f.replay(s, true); err != nil {
		return nil, err
	}
	if f.different = difference(s, f.played); f.different != nil && f.Kind == "" {
		return f, f.searchNear()
	}
	return f, nil
}

// difference says where a replay is first another run than the one of the schedule.
func difference(s schedule, p played) (lines []string) {
	if s.Digest == 0 || s.Digest == p.Schedule.Digest && s.Points == p.Schedule.Points {
		return nil
	}
	lines = []string{"This is NOT the run that was recorded: the program, its data or Go has changed since."}
	stride := s.Points/16 + 1
	from, to := uint64(0), min(s.Points, p.Schedule.Points)
	for i, each := range p.trailLike(s) {
		if i >= len(s.Trail) || each != s.Trail[i] {
			to = uint64(i) * stride
			break
		}
		from = uint64(i) * stride
	}
	line := fmt.Sprintf("It first differs between points %d and %d of %d", from, to, s.Points)
	if int(from) < len(p.Traced) {
		line += ", and here they are:"
	}
	lines = append(lines, line)
	for i := from; i < min(to+1, uint64(len(p.Traced))) && i < from+12; i++ {
		lines = append(lines, "  "+p.Traced[i])
	}
	if p.Missed > 0 {
		lines = append(lines, fmt.Sprintf("%d of its %d deviations did not fit.", p.Missed, len(s.Deviations)))
	}
	return lines
}

// trailLike are the digests of the replay at the points at which the schedule has them.
func (p played) trailLike(s schedule) (trail []uint16) {
	stride := int(s.Points/16 + 1)
	for i := 0; i < len(p.Trail); i += stride {
		trail = append(trail, p.Trail[i])
	}
	return trail
}
