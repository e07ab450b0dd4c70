// Package races explores unmodified client-go: which goroutine goes next is chosen in each run. docs/go-races.md. What
// was found so is in scenarios/museum/go.
package races

import (
	"context"
	"testing"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	watchlab "example.org/watchlab/goroutines"
)

// twoPods lists two Pods, and its watch says nothing.
type twoPods struct{}

func (twoPods) IsWatchListSemanticsUnSupported() bool { return true }

func (twoPods) List(metav1.ListOptions) (runtime.Object, error) {
	list := &v1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "1"}}
	for _, name := range []string{"a", "b"} {
		list.Items = append(list.Items, v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "demo", ResourceVersion: "1"}})
	}
	return list, nil
}

func (twoPods) Watch(metav1.ListOptions) (watch.Interface, error) { return watch.NewFake(), nil }

// An informer starts, is in sync, and stops. There is no bug in it that we know of.
func TestInformerStops(t *testing.T) {
	watchlab.Explore(t, func(t *testing.T) {
		informer := cache.NewSharedIndexInformer(twoPods{}, &v1.Pod{}, 0, cache.Indexers{})
		added := make(chan string, 2)
		informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(object any) {
			added <- object.(*v1.Pod).Name
		}})
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() {
			informer.RunWithContext(ctx)
			close(done)
		}()
		if names := <-added + <-added; names != "ab" && names != "ba" {
			t.Errorf("added: %s", names)
		}
		if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
			t.Error("not in sync")
		}
		cancel()
		<-done
	}, watchlab.Options{})
}
