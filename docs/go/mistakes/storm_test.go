package mistakes

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestRequeueStorm copies each ConfigMap's wish into its echo. What fails, as a write over one that its
// cache has not seen, it tries again at once.
func TestRequeueStorm(t *testing.T) {
	program(t, "requeue_storm.yaml", func(ctx context.Context, o *operator) {
		failed := o.queue.Add
		if isRight {
			failed = o.queue.AddRateLimited
		}
		o.wishes.AddEventHandler(o.onWishes())
		o.work(ctx, func(ctx context.Context, name string) error {
			object, exists, err := o.wishes.GetStore().GetByKey(namespace + "/" + name)
			if err != nil || !exists {
				return err
			}
			configMap := object.(*corev1.ConfigMap).DeepCopy()
			if configMap.Data["echo"] == configMap.Data["wish"] {
				return nil
			}
			configMap.Data["echo"] = configMap.Data["wish"]
			_, err = o.configMaps.Update(ctx, configMap, metav1.UpdateOptions{})
			return err
		}, failed, o.wishes.HasSynced)
	})
}
