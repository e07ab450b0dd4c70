package mistakes

import (
	"context"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

const finalizer = "example.com/pod"

// keeper runs a Pod for each ConfigMap, and removes it when that is gone.
type keeper struct {
	*operator
	finalizes bool // it keeps ConfigMaps from going before their Pods
}

// TestLostTombstone takes no notice of a deletion that the watch has missed.
func TestLostTombstone(t *testing.T) {
	program(t, "lost_tombstone.yaml", func(ctx context.Context, o *operator) {
		k := &keeper{operator: o}
		events := k.onWishes()
		if !isRight {
			events.DeleteFunc = func(object any) {
				if configMap, ok := object.(*corev1.ConfigMap); ok {
					k.add(configMap)
				}
			}
		}
		k.wishes.AddEventHandler(events)
		// The Pods of an earlier life, whose ConfigMaps may be gone by now.
		k.running.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: k.add})
		k.work(ctx, k.reconcile, k.queue.AddRateLimited, k.wishes.HasSynced, k.running.HasSynced)
	})
}

// TestMissingFinalizer cleans up when it sees a ConfigMap go, and does not see it while it is down.
func TestMissingFinalizer(t *testing.T) {
	program(t, "missing_finalizer.yaml", func(ctx context.Context, o *operator) {
		k := &keeper{operator: o, finalizes: isRight}
		k.wishes.AddEventHandler(k.onWishes())
		k.work(ctx, k.reconcile, k.queue.AddRateLimited, k.wishes.HasSynced)
	})
}

func (k *keeper) reconcile(ctx context.Context, name string) error {
	object, exists, err := k.wishes.GetStore().GetByKey(namespace + "/" + name)
	if err != nil {
		return err
	}
	if !exists {
		return k.remove(ctx, name)
	}
	configMap := object.(*corev1.ConfigMap)
	if k.finalizes {
		// The cache may be behind what an earlier life has done.
		if configMap, err = k.configMaps.Get(ctx, name, metav1.GetOptions{}); err != nil {
			return err
		}
		if configMap.DeletionTimestamp != nil {
			if err := k.remove(ctx, name); err != nil {
				return err
			}
			return k.finalize(ctx, configMap, false)
		}
		if err := k.finalize(ctx, configMap, true); err != nil {
			return err
		}
	}
	_, err = k.pods.Create(ctx, &corev1.Pod{ObjectMeta: labelled(name, name)}, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

func (k *keeper) remove(ctx context.Context, name string) error {
	err := k.pods.Delete(ctx, name, metav1.DeleteOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// finalize gives a ConfigMap the finalizer, or takes it away.
func (k *keeper) finalize(ctx context.Context, configMap *corev1.ConfigMap, has bool) error {
	if slices.Contains(configMap.Finalizers, finalizer) == has {
		return nil
	}
	changed := configMap.DeepCopy()
	changed.Finalizers = nil
	if has {
		changed.Finalizers = []string{finalizer}
	}
	_, err := k.configMaps.Update(ctx, changed, metav1.UpdateOptions{})
	return err
}
