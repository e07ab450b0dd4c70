package watchlab

import (
	"fmt"
	"strconv"
	"strings"
)

// A schedule is an order of goroutines that can be played again, in a form that needs no quotes in a shell:
//
//	v1/values=0/lag=100000000/digest=1f…/trail=12.5a…/1.1@3:1.2,1.2@7:clock
//
// Its last part are the deviations from the default order, in which a goroutine runs until it waits, and then the one
// that has waited longest does. 1.1@3:1.2 says that at its third step, goroutine 1.1 stops, and 1.2 runs. A goroutine
// has the name of the one that has started it, and a number: 1 is the test's function. Instead of a goroutine there
// can be clock, for the next timer, or case2, for the third of the cases of a select that are ready.
type schedule struct {
	Deviations []string
	Values     uint64 // the seed of map orders, random numbers and timers of one instant
	Lag        int64
	Digest     uint64
	Trail      []uint16 // digests before points at equal distances: to say where a replay first differs
	Points     uint64
}

const scheduleVersion = "v1"

func (s schedule) String() string {
	var trail []string
	for _, each := range s.Trail {
		trail = append(trail, strconv.FormatUint(uint64(each), 36))
	}
	return fmt.Sprintf("%s/values=%d/lag=%d/points=%d/digest=%x/trail=%s/%s", scheduleVersion, s.Values, s.Lag, s.Points, s.Digest,
		strings.Join(trail, "."), strings.Join(s.Deviations, ","))
}

func parseSchedule(text string) (s schedule, err error) {
	parts := strings.Split(text, "/")
	if parts[0] != scheduleVersion || len(parts) < 2 {
		return s, fmt.Errorf("%s has no schedule of this version: it should begin with %s/, and is %q", scheduleVariable,
			scheduleVersion, text)
	}
	for _, part := range parts[1 : len(parts)-1] {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "values":
			s.Values, err = strconv.ParseUint(value, 10, 64)
		case "lag":
			s.Lag, err = strconv.ParseInt(value, 10, 64)
		case "points":
			s.Points, err = strconv.ParseUint(value, 10, 64)
		case "digest":
			s.Digest, err = strconv.ParseUint(value, 16, 64)
		case "trail":
			s.Trail, err = parseTrail(value, 36)
		default:
			err = fmt.Errorf("there is no such member")
		}
		if err != nil {
			return s, fmt.Errorf("%s: %q: %w", scheduleVariable, part, err)
		}
	}
	if last := parts[len(parts)-1]; last != "" {
		s.Deviations = strings.Split(last, ",")
	}
	for _, each := range s.Deviations {
		place, to, found := strings.Cut(each, ":")
		path, step, counted := strings.Cut(place, "@")
		if _, err := strconv.ParseUint(step, 10, 32); !found || !counted || err != nil || path == "" || to == "" {
			return s, fmt.Errorf("%s: %q is no deviation: 1.1@3:1.2 is one", scheduleVariable, each)
		}
	}
	return s, nil
}

func parseTrail(text string, base int) (trail []uint16, err error) {
	if text == "" {
		return nil, nil
	}
	for _, each := range strings.Split(text, ".") {
		n, err := strconv.ParseUint(each, base, 16)
		if err != nil {
			return nil, err
		}
		trail = append(trail, uint16(n))
	}
	return trail, nil
}

// trailOf takes digests at equal distances.
func trailOf(digests []uint16) (trail []uint16) {
	stride := len(digests)/16 + 1
	for i := 0; i < len(digests); i += stride {
		trail = append(trail, digests[i])
	}
	return trail
}

// deviation is one that the run has taken, in the form of a schedule.
func deviation(i int) string {
	from, step, op, to, _, _, _ := hooks.deviation(i)
	place := fmt.Sprintf("%s@%d:", path(from), step)
	switch {
	case to == toClock:
		return place + "clock"
	case op == operationCase:
		return place + fmt.Sprint("case", to)
	}
	return place + path(to)
}

// path is the name of a goroutine.
func path(id uint32) string {
	if id < 2 {
		return "0"
	}
	parent, nth, _ := hooks.birth(id)
	switch parent {
	case 0:
		return strconv.Itoa(int(nth))
	case 1:
		return "t" + strconv.Itoa(int(nth))
	}
	return path(parent) + "." + strconv.Itoa(int(nth))
}
