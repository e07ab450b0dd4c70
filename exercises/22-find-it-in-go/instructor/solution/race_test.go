package exercise_test

import (
	"sync"
	"sync/atomic"
	"testing"

	watchlab "example.org/watchlab/goroutines"

	"exercise"
)

// holders counts the workers that have a name.
type holders = atomic.Int32

func explore(t *testing.T, test func(t *testing.T, q exercise.Queue)) {
	t.Helper()
	watchlab.Explore(t, func(t *testing.T) {
		q := exercise.New()
		defer q.Close()
		test(t, q)
	}, watchlab.Options{})
}

func TestAnOlderVersionChangesNothing(t *testing.T) {
	explore(t, func(t *testing.T, q exercise.Queue) {
		var handlers sync.WaitGroup
		handlers.Go(func() { q.Updated("a", 1) })
		handlers.Go(func() { q.Updated("a", 2) })
		handlers.Wait()
		if got := q.Version("a"); got != 2 {
			t.Errorf("the version is %d", got)
		}
	})
}

func TestCloseTwiceAtOnce(t *testing.T) {
	explore(t, func(t *testing.T, q exercise.Queue) {
		var closing sync.WaitGroup
		closing.Go(q.Close)
		closing.Go(q.Close)
		closing.Wait()
	})
}

func TestAHandlerNeverWaits(t *testing.T) {
	explore(t, func(t *testing.T, q exercise.Queue) {
		for _, pod := range []string{"a", "b", "c", "d", "e", "f"} {
			q.Updated(pod, 1)
		}
	})
}

func TestCloseWakesAllWorkers(t *testing.T) {
	explore(t, func(t *testing.T, q exercise.Queue) {
		var workers sync.WaitGroup
		for range 2 {
			workers.Go(func() { q.Next() })
		}
		q.Close()
		workers.Wait()
	})
}

func TestAWorkerFindsTheVersion(t *testing.T) {
	explore(t, func(t *testing.T, q exercise.Queue) {
		go q.Updated("a", 1)
		pod, _ := q.Next()
		if got := q.Version(pod); got != 1 {
			t.Errorf("the version is %d", got)
		}
	})
}

func TestAChangeDuringWorkIsHandedOut(t *testing.T) {
	explore(t, func(t *testing.T, q exercise.Queue) {
		q.Updated("a", 1)
		q.Next()
		go q.Updated("a", 2)
		q.Done("a")
		q.Next() // the first change has been handed out, so this is the second
	})
}

func TestAWaitingWorkerWakes(t *testing.T) {
	explore(t, func(t *testing.T, q exercise.Queue) {
		got := make(chan string)
		go func() {
			pod, _ := q.Next()
			got <- pod
		}()
		q.Updated("a", 1)
		if pod := <-got; pod != "a" {
			t.Errorf("it is handed %q", pod)
		}
	})
}

func TestOneWorkerForEachName(t *testing.T) {
	explore(t, func(t *testing.T, q exercise.Queue) {
		var at holders
		var workers sync.WaitGroup
		for range 2 {
			workers.Go(func() {
				for {
					pod, open := q.Next()
					if !open {
						return
					}
					if at.Add(1) > 1 {
						t.Error("two workers have the name")
					}
					at.Add(-1)
					last := q.Version(pod) == 2
					q.Done(pod)
					if last {
						q.Close()
					}
				}
			})
		}
		q.Updated("a", 1)
		q.Updated("a", 2)
		workers.Wait()
	})
}
