// An informer of client-go, unmodified, in a story of watchlab.
package informer

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"example.org/watchlab"
)

func TestInformer(t *testing.T) {
	watchlab.Test(t, watchlab.Options{Scenario: "informer.yaml"}, watch)
}

// watch says what a handler is told of ConfigMaps.
func watch(ctx context.Context, cfg *rest.Config, note watchlab.Note) {
	clients, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		note("no clients: %v", err)
		return
	}
	factory := informers.NewSharedInformerFactory(clients, 0)
	informer := factory.Core().V1().ConfigMaps().Informer()
	handler, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { note("added %s", o.(*corev1.ConfigMap).Name) },
		UpdateFunc: func(_, o any) { note("updated %s", o.(*corev1.ConfigMap).Name) },
		DeleteFunc: func(o any) {
			if tombstone, ok := o.(cache.DeletedFinalStateUnknown); ok {
				note("deleted %s, seen late", tombstone.Key)
				return
			}
			note("deleted %s", o.(*corev1.ConfigMap).Name)
		},
	})
	if err != nil {
		note("no handler: %v", err)
		return
	}
	factory.Start(ctx.Done())
	if cache.WaitForCacheSync(ctx.Done(), handler.HasSynced) {
		note("synced")
	}
	<-ctx.Done()
	factory.Shutdown()
}
