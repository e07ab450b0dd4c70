// Package watchlab is what tests of students import for watchlab.Explore when they are graded: the grader says how many
// orders are played, and which.
package watchlab

import (
	"os"
	"strconv"
	"testing"
	"time"

	explore "example.org/watchlab/goroutines"
)

// Options are those of Explore; the number of orders, the seed and the time are the grader's.
type Options = explore.Options

// The grader's orders, read before any test could set others.
var (
	orders, _ = strconv.Atoi(os.Getenv("ORDERS"))
	seed, _   = strconv.ParseUint(os.Getenv("SEED"), 10, 32)
)

// Explore plays the test under that many orders.
func Explore(t *testing.T, test func(t *testing.T), options Options) {
	t.Helper()
	options.Runs, options.Seed, options.Time = orders, seed, time.Minute
	options.Race, options.Processes = false, false
	explore.Explore(t, test, options)
}
