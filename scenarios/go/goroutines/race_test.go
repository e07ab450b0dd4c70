//go:build race

package watchlab

import "testing"

func TestAnAccessIsAPoint(t *testing.T) {
	options := Options{Runs: 200}
	without := searched(t, correct, options)
	if without == nil {
		return
	}
	options.Race = true
	with, again := searched(t, correct, options), searched(t, correct, options)
	if with.Kind != "" || with.Points <= without.Points || with.Digests != again.Digests {
		t.Errorf("%q, %d points with and %d without; %x and %x", with.Kind, with.Points, without.Points, with.Digests, again.Digests)
	}
}

func TestADataRaceIsFound(t *testing.T) {
	found := searched(t, plainField, Options{})
	if found == nil {
		return
	}
	if found.Kind != "data race" || found.replays != replaysOfFinding {
		t.Errorf("%q, replayed %d times", found.Kind, found.replays)
	}
	wantText(t, found.text(), "kernels_test.go:", "use memory without an order between them", "go test -race -run")
}
