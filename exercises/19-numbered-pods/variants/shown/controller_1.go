// Clause: -
// Symptom: A second look at a ConfigMap, a moment after the first, makes its Pods once more.
// Hint: What does the cache of Pods show right after a Pod was made?
// Real: stale reads after writes, for which Kubernetes' controllers have expectations

// Package controller keeps as many Pods as each ConfigMap asks for.
package controller

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	cluster "controllers"
)

// setLabel names the ConfigMap that a Pod belongs to.
const setLabel = "set"

type controller struct {
	cluster    *cluster.Cluster
	configMaps cache.SharedIndexInformer
	pods       cache.SharedIndexInformer
	queue      workqueue.TypedRateLimitingInterface[string] // names of ConfigMaps

	highest map[string]int // the last number of each ConfigMap's Pods
}

// Run works until ctx ends.
func Run(ctx context.Context, connected *cluster.Cluster) error {
	c := &controller{
		cluster:    connected,
		configMaps: connected.ConfigMapInformer(),
		pods:       connected.PodInformer(),
		queue: workqueue.NewTypedRateLimitingQueue(
			workqueue.DefaultTypedControllerRateLimiter[string]()),
		highest: map[string]int{},
	}
	_, err := c.configMaps.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { c.queue.Add(object.(*corev1.ConfigMap).Name) },
		UpdateFunc: func(_, object any) { c.queue.Add(object.(*corev1.ConfigMap).Name) },
	})
	if err != nil {
		return err
	}
	if _, err = c.pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: c.podGone}); err != nil {
		return err
	}
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() { c.configMaps.RunWithContext(ctx) })
	running.Go(func() { c.pods.RunWithContext(ctx) })
	running.Go(func() { <-ctx.Done(); c.queue.ShutDown() })
	if !cache.WaitForCacheSync(ctx.Done(), c.configMaps.HasSynced, c.pods.HasSynced) {
		return nil
	}
	for c.work(ctx) {
	}
	return nil
}

// podGone wants another Pod in the place of one that went. What was missed comes as its last state.
func (c *controller) podGone(object any) {
	if unseen, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = unseen.Obj
	}
	if pod, ok := object.(*corev1.Pod); ok && pod.Labels[setLabel] != "" {
		c.queue.Add(pod.Labels[setLabel])
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

// reconcile makes the Pods that are missing; each has the number after the last one.
func (c *controller) reconcile(ctx context.Context, name string) error {
	object, exists, err := c.configMaps.GetStore().GetByKey(cluster.Namespace + "/" + name)
	if err != nil || !exists {
		return err
	}
	wanted, _ := strconv.Atoi(object.(*corev1.ConfigMap).Data["pods"])
	for missing := wanted - c.count(name); missing > 0; missing-- {
		pod := fmt.Sprintf("%s-%d", name, c.next(name))
		_, err := c.cluster.Pods.Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Name: pod, Labels: map[string]string{setLabel: name}}}, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			c.giveBack(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// count is how many Pods there are.
func (c *controller) count(name string) int {
	count := 0
	for _, object := range c.pods.GetStore().List() {
		pod := object.(*corev1.Pod)
		if pod.Labels[setLabel] == name {
			number, _ := strconv.Atoi(strings.TrimPrefix(pod.Name, name+"-"))
			c.highest[name] = max(c.highest[name], number)
			count++
		}
	}
	return count
}

func (c *controller) next(name string) int {
	c.highest[name]++
	return c.highest[name]
}

// giveBack takes back the last number: nothing was made.
func (c *controller) giveBack(name string) {
	c.highest[name]--
}
