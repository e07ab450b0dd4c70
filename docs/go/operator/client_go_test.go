package operator

import (
	"context"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	informers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"example.org/watchlab"
)

func TestClientGo(t *testing.T) {
	watchlab.Test(t, watchlab.Options{Scenario: "client_go.yaml"}, func(
		ctx context.Context, cfg *rest.Config, note watchlab.Note) {
		clients, err := kubernetes.NewForConfig(cfg)
		if err != nil {
			note("no clients: %v", err)
			return
		}
		anyKind, err := dynamic.NewForConfig(cfg)
		if err != nil {
			note("no client: %v", err)
			return
		}
		o := &operator{
			clients: clients,
			note:    note,
			widgets: dynamicinformer.NewFilteredDynamicInformer(
				anyKind, group.WithResource("widgets"), namespace, 0, cache.Indexers{}, nil).Informer(),
			pods: informers.NewPodInformer(clients, namespace, 0, nil),
			queue: workqueue.NewTypedRateLimitingQueue(
				workqueue.DefaultTypedControllerRateLimiter[string]()),
		}
		o.run(ctx)
	})
}

// operator takes the names of Widgets from a queue.
type operator struct {
	clients kubernetes.Interface
	note    watchlab.Note
	widgets cache.SharedIndexInformer
	pods    cache.SharedIndexInformer
	queue   workqueue.TypedRateLimitingInterface[string]
}

func (o *operator) run(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	o.widgets.AddEventHandler(onEach(func(object any) {
		if name, err := cache.DeletionHandlingObjectToName(object); err == nil {
			o.queue.Add(name.Name)
		}
	}))
	o.pods.AddEventHandler(onEach(func(object any) {
		if unseen, ok := object.(cache.DeletedFinalStateUnknown); ok {
			object = unseen.Obj
		}
		if pod, ok := object.(*corev1.Pod); ok {
			o.queue.Add(pod.Labels[label])
		}
	}))
	running.Go(func() { o.widgets.RunWithContext(ctx) })
	running.Go(func() { o.pods.RunWithContext(ctx) })
	running.Go(func() { <-ctx.Done(); o.queue.ShutDown() })
	if !cache.WaitForCacheSync(ctx.Done(), o.widgets.HasSynced, o.pods.HasSynced) {
		return
	}
	for {
		name, over := o.queue.Get()
		if over {
			return
		}
		if err := o.reconcile(ctx, name); err != nil {
			o.queue.AddRateLimited(name)
		} else {
			o.queue.Forget(name)
		}
		o.queue.Done(name)
	}
}

func onEach(call func(any)) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: call, UpdateFunc: func(_, object any) { call(object) }, DeleteFunc: call}
}

func (o *operator) reconcile(ctx context.Context, name string) error {
	object, _, err := o.widgets.GetStore().GetByKey(namespace + "/" + name)
	if err != nil {
		return err
	}
	widget, _ := object.(*unstructured.Unstructured)
	var there []string
	for _, each := range o.pods.GetStore().List() {
		if pod := each.(*corev1.Pod); pod.Labels[label] == name {
			there = append(there, pod.Name)
		}
	}
	missing, extra := plan(name, widget, there)
	pods := o.clients.CoreV1().Pods(namespace)
	for _, each := range missing {
		_, err := pods.Create(ctx, podOf(name, each), metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
		o.note("made %s", each)
	}
	for _, each := range extra {
		if err := pods.Delete(ctx, each, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
		o.note("removed %s", each)
	}
	return nil
}
