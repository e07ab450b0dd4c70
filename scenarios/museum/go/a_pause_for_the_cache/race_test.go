// Order: 540
// Bug: G5
// Needs: S, T
// Fails: failure: creates web, which the server has
// Upstream: a wrong use of client-go's informer, which is itself unmodified here

package museum

import (
	"context"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	watchlab "example.org/watchlab/goroutines"
)

// onePod lists a Pod, and its watch says nothing.
type onePod struct{}

func (onePod) IsWatchListSemanticsUnSupported() bool { return true }

func (onePod) List(metav1.ListOptions) (runtime.Object, error) {
	return &v1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "1"},
		Items: []v1.Pod{{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "demo", ResourceVersion: "1"}}}}, nil
}

func (onePod) Watch(metav1.ListOptions) (watch.Interface, error) { return watch.NewFake(), nil }

func reconcileAfterAPause(mended bool) func(*testing.T) {
	return func(t *testing.T) {
		informer := cache.NewSharedIndexInformer(onePod{}, &v1.Pod{}, 0, cache.Indexers{})
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() {
			informer.RunWithContext(ctx)
			close(done)
		}()
		if mended {
			cache.WaitForCacheSync(ctx.Done(), informer.HasSynced)
		} else {
			time.Sleep(100 * time.Millisecond) // the first list is surely there by now
		}
		if _, exists, _ := informer.GetStore().GetByKey("demo/web"); !exists {
			t.Error("creates web, which the server has")
		}
		cancel()
		<-done
	}
}

func TestBroken(t *testing.T) { watchlab.Explore(t, reconcileAfterAPause(false), watchlab.Options{}) }

func TestMended(t *testing.T) { watchlab.Explore(t, reconcileAfterAPause(true), watchlab.Options{}) }
