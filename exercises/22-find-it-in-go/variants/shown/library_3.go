// Clause: R2
// Symptom: The handler and the worker wait for each other, and nothing goes on.
// Hint: What does Updated hold while it waits for room, and who could make room?
// Real: kubernetes issue 10182: a send while a lock is held that the receiver wants

// Package library has a Queue.
package library

import (
	"sync"

	"exercise"
)

type queue struct {
	mutex    sync.Mutex
	versions map[string]int
	waiting  map[string]bool // in names
	working  map[string]bool
	again    map[string]bool // changed while a worker had them
	names    chan string
	closed   chan struct{}
	once     sync.Once
}

// New makes a Queue.
func New() exercise.Queue {
	return &queue{versions: map[string]int{}, waiting: map[string]bool{}, working: map[string]bool{},
		again: map[string]bool{}, names: make(chan string, 4), closed: make(chan struct{})}
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
		return
	}
	if q.waiting[pod] {
		return
	}
	q.waiting[pod] = true
	select {
	case q.names <- pod:
	case <-q.closed:
	}
}

func (q *queue) Version(pod string) int {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	return q.versions[pod]
}

func (q *queue) Next() (string, bool) {
	select {
	case pod := <-q.names:
		q.mutex.Lock()
		defer q.mutex.Unlock()
		delete(q.waiting, pod)
		q.working[pod] = true
		return pod, true
	case <-q.closed:
		return "", false
	}
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
	q.once.Do(func() { close(q.closed) })
}
