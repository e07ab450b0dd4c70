package exercise_test

import (
	"sync"
	"testing"

	watchlab "example.org/watchlab/goroutines"

	"exercise"
)

// server notes what is written, and asks refuses and during first, where they are set.
type server struct {
	t       *testing.T
	mutex   sync.Mutex
	writing map[string]bool
	last    map[string]int
	over    bool // from here on nothing may be written
	refuses func(version int) bool
	during  func(pod string, version int)
}

func (s *server) Write(pod string, version int) bool {
	s.begin(pod, version)
	if s.during != nil {
		s.during(pod, version)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.writing[pod] = false
	if s.over {
		s.t.Errorf("a Write of %s comes to its end after Run", pod)
	}
	if s.refuses != nil && s.refuses(version) {
		return false
	}
	s.last[pod] = version
	return true
}

func (s *server) begin(pod string, version int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.over {
		s.t.Errorf("a Write of %s begins after Run", pod)
	}
	if s.writing[pod] {
		s.t.Errorf("two Writes of %s at once", pod)
	}
	if version < s.last[pod] {
		s.t.Errorf("version %d of %s is written after version %d", version, pod, s.last[pod])
	}
	s.writing[pod] = true
}

func (s *server) written(pod string) int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.last[pod]
}

func (s *server) wants(pod string, version int) {
	s.t.Helper()
	if got := s.written(pod); got != version {
		s.t.Errorf("version %d of %s is written, not %d", got, pod, version)
	}
}

// explore runs the test beside a Run with two workers, and stops that when the test returns.
func explore(t *testing.T, test func(s *server, c exercise.Controller)) {
	t.Helper()
	watchlab.Explore(t, func(t *testing.T) {
		s := &server{t: t, writing: map[string]bool{}, last: map[string]int{}}
		c := exercise.New(s)
		var running sync.WaitGroup
		running.Go(func() {
			c.Run(2)
			s.mutex.Lock()
			defer s.mutex.Unlock()
			s.over = true
		})
		test(s, c)
		c.Stop()
		running.Wait()
	}, watchlab.Options{})
}

func TestStopTwiceAtOnce(t *testing.T) {
	explore(t, func(_ *server, c exercise.Controller) {
		go c.Stop()
	})
}
