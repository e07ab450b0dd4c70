package races

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// informerOf returns a running informer of the server, and stop, which ends it and waits for its end. Without a resync,
// 0.32 waits on a package-level channel, which does not fit into a bubble.
func informerOf(s *server, resync time.Duration) (informer cache.SharedIndexInformer, start, stop func()) {
	informer = cache.NewSharedIndexInformer(s, &v1.Pod{}, resync, cache.Indexers{})
	end, ended := make(chan struct{}), make(chan struct{})
	start = func() {
		go func() {
			defer close(ended)
			informer.Run(end)
		}()
	}
	return informer, start, func() {
		close(end)
		<-ended
	}
}

// An informer starts, is in sync, and stops.
func TestInformerStops(t *testing.T) {
	explore(t, func(t *testing.T) {
		s := newServer("a", "b")
		informer, start, stop := informerOf(s, time.Hour)
		added := make(chan string, 2)
		informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(object any) {
			added <- object.(*v1.Pod).Name
		}})
		start()
		if names := <-added + <-added; names != "ab" && names != "ba" {
			t.Errorf("added: %s", names)
		}
		if !cache.WaitForCacheSync(nil, informer.HasSynced) {
			t.Error("not in sync")
		}
		stop()
	})
}

// The handlers and the store end up with the server's state, whenever the handlers were added.
func TestHandlersSeeWhatTheServerHas(t *testing.T) {
	explore(t, func(t *testing.T) {
		s := newServer("a", "b")
		informer, start, stop := informerOf(s, time.Hour)
		early, late := newSeen(), newSeen()
		informer.AddEventHandler(early)
		var writers sync.WaitGroup
		writers.Go(func() {
			s.write(watch.Added, "c")
			s.write(watch.Modified, "a")
			s.write(watch.Deleted, "b")
			s.write(watch.Added, "d")
			s.write(watch.Deleted, "d")
		})
		writers.Go(func() { informer.AddEventHandler(late) })
		start()
		writers.Wait()
		time.Sleep(5 * time.Second)
		early.is(t, "the early handler", s.names())
		late.is(t, "the late handler", s.names())
		if keys := informer.GetStore().ListKeys(); len(keys) != 2 {
			t.Errorf("the store has %v", keys)
		}
		stop()
	})
}

// A registration is in sync when its handler has seen all initial objects. In 0.37 it can be a moment too early: see
// the museum's in_sync_before_the_last.
func TestARegistrationInSyncHasSeenTheList(t *testing.T) {
	explore(t, func(t *testing.T) {
		s := newServer("a", "b", "c")
		informer, start, stop := informerOf(s, time.Hour)
		var joined sync.WaitGroup
		join := func(who string) {
			handler := newSeen()
			registration, err := informer.AddEventHandler(handler)
			if err != nil {
				t.Error(err)
				return
			}
			cache.WaitForCacheSync(nil, registration.HasSynced)
			time.Sleep(time.Second) // not 0.32
			handler.is(t, who, []string{"a", "b", "c"})
		}
		joined.Go(func() { join("one") })
		start()
		joined.Go(func() { join("another") })
		joined.Wait()
		if n := len(informer.GetStore().ListKeys()); n != 3 {
			t.Errorf("in sync with %d objects", n)
		}
		stop()
	})
}

// One handler is removed while others work, and another is added during the stop.
func TestHandlersComeAndGo(t *testing.T) {
	explore(t, func(t *testing.T) {
		s := newServer("a")
		informer, start, stop := informerOf(s, time.Hour)
		stays, leaves := newSeen(), newSeen()
		informer.AddEventHandler(stays)
		registration, _ := informer.AddEventHandler(leaves)
		start()
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() { informer.RemoveEventHandler(registration) })
		}
		all.Go(func() { s.write(watch.Added, "b") })
		all.Wait()
		time.Sleep(3 * time.Second)
		stays.is(t, "the handler that stays", s.names())
		all.Go(func() { informer.AddEventHandler(newSeen()) })
		stop()
		all.Wait()
	})
}

// A stop at any moment ends all goroutines, even if events are still queued for a slow handler.
func TestAStopAtAnyMomentEndsAll(t *testing.T) {
	explore(t, func(t *testing.T) {
		s := newServer("a", "b")
		informer, start, stop := informerOf(s, time.Second)
		informer.AddEventHandlerWithResyncPeriod(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { time.Sleep(time.Millisecond) }}, 2*time.Second)
		informer.AddEventHandlerWithResyncPeriod(newSeen(), time.Second)
		start()
		var writer sync.WaitGroup
		writer.Go(func() {
			s.write(watch.Deleted, "a")
			s.write(watch.Added, "a")
		})
		stop()
		writer.Wait()
	})
}

