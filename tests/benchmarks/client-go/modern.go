//go:build modern

package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// release is what the names of all rows begin with.
const release = "client-go-0.37"

// fill makes a queue as an informer of today does, and puts the objects in.
func fill(objects []interface{}) *cache.RealFIFO {
	queue := cache.NewRealFIFOWithOptions(cache.RealFIFOOptions{
		KeyFunction: cache.MetaNamespaceKeyFunc, AtomicEvents: true,
		UnlockWhileProcessing: true, EmitDeltaTypeBookmark: true})
	for _, object := range objects {
		must(queue.Add(object))
	}
	return queue
}

func measureQueue(objects []interface{}) {
	ignore := func(interface{}, bool) error { return nil }
	report("modern.real_fifo", "ns/object", func() float64 {
		return nanoseconds(func() {
			queue := fill(objects)
			for range objects {
				_, err := queue.Pop(ignore)
				must(err)
			}
		}) / objectCount
	})
	report("modern.real_fifo_batches", "ns/object", func() float64 {
		return nanoseconds(func() {
			queue := fill(objects)
			for popped := 0; popped < objectCount; {
				must(queue.PopBatch(
					func(batch []cache.Delta, _ bool) error { popped += len(batch); return nil },
					func(interface{}, bool) error { popped++; return nil }))
			}
		}) / objectCount
	})
}

// measureTransactions changes all objects, a thousand at a time, in a store that has them.
func measureTransactions(objects []interface{}) {
	const together = 1_000
	store := cache.NewIndexer(cache.MetaNamespaceKeyFunc,
		cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	must(store.Replace(objects, "1"))
	changes := make([]cache.Transaction, together)
	report("modern.transactions_of_1000", "ns/object", func() float64 {
		return nanoseconds(func() {
			for first := 0; first < objectCount; first += together {
				for i := range changes {
					changes[i] = cache.Transaction{Object: objects[first+i], Type: cache.TransactionTypeUpdate}
				}
				if failed := store.(cache.TransactionStore).Transaction(changes...); failed != nil {
					must(failed)
				}
			}
		}) / objectCount
	})
}

// mark is the bookmark that ends a streamed list.
func mark(revision string) watch.Event {
	return watch.Event{Type: watch.Bookmark, Object: &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		ResourceVersion: revision,
		Annotations:     map[string]string{metav1.InitialEventsAnnotationKey: "true"}}}}
}

// stream collects the objects from a stream that another goroutine sends, up to its mark.
func stream(objects []interface{}) {
	events, stop := make(chan watch.Event), make(chan struct{})
	source := &cache.ListWatch{
		ListFunc: func(metav1.ListOptions) (kruntime.Object, error) {
			return nil, fmt.Errorf("nothing is listed")
		},
		WatchFunc: func(metav1.ListOptions) (watch.Interface, error) {
			return watch.NewProxyWatcher(events), nil
		},
	}
	store := cache.NewStore(cache.MetaNamespaceKeyFunc)
	go func() {
		for _, object := range objects {
			events <- watch.Event{Type: watch.Added, Object: object.(kruntime.Object)}
		}
		events <- mark("200000")
		close(stop)
	}()
	cache.NewReflector(source, &corev1.ConfigMap{}, store, 0).Run(stop)
	if len(store.ListKeys()) != objectCount {
		panic("the streamed list is not complete")
	}
}

// measure measures what came with client-go 0.33 to 0.37.
func measure(objects []interface{}) {
	measureQueue(objects)
	measureTransactions(objects)
	report("modern.streamed_list", "ns/object", func() float64 {
		return nanoseconds(func() { stream(objects) }) / objectCount
	})
	for _, handlers := range []int{1, 10, 100} {
		report(fmt.Sprintf("modern.informer_%d_handlers", handlers), "ns/event", func() float64 {
			return notify(handlers, notifications/handlers,
				func(events chan<- watch.Event) { events <- mark("1") })
		})
	}
}
