// Order: 610
// Bug: G12
// Needs: S
// Fails: failure: in sync, and the handler has seen 1 of 2
// Upstream: client-go 0.37.2, tools/cache/synctrack; found by exploring it, and live
// Live: yes

package museum

import (
	"sync/atomic"
	"testing"

	"k8s.io/client-go/tools/cache/synctrack"

	watchlab "example.org/watchlab/goroutines"
)

// An informer hands the two objects of its first list to a handler, and then reports the end of the list, as
// shared_informer.go does.
func TestBroken(t *testing.T) {
	watchlab.Explore(t, func(t *testing.T) {
		tracker := synctrack.NewSingleFileTracker("demo")
		objects := make(chan string, 2)
		var seen atomic.Int32
		go func() {
			for range objects {
				seen.Add(1) // the handler
				tracker.Finished()
			}
		}()
		go func() {
			for _, name := range []string{"web", "db"} {
				tracker.Start()
				objects <- name
			}
			tracker.UpstreamHasSynced()
			close(objects)
		}()
		<-tracker.Done()
		if n := seen.Load(); n < 2 {
			t.Errorf("in sync, and the handler has seen %d of 2", n)
		}
	}, watchlab.Options{})
}
