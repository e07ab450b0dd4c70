package sieve

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// body records how the body of a response ends.
type body struct {
	io.ReadCloser
	broken func(error)
}

func (b *body) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	if err != nil && err != io.EOF {
		b.broken(err)
	}
	return n, err
}

// statefulSets does as much of Kubernetes' StatefulSet controller as operators need: pods in order, each with its
// claims, which stay when the pod goes. It never crashes.
func statefulSets(ctx context.Context, cfg *rest.Config) {
	clients := kubernetes.NewForConfigOrDie(cfg)
	factory := informers.NewSharedInformerFactoryWithOptions(clients, 0, informers.WithNamespace(namespace))
	sets, pods := factory.Apps().V1().StatefulSets(), factory.Core().V1().Pods()
	wake := make(chan struct{}, 1)
	changed := func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
	for _, each := range []cache.SharedIndexInformer{sets.Informer(), pods.Informer()} {
		_, _ = each.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { changed() },
			UpdateFunc: func(any, any) { changed() }, DeleteFunc: func(any) { changed() }})
	}
	factory.Start(ctx.Done())
	defer factory.Shutdown()
	factory.WaitForCacheSync(ctx.Done())
	for {
		select {
		case <-ctx.Done():
			return
		case <-wake:
		}
		all, _ := sets.Lister().List(labels.Everything())
		for _, set := range all {
			if err := syncSet(ctx, clients, set.DeepCopy(), pods.Lister().Pods(namespace).Get); err != nil {
				time.AfterFunc(time.Second, changed)
			}
		}
	}
}

func syncSet(ctx context.Context, clients kubernetes.Interface, set *appsv1.StatefulSet,
	pod func(name string) (*corev1.Pod, error)) error {
	if set.DeletionTimestamp != nil {
		return nil
	}
	status := appsv1.StatefulSetStatus{ObservedGeneration: set.Generation}
	isStable := true
	for i := range int32(9) {
		there, err := pod(fmt.Sprintf("%s-%d", set.Name, i))
		if err == nil {
			status.Replicas++
			if isReady(there) {
				status.ReadyReplicas++
			}
		}
		switch isWanted := i < *set.Spec.Replicas; {
		case isWanted && err != nil && isStable:
			if err := makePod(ctx, clients, set, i); err != nil {
				return err
			}
			isStable = false
		case err == nil && (there.DeletionTimestamp != nil || isWanted && !isReady(there)):
			isStable = false
		}
	}
	for i := status.Replicas + 8; i >= *set.Spec.Replicas && isStable; i-- {
		if there, err := pod(fmt.Sprintf("%s-%d", set.Name, i)); err == nil {
			isStable = false
			err := clients.CoreV1().Pods(namespace).Delete(ctx, there.Name, metav1.DeleteOptions{})
			if err != nil && !apierrors.IsNotFound(err) {
				return err
			}
		}
	}
	if set.Status.Replicas == status.Replicas && set.Status.ReadyReplicas == status.ReadyReplicas {
		return nil
	}
	set.Status = status
	_, err := clients.AppsV1().StatefulSets(namespace).UpdateStatus(ctx, set, metav1.UpdateOptions{})
	return err
}

func makePod(ctx context.Context, clients kubernetes.Interface, set *appsv1.StatefulSet, i int32) error {
	pod := &corev1.Pod{ObjectMeta: *set.Spec.Template.ObjectMeta.DeepCopy(), Spec: *set.Spec.Template.Spec.DeepCopy()}
	pod.Name, pod.Namespace = fmt.Sprintf("%s-%d", set.Name, i), namespace
	pod.OwnerReferences = []metav1.OwnerReference{
		*metav1.NewControllerRef(set, appsv1.SchemeGroupVersion.WithKind("StatefulSet"))}
	for _, template := range set.Spec.VolumeClaimTemplates {
		claim := template.DeepCopy()
		claim.Name, claim.Namespace = fmt.Sprintf("%s-%s", template.Name, pod.Name), namespace
		_, err := clients.CoreV1().PersistentVolumeClaims(namespace).Create(ctx, claim, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
	}
	_, err := clients.CoreV1().Pods(namespace).Create(ctx, pod, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

func isReady(pod *corev1.Pod) bool {
	for _, each := range pod.Status.Conditions {
		if each.Type == corev1.PodReady {
			return each.Status == corev1.ConditionTrue && pod.DeletionTimestamp == nil
		}
	}
	return false
}

// ordinal is the number at the end of a claim's name.
func ordinal(name string) int32 {
	var number int32
	_, _ = fmt.Sscan(name[strings.LastIndex(name, "-")+1:], &number)
	return number
}
