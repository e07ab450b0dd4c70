package mistakes

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationv1 "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"example.org/watchlab"
)

// TestTwoLeaders has two candidates for a lease. One that leads works on when it has lost the lease.
func TestTwoLeaders(t *testing.T) {
	watchlab.Test(t, watchlab.Options{Scenario: "two_leaders.yaml"}, func(ctx context.Context, cfg *rest.Config, note watchlab.Note) {
		leases, err := coordinationv1.NewForConfig(cfg)
		if err != nil {
			note("no client: %v", err)
			return
		}
		var working atomic.Int32
		var all sync.WaitGroup
		work := func(ctx context.Context, name string) {
			note("%s works", name)
			if working.Add(1) > 1 {
				note("two work at once")
			}
			<-ctx.Done()
			working.Add(-1)
		}
		for _, name := range []string{"ann", "ben"} {
			all.Go(func() {
				for ctx.Err() == nil {
					leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
						Lock: &resourcelock.LeaseLock{
							LeaseMeta:  metav1.ObjectMeta{Namespace: namespace, Name: "work"},
							Client:     leases,
							LockConfig: resourcelock.ResourceLockConfig{Identity: name},
						},
						LeaseDuration: 15 * time.Second,
						RenewDeadline: 10 * time.Second,
						RetryPeriod:   2 * time.Second,
						Callbacks: leaderelection.LeaderCallbacks{
							OnStartedLeading: func(leading context.Context) {
								if !isRight {
									leading = ctx
								}
								work(leading, name)
							},
							OnStoppedLeading: func() { note("%s has stopped leading", name) },
						},
					})
				}
			})
		}
		all.Wait()
	})
}
