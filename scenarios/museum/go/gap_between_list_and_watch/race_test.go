// Order: 560
// Bug: G7
// Needs: S
// Fails: failure: the server has
// Upstream: why a LIST has a resourceVersion; the rule of the API concepts, "efficient detection of changes"

package museum

import (
	"slices"
	"sync"
	"testing"

	watchlab "example.org/watchlab/goroutines"
)

// A server has objects, and remembers in which order they came.
type server struct {
	lock    sync.Mutex
	history []string
	watches []chan string
}

func (s *server) create(name string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.history = append(s.history, name)
	for _, each := range s.watches {
		each <- name
	}
}

func (s *server) list() (names []string, revision int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return slices.Clone(s.history), len(s.history)
}

// watch begins after the revision; -1 is now.
func (s *server) watch(revision int) <-chan string {
	s.lock.Lock()
	defer s.lock.Unlock()
	if revision < 0 {
		revision = len(s.history)
	}
	events := make(chan string, 10)
	for _, name := range s.history[revision:] {
		events <- name
	}
	s.watches = append(s.watches, events)
	return events
}

func listAndWatch(mended bool) func(*testing.T) {
	return func(t *testing.T) {
		s := &server{}
		s.create("web")
		written := make(chan struct{})
		go func() {
			defer close(written)
			s.create("db")
		}()
		cache, revision := s.list()
		if !mended {
			revision = -1
		}
		events := s.watch(revision)
		<-written
		for len(events) > 0 {
			cache = append(cache, <-events)
		}
		if all, _ := s.list(); !slices.Equal(cache, all) {
			t.Errorf("the server has %v, and the cache %v", all, cache)
		}
	}
}

func TestBroken(t *testing.T) { watchlab.Explore(t, listAndWatch(false), watchlab.Options{}) }

func TestMended(t *testing.T) { watchlab.Explore(t, listAndWatch(true), watchlab.Options{}) }
