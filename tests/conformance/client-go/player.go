package conformance

import (
	"sort"
	"sync"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// outcome is what the real client did with a transcript.
type outcome struct {
	asked  []*asked
	calls  []Call
	deltas []Call
	end    string
	synced bool
	store  []Object
}

// listener writes down what a handler or a pop function is told.
type listener struct {
	mutex  sync.Mutex
	calls  []Call
	deltas []Call
}

func (l *listener) OnAdd(object interface{}, initial bool) {
	l.called(Call{Type: "add", Object: seen(object), Initial: initial})
}

func (l *listener) OnUpdate(before, after interface{}) {
	l.called(Call{Type: "update", Object: seen(after), Before: seen(before)})
}

func (l *listener) OnDelete(object interface{}) {
	if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		l.called(Call{Type: "delete", Key: tombstone.Key, Object: seen(tombstone.Obj), Tombstone: true})
		return
	}
	l.called(Call{Type: "delete", Object: seen(object)})
}

func (l *listener) called(call Call) {
	if call.Key == "" {
		call.Key = keyOf(call.Object)
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.calls = append(l.calls, call)
}

func (l *listener) popped(delta cache.Delta, initial bool) {
	call := Call{Type: string(delta.Type), Initial: initial}
	if tombstone, ok := delta.Object.(cache.DeletedFinalStateUnknown); ok {
		call.Key, call.Object, call.Tombstone = tombstone.Key, seen(tombstone.Obj), true
	} else {
		call.Object = seen(delta.Object)
		call.Key = keyOf(call.Object)
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.deltas = append(l.deltas, call)
}

func keyOf(object *Object) string {
	if object == nil {
		return ""
	}
	if object.Namespace == "" {
		return object.Name
	}
	return object.Namespace + "/" + object.Name
}

func seen(object interface{}) *Object {
	known, ok := object.(*metav1.PartialObjectMetadata)
	if !ok {
		return nil
	}
	return &Object{
		Namespace: known.Namespace, Name: known.Name, UID: string(known.UID), RV: known.ResourceVersion,
	}
}

// play lets the real client live through a client's transcript, in virtual time: it must be called
// in a bubble.
func play(story *Story, client *Client) outcome {
	server := newServer(client)
	listener := &listener{}
	var store cache.Store
	var synced func() bool
	var run func(stop <-chan struct{}) string
	if client.Kind == "program" {
		store, synced, run = program(client, server, listener)
	} else {
		store, synced, run = informer(client, server, listener)
	}

	stop := make(chan struct{})
	ended := make(chan string, 1)
	go func() { ended <- run(stop) }()

	result := outcome{}
	select {
	case <-server.last:
		at := story.Closed
		if client.Stopped != nil {
			at = *client.Stopped
		}
		// Just before the end: what falls due at its very instant may or may not be in the record.
		time.Sleep(time.Duration(at-client.Requests[len(client.Requests)-1].At) - time.Nanosecond)
	case <-time.After(patience(story)): // the real client never asks as much as ours did
	}
	synctest.Wait()
	result.synced = synced()
	for _, each := range store.List() {
		result.store = append(result.store, *seen(each))
	}
	sort.Slice(result.store, func(i, j int) bool { return keyOf(&result.store[i]) < keyOf(&result.store[j]) })
	listener.mutex.Lock()
	result.calls = append(result.calls, listener.calls...)
	result.deltas = append(result.deltas, listener.deltas...)
	listener.mutex.Unlock()
	server.mutex.Lock()
	for _, each := range server.asked {
		copied := *each
		result.asked = append(result.asked, &copied)
	}
	server.mutex.Unlock()
	select {
	case result.end = <-ended: // by itself
		close(server.stopped)
		close(stop)
	default:
		close(server.stopped)
		close(stop)
		<-ended
	}
	time.Sleep(time.Hour) // in a bubble, time ends with its first goroutine, and sleepers would be stuck
	return result
}

// patience is longer than any jitter can stretch the story.
func patience(story *Story) time.Duration { return 3*time.Duration(story.Closed) + time.Hour }

// resyncOf is the client's period. "Never" is played as once in a century: client-go waits for it on a
// channel that was made with the package, outside of the bubble, and a bubble's time stands still
// while a goroutine waits for something outside.
func resyncOf(client *Client) time.Duration {
	if client.Resync == 0 {
		return 100 * 365 * 24 * time.Hour
	}
	return time.Duration(client.Resync)
}

func listWatch(server *server) *cache.ListWatch {
	return &cache.ListWatch{ListFunc: server.List, WatchFunc: server.Watch}
}

func informer(client *Client, server *server, listener *listener) (cache.Store, func() bool, func(<-chan struct{}) string) {
	store, controller := cache.NewInformerWithOptions(cache.InformerOptions{
		ListerWatcher: listWatch(server),
		ObjectType:    &metav1.PartialObjectMetadata{},
		Handler:       listener,
		ResyncPeriod:  resyncOf(client),
	})
	return store, controller.HasSynced, func(stop <-chan struct{}) string {
		controller.Run(stop)
		return ""
	}
}

// program is the tutorial's: a reflector fills a queue, and a loop of its own keeps a store that
// knows no tombstones. It ends at the first error.
func program(client *Client, server *server, listener *listener) (cache.Store, func() bool, func(<-chan struct{}) string) {
	store := cache.NewStore(cache.MetaNamespaceKeyFunc)
	queue := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{
		KnownObjects: store, EmitDeltaTypeReplaced: true,
	})
	reflector := cache.NewReflector(listWatch(server), &metav1.PartialObjectMetadata{}, queue,
		resyncOf(client))
	process := func(popped interface{}, initial bool) error {
		for _, delta := range popped.(cache.Deltas) {
			listener.popped(delta, initial)
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
	return store, queue.HasSynced, func(stop <-chan struct{}) string {
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
	}
}
