//go:build modern

package conformance

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// client-go 0.33 and later: queues show nothing of what they hold, and take nothing back.

// listWatch sends no request whose context is over, as rest.Request does not.
func listWatch(server *server) *cache.ListWatch {
	return &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return server.List(options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return server.Watch(options)
		},
	}
}

func queued(queue *cache.FIFO) func() []interface{} {
	return func() []interface{} { return cache.OpenItems(queue) }
}

func putBack(*cache.FIFO, interface{}) { panic("this release takes nothing back") }

func failing(*Client, *server, *listener) (cache.Store, cache.Controller) {
	panic("this release takes nothing back")
}
