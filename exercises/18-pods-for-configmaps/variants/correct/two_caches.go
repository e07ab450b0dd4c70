// Breaks: it watches the Pods as well, and decides by its two caches alone.

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

// ownerLabel names the ConfigMap of a Pod, by its uid.
const ownerLabel = "owner"

type podKeeper struct {
	cluster *cluster.Cluster
	wanted  cache.SharedIndexInformer // ConfigMaps
	running cache.SharedIndexInformer // Pods
	queue   workqueue.TypedRateLimitingInterface[cache.ObjectName]
}

// Run works until ctx ends.
func Run(ctx context.Context, connected *cluster.Cluster) error {
	k := &podKeeper{
		cluster: connected,
		wanted:  connected.ConfigMapInformer(),
		running: connected.PodInformer(),
		queue: workqueue.NewTypedRateLimitingQueue(
			workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName]()),
	}
	handler := cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { k.add(object) },
		UpdateFunc: func(_, object any) { k.add(object) },
		DeleteFunc: func(object any) { k.add(object) },
	}
	var tasks sync.WaitGroup
	defer tasks.Wait()
	for _, informer := range []cache.SharedIndexInformer{k.wanted, k.running} {
		if _, err := informer.AddEventHandler(handler); err != nil {
			return err
		}
		tasks.Go(func() { informer.RunWithContext(ctx) })
	}
	tasks.Go(func() { <-ctx.Done(); k.queue.ShutDown() })
	if !cache.WaitForCacheSync(ctx.Done(), k.wanted.HasSynced, k.running.HasSynced) {
		return nil
	}
	for {
		name, over := k.queue.Get()
		if over {
			return nil
		}
		if err := k.keep(ctx, name); err != nil {
			k.queue.AddRateLimited(name)
		} else {
			k.queue.Forget(name)
		}
		k.queue.Done(name)
	}
}

func (k *podKeeper) add(object any) {
	if name, err := cache.DeletionHandlingObjectToName(object); err == nil {
		k.queue.Add(name)
	}
}

// keep makes or removes one Pod; what it has done comes back as an event, and so does its next call.
func (k *podKeeper) keep(ctx context.Context, name cache.ObjectName) error {
	configMap, wanted, err := k.wanted.GetStore().GetByKey(name.String())
	if err != nil {
		return err
	}
	pod, runs, err := k.running.GetStore().GetByKey(name.String())
	if err != nil {
		return err
	}
	switch {
	case wanted && !runs:
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name.Name, Labels: map[string]string{
			ownerLabel: string(configMap.(*corev1.ConfigMap).UID)}}}
		_, err = k.cluster.Pods.Create(ctx, pod, metav1.CreateOptions{})
	case runs && !(wanted && isOf(pod.(*corev1.Pod), configMap.(*corev1.ConfigMap))):
		uid := pod.(*corev1.Pod).UID
		err = k.cluster.Pods.Delete(ctx, name.Name, metav1.DeleteOptions{
			Preconditions: &metav1.Preconditions{UID: &uid}})
	}
	if apierrors.IsAlreadyExists(err) || apierrors.IsNotFound(err) {
		return nil // the cache is behind, and its event is on the way
	}
	return err
}

func isOf(pod *corev1.Pod, configMap *corev1.ConfigMap) bool {
	return pod.Labels[ownerLabel] == string(configMap.UID)
}
