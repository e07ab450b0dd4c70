// Order: 520
// Bug: G3
// Needs: S
// Fails: leak: goroutines remain
// Upstream: the pattern of kubernetes issue 113254, in a watcher of one's own

package museum

import (
	"context"
	"testing"

	watchlab "example.org/watchlab/goroutines"
)

// watch hands on what comes until its context ends.
func watch(ctx context.Context, source <-chan string, mended bool) <-chan string {
	result := make(chan string)
	go func() {
		defer close(result)
		for {
			select {
			case <-ctx.Done():
				return
			case event := <-source:
				if !mended {
					result <- event
					continue
				}
				select {
				case result <- event:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return result
}

func readUntilTheCancel(mended bool) func(*testing.T) {
	return func(*testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		source := make(chan string, 1)
		result := watch(ctx, source, mended)
		go func() { source <- "ADDED" }()
		cancel()
		select {
		case <-result:
		case <-ctx.Done():
		}
	}
}

func TestBroken(t *testing.T) { watchlab.Explore(t, readUntilTheCancel(false), watchlab.Options{}) }

func TestMended(t *testing.T) { watchlab.Explore(t, readUntilTheCancel(true), watchlab.Options{}) }
