package races

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
)

func withRevision(pod *v1.Pod, revision string) metav1.ObjectMeta {
	meta := *pod.ObjectMeta.DeepCopy()
	meta.ResourceVersion = revision
	return meta
}

// work takes keys until the queue is shut down, and checks that no key has two workers.
func work(t *testing.T, queue workqueue.TypedInterface[string], busy *sync.Map, done *atomic.Int32) {
	for {
		key, shutdown := queue.Get()
		if shutdown {
			return
		}
		if _, twice := busy.LoadOrStore(key, true); twice {
			t.Errorf("two workers have %s", key)
		}
		done.Add(1)
		busy.Delete(key)
		queue.Done(key)
	}
}

// A key that is added again while a worker has it is handed out again, but never to two workers at once.
func TestAQueueHasOneWorkerForAKey(t *testing.T) {
	explore(t, func(t *testing.T) {
		queue := workqueue.NewTyped[string]()
		var busy sync.Map
		var done atomic.Int32
		var workers, producers sync.WaitGroup
		for range 2 {
			workers.Go(func() { work(t, queue, &busy, &done) })
		}
		for range 2 {
			producers.Go(func() {
				queue.Add("a")
				queue.Add("b")
			})
		}
		producers.Wait()
		queue.ShutDownWithDrain()
		workers.Wait()
		if n := done.Load(); n < 2 || n > 4 {
			t.Errorf("%d pieces of work", n)
		}
	})
}

// The last addition is always worked on.
func TestTheLastAddOfAKeyIsWorkedOn(t *testing.T) {
	explore(t, func(t *testing.T) {
		queue := workqueue.NewTyped[string]()
		var state, worked atomic.Int32
		var workers sync.WaitGroup
		for range 2 {
			workers.Go(func() {
				for {
					key, shutdown := queue.Get()
					if shutdown {
						return
					}
					worked.Store(state.Load())
					queue.Done(key)
				}
			})
		}
		for range 3 {
			state.Add(1)
			queue.Add("a")
		}
		queue.ShutDown()
		workers.Wait()
		if worked.Load() != 3 {
			t.Errorf("the last work was of state %d", worked.Load())
		}
	})
}

// ShutDown cuts a drain short, as its comment says.
func TestAShutDownEndsADrain(t *testing.T) {
	explore(t, func(t *testing.T) {
		queue := workqueue.NewTyped[string]()
		queue.Add("a")
		queue.Get() // and never Done
		drained := make(chan struct{})
		go func() {
			queue.ShutDownWithDrain()
			close(drained)
		}()
		time.Sleep(time.Second)
		queue.ShutDown()
		<-drained
	})
}

// An item that is added with a delay arrives after it, and once; a shutdown leaves no goroutine behind.
func TestADelayingQueueEndsAtAnyMoment(t *testing.T) {
	explore(t, func(t *testing.T) {
		queue := workqueue.NewTypedDelayingQueue[string]()
		began := time.Now()
		got := make(chan struct{})
		go func() {
			defer close(got)
			for {
				key, shutdown := queue.Get()
				if shutdown {
					return
				}
				if key == "later" && time.Since(began) < 50*time.Millisecond {
					t.Errorf("it comes after %v", time.Since(began))
				}
				queue.Done(key)
			}
		}()
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				queue.AddAfter("later", 50*time.Millisecond)
				queue.AddAfter("now", 0)
			})
		}
		all.Go(queue.ShutDown)
		all.Wait()
		<-got
	})
}

// Retries of a key are counted, and Forget clears the count.
func TestRetriesAreCounted(t *testing.T) {
	explore(t, func(t *testing.T) {
		limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[string](time.Millisecond, time.Second)
		queue := workqueue.NewTypedRateLimitingQueue[string](limiter)
		var tries atomic.Int32
		var workers sync.WaitGroup
		for range 2 {
			workers.Go(func() {
				for {
					key, shutdown := queue.Get()
					if shutdown {
						return
					}
					if tries.Add(1) < 4 {
						queue.AddRateLimited(key)
					} else {
						queue.Forget(key)
					}
					queue.Done(key)
				}
			})
		}
		queue.Add("a")
		time.Sleep(time.Second)
		queue.ShutDown()
		workers.Wait()
		if tries.Load() != 4 || queue.NumRequeues("a") != 0 {
			t.Errorf("%d tries, %d requeues", tries.Load(), queue.NumRequeues("a"))
		}
	})
}

// ParallelizeUntil does each piece once, or stops when its context ends.
func TestPiecesAreDoneOnce(t *testing.T) {
	explore(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		var pieces [4]atomic.Int32
		go cancel()
		workqueue.ParallelizeUntil(ctx, 2, len(pieces), func(i int) { pieces[i].Add(1) })
		for i := range pieces {
			if n := pieces[i].Load(); n > 1 {
				t.Errorf("piece %d was done %d times", i, n)
			}
		}
	})
}
