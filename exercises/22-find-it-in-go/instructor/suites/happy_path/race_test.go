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
