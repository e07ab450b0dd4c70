// Order: 530
// Bug: G4
// Needs: S
// Fails: failure: two workers have web at once
// Upstream: a wrong use of client-go's queue, which is itself unmodified here

package museum

import (
	"sync"
	"sync/atomic"
	"testing"

	"k8s.io/client-go/util/workqueue"

	watchlab "example.org/watchlab/goroutines"
)

// work takes keys from the queue until it is shut down.
func work(queue workqueue.TypedInterface[string], reconcile func(key string), mended bool) {
	for {
		key, shutdown := queue.Get()
		if shutdown {
			return
		}
		if mended {
			reconcile(key)
			queue.Done(key)
		} else {
			queue.Done(key)
			reconcile(key)
		}
	}
}

func twoWorkersAndAnEvent(mended bool) func(*testing.T) {
	return func(t *testing.T) {
		queue := workqueue.NewTyped[string]()
		var busy atomic.Int32
		reconcile := func(key string) {
			if busy.Add(1) > 1 {
				t.Errorf("two workers have %s at once", key)
			}
			busy.Add(-1)
		}
		var workers sync.WaitGroup
		for range 2 {
			workers.Add(1)
			go func() {
				defer workers.Done()
				work(queue, reconcile, mended)
			}()
		}
		queue.Add("web")
		queue.Add("web") // it has changed once more
		queue.ShutDownWithDrain()
		workers.Wait()
	}
}

func TestBroken(t *testing.T) { watchlab.Explore(t, twoWorkersAndAnEvent(false), watchlab.Options{}) }

func TestMended(t *testing.T) { watchlab.Explore(t, twoWorkersAndAnEvent(true), watchlab.Options{}) }
