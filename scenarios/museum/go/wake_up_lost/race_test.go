// Order: 500
// Bug: G1
// Needs: S
// Fails: deadlock: all goroutines wait
// Upstream: kubernetes issue 90581; commit 73aa499de (1.19, #90825), whose bug this copies in small

package museum

import (
	"sync"
	"testing"

	watchlab "example.org/watchlab/goroutines"
)

// A queue guards its items with one lock and its flag with another.
type queue struct {
	itemsLock, closedLock sync.Mutex
	changed               *sync.Cond // goes with itemsLock
	items                 []string
	closed                bool
	mended                bool
}

func newQueue(mended bool) *queue {
	q := &queue{mended: mended}
	q.changed = sync.NewCond(&q.itemsLock)
	return q
}

func (q *queue) isClosed() bool {
	q.closedLock.Lock()
	defer q.closedLock.Unlock()
	return q.closed
}

func (q *queue) pop() (item string, open bool) {
	q.itemsLock.Lock()
	defer q.itemsLock.Unlock()
	for len(q.items) == 0 {
		if q.isClosed() {
			return "", false
		}
		q.changed.Wait()
	}
	item, q.items = q.items[0], q.items[1:]
	return item, true
}

func (q *queue) close() {
	if q.mended {
		q.itemsLock.Lock()
		defer q.itemsLock.Unlock()
	}
	q.closedLock.Lock()
	q.closed = true
	q.closedLock.Unlock()
	q.changed.Broadcast()
}

func closeWhileAReaderWaits(mended bool) func(*testing.T) {
	return func(*testing.T) {
		q := newQueue(mended)
		done := make(chan struct{})
		go func() {
			defer close(done)
			q.pop()
		}()
		q.close()
		<-done
	}
}

func TestBroken(t *testing.T) { watchlab.Explore(t, closeWhileAReaderWaits(false), watchlab.Options{}) }

func TestMended(t *testing.T) { watchlab.Explore(t, closeWhileAReaderWaits(true), watchlab.Options{}) }
