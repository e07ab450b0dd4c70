package conformance

import (
	"sort"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
)

// machine is a real client that has not run yet.
type machine struct {
	stored func() []interface{}
	keeps  interface{} // the store, if it may know its revision
	synced func() bool
	run    func(stop <-chan struct{}) string // returns how it ended: "" when it was told to
	events []event                           // what the story does to it
}

// version is the revision that the store says it has come to; "" for one of an older release.
func (m *machine) version() string {
	if store, ok := m.keeps.(interface{ LastStoreSyncResourceVersion() string }); ok {
		return store.LastStoreSyncResourceVersion()
	}
	return ""
}

// event is something that the story does to a client.
type event struct {
	at int64
	do func()
}

func machineFor(client *Client, server *server, diary *diary, moments *moments) machine {
	switch client.Kind {
	case "program":
		return program(client, server, diary)
	case "shared":
		return shared(client, server, diary, moments)
	case "controller":
		return controller(client, server, diary)
	case "fifo":
		return fifo(client, server, diary)
	case "store":
		return store(client, server, diary)
	}
	return informer(client, server, diary)
}

func informer(client *Client, server *server, diary *diary) machine {
	ear := &listener{diary: diary, takes: time.Duration(client.Takes)}
	if len(client.Calls) > 0 {
		ear.name = client.Calls[0].Handler
	}
	store, controller := cache.NewInformerWithOptions(cache.InformerOptions{
		ListerWatcher: listWatch(server),
		ObjectType:    &unstructured.Unstructured{},
		Handler:       ear,
		ResyncPeriod:  time.Duration(client.Resync),
	})
	if client.Failures > 0 {
		store, controller = failing(client, server, ear)
	}
	ear.store = store
	return machine{stored: store.List, keeps: store, synced: controller.HasSynced, run: func(stop <-chan struct{}) string {
		controller.Run(stop)
		return ""
	}}
}

// shared is a shared informer, with its handlers as events: each comes, and may go, at its moment.
func shared(client *Client, server *server, diary *diary, moments *moments) machine {
	informer := cache.NewSharedIndexInformerWithOptions(listWatch(server), &unstructured.Unstructured{},
		cache.SharedIndexInformerOptions{ResyncPeriod: time.Duration(client.Resync), Indexers: byLabels()})
	result := machine{stored: informer.GetStore().List, keeps: informer.GetStore(), synced: informer.HasSynced,
		run: func(stop <-chan struct{}) string {
			again := make(chan struct{})
			go func() {
				defer close(again)
				if client.RunsTwice {
					time.Sleep(1500 * time.Millisecond)
					informer.Run(stop)
				}
			}()
			informer.Run(stop)
			<-again
			return ""
		}}
	for i := range client.Handlers {
		handler := &client.Handlers[i]
		if handler.Panics > 0 {
			utilruntime.ReallyCrash = false
		}
		var registration cache.ResourceEventHandlerRegistration
		result.events = append(result.events, event{handler.Joined, func() {
			server.join(handler.Name)
			listener := &listener{diary: diary, name: handler.Name, takes: time.Duration(handler.Takes),
				panics: handler.Panics, store: informer.GetStore()}
			var refused error // once the informer has ended
			if handler.Resync == nil {
				registration, refused = informer.AddEventHandler(listener)
			} else {
				registration, refused = informer.AddEventHandlerWithResyncPeriod(listener,
					time.Duration(*handler.Resync))
			}
			if refused != nil {
				return
			}
			moments.expect(handler.Name, registration.HasSynced)
			diary.ring()
		}})
		if handler.Left != nil {
			result.events = append(result.events, event{*handler.Left, func() {
				moments.forget(handler.Name)
				if registration == nil {
					return
				}
				_ = informer.RemoveEventHandler(registration)
			}})
		}
	}
	sort.SliceStable(result.events, func(i, j int) bool { return result.events[i].at < result.events[j].at })
	return result
}

// program is the tutorial's: a reflector fills a queue, and a loop of its own keeps a store that
// knows no tombstones. It ends at the first error.
func program(client *Client, server *server, diary *diary) machine {
	store := cache.NewStore(cache.MetaNamespaceKeyFunc)
	queue := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{
		KnownObjects: store, EmitDeltaTypeReplaced: true,
	})
	reflector := cache.NewReflector(listWatch(server), &unstructured.Unstructured{}, queue,
		time.Duration(client.Resync))
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
	return machine{stored: store.List, synced: queue.HasSynced, run: func(stop <-chan struct{}) string {
		crashed := make(chan struct{})
		over := make(chan struct{})
		go func() {
			select {
			case <-stop:
			case <-crashed:
			}
			queue.Close()
			close(over)
		}()
		reflecting := inBackground(func() { reflector.Run(over) })
		for {
			if _, err := queue.Pop(process); err != nil {
				close(crashed)
				<-reflecting
				if err == cache.ErrFIFOClosed {
					return ""
				}
				return "key_error"
			}
			if client.Pause > 0 {
				time.Sleep(time.Duration(client.Pause))
				diary.ring()
			}
		}
	}}
}

// inBackground runs something. What it returns is closed when that has ended.
func inBackground(body func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		body()
	}()
	return done
}
