package sieve

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// inPairs makes two secrets, and takes the first one as a sign that both exist.
func inPairs(first, second string) func(context.Context, *life, *unstructured.Unstructured) error {
	return func(ctx context.Context, l *life, cr *unstructured.Unstructured) error {
		if err := l.ensure(ctx, aSecret("db-users")(cr)); err != nil {
			return err
		}
		err := l.Get(ctx, key(first), &corev1.Secret{})
		if err == nil && isMended {
			err = l.Get(ctx, key(second), &corev1.Secret{})
		}
		if apierrors.IsNotFound(err) {
			for _, each := range []string{first, second} {
				if err := l.Create(ctx, aSecret(each)(cr)); err != nil && !apierrors.IsAlreadyExists(err) {
					return err
				}
			}
		} else if err != nil {
			return err
		}
		return l.ensure(ctx, aSecret("db-key")(cr))
	}
}

// byCertManager asks for two certificates, and takes the first one's secret as a sign that it has asked for both.
func byCertManager(ctx context.Context, l *life, cr *unstructured.Unstructured) error {
	err := l.Get(ctx, key("db-ssl"), &corev1.Secret{})
	if err == nil && isMended {
		err = l.Get(ctx, key("db-ssl-internal"), object("cert-manager.io", "Certificate", ""))
	}
	if !apierrors.IsNotFound(err) {
		return err
	}
	for _, each := range []string{"db-ssl", "db-ssl-internal"} {
		certificate := object("cert-manager.io", "Certificate", each)
		if err := l.Create(ctx, certificate); err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
	}
	return nil
}

// largerClaims recreates the set, because its template cannot be changed, and changes the claims in between. It
// compares only the templates. The fixed one never makes a claim smaller, and changes the claims first.
func largerClaims(ctx context.Context, l *life, cr *unstructured.Unstructured) error {
	wanted := set(name, cr, 1)
	size := resource.MustParse(text(cr, "spec", "storage"))
	wanted.Spec.VolumeClaimTemplates[0].Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: size}
	there := &appsv1.StatefulSet{}
	if err := l.Get(ctx, key(name), there); apierrors.IsNotFound(err) {
		return l.Create(ctx, wanted)
	} else if err != nil {
		return err
	}
	compared := there.Spec.VolumeClaimTemplates[0].Spec.Resources.Requests[corev1.ResourceStorage]
	if difference := size.Cmp(compared); difference == 0 || isMended && difference < 0 {
		return nil
	}
	steps := []func() error{
		func() error { return l.orphan(ctx, there) },
		func() error { return l.enlarge(ctx, size) },
		func() error { return l.Create(ctx, wanted) },
	}
	if isMended {
		steps[0], steps[1] = steps[1], steps[0]
	}
	for _, each := range steps {
		if err := each(); err != nil {
			return err
		}
	}
	return nil
}

// orphan deletes the set and leaves its pods, then waits until the cache shows it gone.
func (l *life) orphan(ctx context.Context, set *appsv1.StatefulSet) error {
	if err := l.remove(ctx, set, client.PropagationPolicy(metav1.DeletePropagationOrphan)); err != nil {
		return err
	}
	for range 10 {
		if err := l.Get(ctx, client.ObjectKeyFromObject(set), &appsv1.StatefulSet{}); apierrors.IsNotFound(err) {
			return nil
		}
		time.Sleep(3 * time.Second)
	}
	return context.DeadlineExceeded
}

func (l *life) enlarge(ctx context.Context, size resource.Quantity) error {
	claim := &corev1.PersistentVolumeClaim{}
	if err := l.Get(ctx, key("data-db-0"), claim); err != nil {
		return err
	}
	claim.Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: size}
	return l.Update(ctx, claim)
}

// decommission removes members of a set in three rounds, and keeps its progress in the status. It finishes the second
// round with two writes.
func decommission(ctx context.Context, l *life, cr *unstructured.Unstructured) error {
	there, size := &appsv1.StatefulSet{}, number(cr, "spec", "nodes")
	if err := l.Get(ctx, key(name), there); apierrors.IsNotFound(err) {
		return l.Create(ctx, set(name, cr, size))
	} else if err != nil {
		return err
	}
	doing, which := text(cr, "status", "operation"), text(cr, "status", "pod")
	err := l.Get(ctx, key(which), &corev1.Pod{})
	switch {
	case doing == "ongoing" && apierrors.IsNotFound(err) && isMended:
		return l.note(ctx, cr, "finalizing", which)
	case doing == "ongoing":
		if err != nil {
			return err
		}
		there.Spec.Replicas = &size
		if err := l.Update(ctx, there); err != nil {
			return err
		}
		return l.note(ctx, cr, "finalizing", which)
	case doing == "finalizing" && apierrors.IsNotFound(err):
		claim := &corev1.PersistentVolumeClaim{}
		claim.Name, claim.Namespace = "data-"+which, namespace
		if err := l.remove(ctx, claim); err != nil {
			return err
		}
		return l.note(ctx, cr, "done", "")
	case doing != "finalizing" && size < *there.Spec.Replicas:
		return l.note(ctx, cr, "ongoing", podOf(there, *there.Spec.Replicas-1))
	}
	return nil
}

// newConfiguration writes what a pod reads at its start, then that the pod is out of date, and then restarts it. The
// fixed one does the second write before the first.
func newConfiguration(ctx context.Context, l *life, cr *unstructured.Unstructured) error {
	if err := l.scale(ctx, set(name, cr, 1)); err != nil {
		return err
	}
	wanted, there := aSecret("db-config")(cr), &corev1.Secret{}
	wanted.SetAnnotations(map[string]string{"banner": text(cr, "spec", "banner")})
	if err := l.Get(ctx, client.ObjectKeyFromObject(wanted), there); apierrors.IsNotFound(err) {
		return l.Create(ctx, wanted)
	} else if err != nil {
		return err
	}
	isNew := there.Annotations["banner"] != text(cr, "spec", "banner")
	if isNew && isMended && text(cr, "status", "operation") != "out of sync" {
		return l.note(ctx, cr, "out of sync", "")
	}
	if isNew {
		there.Annotations = wanted.GetAnnotations()
		if err := l.Update(ctx, there); err != nil || isMended {
			return err
		}
		return l.note(ctx, cr, "out of sync", "")
	}
	if text(cr, "status", "operation") != "out of sync" {
		return nil
	}
	pod := &corev1.Pod{}
	if err := l.Get(ctx, key("db-0"), pod); err != nil {
		return client.IgnoreNotFound(err)
	}
	if err := l.remove(ctx, pod); err != nil {
		return err
	}
	return l.note(ctx, cr, "in sync", "")
}
