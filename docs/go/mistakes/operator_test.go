// Package mistakes has six controllers, each with a mistake that real ones have had. With MISTAKE=none
// in the environment each of them is without it. The stories beside them are blank: good weather. The
// mistakes show when `watchlab fuzz --client go` draws other weather around them.
package mistakes

import (
	"context"
	"os"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	informers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"example.org/watchlab"
)

const namespace = "default"

// isRight says whether the controllers are without their mistakes.
var isRight = os.Getenv("MISTAKE") == "none"

// Lists are LISTs, as a story names them, and no streams.
func init() { os.Setenv("KUBE_FEATURE_WatchListClient", "false") }

// operator is what the controllers have in common: caches, and a queue of the names of ConfigMaps.
type operator struct {
	configMaps corev1.ConfigMapInterface
	pods       corev1.PodInterface
	wishes     cache.SharedIndexInformer // ConfigMaps
	running    cache.SharedIndexInformer // Pods
	queue      workqueue.TypedRateLimitingInterface[string]
}

// program is a test that plays the story of that name with a controller.
func program(t *testing.T, story string, run func(context.Context, *operator)) {
	watchlab.Test(t, watchlab.Options{Scenario: story}, func(ctx context.Context, cfg *rest.Config, note watchlab.Note) {
		clients, err := kubernetes.NewForConfig(cfg)
		if err != nil {
			note("no clients: %v", err)
			return
		}
		o := &operator{
			configMaps: clients.CoreV1().ConfigMaps(namespace),
			pods:       clients.CoreV1().Pods(namespace),
			wishes:     informers.NewConfigMapInformer(clients, namespace, 0, nil),
			running:    informers.NewPodInformer(clients, namespace, 0, nil),
			queue: workqueue.NewTypedRateLimitingQueue(
				workqueue.DefaultTypedControllerRateLimiter[string]()),
		}
		run(ctx, o)
	})
}

// add takes what a handler is given: an object, or what is known of one that was deleted unseen.
func (o *operator) add(object any) {
	if name, err := cache.DeletionHandlingObjectToName(object); err == nil {
		o.queue.Add(name.Name)
	}
}

// onWishes are the calls that an event of a ConfigMap needs.
func (o *operator) onWishes() cache.ResourceEventHandlerFuncs {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: o.add, UpdateFunc: func(_, object any) { o.add(object) }, DeleteFunc: o.add}
}

// work waits for the caches that are named, and then for names until ctx ends. What is done when one
// has failed is said by `failed`.
func (o *operator) work(ctx context.Context, reconcile func(context.Context, string) error,
	failed func(name string), synced ...cache.InformerSynced) {
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() { o.wishes.RunWithContext(ctx) })
	running.Go(func() { o.running.RunWithContext(ctx) })
	running.Go(func() { <-ctx.Done(); o.queue.ShutDown() })
	if !cache.WaitForCacheSync(ctx.Done(), synced...) {
		return
	}
	for {
		name, over := o.queue.Get()
		if over {
			return
		}
		if err := reconcile(ctx, name); err != nil {
			failed(name)
		} else {
			o.queue.Forget(name)
		}
		o.queue.Done(name)
	}
}

// labelled is the metadata of a Pod of a ConfigMap.
func labelled(name, of string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: name, Labels: map[string]string{"of": of}}
}
