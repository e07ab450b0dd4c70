// Measures client-go in the way in which watchlab-bench measures watchlab, and prints a JSON line for
// each number. ./dev bench calls it and shows both side by side.
package main

import (
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
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
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
	line, _ := json.Marshal(row{release + "." + name, unit, values[repetitions/2], values[0],
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

// notify measures how long it takes from the first event until every handler has heard the last.
// begin sends what has to come before the first event.
func notify(handlers, count int, begin func(events chan<- watch.Event)) float64 {
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
	begin(events)
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

func main() {
	measure(makeObjects())
}
