// Measures client-go in the way in which watchlab-bench measures watchlab, and prints a JSON line for
// each number. ./watchlab bench calls it and shows both side by side.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"sort"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	kjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/cache"
)

const (
	objectCount    = 100_000
	namespaceCount = 100
	repetitions    = 7
	notifications  = 20_000
)

type row struct {
	Name        string  `json:"name"`
	Unit        string  `json:"unit"`
	Median      float64 `json:"median"`
	Lowest      float64 `json:"lowest"`
	Highest     float64 `json:"highest"`
	Repetitions int     `json:"repetitions"`
}

// report calls once eight times, of which the first warms up, and prints the median.
func report(name, unit string, once func() float64) {
	once()
	values := make([]float64, 0, repetitions)
	for i := 0; i < repetitions; i++ {
		runtime.GC()
		values = append(values, once())
	}
	sort.Float64s(values)
	line, _ := json.Marshal(row{"client-go." + name, unit, values[repetitions/2], values[0],
		values[repetitions-1], repetitions})
	fmt.Println(string(line))
}

func nanoseconds(work func()) float64 {
	start := time.Now()
	work()
	return float64(time.Since(start).Nanoseconds())
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func keyNumber(i int) string {
	return fmt.Sprintf("namespace-%d/object-%d", i%namespaceCount, i)
}

func makeObject(i int) *corev1.ConfigMap {
	created := metav1.NewTime(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	return &corev1.ConfigMap{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{
			Name:              fmt.Sprintf("object-%d", i),
			Namespace:         fmt.Sprintf("namespace-%d", i%namespaceCount),
			UID:               types.UID(fmt.Sprintf("00000000-0000-0000-0000-%d", 100_000_000_000+i)),
			ResourceVersion:   fmt.Sprintf("%d", 1000+i),
			CreationTimestamp: created,
			Labels:            map[string]string{"app": "web", "tier": "front"},
		},
		Data: map[string]string{"text": strings.Repeat("x", 700)},
	}
}

func makeObjects() []interface{} {
	objects := make([]interface{}, objectCount)
	for i := range objects {
		objects[i] = makeObject(i)
	}
	return objects
}

func measureStore(objects []interface{}) {
	store := cache.NewIndexer(cache.MetaNamespaceKeyFunc,
		cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	must(store.Replace(objects, "1"))
	keys := make([]string, objectCount)
	for i := range keys {
		keys[i] = keyNumber(i * 7919 % objectCount)
	}
	report("stores.get", "ns", func() float64 {
		return nanoseconds(func() {
			for _, key := range keys {
				if _, exists, _ := store.GetByKey(key); !exists {
					panic(key)
				}
			}
		}) / objectCount
	})
	report("stores.by_index", "ns/object", func() float64 {
		return nanoseconds(func() {
			for i := 0; i < namespaceCount; i++ {
				_, err := store.ByIndex(cache.NamespaceIndex, fmt.Sprintf("namespace-%d", i))
				must(err)
			}
		}) / objectCount
	})
	report("stores.list", "ns/object", func() float64 {
		return nanoseconds(func() { _ = store.List() }) / objectCount
	})
	report("stores.replace", "ns/object", func() float64 {
		return nanoseconds(func() { must(store.Replace(objects, "2")) }) / objectCount
	})
}

func addAndPop(queue cache.Queue, objects []interface{}) float64 {
	return nanoseconds(func() {
		for _, object := range objects {
			must(queue.Add(object))
		}
		for range objects {
			_, err := queue.Pop(func(interface{}, bool) error { return nil })
			must(err)
		}
	}) / objectCount
}

func measureQueues(objects []interface{}) {
	report("queues.fifo", "ns/object", func() float64 {
		return addAndPop(cache.NewFIFO(cache.MetaNamespaceKeyFunc), objects)
	})
	report("queues.delta_fifo", "ns/object", func() float64 {
		return addAndPop(cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{
			KeyFunction: cache.MetaNamespaceKeyFunc}), objects)
	})
}

func listText() []byte {
	list := corev1.ConfigMapList{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMapList"},
		ListMeta: metav1.ListMeta{ResourceVersion: "200000"},
	}
	for i := 0; i < objectCount; i++ {
		list.Items = append(list.Items, *makeObject(i))
	}
	text, err := json.Marshal(list)
	must(err)
	return text
}

func decode(text []byte) *corev1.ConfigMapList {
	serializer := kjson.NewSerializerWithOptions(kjson.DefaultMetaFactory, scheme.Scheme,
		scheme.Scheme, kjson.SerializerOptions{})
	object, _, err := serializer.Decode(bytes.Clone(text), nil, nil)
	must(err)
	return object.(*corev1.ConfigMapList)
}

// reflect lists once from the text into a store and ends when the watch is asked for.
func reflect(text []byte) cache.Store {
	stop := make(chan struct{})
	store := cache.NewStore(cache.MetaNamespaceKeyFunc)
	source := &cache.ListWatch{
		ListFunc: func(metav1.ListOptions) (kruntime.Object, error) { return decode(text), nil },
		WatchFunc: func(metav1.ListOptions) (watch.Interface, error) {
			close(stop)
			return watch.NewFake(), nil
		},
	}
	cache.NewReflector(source, &corev1.ConfigMap{}, store, 0).Run(stop)
	if len(store.ListKeys()) != objectCount {
		panic("the list is not complete")
	}
	return store
}

func measureJSON() {
	text := listText()
	report("json.read_list", "ns/object", func() float64 {
		return nanoseconds(func() { decode(text) }) / objectCount
	})
	report("json.reflector_list", "ns/object", func() float64 {
		return nanoseconds(func() { reflect(text) }) / objectCount
	})
	report("memory.cached_object", "bytes", func() float64 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		store := reflect(text)
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(store)
		return float64(int64(after.HeapAlloc)-int64(before.HeapAlloc)) / objectCount
	})
}

// notify measures how long it takes from the first event until every handler has heard the last.
func notify(handlers, count int) float64 {
	events := make(chan watch.Event)
	source := &cache.ListWatch{
		ListFunc: func(metav1.ListOptions) (kruntime.Object, error) {
			return &corev1.ConfigMapList{ListMeta: metav1.ListMeta{ResourceVersion: "1"}}, nil
		},
		WatchFunc: func(metav1.ListOptions) (watch.Interface, error) {
			return watch.NewProxyWatcher(events), nil
		},
	}
	informer := cache.NewSharedIndexInformer(source, &corev1.ConfigMap{}, 0, cache.Indexers{})
	var heard sync.WaitGroup
	heard.Add(handlers * count)
	for i := 0; i < handlers; i++ {
		_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc: func(interface{}) { heard.Done() }})
		must(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go informer.Run(ctx.Done())
	cache.WaitForCacheSync(ctx.Done(), informer.HasSynced)
	objects := make([]*corev1.ConfigMap, count)
	for i := range objects {
		objects[i] = makeObject(i)
	}
	return nanoseconds(func() {
		for _, object := range objects {
			events <- watch.Event{Type: watch.Added, Object: object}
		}
		heard.Wait()
	}) / float64(count)
}

// hop measures a value that one goroutine sends and another receives.
func hop(count int) float64 {
	values, ended := make(chan int), make(chan struct{})
	go func() {
		for range values {
		}
		close(ended)
	}()
	return nanoseconds(func() {
		for i := 0; i < count; i++ {
			values <- i
		}
		close(values)
		<-ended
	}) / float64(count)
}

// startAndEnd measures a goroutine from its start until another one knows of its end.
func startAndEnd(count int) float64 {
	ran := 0
	return nanoseconds(func() {
		for i := 0; i < count; i++ {
			ended := make(chan struct{})
			go func() {
				ran++
				close(ended)
			}()
			<-ended
		}
	}) / float64(count)
}

func main() {
	objects := makeObjects()
	measureStore(objects)
	measureQueues(objects)
	objects = nil
	measureJSON()
	for _, handlers := range []int{1, 10, 100} {
		report(fmt.Sprintf("informers.%d_handlers", handlers), "ns/event",
			func() float64 { return notify(handlers, notifications/handlers) })
	}
	report("fibers.hop", "ns", func() float64 { return hop(1_000_000) })
	report("fibers.start_and_end", "ns", func() float64 { return startAndEnd(1_000_000) })
}
