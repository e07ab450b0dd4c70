package watchlab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// After an edit of the program, the test may pass in the order of a recorded schedule, but it often fails in a nearby
// one. One operation more or less shifts the later steps of its goroutine, and of others that run the same function. One
// goroutine more or less shifts the names of those that its parent starts later, and the parent's steps.

const (
	nearSteps      = 4    // operations more or less
	nearGoroutines = 2    // goroutines more or less
	nearMost       = 4000 // orders that are tried
)

// deviated is a parsed deviation.
type deviated struct {
	from string
	step int
	to   string
}

func parts(deviation string) (d deviated) {
	place, to, _ := strings.Cut(deviation, ":")
	path, step, _ := strings.Cut(place, "@")
	n, _ := strconv.Atoi(step)
	return deviated{path, n, to}
}

func (d deviated) String() string { return fmt.Sprintf("%s@%d:%s", d.from, d.step, d.to) }

// An edit changes the deviations as an edit of the program would.
type edit func(deviated) deviated

// near returns the schedules after one edit, and then those after two.
func near(s schedule) (all []schedule) {
	known := map[string]bool{strings.Join(s.Deviations, ","): true}
	add := func(of schedule, each edit) {
		edited := of
		edited.Deviations = nil
		for _, text := range of.Deviations {
			d := each(parts(text))
			if d.step < 1 {
				return
			}
			edited.Deviations = append(edited.Deviations, d.String())
		}
		if text := strings.Join(edited.Deviations, ","); !known[text] && len(all) < nearMost {
			known[text] = true
			all = append(all, edited)
		}
	}
	for _, each := range editsOf(s) {
		add(s, each)
	}
	for _, once := range slices.Clone(all) {
		for _, each := range editsOf(once) {
			add(once, each)
		}
	}
	return all
}

// editsOf returns the edits that change the schedule, small ones first.
func editsOf(s schedule) (all []edit) {
	var from []string
	var steps []int
	children := map[string]bool{} // 1.2 for goroutine 1.2 and those below it
	for _, text := range s.Deviations {
		d := parts(text)
		from, steps = append(from, d.from), append(steps, d.step)
		for _, path := range []string{d.from, d.to} {
			for names := strings.Split(path, "."); len(names) > 1; names = names[:len(names)-1] {
				children[strings.Join(names, ".")] = true
			}
		}
	}
	slices.Sort(from)
	slices.Sort(steps)
	from, steps = append(slices.Compact(from), ""), slices.Compact(steps) // "" means all
	var named []string
	for name := range children {
		named = append(named, name)
	}
	slices.Sort(named)
	for k := 1; k <= nearSteps; k++ {
		for _, by := range []int{k, -k} {
			for _, who := range from {
				for _, first := range steps {
					all = append(all, moved(who, first, by))
				}
			}
			for _, child := range named {
				if k <= nearGoroutines {
					all = append(all, renamed(child, by, 0), renamed(child, by, by))
				}
			}
		}
	}
	return all
}

// moved shifts the steps of a goroutine, or of all, from a given step on.
func moved(who string, first, by int) edit {
	return func(d deviated) deviated {
		if (who == "" || d.from == who) && d.step >= first {
			d.step += by
		}
		return d
	}
}

// renamed shifts the number of a goroutine and of its later siblings, and the steps of their parent.
func renamed(child string, by, parentsSteps int) edit {
	parent, number := child[:strings.LastIndex(child, ".")], child[strings.LastIndex(child, ".")+1:]
	first, _ := strconv.Atoi(number)
	of := func(path string) string {
		rest, found := strings.CutPrefix(path, parent+".")
		n, below, deeper := strings.Cut(rest, ".")
		if i, err := strconv.Atoi(n); found && err == nil && i >= first && i+by > 0 {
			path = parent + "." + strconv.Itoa(i+by)
			if deeper {
				path += "." + below
			}
		}
		return path
	}
	return func(d deviated) deviated {
		if d.from == parent {
			d.step += parentsSteps
		}
		return deviated{of(d.from), d.step, of(d.to)}
	}
}

// searchNear looks for an order near the schedule's in which the test fails.
func (f *finding) searchNear() error {
	for candidates := near(f.kept); len(candidates) > 0; {
		p, err := process(task{Test: f.test, Options: f.options, Candidates: candidates})
		if err != nil || p.Kind == "" || p.Run == 0 {
			return err
		}
		again, err := f.replay(candidates[p.Run-1], true)
		if err != nil {
			return err
		}
		if again.Kind != "" {
			f.near, f.played, f.kept = true, again, again.Schedule
			return nil
		}
		candidates = candidates[p.Run:]
	}
	return nil
}
