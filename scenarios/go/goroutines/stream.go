package watchlab

import (
	"errors"
	"strings"
)

// A Stream lets the world of a story choose among the goroutines of a bubble. It is what package
// example.org/watchlab uses; tests use Explore.
type Stream struct {
	taken uint64
	told  int
}

// OpenStream is for the bubble that begins next, whose random numbers and orders of maps follow from the seed.
func OpenStream(seed uint64) (*Stream, error) {
	if hooks == nil || hooks.version != hooksVersion {
		return nil, errors.New("needs the overlay of this version, which go run example.org/watchlab/overlay writes, for its goroutines to be chosen")
	}
	hooks.set(&config{strategy: strategyStream, seed: seed, values: max(seed, 1), places: true})
	return &Stream{}, nil
}

// Give adds to what was drawn: a number for each of the next choices, of which 0 is the usual one.
func (s *Stream) Give(values []byte) { hooks.give(values) }

// Since says how many of the numbers have been used since the last call, and of each that was not the usual choice
// what it has changed: its place, as in a schedule, and in words.
func (s *Stream) Since() (taken int, swaps [][2]string) {
	var r report
	hooks.report(&r)
	taken, s.taken = int(r.taken-s.taken), r.taken
	for ; s.told < r.kept; s.told++ {
		swaps = append(swaps, [2]string{deviation(s.told), names.Replace(explainOne(s.told))})
	}
	return taken, swaps
}

// names are for the goroutines that each program of a story has.
var names = strings.NewReplacer("goroutine 1 (the test's function)", "the story", "goroutine 1.1 ", "goroutine 1.1 (the program's function) ")
