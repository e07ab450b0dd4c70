// Clause: -
// Symptom: While the server refuses its requests, it sends the next one at once, hundreds in a second.
// Hint: How long does a name wait in the queue after it has failed?
// Real: requeue storms on conflicts and overloaded servers

// Package controller keeps as many Pods as each ConfigMap asks for.
package controller

import (
	"context"
	"strconv"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	cluster "controllers"
)

// memberLabel names the ConfigMap that a Pod is for.
const memberLabel = "member-of"

type podSets struct {
	cluster    *cluster.Cluster
	configMaps cache.SharedIndexInformer
	queue      workqueue.TypedRateLimitingInterface[string]
	last       map[string]int // of each ConfigMap, the last number that was given
}

// Run works until ctx ends.
func Run(ctx context.Context, connected *cluster.Cluster) error {
	s := &podSets{
		cluster:    connected,
		configMaps: connected.ConfigMapInformer(),
		queue: workqueue.NewTypedRateLimitingQueue(
			workqueue.DefaultTypedControllerRateLimiter[string]()),
		last: map[string]int{},
	}
	pods := connected.PodInformer()
	add := func(object any) {
		if name, err := cache.DeletionHandlingObjectToName(object); err == nil {
			s.queue.Add(name.Name)
		}
	}
	ofPod := func(object any) {
		if name, err := cache.DeletionHandlingObjectToName(object); err == nil {
			s.queue.Add(name.Name[:max(strings.LastIndex(name.Name, "-"), 0)])
		}
	}
	if _, err := s.configMaps.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: add, UpdateFunc: func(_, object any) { add(object) }}); err != nil {
		return err
	}
	if _, err := pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: ofPod}); err != nil {
		return err
	}
	var tasks sync.WaitGroup
	defer tasks.Wait()
	tasks.Go(func() { s.configMaps.RunWithContext(ctx) })
	tasks.Go(func() { pods.RunWithContext(ctx) })
	tasks.Go(func() { <-ctx.Done(); s.queue.ShutDown() })
	if !cache.WaitForCacheSync(ctx.Done(), s.configMaps.HasSynced) {
		return nil
	}
	for {
		name, over := s.queue.Get()
		if over {
			return nil
		}
		if err := s.keep(ctx, name); err != nil {
			s.queue.Add(name) // again
		} else {
			s.queue.Forget(name)
		}
		s.queue.Done(name)
	}
}

// keep makes what the server lacks.
func (s *podSets) keep(ctx context.Context, name string) error {
	object, exists, err := s.configMaps.GetStore().GetByKey(cluster.Namespace + "/" + name)
	if err != nil || !exists {
		return err
	}
	pods, err := s.cluster.Pods.List(ctx, metav1.ListOptions{LabelSelector: memberLabel + "=" + name})
	if err != nil {
		return err
	}
	for _, pod := range pods.Items {
		number, _ := strconv.Atoi(strings.TrimPrefix(pod.Name, name+"-"))
		s.last[name] = max(s.last[name], number)
	}
	wanted, _ := strconv.Atoi(object.(*corev1.ConfigMap).Data["pods"])
	for count := len(pods.Items); count < wanted; count++ {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Name:   name + "-" + strconv.Itoa(s.last[name]+1),
			Labels: map[string]string{memberLabel: name}}}
		if _, err := s.cluster.Pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
			return err
		}
		s.last[name]++
	}
	return nil
}
