// Order: 620
// Bug: G13
// Needs: S
// Fails: failure: OnStartedLeading comes after OnStoppedLeading
// Upstream: client-go 0.37.2 and 0.32.13, tools/leaderelection/leaderelection.go; found by exploring it, and live
// Live: yes

package museum

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	watchlab "example.org/watchlab/goroutines"
)

// A lease that is free and goes to whoever asks.
type freeLease struct {
	record resourcelock.LeaderElectionRecord
}

func (l *freeLease) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	record := l.record
	return &record, []byte(record.HolderIdentity), nil
}

func (l *freeLease) Create(context.Context, resourcelock.LeaderElectionRecord) error { return nil }

func (l *freeLease) Update(_ context.Context, record resourcelock.LeaderElectionRecord) error {
	l.record = record
	return nil
}

func (*freeLease) RecordEvent(string) {}

func (*freeLease) Identity() string { return "one" }

func (*freeLease) Describe() string { return "lease" }

// A candidate is stopped at about the moment when it wins.
func TestBroken(t *testing.T) {
	watchlab.Explore(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		var stopped atomic.Bool
		elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock: &freeLease{}, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) {
					if stopped.Load() {
						t.Error("OnStartedLeading comes after OnStoppedLeading")
					}
				},
				OnStoppedLeading: func() { stopped.Store(true) },
			}})
		if err != nil {
			t.Fatal(err)
		}
		go cancel()
		elector.Run(ctx)
	}, watchlab.Options{})
}
