// Breaks: it counts the Pods of its cache, and remembers those that it has made until they are in it.

// Package controller keeps as many Pods as each ConfigMap asks for.
package controller

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	cluster "controllers"
)

// setLabel names the ConfigMap that a Pod belongs to.
const setLabel = "set"

// What was made and is not seen for so long is given up: it may have come and gone unseen.
const awaitedMax = 5 * time.Minute

type controller struct {
	cluster    *cluster.Cluster
	configMaps cache.SharedIndexInformer
	pods       cache.SharedIndexInformer
	queue      workqueue.TypedRateLimitingInterface[string] // names of ConfigMaps

	mu      sync.Mutex
	highest map[string]int                  // the last number of each ConfigMap's Pods
	awaited map[string]map[string]time.Time // the Pods that it has made and not seen
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
		awaited: map[string]map[string]time.Time{},
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
		c.mu.Lock()
		delete(c.awaited[pod.Labels[setLabel]], pod.Name)
		c.mu.Unlock()
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
		c.await(name, pod)
	}
	return nil
}

// count is how many Pods there are: those in the cache, and those that are not in it yet.
func (c *controller) count(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	count := 0
	for _, object := range c.pods.GetStore().List() {
		pod := object.(*corev1.Pod)
		if pod.Labels[setLabel] == name {
			number, _ := strconv.Atoi(strings.TrimPrefix(pod.Name, name+"-"))
			c.highest[name] = max(c.highest[name], number)
			delete(c.awaited[name], pod.Name)
			count++
		}
	}
	for pod, since := range c.awaited[name] {
		if time.Since(since) > awaitedMax {
			delete(c.awaited[name], pod)
		}
	}
	return count + len(c.awaited[name])
}

func (c *controller) next(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.highest[name]++
	return c.highest[name]
}

// giveBack takes back the last number: nothing was made.
func (c *controller) giveBack(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.highest[name]--
}

func (c *controller) await(name, pod string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.awaited[name] == nil {
		c.awaited[name] = map[string]time.Time{}
	}
	c.awaited[name][pod] = time.Now()
}
