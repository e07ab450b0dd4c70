package exercise_test

import (
	"testing"

	watchlab "example.org/watchlab/goroutines"

	"exercise"
)

// Without a second goroutine there is one order only, and no race. Write your tests below.
func TestAWorkerIsHandedAPod(t *testing.T) {
	watchlab.Explore(t, func(t *testing.T) {
		q := exercise.New()
		defer q.Close()
		q.Updated("a", 1)
		if pod, open := q.Next(); pod != "a" || !open {
			t.Errorf("Next is %q, %v", pod, open)
		}
		q.Done("a")
	}, watchlab.Options{})
}
