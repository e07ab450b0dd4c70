package watchlab

import (
	"runtime"
	"runtime/metrics"
)

const (
	lookForGarbageEvery = 16       // turns
	garbageMin          = 64 << 20 // bytes
	heapSize            = "/memory/classes/heap/objects:bytes"
)

// collector collects garbage between two turns of the program, when all its goroutines wait. At any
// other time the runtime would interrupt one of them, and so change their order: the world switches
// that off, with GOGC.
type collector struct {
	turns  int
	limit  uint64
	sample []metrics.Sample
}

func newCollector() *collector {
	return &collector{limit: garbageMin, sample: []metrics.Sample{{Name: heapSize}}}
}

func (c *collector) size() uint64 {
	metrics.Read(c.sample)
	return c.sample[0].Value.Uint64()
}

func (c *collector) collect() {
	if c.turns++; c.turns%lookForGarbageEvery != 0 || c.size() < c.limit {
		return
	}
	runtime.GC()
	c.limit = max(garbageMin, 2*c.size())
}
