// Breaks: workers wait for a channel; the newest name comes first, and what is queued is handed out after Close

// Package library has a Queue.
package library

import (
	"sync"

	"exercise"
)

type state struct {
	version         int
	queued, working bool
}

type stack struct {
	mutex  sync.Mutex
	pods   map[string]*state
	names  []string
	wake   chan struct{} // closed, and made anew, when there is something to see
	closed bool
}

// New makes a Queue.
func New() exercise.Queue {
	return &stack{pods: map[string]*state{}, wake: make(chan struct{})}
}

func (s *stack) Updated(pod string, version int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	known := s.pods[pod]
	if known == nil {
		known = &state{}
		s.pods[pod] = known
	}
	if known.version >= version {
		return
	}
	known.version = version
	if !known.queued {
		known.queued = true
		s.push(pod, known)
	}
}

// push lets workers see a name, unless one of them has it.
func (s *stack) push(pod string, known *state) {
	if !known.working {
		s.names = append(s.names, pod)
		s.wakeAll()
	}
}

func (s *stack) wakeAll() {
	close(s.wake)
	s.wake = make(chan struct{})
}

func (s *stack) Version(pod string) int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if known := s.pods[pod]; known != nil {
		return known.version
	}
	return 0
}

func (s *stack) Next() (string, bool) {
	for {
		pod, wake := s.pop()
		if wake == nil {
			return pod, pod != ""
		}
		<-wake
	}
}

// pop is a name, or "" after Close, or what to wait for.
func (s *stack) pop() (string, chan struct{}) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if last := len(s.names) - 1; last >= 0 {
		pod := s.names[last]
		s.names = s.names[:last]
		s.pods[pod].queued, s.pods[pod].working = false, true
		return pod, nil
	}
	if s.closed {
		return "", nil
	}
	return "", s.wake
}

func (s *stack) Done(pod string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	known := s.pods[pod]
	known.working = false
	if known.queued {
		s.push(pod, known)
	}
}

func (s *stack) Close() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.closed = true
	s.wakeAll()
}
