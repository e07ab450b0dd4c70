// Breaks: one lock and one condition for all; the name that has waited longest comes first

// Package library has a Queue.
package library

import (
	"slices"
	"sync"

	"exercise"
)

type queue struct {
	mutex    sync.Mutex
	changed  *sync.Cond
	versions map[string]int
	queued   []string
	working  map[string]bool
	again    map[string]bool // changed while a worker had them
	closed   bool
}

// New makes a Queue.
func New() exercise.Queue {
	q := &queue{versions: map[string]int{}, working: map[string]bool{}, again: map[string]bool{}}
	q.changed = sync.NewCond(&q.mutex)
	return q
}

func (q *queue) Updated(pod string, version int) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if version <= q.versions[pod] {
		return
	}
	q.versions[pod] = version
	q.add(pod)
}

func (q *queue) add(pod string) {
	if q.working[pod] {
		q.again[pod] = true
	} else if !slices.Contains(q.queued, pod) {
		q.queued = append(q.queued, pod)
		q.changed.Signal()
	}
}

func (q *queue) Version(pod string) int {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	return q.versions[pod]
}

func (q *queue) Next() (string, bool) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for len(q.queued) == 0 && !q.closed {
		q.changed.Wait()
	}
	if q.closed {
		return "", false
	}
	pod := q.queued[0]
	q.queued = q.queued[1:]
	q.working[pod] = true
	return pod, true
}

func (q *queue) Done(pod string) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	delete(q.working, pod)
	if q.again[pod] {
		delete(q.again, pod)
		q.add(pod)
	}
}

func (q *queue) Close() {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.closed = true
	q.changed.Broadcast()
}
