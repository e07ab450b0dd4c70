package conformance

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// machine is a real client that has not run yet.
type machine struct {
	store  cache.Store
	synced func() bool
	run    func(stop <-chan struct{}) string // returns how it ended: "" when it was told to
	events []*event                          // what the story does to it
}

func machineFor(client *Client, server *server, diary *diary, moments *moments) machine {
	switch client.Kind {
	case "program":
		return program(client, server, diary)
	case "shared":
		return shared(client, server, diary, moments)
	}
	return informer(client, server, diary)
}

const never = 100 * 365 * 24 * time.Hour

// resyncOf is the client's period. "Never" is played as once in a century: client-go waits for it on a
// channel that was made with the package, outside of the bubble, and a bubble's time stands still
// while a goroutine waits for something outside.
func resyncOf(client *Client) time.Duration {
	if client.Resync == 0 {
		return never
	}
	return time.Duration(client.Resync)
}

func listWatch(server *server) *cache.ListWatch {
	return &cache.ListWatch{ListFunc: server.List, WatchFunc: server.Watch}
}

func informer(client *Client, server *server, diary *diary) machine {
	store, controller := cache.NewInformerWithOptions(cache.InformerOptions{
		ListerWatcher: listWatch(server),
		ObjectType:    &metav1.PartialObjectMetadata{},
		Handler:       &listener{diary: diary},
		ResyncPeriod:  resyncOf(client),
	})
	return machine{store: store, synced: controller.HasSynced, run: func(stop <-chan struct{}) string {
		controller.Run(stop)
		return ""
	}}
}

// shared is a shared informer, with its handlers as events: each comes, and may go, at its moment.
func shared(client *Client, server *server, diary *diary, moments *moments) machine {
	informer := cache.NewSharedIndexInformerWithOptions(listWatch(server),
		&metav1.PartialObjectMetadata{}, cache.SharedIndexInformerOptions{ResyncPeriod: resyncOf(client)})
	result := machine{store: informer.GetStore(), synced: informer.HasSynced,
		run: func(stop <-chan struct{}) string {
			informer.Run(stop)
			return ""
		}}
	for i := range client.Handlers {
		handler := &client.Handlers[i]
		var registration cache.ResourceEventHandlerRegistration
		var joined time.Time
		result.events = append(result.events, newEvent(client, handler.Joined, func() {
			joined = time.Now()
			listener := &listener{diary: diary, name: handler.Name, takes: time.Duration(handler.Takes)}
			if handler.Resync == nil {
				registration, _ = informer.AddEventHandler(listener)
			} else {
				registration, _ = informer.AddEventHandlerWithResyncPeriod(listener,
					time.Duration(*handler.Resync))
			}
			moments.expect(handler.Name, registration.HasSynced)
			diary.ring()
		}))
		if handler.Left != nil {
			result.events = append(result.events, newEvent(client, *handler.Left, func() {
				moments.forget(handler.Name)
				diary.stayed(handler.Name, time.Since(joined))
				_ = informer.RemoveEventHandler(registration)
			}))
		}
	}
	return result
}

// program is the tutorial's: a reflector fills a queue, and a loop of its own keeps a store that
// knows no tombstones. It ends at the first error.
func program(client *Client, server *server, diary *diary) machine {
	store := cache.NewStore(cache.MetaNamespaceKeyFunc)
	queue := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{
		KnownObjects: store, EmitDeltaTypeReplaced: true,
	})
	reflector := cache.NewReflector(listWatch(server), &metav1.PartialObjectMetadata{}, queue,
		resyncOf(client))
	process := func(popped interface{}, initial bool) error {
		for _, delta := range popped.(cache.Deltas) {
			diary.popped(delta, initial)
		}
		for _, delta := range popped.(cache.Deltas) {
			var err error
			if delta.Type == cache.Deleted {
				err = store.Delete(delta.Object)
			} else {
				err = store.Add(delta.Object)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return machine{store: store, synced: queue.HasSynced, run: func(stop <-chan struct{}) string {
		crashed := make(chan struct{})
		reflecting := make(chan struct{})
		over := make(chan struct{})
		go func() {
			select {
			case <-stop:
			case <-crashed:
			}
			queue.Close()
			close(over)
		}()
		go func() {
			defer close(reflecting)
			reflector.Run(over)
		}()
		for {
			if _, err := queue.Pop(process); err != nil {
				end := "key_error"
				if err == cache.ErrFIFOClosed {
					end = ""
				}
				close(crashed)
				if end == "" {
					<-reflecting
				}
				return end
			}
			if client.Pause > 0 {
				time.Sleep(time.Duration(client.Pause))
			}
		}
	}}
}
