// Breaks: who waits, waits for a channel; the newest comes first, and a refused Write is repeated after a second

// Package library has a Controller.
package library

import (
	"sync"
	"time"

	"exercise"
)

type pod struct {
	wanted, done int
	taken        bool
}

type manager struct {
	server  exercise.Server
	lock    sync.Mutex
	pods    map[string]*pod
	recent  []string // the last one that has changed is at the end
	news    chan struct{}
	stop    chan struct{}
	stopped sync.Once
}

// New makes a Controller.
func New(server exercise.Server) exercise.Controller {
	return &manager{server: server, pods: map[string]*pod{}, news: make(chan struct{}), stop: make(chan struct{})}
}

func (m *manager) Changed(name string, version int) {
	m.lock.Lock()
	defer m.lock.Unlock()
	p := m.pods[name]
	if p == nil {
		p = &pod{}
		m.pods[name] = p
		m.recent = append(m.recent, name)
	}
	p.wanted = max(p.wanted, version)
	m.tell()
}

// tell wakes all who wait.
func (m *manager) tell() {
	close(m.news)
	m.news = make(chan struct{})
}

func (m *manager) Run(workers int) {
	var all sync.WaitGroup
	for range workers {
		all.Go(m.work)
	}
	all.Wait()
}

func (m *manager) work() {
	for {
		name, version, news := m.take()
		if news == nil {
			m.write(name, version)
			continue
		}
		select {
		case <-news:
		case <-m.stop:
			return
		}
	}
}

// take is a Pod to be written, or what to wait for.
func (m *manager) take() (string, int, chan struct{}) {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.isStopped() {
		return "", 0, m.news
	}
	for i := len(m.recent) - 1; i >= 0; i-- {
		name := m.recent[i]
		if p := m.pods[name]; p.done < p.wanted && !p.taken {
			p.taken = true
			return name, p.wanted, nil
		}
	}
	return "", 0, m.news
}

func (m *manager) write(name string, version int) {
	accepted := m.server.Write(name, version)
	if !accepted {
		select {
		case <-time.After(time.Second):
		case <-m.stop:
		}
	}
	m.lock.Lock()
	defer m.lock.Unlock()
	p := m.pods[name]
	p.taken = false
	if accepted {
		p.done = version
	}
	m.tell()
}

func (m *manager) isStopped() bool {
	select {
	case <-m.stop:
		return true
	default:
		return false
	}
}

func (m *manager) Idle() {
	for {
		m.lock.Lock()
		idle, news := true, m.news
		for _, p := range m.pods {
			idle = idle && p.done == p.wanted
		}
		m.lock.Unlock()
		if idle {
			return
		}
		select {
		case <-news:
		case <-m.stop:
			return
		}
	}
}

func (m *manager) Stop() { m.stopped.Do(func() { close(m.stop) }) }
