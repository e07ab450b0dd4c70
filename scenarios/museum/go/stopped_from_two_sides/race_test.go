// Order: 510
// Bug: G2
// Needs: S
// Fails: panic: close of closed channel
// Upstream: a pattern that is often copied; the pieces B86 and informer_run_twice have relatives of it

package museum

import (
	"context"
	"sync"
	"testing"

	watchlab "example.org/watchlab/goroutines"
)

// A watcher is stopped by its owner, and stops itself when its context ends.
type watcher struct {
	done   chan struct{}
	once   sync.Once
	mended bool
}

func watch(ctx context.Context, mended bool) *watcher {
	w := &watcher{done: make(chan struct{}), mended: mended}
	go func() {
		<-ctx.Done()
		w.stop()
	}()
	return w
}

func (w *watcher) stop() {
	if w.mended {
		w.once.Do(func() { close(w.done) })
		return
	}
	select {
	case <-w.done: // somebody has stopped it
	default:
		close(w.done)
	}
}

func stopAndCancel(mended bool) func(*testing.T) {
	return func(*testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		w := watch(ctx, mended)
		cancel()
		w.stop()
		<-w.done
	}
}

func TestBroken(t *testing.T) { watchlab.Explore(t, stopAndCancel(false), watchlab.Options{}) }

func TestMended(t *testing.T) { watchlab.Explore(t, stopAndCancel(true), watchlab.Options{}) }
