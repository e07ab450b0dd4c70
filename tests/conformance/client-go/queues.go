package conformance

import (
	"errors"
	"sort"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

var errTryAgain = errors.New("to be tried again")

func byLabels() cache.Indexers {
	return cache.Indexers{"labels": func(object interface{}) ([]string, error) {
		var values []string
		for label, value := range object.(*unstructured.Unstructured).GetLabels() {
			values = append(values, label+"="+value)
		}
		return values, nil
	}}
}

// fifo is a reflector that fills a queue of newest states, and workers that pop them.
func fifo(client *Client, server *server, diary *diary) machine {
	queue := cache.NewFIFO(cache.MetaNamespaceKeyFunc)
	reflector := cache.NewReflector(listWatch(server), &unstructured.Unstructured{}, queue,
		time.Duration(client.Resync))
	failed := map[string]int{}
	process := func(popped interface{}, initial bool) error {
		call := Call{Type: "popped", Object: seen(popped), Initial: initial}
		key := call.Object.key()
		if !initial {
			if failed[key]++; failed[key] <= client.Failures {
				call.Type = "failed"
			}
		}
		diary.write(&diary.pops, call)
		if call.Type == "failed" {
			return errTryAgain
		}
		return nil
	}
	work := func() {
		for {
			popped, err := queue.Pop(process)
			if err == cache.ErrFIFOClosed {
				return
			}
			if client.Pause > 0 {
				time.Sleep(time.Duration(client.Pause))
				diary.ring()
			}
			if err != nil {
				putBack(queue, popped)
			}
		}
	}
	return machine{stored: queued(queue), synced: queue.HasSynced, run: func(stop <-chan struct{}) string {
		go func() {
			<-stop
			queue.Close()
		}()
		tasks := []<-chan struct{}{inBackground(func() { reflector.Run(stop) })}
		for i := 0; i < client.Workers; i++ {
			tasks = append(tasks, inBackground(work))
		}
		waitForAll(tasks)
		return ""
	}}
}

func waitForAll(tasks []<-chan struct{}) {
	for _, task := range tasks {
		<-task
	}
}

// refusing is a store that refuses one of the lists that it is given.
type refusing struct {
	cache.Store
	list, lists int
}

func (r *refusing) Replace(items []interface{}, revision string) error {
	if r.lists++; r.lists == r.list {
		return errTryAgain
	}
	return r.Store.Replace(items, revision)
}

// store is a reflector that fills an indexed store without any queue, and a reader of the store.
func store(client *Client, server *server, diary *diary) machine {
	store := cache.NewIndexer(cache.DeletionHandlingMetaNamespaceKeyFunc, byLabels())
	reflector := cache.NewReflector(listWatch(server), &unstructured.Unstructured{},
		&refusing{Store: store, list: client.Refuses}, time.Duration(client.Resync))
	pause := time.Duration(client.Pause)
	if pause == 0 {
		pause = 700 * time.Millisecond
	}
	look := func(read Read, objects []interface{}) {
		read.At, read.Objects = diary.now(), sorted(objects)
		diary.reads = append(diary.reads, read)
	}
	const looksMax = 30
	readNowAndThen := func(stop <-chan struct{}) {
		for i := 0; i < looksMax && !isClosed(stop); i++ {
			time.Sleep(pause)
			for _, value := range store.ListIndexFuncValues("labels") {
				if objects, err := store.ByIndex("labels", value); err == nil {
					look(Read{Value: value}, objects)
				}
			}
			if all := sorted(store.List()); len(all) > 0 {
				if objects, err := store.Index("labels", &unstructured.Unstructured{Object: all[0]}); err == nil {
					look(Read{Like: all[0]}, objects)
				}
			}
		}
	}
	return machine{stored: store.List, keeps: store,
		synced: func() bool { return reflector.LastSyncResourceVersion() != "" },
		run: func(stop <-chan struct{}) string {
			waitForAll([]<-chan struct{}{inBackground(func() { reflector.Run(stop) }),
				inBackground(func() { readNowAndThen(stop) })})
			return ""
		}}
}

func isClosed(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}

// sorted returns objects in the order of their keys.
func sorted(objects []interface{}) []Object {
	result := make([]Object, 0, len(objects))
	for _, each := range objects {
		result = append(result, seen(each))
	}
	sort.Slice(result, func(i, j int) bool { return result[i].key() < result[j].key() })
	return result
}

// controller is a shared informer whose handler puts keys into a work queue, and workers that take them
// out, look into the store, and put back what failed.
func controller(client *Client, server *server, diary *diary) machine {
	informer := cache.NewSharedIndexInformerWithOptions(listWatch(server), &unstructured.Unstructured{},
		cache.SharedIndexInformerOptions{ResyncPeriod: time.Duration(client.Resync), Indexers: byLabels()})
	queue := workqueue.NewTypedRateLimitingQueue(
		workqueue.NewTypedItemExponentialFailureRateLimiter[string](5*time.Millisecond, 20*time.Second))
	add := func(object interface{}) {
		if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
			object = tombstone.Obj
		}
		if known := seen(object); known != nil {
			diary.write(&diary.work, Call{Type: "added", Key: known.key()})
			queue.Add(known.key())
		}
	}
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: add, UpdateFunc: func(_, now interface{}) { add(now) }, DeleteFunc: add})
	var mutex sync.Mutex
	tries := map[string]int{}
	work := func() {
		for {
			key, over := queue.Get()
			if over {
				return
			}
			cached := revisionIn(informer.GetStore(), key)
			diary.write(&diary.work, Call{Type: "taken", Key: key})
			if client.Takes > 0 {
				time.Sleep(time.Duration(client.Takes))
			}
			mutex.Lock()
			tries[key]++
			failed := tries[key] <= client.Failures
			mutex.Unlock()
			diary.write(&diary.work, Call{Type: "done", Key: key, Cached: cached})
			if failed {
				diary.write(&diary.work, Call{Type: "added", Key: key})
				queue.AddRateLimited(key)
			} else {
				queue.Forget(key)
			}
			queue.Done(key)
		}
	}
	return machine{stored: informer.GetStore().List, keeps: informer.GetStore(), synced: informer.HasSynced,
		run: func(stop <-chan struct{}) string {
			tasks := []<-chan struct{}{inBackground(func() { informer.Run(stop) }), inBackground(func() {
				<-stop
				if client.Drains {
					queue.ShutDownWithDrain()
				} else {
					queue.ShutDown()
				}
			})}
			for i := 0; i < client.Workers; i++ {
				tasks = append(tasks, inBackground(work))
			}
			waitForAll(tasks)
			return ""
		}}
}