// A resync updates the handlers that asked for one, and no others.
func TestAResyncComesToThoseWhoAsked(t *testing.T) {
	explore(t, func(t *testing.T) {
		s := newServer("a")
		informer, start, stop := informerOf(s, time.Second)
		var asked, not atomic.Int32
		count := func(n *atomic.Int32) cache.ResourceEventHandler {
			return cache.ResourceEventHandlerFuncs{UpdateFunc: func(any, any) { n.Add(1) }}
		}
		informer.AddEventHandlerWithResyncPeriod(count(&asked), time.Second)
		informer.AddEventHandlerWithResyncPeriod(count(&not), 0)
		start()
		time.Sleep(5500 * time.Millisecond)
		stop()
		if asked.Load() < 3 || asked.Load() > 6 || not.Load() != 0 {
			t.Errorf("%d and %d resyncs", asked.Load(), not.Load())
		}
	})
}

// A resync that meets changes in the queue brings back neither a deleted object nor an old state.
func TestAResyncBringsNothingBack(t *testing.T) {
	explore(t, func(t *testing.T) {
		s := newServer("a", "b")
		informer, start, stop := informerOf(s, time.Second)
		handler := newSeen()
		informer.AddEventHandler(handler)
		start()
		time.Sleep(time.Second)
		s.write(watch.Modified, "b")
		s.write(watch.Deleted, "a")
		s.write(watch.Modified, "b")
		time.Sleep(500 * time.Millisecond)
		handler.is(t, "the handler", s.names())
		b, _, _ := informer.GetStore().GetByKey("demo/b")
		if keys := informer.GetStore().ListKeys(); len(keys) != 1 || b.(*v1.Pod).ResourceVersion != "5" {
			t.Errorf("the store has %v, and b of %v", keys, b)
		}
		stop()
	})
}

// An index that is added while the informer runs has all objects.
func TestALateIndexHasAll(t *testing.T) {
	explore(t, func(t *testing.T) {
		s := newServer("a", "b")
		informer, start, stop := informerOf(s, time.Hour)
		start()
		var all sync.WaitGroup
		all.Go(func() {
			err := informer.AddIndexers(cache.Indexers{"all": func(any) ([]string, error) { return []string{"one"}, nil }})
			if err != nil {
				t.Error(err)
			}
		})
		all.Go(func() { s.write(watch.Added, "c") })
		all.Wait()
		time.Sleep(3 * time.Second)
		if found, err := informer.GetIndexer().ByIndex("all", "one"); err != nil || len(found) != 3 {
			t.Errorf("the index has %d (%v)", len(found), err)
		}
		stop()
	})
}

// Readers of the store see each object with the revision of its last event, or a newer one.
func TestTheStoreIsNotBehindItsHandlers(t *testing.T) {
	explore(t, func(t *testing.T) {
		s := newServer("a")
		informer, start, stop := informerOf(s, time.Hour)
		var behind atomic.Value
		informer.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, object any) {
			pod := object.(*v1.Pod)
			stored, found, _ := informer.GetStore().GetByKey("demo/" + pod.Name)
			if !found || stored.(*v1.Pod).ResourceVersion < pod.ResourceVersion {
				behind.Store(fmt.Sprint(pod.ResourceVersion))
			}
		}})
		start()
		for range 3 {
			s.write(watch.Modified, "a")
		}
		time.Sleep(3 * time.Second)
		stop()
		if at := behind.Load(); at != nil {
			t.Errorf("the store is behind the handler at %v", at)
		}
	})
}

// A controller's queue hands out everything that was added, in order for each key, until it is closed.
func TestAQueueOfDeltasLosesNothing(t *testing.T) {
	explore(t, func(t *testing.T) {
		known := cache.NewStore(cache.MetaNamespaceKeyFunc)
		queue := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KnownObjects: known, KeyFunction: cache.MetaNamespaceKeyFunc})
		s := newServer("a", "b")
		var last []string
		popped := make(chan struct{})
		go func() {
			defer close(popped)
			for {
				_, err := queue.Pop(func(object any, _ bool) error {
					for _, delta := range object.(cache.Deltas) {
						pod := delta.Object.(*v1.Pod)
						last = append(last, pod.Name+pod.ResourceVersion)
					}
					return nil
				})
				if err != nil {
					return
				}
			}
		}()
		var writers sync.WaitGroup
		for _, name := range []string{"a", "b"} {
			writers.Go(func() {
				queue.Add(s.pods[name])
				queue.Update(&v1.Pod{ObjectMeta: withRevision(s.pods[name], "9")})
			})
		}
		writers.Wait()
		time.Sleep(time.Second)
		queue.Close()
		<-popped
		slices.Sort(last)
		if fmt.Sprint(last) != "[a1 a9 b2 b9]" {
			t.Errorf("popped: %v", last)
		}
	})
}
