package races

import (
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/flowcontrol"
)

// A flaky server refuses its first list, ends its first watch after one event, and has lost the history for the second.
type flaky struct {
	shortStreams
	lists   atomic.Int32
	expired atomic.Bool
}

func (f *flaky) List(options metav1.ListOptions) (runtime.Object, error) {
	if f.lists.Add(1) == 1 {
		return nil, errors.New("not yet")
	}
	return f.server.List(options)
}

func (f *flaky) Watch(options metav1.ListOptions) (watch.Interface, error) {
	if f.watches.Load() == 1 && f.expired.CompareAndSwap(false, true) {
		return nil, apierrors.NewResourceExpired("too old")
	}
	return f.shortStreams.Watch(options)
}

// An informer reaches the server's state despite a failed list, a watch that ends, and another list.
func TestAnInformerRecovers(t *testing.T) {
	explore(t, func(t *testing.T) {
		s := &flaky{shortStreams: shortStreams{server: newServer("a")}}
		informer := cache.NewSharedIndexInformer(s, &v1.Pod{}, time.Hour, cache.Indexers{})
		handler := newSeen()
		informer.AddEventHandler(handler)
		end, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			informer.Run(end)
		}()
		go func() {
			s.write(watch.Added, "b")
			s.write(watch.Deleted, "a")
			s.write(watch.Added, "c")
			s.write(watch.Deleted, "b")
			s.write(watch.Added, "a")
		}()
		time.Sleep(time.Minute)
		handler.is(t, "the handler", s.names())
		close(end)
		<-ended
	})
}

// A reflector that is stopped at any moment leaves nothing behind, and its revision never goes back.
func TestAReflectorStopsAtAnyMoment(t *testing.T) {
	explore(t, func(t *testing.T) {
		s := newServer("a")
		reflector := cache.NewReflector(s, &v1.Pod{}, cache.NewStore(cache.MetaNamespaceKeyFunc), time.Hour)
		end, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			reflector.Run(end)
		}()
		var reader sync.WaitGroup
		reader.Go(func() {
			last := 0
			for range 4 {
				revision, _ := strconv.Atoi(reflector.LastSyncResourceVersion())
				if revision < last {
					t.Errorf("the revision goes from %d to %d", last, revision)
				}
				last = revision
			}
		})
		s.write(watch.Added, "b")
		close(end)
		reader.Wait()
		<-ended
	})
}

// The index of a store has each object once, under its latest value.
func TestAnIndexFollowsItsStore(t *testing.T) {
	explore(t, func(t *testing.T) {
		store := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{"revision": func(object any) ([]string, error) {
			return []string{object.(*v1.Pod).ResourceVersion}, nil
		}})
		var all sync.WaitGroup
		for _, revision := range []string{"1", "2"} {
			all.Go(func() {
				pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a", ResourceVersion: revision}}
				store.Add(pod)
				store.Delete(pod)
				store.Update(pod)
			})
		}
		all.Go(func() { store.Replace(nil, "3") })
		all.Wait()
		indexed := 0
		for _, revision := range []string{"1", "2"} {
			found, err := store.ByIndex("revision", revision)
			if err != nil {
				t.Error(err)
			}
			indexed += len(found)
		}
		if n := len(store.List()); indexed != n || n > 1 {
			t.Errorf("%d in the index, %d in the store", indexed, n)
		}
	})
}

// An entry that is added again just as it expires is there.
func TestAnEntryPutInAgainIsThere(t *testing.T) {
	explore(t, func(t *testing.T) {
		store := cache.NewTTLStore(cache.MetaNamespaceKeyFunc, 10*time.Millisecond)
		pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
		store.Add(pod)
		time.Sleep(11 * time.Millisecond)
		var all sync.WaitGroup
		all.Go(func() { store.List() })
		all.Go(func() { store.GetByKey("a") })
		store.Add(pod)
		all.Wait()
		if _, found, err := store.GetByKey("a"); !found || err != nil {
			t.Errorf("it is gone (%v)", err)
		}
	})
}

// Closing a queue of either kind releases all of its poppers.
func TestACloseWakesAllPoppers(t *testing.T) {
	explore(t, func(t *testing.T) {
		known := cache.NewStore(cache.MetaNamespaceKeyFunc)
		for _, queue := range []cache.Queue{
			cache.NewFIFO(cache.MetaNamespaceKeyFunc),
			cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KnownObjects: known}),
			cache.NewRealFIFO(cache.MetaNamespaceKeyFunc, known, nil), // not 0.32
		} {
			var poppers sync.WaitGroup
			for range 2 {
				poppers.Go(func() {
					for {
						if _, err := queue.Pop(func(any, bool) error { return nil }); err != nil {
							return
						}
					}
				})
			}
			queue.Add(&v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a"}})
			queue.Close()
			poppers.Wait()
		}
	})
}

// After a list that arrives while older events are queued, the store has the objects of the list, and nothing else.
func TestAListOvertakesNothing(t *testing.T) {
	explore(t, func(t *testing.T) {
		store := cache.NewStore(cache.DeletionHandlingMetaNamespaceKeyFunc)
		queue := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KnownObjects: store, EmitDeltaTypeReplaced: true})
		pod := func(name, uid string) *v1.Pod {
			return &v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(uid)}}
		}
		popped := make(chan struct{})
		go func() {
			defer close(popped)
			for {
				_, err := queue.Pop(func(object any, _ bool) error {
					for _, delta := range object.(cache.Deltas) {
						if delta.Type == cache.Deleted {
							store.Delete(delta.Object)
						} else {
							store.Update(delta.Object)
						}
					}
					return nil
				})
				if err != nil {
					return
				}
			}
		}()
		queue.Replace([]any{pod("a", "1"), pod("b", "2")}, "2")
		queue.Delete(pod("a", "1"))
		queue.Add(pod("c", "3"))
		queue.Replace([]any{pod("a", "4"), pod("b", "2")}, "6") // c is gone, and a is a new object
		time.Sleep(time.Second)
		queue.Close()
		<-popped
		a, found, _ := store.GetByKey("a")
		if n := len(store.List()); !found || a.(*v1.Pod).UID != "4" || n != 2 {
			t.Errorf("the store has %v, and a is %v", store.ListKeys(), a)
		}
	})
}

// A key's backoff grows with each failure, and a reset clears it.
func TestABackoffCountsEachFailure(t *testing.T) {
	explore(t, func(t *testing.T) {
		backoff := flowcontrol.NewBackOff(time.Second, time.Minute)
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() { backoff.Next("a", time.Now()) })
		}
		all.Go(backoff.GC)
		all.Wait()
		if wait := backoff.Get("a"); wait != 4*time.Second {
			t.Errorf("the backoff is %v", wait)
		}
		backoff.Reset("a")
		if wait := backoff.Get("a"); wait != 0 {
			t.Errorf("the backoff is %v after a reset", wait)
		}
	})
}
