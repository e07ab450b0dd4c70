//go:build !modern

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	kjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/cache"
)

// release is what the names of all rows begin with.
const release = "client-go"

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

// measure measures all that client-go 0.32 has.
func measure(objects []interface{}) {
	measureStore(objects)
	measureQueues(objects)
	objects = nil
	measureJSON()
	for _, handlers := range []int{1, 10, 100} {
		report(fmt.Sprintf("informers.%d_handlers", handlers), "ns/event", func() float64 {
			return notify(handlers, notifications/handlers, func(chan<- watch.Event) {})
		})
	}
	report("fibers.hop", "ns", func() float64 { return hop(1_000_000) })
	report("fibers.start_and_end", "ns", func() float64 { return startAndEnd(1_000_000) })
}
