// Order: 570
// Bug: G8
// Needs: S
// Fails: deadlock: all goroutines wait
// Upstream: why client-go calls handlers from goroutines of their own; the piece B09 is of the same family

package museum

import (
	"sync"
	"testing"

	watchlab "example.org/watchlab/goroutines"
)

// A cache tells its handler of each change.
type cache struct {
	lock    sync.RWMutex
	objects map[string]int
	handler func(key string)
	mended  bool
}

func (c *cache) update(key string, version int) {
	c.lock.Lock()
	c.objects[key] = version
	if c.mended {
		c.lock.Unlock()
		c.handler(key)
		return
	}
	defer c.lock.Unlock()
	c.handler(key)
}

func (c *cache) get(key string) int {
	c.lock.RLock()
	defer c.lock.RUnlock()
	return c.objects[key]
}

// A controller notes which keys are due, and looks at the cache when it works on them.
type controller struct {
	lock  sync.Mutex
	due   map[string]bool
	cache *cache
}

func (c *controller) changed(key string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.due[key] = true
}

func (c *controller) sync() {
	c.lock.Lock()
	defer c.lock.Unlock()
	for key := range c.due {
		if c.cache.get(key) > 0 {
			delete(c.due, key)
		}
	}
}

func updateDuringASync(mended bool) func(*testing.T) {
	return func(*testing.T) {
		control := &controller{due: map[string]bool{}}
		control.cache = &cache{objects: map[string]int{}, handler: control.changed, mended: mended}
		control.cache.update("web", 1)
		done := make(chan struct{})
		go func() {
			defer close(done)
			control.sync()
		}()
		control.cache.update("web", 2)
		<-done
	}
}

func TestBroken(t *testing.T) { watchlab.Explore(t, updateDuringASync(false), watchlab.Options{}) }

func TestMended(t *testing.T) { watchlab.Explore(t, updateDuringASync(true), watchlab.Options{}) }
