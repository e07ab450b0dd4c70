// Breaks: it asks the server for a Pod each time, and lists the Pods once, when it starts.

// Package controller runs a Pod for each ConfigMap.
package controller

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	cluster "controllers"
)

// ofLabel names the ConfigMap that a Pod is for, by its uid.
const ofLabel = "of"

type controller struct {
	cluster    *cluster.Cluster
	configMaps cache.SharedIndexInformer
	queue      workqueue.TypedRateLimitingInterface[string] // names of ConfigMaps
}

// Run works until ctx ends.
func Run(ctx context.Context, connected *cluster.Cluster) error {
	c := &controller{
		cluster:    connected,
		configMaps: connected.ConfigMapInformer(),
		queue: workqueue.NewTypedRateLimitingQueue(
			workqueue.DefaultTypedControllerRateLimiter[string]()),
	}
	if _, err := c.configMaps.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.enqueue,
		UpdateFunc: func(_, configMap any) { c.enqueue(configMap) },
		DeleteFunc: c.enqueue,
	}); err != nil {
		return err
	}
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() { c.configMaps.RunWithContext(ctx) })
	running.Go(func() { <-ctx.Done(); c.queue.ShutDown() })
	if !cache.WaitForCacheSync(ctx.Done(), c.configMaps.HasSynced) {
		return nil
	}
	running.Go(func() { c.enqueuePods(ctx) })
	for c.work(ctx) {
	}
	return nil
}

// enqueue takes what a handler is given: an object, or what is known of one that was deleted unseen.
func (c *controller) enqueue(object any) {
	key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object)
	if err != nil {
		return
	}
	_, name, _ := cache.SplitMetaNamespaceKey(key)
	c.queue.Add(name)
}

// enqueuePods brings up the Pods of an earlier life, whose ConfigMaps may be gone by now.
func (c *controller) enqueuePods(ctx context.Context) {
	for ctx.Err() == nil {
		pods, err := c.cluster.Pods.List(ctx, metav1.ListOptions{LabelSelector: ofLabel})
		if err == nil {
			for _, pod := range pods.Items {
				c.queue.Add(pod.Name)
			}
			return
		}
		cluster.Sleep(ctx)
	}
}

func (c *controller) work(ctx context.Context) bool {
	name, shutdown := c.queue.Get()
	if shutdown {
		return false
	}
	defer c.queue.Done(name)
	if err := c.reconcile(ctx, name); err != nil {
		c.queue.AddRateLimited(name)
		return true
	}
	c.queue.Forget(name)
	return true
}

// reconcile brings about what should be: a Pod for the ConfigMap that there is, and no other.
func (c *controller) reconcile(ctx context.Context, name string) error {
	object, exists, err := c.configMaps.GetStore().GetByKey(cluster.Namespace + "/" + name)
	if err != nil {
		return err
	}
	pod, err := c.cluster.Pods.Get(ctx, name, metav1.GetOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	isThere := err == nil
	uid := ""
	if exists {
		uid = string(object.(*corev1.ConfigMap).UID)
	}
	if isThere && pod.Labels[ofLabel] != uid {
		if err := c.cluster.Pods.Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
			return err
		}
		isThere = false
	}
	if exists && !isThere {
		_, err = c.cluster.Pods.Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Name: name, Labels: map[string]string{ofLabel: uid}}}, metav1.CreateOptions{})
		return err
	}
	return nil
}
