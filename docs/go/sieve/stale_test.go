package sieve

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// claimsOfTheDeleted removes the claims of a cluster that is being deleted. It finds them by label and name.
func claimsOfTheDeleted(ctx context.Context, l *life, cr *unstructured.Unstructured) error {
	err := l.finalize(ctx, cr, func() error {
		claims, err := l.claims(ctx)
		for _, each := range claims {
			if err := l.remove(ctx, &each); err != nil {
				return err
			}
		}
		return err
	})
	if err != nil || cr.GetDeletionTimestamp() != nil {
		return err
	}
	return l.scale(ctx, set(name, cr, 1))
}

// setOfTheDeleted removes the set of a cluster that is being deleted, by its name.
func setOfTheDeleted(ctx context.Context, l *life, cr *unstructured.Unstructured) error {
	err := l.finalize(ctx, cr, func() error {
		unwanted := set(name, cr, 1)
		if isMended {
			if err := l.Get(ctx, key(name), unwanted); err != nil {
				return client.IgnoreNotFound(err)
			}
		}
		return l.remove(ctx, unwanted)
	})
	if err != nil || cr.GetDeletionTimestamp() != nil {
		return err
	}
	return l.scale(ctx, set(name, cr, 1))
}

// onlyIfEnabled keeps these objects while the custom resource enables a part, and deletes them otherwise.
func onlyIfEnabled(part string, objects ...making) func(context.Context, *life, *unstructured.Unstructured) error {
	return func(ctx context.Context, l *life, cr *unstructured.Unstructured) error {
		isWanted := is(cr, "spec", part, "enabled")
		for _, each := range objects {
			if isWanted {
				if err := l.ensure(ctx, each(cr)); err != nil {
					return err
				}
				continue
			}
			there := each(cr)
			if err := l.Get(ctx, client.ObjectKeyFromObject(there), there); apierrors.IsNotFound(err) {
				continue
			} else if err != nil {
				return err
			}
			if old, err := l.isOld(ctx, cr); old || err != nil {
				return err
			}
			if err := l.remove(ctx, there); err != nil {
				return err
			}
		}
		return nil
	}
}

// anotherBudget recreates a disruption budget that is not what the custom resource asks for.
func anotherBudget(ctx context.Context, l *life, cr *unstructured.Unstructured) error {
	most := intstr.FromInt32(number(cr, "spec", "maxPodUnavailable"))
	wanted := &policyv1.PodDisruptionBudget{ObjectMeta: called(name, cr)}
	wanted.Spec.MaxUnavailable = &most
	there := &policyv1.PodDisruptionBudget{}
	if err := l.Get(ctx, key(name), there); apierrors.IsNotFound(err) {
		return l.Create(ctx, wanted)
	} else if err != nil || there.Spec.MaxUnavailable.IntVal == most.IntVal {
		return err
	}
	if old, err := l.isOld(ctx, cr); old || err != nil {
		return err
	}
	if err := l.remove(ctx, there); err != nil {
		return err
	}
	return l.Create(ctx, wanted)
}

// claimsBeyond removes the claims beyond the size of the cluster once that many members are ready. Both numbers come
// from the same stale custom resource.
func claimsBeyond(ctx context.Context, l *life, cr *unstructured.Unstructured) error {
	size := number(cr, "spec", "replicas")
	if old, err := l.isOld(ctx, cr); old || err != nil {
		return err
	}
	if number(cr, "status", "readyReplicas") == size {
		claims, err := l.claims(ctx)
		if err != nil {
			return err
		}
		for _, each := range claims {
			if ordinal(each.Name) < size {
				continue
			}
			if err := l.remove(ctx, &each); err != nil {
				return err
			}
		}
	}
	there := &appsv1.StatefulSet{}
	if err := l.scale(ctx, set(name, cr, size)); err != nil {
		return err
	}
	if err := l.Get(ctx, key(name), there); err != nil {
		return client.IgnoreNotFound(err)
	}
	if number(cr, "status", "readyReplicas") == there.Status.ReadyReplicas {
		return nil
	}
	changed := cr.DeepCopy()
	_ = unstructured.SetNestedField(changed.Object, int64(there.Status.ReadyReplicas), "status", "readyReplicas")
	return l.Status().Update(ctx, changed)
}

// claimsOfPodsThatGo removes the claim of each pod that it sees being deleted, and no others. The fixed one removes the
// claims of members that are neither wanted nor there, and only claims that it has seen.
func claimsOfPodsThatGo(ctx context.Context, l *life, cr *unstructured.Unstructured) error {
	size := number(cr, "spec", "nodes")
	claims, err := l.claims(ctx)
	if err != nil {
		return err
	}
	for _, each := range claims {
		pod := &corev1.Pod{}
		err := l.Get(ctx, key(each.Name[len("data-"):]), pod)
		isUnwanted := err == nil && pod.DeletionTimestamp != nil
		if isMended {
			isUnwanted = apierrors.IsNotFound(err) && ordinal(each.Name) >= size
		}
		if !isUnwanted {
			continue
		}
		if old, err := l.isOld(ctx, cr); old || err != nil {
			return err
		}
		if err := l.remove(ctx, &each); err != nil {
			return err
		}
	}
	return l.scale(ctx, set(name, cr, size))
}

// decommissionFirst makes the newest member leave the ring, and removes it from the set in the next round. If it is
// wanted again by then, it stays as it is; the fixed one recreates it.
func decommissionFirst(ctx context.Context, l *life, cr *unstructured.Unstructured) error {
	there, size := &appsv1.StatefulSet{}, number(cr, "spec", "nodes")
	if err := l.Get(ctx, key(name), there); apierrors.IsNotFound(err) {
		return l.Create(ctx, set(name, cr, size))
	} else if err != nil {
		return err
	}
	newest := &corev1.Pod{}
	if err := l.Get(ctx, key(podOf(there, *there.Spec.Replicas-1)), newest); err != nil {
		return client.IgnoreNotFound(err)
	}
	hasLeft := newest.Status.Reason == "Decommissioned"
	switch {
	case size < *there.Spec.Replicas && !hasLeft:
		newest.Status.Reason = "Decommissioned"
		return l.Status().Update(ctx, newest)
	case size == *there.Spec.Replicas && hasLeft && isMended:
		return l.remove(ctx, newest)
	}
	return l.scale(ctx, set(name, cr, size))
}
