// Breaks: one lock and one condition; what has waited longest is written first, and a refused Write is repeated at once

// Package library has a Controller.
package library

import (
	"sync"

	"exercise"
)

type controller struct {
	server  exercise.Server
	mutex   sync.Mutex
	changed *sync.Cond
	newest  map[string]int
	written map[string]int
	busy    map[string]bool
	queue   []string
	stopped bool
}

// New makes a Controller.
func New(server exercise.Server) exercise.Controller {
	c := &controller{server: server, newest: map[string]int{}, written: map[string]int{}, busy: map[string]bool{}}
	c.changed = sync.NewCond(&c.mutex)
	return c
}

func (c *controller) Changed(pod string, version int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if version > c.newest[pod] {
		c.newest[pod] = version
		c.queue = append(c.queue, pod)
		c.changed.Broadcast()
	}
}

func (c *controller) Run(workers int) {
	var running sync.WaitGroup
	for range workers {
		running.Add(1)
		go func() {
			defer running.Done()
			c.work()
		}()
	}
	running.Wait()
}

func (c *controller) work() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for {
		pod, found := c.next()
		for !found && !c.stopped {
			c.changed.Wait()
			pod, found = c.next()
		}
		if c.stopped {
			return
		}
		c.busy[pod] = true
		version := c.newest[pod]
		c.mutex.Unlock()
		accepted := c.server.Write(pod, version)
		c.mutex.Lock()
		delete(c.busy, pod)
		if accepted {
			c.written[pod] = version
		}
		if c.written[pod] < c.newest[pod] {
			c.queue = append(c.queue, pod)
		}
		c.changed.Broadcast()
	}
}

// next takes a Pod out of the queue that is not written, and that no worker has.
func (c *controller) next() (string, bool) {
	for i, pod := range c.queue {
		if !c.busy[pod] && c.written[pod] < c.newest[pod] {
			c.queue = append(c.queue[:i:i], c.queue[i+1:]...)
			return pod, true
		}
	}
	return "", false
}

func (c *controller) Idle() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for !c.stopped && !c.isWritten() {
		c.changed.Wait()
	}
}

func (c *controller) isWritten() bool {
	for pod, version := range c.newest {
		if c.written[pod] < version {
			return false
		}
	}
	return true
}

func (c *controller) Stop() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.stopped = true
	c.changed.Broadcast()
}
