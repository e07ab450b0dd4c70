//go:build !modern

package conformance

import (
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"
)

// What only client-go 0.32 has: queues that are stores too, and take back what failed.

func listWatch(server *server) *cache.ListWatch {
	return &cache.ListWatch{ListFunc: server.List, WatchFunc: server.Watch}
}

func queued(queue *cache.FIFO) func() []interface{} { return queue.List }

func putBack(queue *cache.FIFO, item interface{}) { _ = queue.AddIfNotPresent(item) }

// failing is an informer whose process function fails, now and then, after it has done its work. That
// function is ours: NewInformerWithOptions takes none.
func failing(client *Client, server *server, ear *listener) (cache.Store, cache.Controller) {
	store := cache.NewStore(cache.DeletionHandlingMetaNamespaceKeyFunc)
	failed := map[string]int{}
	return store, cache.New(&cache.Config{
		Queue: cache.NewDeltaFIFOWithOptions(
			cache.DeltaFIFOOptions{KnownObjects: store, EmitDeltaTypeReplaced: true}),
		ListerWatcher:    listWatch(server),
		ObjectType:       &unstructured.Unstructured{},
		FullResyncPeriod: time.Duration(client.Resync),
		RetryOnError:     true,
		Process: func(popped interface{}, initial bool) error {
			deltas := popped.(cache.Deltas)
			for _, delta := range deltas {
				if err := apply(delta, store, ear, initial); err != nil {
					return err
				}
			}
			if initial || len(deltas) > 1 || deltas[0].Type == cache.Deleted {
				return nil
			}
			key := seen(deltas[0].Object).key()
			failed[key]++
			if failed[key] <= client.Failures {
				return errTryAgain
			}
			return nil
		},
	})
}

func apply(delta cache.Delta, store cache.Store, ear *listener, initial bool) error {
	known, exists, err := store.Get(delta.Object)
	switch {
	case err != nil:
		return err
	case delta.Type == cache.Deleted:
		if err = store.Delete(delta.Object); err == nil {
			ear.OnDelete(delta.Object)
		}
	case exists:
		if err = store.Update(delta.Object); err == nil {
			ear.OnUpdate(known, delta.Object)
		}
	default:
		if err = store.Add(delta.Object); err == nil {
			ear.OnAdd(delta.Object, initial)
		}
	}
	return err
}
