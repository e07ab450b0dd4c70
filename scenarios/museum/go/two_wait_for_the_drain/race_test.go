// Order: 600
// Bug: G11
// Needs: S
// Fails: deadlock: all goroutines wait
// Upstream: client-go 0.37.2 and 0.32.13, util/workqueue/queue.go; found by exploring it, and live
// Live: yes

package museum

import (
	"sync"
	"testing"

	"k8s.io/client-go/util/workqueue"

	watchlab "example.org/watchlab/goroutines"
)

// Two goroutines wait until the last item is done: a manager that stops, and a test that cleans up.
func TestBroken(t *testing.T) {
	watchlab.Explore(t, func(*testing.T) {
		queue := workqueue.NewTyped[string]()
		queue.Add("web")
		key, _ := queue.Get()
		var all sync.WaitGroup
		for range 2 {
			all.Go(queue.ShutDownWithDrain)
		}
		queue.Done(key)
		all.Wait()
	}, watchlab.Options{})
}
