package exercise_test

import (
	"sync"
	"testing"

	watchlab "example.org/watchlab/goroutines"

	"exercise"
)

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
