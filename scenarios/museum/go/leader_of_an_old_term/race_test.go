// Order: 550
// Bug: G6
// Needs: S, T
// Fails: failure: writes in the term
// Upstream: what client-go's leaderelection leaves to the program: a lease alone fences nothing

package museum

import (
	"sync"
	"testing"
	"time"

	watchlab "example.org/watchlab/goroutines"
)

// A lease belongs to one for two seconds at a time. Each holder has a term of its own.
type lease struct {
	lock    sync.Mutex
	expires time.Time
	term    int
}

func (l *lease) acquire() (term int, expires time.Time) {
	for {
		l.lock.Lock()
		if !time.Now().Before(l.expires) {
			l.term++
			l.expires = time.Now().Add(2 * time.Second)
			defer l.lock.Unlock()
			return l.term, l.expires
		}
		wait := time.Until(l.expires)
		l.lock.Unlock()
		time.Sleep(wait)
	}
}

// A store takes what leaders write. When it is mended, it refuses what comes from an old term.
type store struct {
	t      *testing.T
	lock   sync.Mutex
	term   int
	mended bool
}

func (s *store) write(who string, term int) (accepted bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if term < s.term && s.mended {
		return false
	}
	if term < s.term {
		s.t.Errorf("%s, which leads in term %d, writes in the term %d of another", who, term, s.term)
	}
	s.term = term
	return true
}

// lead works as long as the lease lasts.
func lead(who string, l *lease, s *store) {
	term, expires := l.acquire()
	for time.Now().Before(expires) {
		if !s.write(who, term) {
			return
		}
		time.Sleep(950 * time.Millisecond)
	}
}

func twoCandidates(mended bool) func(*testing.T) {
	return func(t *testing.T) {
		l, s := &lease{}, &store{t: t, mended: mended}
		var both sync.WaitGroup
		for _, who := range []string{"one", "two"} {
			both.Add(1)
			go func() {
				defer both.Done()
				lead(who, l, s)
			}()
		}
		both.Wait()
	}
}

func TestBroken(t *testing.T) { watchlab.Explore(t, twoCandidates(false), watchlab.Options{}) }

func TestMended(t *testing.T) { watchlab.Explore(t, twoCandidates(true), watchlab.Options{}) }
