// Order: 590
// Bug: G10
// Needs: S
// Fails: panic: close of closed channel
// Upstream: client-go 0.37.2, tools/cache/shared_informer.go; found by exploring it, and live
// Live: yes

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

// noPods lists nothing, and its watch says nothing.
type noPods struct{}

func (noPods) IsWatchListSemanticsUnSupported() bool { return true }

func (noPods) List(metav1.ListOptions) (runtime.Object, error) {
	return &v1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "1"}}, nil
}

func (noPods) Watch(metav1.ListOptions) (watch.Interface, error) { return watch.NewFake(), nil }

// Two run one informer, by mistake. Usually the second is told so.
func TestBroken(t *testing.T) {
	watchlab.Explore(t, func(t *testing.T) {
		informer := cache.NewSharedIndexInformer(noPods{}, &v1.Pod{}, 0, cache.Indexers{})
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		for range 2 {
			go func() {
				informer.RunWithContext(ctx)
				done <- struct{}{}
			}()
		}
		cache.WaitForCacheSync(ctx.Done(), informer.HasSynced)
		time.Sleep(20 * time.Millisecond)
		cancel()
		<-done
		<-done
	}, watchlab.Options{})
}
