package exercise_test

import (
	"sync"
	"testing"

	watchlab "example.org/watchlab/goroutines"

	"exercise"
)

// server accepts everything. Yours may refuse, or look closer at what is written when.
type server struct{}

func (server) Write(string, int) bool { return true }

// Write your tests below.
func TestItComesToRest(t *testing.T) {
	watchlab.Explore(t, func(t *testing.T) {
		c := exercise.New(server{})
		var running sync.WaitGroup
		running.Go(func() { c.Run(1) })
		c.Changed("a", 1)
		c.Idle()
		c.Stop()
		running.Wait()
	}, watchlab.Options{})
}
