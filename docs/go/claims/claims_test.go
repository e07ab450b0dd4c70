// A controller of two workers, with a race between them that the usual order of goroutines hides.
package claims

import (
	"context"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"example.org/watchlab"
)

func TestClaims(t *testing.T) {
	watchlab.Test(t, watchlab.Options{Scenario: "claims.yaml"}, runWorkers)
}

// seat is one that a single ConfigMap can have.
type seat struct {
	lock  sync.Mutex
	owner string
}

func (s *seat) isTaken() bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.owner != ""
}

func (s *seat) take(key string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.owner = key
}

// claim takes the seat for the key, if it is free. The bug: between the look and the claim, another worker can look.
func (s *seat) claim(key string) bool {
	if s.isTaken() {
		return false
	}
	s.take(key)
	return true
}

// runWorkers gives the seat to the first ConfigMap that asks for it.
func runWorkers(ctx context.Context, cfg *rest.Config, note watchlab.Note) {
	client, err := clientOf(cfg)
	if err != nil {
		note("no client: %v", err)
		return
	}
	queue := make(chan string, 16)
	put := func(object any) {
		if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object); err == nil {
			queue <- key
		}
	}
	source := cache.NewListWatchFromClient(client, "configmaps", metav1.NamespaceAll, fields.Everything())
	informer := cache.NewSharedInformer(source, &corev1.ConfigMap{}, 0)
	informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: put})

	var only seat
	var all sync.WaitGroup
	all.Go(func() { informer.RunWithContext(ctx) })
	for range 2 {
		all.Go(func() {
			for {
				select {
				case key := <-queue:
					if only.claim(key) {
						note("%s has the seat", key)
					}
				case <-ctx.Done():
					return
				}
			}
		})
	}
	all.Wait()
}

// clientOf has no types but those of the core group: it is built faster than a clientset.
func clientOf(cfg *rest.Config) (*rest.RESTClient, error) {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	config := rest.CopyConfig(cfg)
	config.APIPath, config.GroupVersion = "/api", &corev1.SchemeGroupVersion
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	return rest.RESTClientFor(config)
}
