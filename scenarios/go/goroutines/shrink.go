package watchlab

import (
	"slices"
	"time"
)

// shrink takes deviations away as long as the test still fails so: first many at once, then one by one, then two
// that only mean something together, until none can go.
func (f *finding) shrink() error {
	began := time.Now()
	inTime := func() bool { return time.Since(began) < timeOfShrinking }
	same, err := f.fails(f.kept)
	if err != nil || !same { // it depends on what earlier runs have left behind
		return err
	}
	if plain := f.kept; plain.Values != 0 {
		plain.Values = 0
		if _, err := f.fails(plain); err != nil {
			return err
		}
	}
	for chunk := len(f.kept.Deviations); chunk > 0 && inTime(); {
		smaller, err := f.firstThatFails(without(f.kept, chunk), inTime)
		if err != nil {
			return err
		}
		if !smaller && chunk == 1 && len(f.kept.Deviations) <= pairsOfShrinking {
			smaller, err = f.firstThatFails(withoutPairs(f.kept), inTime)
			if err != nil {
				return err
			}
		}
		n := len(f.kept.Deviations)
		switch {
		case smaller:
			chunk = min(chunk, n)
		case chunk == 1:
			f.minimal = inTime()
			return nil
		default:
			chunk /= 2
		}
	}
	f.minimal = len(f.kept.Deviations) == 0
	return nil
}

// fails says whether the schedule still leads to the finding in a process of its own, and keeps it then.
func (f *finding) fails(candidate schedule) (bool, error) {
	p, err := f.replay(candidate, false)
	if err != nil || !alike(p, f.played) {
		return false, err
	}
	f.kept = p.Schedule
	return true, nil
}

// firstThatFails keeps the first of the candidates that leads to the finding. Those that pass share a process.
func (f *finding) firstThatFails(candidates []schedule, inTime func() bool) (bool, error) {
	for len(candidates) > 0 && inTime() {
		p, err := process(task{Test: f.test, Options: f.options, Candidates: candidates})
		if err != nil || p.Kind == "" || p.Run == 0 {
			return false, err
		}
		if alike(p, f.played) {
			if same, err := f.fails(candidates[p.Run-1]); same || err != nil {
				return same, err
			}
		}
		candidates = candidates[p.Run:]
	}
	return false, nil
}

// without are the schedules that lack as many deviations in a row.
func without(s schedule, chunk int) (all []schedule) {
	for i := 0; i < len(s.Deviations); i += chunk {
		each := s
		each.Deviations = slices.Delete(slices.Clone(s.Deviations), i, min(i+chunk, len(s.Deviations)))
		all = append(all, each)
	}
	return all
}

func withoutPairs(s schedule) (all []schedule) {
	for i := range s.Deviations {
		for k := i + 1; k < len(s.Deviations); k++ {
			each := s
			each.Deviations = slices.Delete(slices.Delete(slices.Clone(s.Deviations), k, k+1), i, i+1)
			all = append(all, each)
		}
	}
	return all
}
