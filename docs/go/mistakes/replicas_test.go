package mistakes

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// replicas makes as many Pods as a ConfigMap asks for; a new one has the number after the last.
type replicas struct {
	*operator
	remembers   bool // the Pods that it has made, while its cache does not show them yet
	countsTaken bool // a Pod whose name is taken is there, whatever the cache shows
	last        map[string]int
	made        map[string]bool
}

// TestStaleRead decides by a cache that does not show yet what it has just written.
func TestStaleRead(t *testing.T) {
	program(t, "stale_read.yaml", func(ctx context.Context, o *operator) {
		r := newReplicas(o)
		r.remembers = isRight
		r.run(ctx, r.wishes.HasSynced, r.running.HasSynced)
	})
}

// TestDoubleCreate begins before the list of Pods has come, and makes those anew that are there.
func TestDoubleCreate(t *testing.T) {
	program(t, "double_create.yaml", func(ctx context.Context, o *operator) {
		r := newReplicas(o)
		r.countsTaken = isRight
		synced := []cache.InformerSynced{r.wishes.HasSynced}
		if isRight {
			synced = append(synced, r.running.HasSynced)
		}
		r.run(ctx, synced...)
	})
}

func newReplicas(o *operator) *replicas {
	return &replicas{operator: o, remembers: true, countsTaken: true,
		last: map[string]int{}, made: map[string]bool{}}
}

func (r *replicas) run(ctx context.Context, synced ...cache.InformerSynced) {
	r.wishes.AddEventHandler(r.onWishes())
	r.work(ctx, r.reconcile, r.queue.AddRateLimited, synced...)
}

func (r *replicas) reconcile(ctx context.Context, name string) error {
	object, exists, err := r.wishes.GetStore().GetByKey(namespace + "/" + name)
	if err != nil || !exists {
		return err
	}
	wanted, _ := strconv.Atoi(object.(*corev1.ConfigMap).Data["pods"])
	for count := r.count(name); count < wanted; count++ {
		pod := fmt.Sprintf("%s-%d", name, r.last[name]+1)
		_, err := r.pods.Create(ctx, &corev1.Pod{ObjectMeta: labelled(pod, name)}, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) && !r.countsTaken {
			r.last[name]++
			return err
		}
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
		r.last[name]++
		r.made[pod] = true
	}
	return nil
}

// count is how many Pods there are of that name, as far as is known.
func (r *replicas) count(name string) int {
	count := 0
	for _, object := range r.running.GetStore().List() {
		pod := object.(*corev1.Pod)
		if pod.Labels["of"] == name {
			number, _ := strconv.Atoi(strings.TrimPrefix(pod.Name, name+"-"))
			r.last[name] = max(r.last[name], number)
			delete(r.made, pod.Name)
			count++
		}
	}
	for pod := range r.made {
		if r.remembers && strings.HasPrefix(pod, name+"-") {
			count++
		}
	}
	return count
}
