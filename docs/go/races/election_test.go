package races

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

func listedAt(revision string) metav1.ListOptions {
	return metav1.ListOptions{ResourceVersion: revision}
}

func must(w watch.Interface, err error) watch.Interface {
	if err != nil {
		panic(err)
	}
	return w
}

// A lease is a lock as a server stores it: an update of an old revision is refused.
type lease struct {
	lock     sync.Mutex
	record   *resourcelock.LeaderElectionRecord
	revision int
}

// A holder is the lock of one candidate.
type holder struct {
	*lease
	name string
	last int // the revision that it knows
}

var conflict = apierrors.NewConflict(schema.GroupResource{Resource: "leases"}, "demo", fmt.Errorf("changed since"))

func (h *holder) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	h.lock.Lock()
	defer h.lock.Unlock()
	if h.record == nil {
		return nil, nil, apierrors.NewNotFound(schema.GroupResource{Resource: "leases"}, "demo")
	}
	h.last = h.revision
	record := *h.record
	raw, err := json.Marshal(record)
	return &record, raw, err
}

func (h *holder) put(record resourcelock.LeaderElectionRecord, fits bool) error {
	h.lock.Lock()
	defer h.lock.Unlock()
	if !fits && h.record != nil || fits && h.last != h.revision {
		return conflict
	}
	h.revision++
	h.record, h.last = &record, h.revision
	return nil
}

func (h *holder) Create(_ context.Context, record resourcelock.LeaderElectionRecord) error {
	return h.put(record, false)
}

func (h *holder) Update(_ context.Context, record resourcelock.LeaderElectionRecord) error {
	return h.put(record, true)
}

func (*holder) RecordEvent(string) {}

func (h *holder) Identity() string { return h.name }

func (h *holder) Describe() string { return h.name }

// candidate is an elector for the lease. Its term lasts as long as its work.
func candidate(t *testing.T, l *lease, name string, began, stopped func(), release bool) *leaderelection.LeaderElector {
	t.Helper()
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &holder{lease: l, name: name}, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second,
		RetryPeriod: 2 * time.Second, ReleaseOnCancel: release, Name: name,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				began()
				<-ctx.Done()
			},
			OnStoppedLeading: stopped,
			OnNewLeader:      func(string) {},
		}})
	if err != nil {
		t.Fatal(err)
	}
	return elector
}

// Two candidates never lead at the same time, and the second takes over from the first.
func TestOneLeadsAtATime(t *testing.T) {
	explore(t, func(t *testing.T) {
		l := &lease{}
		var leaders, terms atomic.Int32
		contexts := [2]context.Context{}
		cancels := [2]context.CancelFunc{}
		var both sync.WaitGroup
		for i, name := range []string{"one", "two"} {
			contexts[i], cancels[i] = context.WithCancel(context.Background())
			var leads atomic.Bool
			elector := candidate(t, l, name, func() {
				leads.Store(true)
				if leaders.Add(1) > 1 {
					t.Error("two lead")
				}
				terms.Add(1)
			}, func() {
				if leads.Load() {
					leaders.Add(-1)
				}
			}, false)
			both.Go(func() { elector.Run(contexts[i]) })
		}
		time.Sleep(time.Minute)
		for _, cancel := range cancels {
			cancel()
			time.Sleep(time.Minute)
		}
		both.Wait()
		if terms.Load() != 1 && terms.Load() != 2 {
			t.Errorf("%d terms", terms.Load())
		}
	})
}

// Queries do not disturb a running elector, and a release lets another one lead at once.
func TestAnElectorAnswersWhileItRuns(t *testing.T) {
	explore(t, func(t *testing.T) {
		l := &lease{}
		ctx, cancel := context.WithCancel(context.Background())
		elector := candidate(t, l, "one", func() {}, func() {}, true)
		var all sync.WaitGroup
		all.Go(func() { elector.Run(ctx) })
		for range 2 {
			all.Go(func() {
				for range 3 {
					elector.IsLeader()
					elector.GetLeader()
					if err := elector.Check(time.Second); err != nil {
						t.Error(err)
					}
					time.Sleep(time.Second)
				}
			})
		}
		time.Sleep(3 * time.Second)
		cancel()
		all.Wait()
		if elector.IsLeader() || l.record.HolderIdentity != "" {
			t.Errorf("%q still holds it", l.record.HolderIdentity)
		}
	})
}
