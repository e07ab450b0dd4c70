package watchlab

import (
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// The costs of one operation at which nothing can be chosen: with the overlay and without an exploration, and then
// with one. The difference is the cost of a point (two for a lock and its unlock).
//
//	GOMAXPROCS=1 go test -overlay $(go run example.org/watchlab/overlay) -run '^$' -bench Cost example.org/watchlab/goroutines
func BenchmarkCost(b *testing.B) {
	operations := map[string]func(){}
	var counter atomic.Int64
	operations["atomic"] = func() { counter.Add(1) }
	var mutex sync.Mutex
	operations["lock"] = func() {
		mutex.Lock()
		mutex.Unlock()
	}
	for _, name := range []string{"atomic", "lock"} {
		for _, explored := range []bool{false, true} {
			kind := "/plain"
			if explored {
				kind = "/explored"
			}
			b.Run(name+kind, func(b *testing.B) {
				if explored && (hooks == nil || os.Getenv("GOMAXPROCS") != "1") {
					b.Skip("needs the overlay, and GOMAXPROCS=1")
				}
				measure(b, explored, operations[name])
			})
		}
	}
}

func measure(b *testing.B, explored bool, operation func()) {
	if explored {
		hooks.set(&config{strategy: strategyDefault, lag: int64(time.Millisecond)})
		defer hooks.set(&config{})
	}
	began := processorTime(b)
	synctestRun(b, func() {
		for range b.N {
			operation()
		}
	})
	spent := processorTime(b) - began
	if explored {
		var r report
		if hooks.report(&r); r.points < uint64(b.N) {
			b.Errorf("%d points for %d operations", r.points, b.N)
		}
	}
	b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N), "ns/op")
}

// processorTime is that of the process: others on the machine do not change it much.
func processorTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func synctestRun(b *testing.B, f func()) {
	done := make(chan struct{})
	go func() { // a bubble needs a *testing.T
		defer close(done)
		testing.RunTests(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "bubble",
			F: func(t *testing.T) { synctest.Test(t, func(*testing.T) { f() }) }}})
	}()
	<-done
}
