// Package watchlab explores Go tests: it runs the function of a test again and again, each time with another order
// of its goroutines, until it fails; then it makes the order as small as it can, and says what makes the difference.
//
//	import watchlab "example.org/watchlab/goroutines"
//
//	func TestCache(t *testing.T) {
//		watchlab.Explore(t, func(t *testing.T) {
//			cache := NewCache()
//			go cache.Fill()
//			cache.Close()
//		}, watchlab.Options{})
//	}
//
// The function runs in a bubble of testing/synctest, where time passes by itself. A failed t, a panic, a deadlock, a
// goroutine that is left behind and, with -race, a data race are findings. docs/go-races.md of watchlab is the guide.
package watchlab

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Options says how a test is explored. The zero value is a good start.
type Options struct {
	// Strategy is portfolio, random, pct, pos, sticky or dfs. Portfolio, the default, alternates between the sampling
	// ones. dfs plays all orders with at most Depth deviations from the default order, those with fewer first.
	Strategy string
	// Runs is how many orders are played at most; 2000 by default.
	Runs int
	// Time is how long that may take, of real time; 30 s by default.
	Time time.Duration
	// Seed is that of the first order; 1 by default.
	Seed uint64
	// Depth is the bound of dfs (2 by default), and of pct how many steps have to come in one order (3 by default).
	Depth int
	// Lag is how far time may pass although a goroutine could run, as on a busy machine; 100 ms by default, and never
	// if it is negative.
	Lag time.Duration
	// Grace is how long goroutines may go on after the function has returned, of the bubble's time; a minute by default.
	Grace time.Duration
	// MaxTime is how long a run may last, of the bubble's time; an hour by default.
	MaxTime time.Duration
	// MaxPoints is how many operations a run may have; a million by default.
	MaxPoints int
	// Race makes each access to memory a point, with the race detector behind it; it needs a C compiler, and amd64.
	Race bool
	// Processes plays each order in a process of its own: for tests that depend on package variables.
	Processes bool

	replay string // the command that replays a finding, if it is not go test
}

const (
	workVariable     = "WATCHLAB_EXPLORE"  // set for the processes that play
	scheduleVariable = "WATCHLAB_SCHEDULE" // set by users: what is to be replayed
)

// The environment is read before any test runs: t.Setenv changes neither what is played nor what the processes that
// play are given.
var (
	environmentAtStart = os.Environ()
	workAtStart        = os.Getenv(workVariable)
	scheduleAtStart    = os.Getenv(scheduleVariable)
	askedAtStart       = os.Getenv(AskedVariable)
)

var strategies = []string{"portfolio", "random", "pct", "pos", "sticky", "dfs"}

func (o *Options) complete() error {
	orElse(&o.Strategy, "portfolio")
	if !slices.Contains(strategies, o.Strategy) {
		return fmt.Errorf("there is no strategy %q; there are %s", o.Strategy, strings.Join(strategies, ", "))
	}
	orElse(&o.Runs, 2000)
	orElse(&o.Time, 30*time.Second)
	orElse(&o.Seed, 1)
	if o.Strategy == "dfs" {
		orElse(&o.Depth, 2)
	}
	orElse(&o.Depth, 3)
	orElse(&o.Lag, 100*time.Millisecond)
	orElse(&o.Grace, time.Minute)
	orElse(&o.MaxTime, time.Hour)
	orElse(&o.MaxPoints, 1_000_000)
	for _, each := range []struct {
		name string
		bad  bool
	}{{"Runs", o.Runs < 1}, {"Time", o.Time < 0}, {"Depth", o.Depth < 1 || o.Depth > 16}, {"Grace", o.Grace < 0},
		{"MaxTime", o.MaxTime < 0}, {"MaxPoints", o.MaxPoints < 1}} {
		if each.bad {
			return fmt.Errorf("Options.%s is out of its range", each.name)
		}
	}
	return nil
}

func orElse[T comparable](value *T, usual T) {
	var zero T
	if *value == zero {
		*value = usual
	}
}

var explored sync.Map // names of tests

// Explore plays test under many orders of its goroutines, and fails t with the first one that fails, made small. The
// failure ends with a line that replays it. With WATCHLAB_SCHEDULE in the environment of go test, only that order is
// played.
//
// The orders are played by processes of their own, which start the test t once more; they are built with the overlay
// of Go's runtime if this one is not, which takes a minute the first time. So a test calls Explore once, and what it
// does before is done in each of them.
func Explore(t *testing.T, test func(t *testing.T), options Options) {
	t.Helper()
	if _, again := explored.LoadOrStore(t.Name(), true); again {
		t.Fatal("watchlab: a test can call Explore once: use t.Run for several")
	}
	t.Cleanup(func() { explored.Delete(t.Name()) })
	if err := options.complete(); err != nil {
		t.Fatalf("watchlab: %v", err)
	}
	if workAtStart != "" {
		work(t, test, workAtStart)
		return
	}
	found, err := search(t.Name(), options)
	if err != nil {
		t.Fatalf("watchlab: %v", err)
	}
	if found.Kind != "" {
		t.Fatal(found.text())
	}
	t.Log(found.text())
}
