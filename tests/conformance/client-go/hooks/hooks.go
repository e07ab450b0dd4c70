// Package hooks holds what the judge decides where Go leaves something open. ./dev conformance
// builds client-go so that it asks here; docs/conformance.md lists the lines that it replaces.
//
// Clients are played one after the other, so there is one of each.
package hooks

import (
	"math/rand"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Order puts keys into the order in which a Go map shall yield them; `what` is what they are for:
// "tombstones", "resync", "initial" or "replace".
var Order = func(what string, keys []string) []string { return keys }

// Extra is the random part of a backoff, at most factor times as long as the fixed part.
var Extra = func(fixed time.Duration, factor float64) time.Duration {
	return time.Duration(rand.Float64() * factor * float64(fixed))
}

// InOrder puts items into the order that their keys shall have.
func InOrder[T any](what string, items []T, keyOf func(T) string) []T {
	keys := make([]string, 0, len(items))
	byKey := map[string]T{}
	for _, item := range items {
		key := keyOf(item)
		keys = append(keys, key)
		byKey[key] = item
	}
	result := make([]T, 0, len(items))
	for _, key := range Order(what, keys) {
		result = append(result, byKey[key])
	}
	return result
}

// Keys returns the keys of a map in the order that they shall have.
func Keys[T any](what string, items map[string]T) []string {
	keys := make([]string, 0, len(items))
	for key := range items {
		keys = append(keys, key)
	}
	return Order(what, keys)
}

// Lock is a mutex that a bubble's time does not stand still for, so handlers may sleep while somebody
// holds it. As with a sync.Mutex, who is running may take it before those who wait. Which of these gets it
// is open: see Turns.
type Lock struct {
	mutex   sync.Mutex // guards the rest, and is never held for long
	held    bool
	unlocks int
	waiting []waiter
}

type waiter struct {
	rank  int
	since time.Time
	turn  chan struct{}
}

// A sync.Mutex is handed over when somebody has waited for longer than that.
const starving = time.Millisecond

// Lock waits until the lock is free.
func (l *Lock) Lock() {
	l.mutex.Lock()
	lets := Turns == PoppersLast && len(l.waiting) > 0 && rankOfCaller() == 0
	if !l.held && !lets {
		l.held = true
		l.mutex.Unlock()
		return
	}
	me := waiter{rank: rankOfCaller(), since: time.Now(), turn: make(chan struct{})}
	l.waiting = append(l.waiting, me)
	if !l.held {
		go l.handOver(l.unlocks)
	}
	l.mutex.Unlock()
	<-me.turn
}

// Unlock gives the lock to one who waits, unless somebody who runs takes it at once.
func (l *Lock) Unlock() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.held = false
	l.unlocks++
	if Turns == Starving && len(l.waiting) > 0 && time.Since(l.waiting[0].since) >= starving {
		l.held = true
		close(l.waiting[0].turn)
		l.waiting = l.waiting[1:]
		return
	}
	if len(l.waiting) > 0 {
		go l.handOver(l.unlocks)
	}
}

// handOver belongs to an unlock, and does nothing if there was a later one.
func (l *Lock) handOver(unlock int) {
	for i := 0; i < 10; i++ {
		runtime.Gosched() // until all who run wait for something
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.held || l.unlocks != unlock || len(l.waiting) == 0 {
		return
	}
	next := 0
	for i := range l.waiting {
		if l.waiting[i].before(l.waiting[next]) {
			next = i
		}
	}
	l.held = true
	close(l.waiting[next].turn)
	l.waiting = append(l.waiting[:next], l.waiting[next+1:]...)
}

// RLock is Lock: a queue's readers do not meet.
func (l *Lock) RLock() { l.Lock() }

// RUnlock is Unlock.
func (l *Lock) RUnlock() { l.Unlock() }

// Turns says who gets a Lock of those who wait.
var Turns = Ranked

// What Turns can be.
const (
	Ranked      = iota // who pops, then who asks, closes, writes and resyncs, as these were started
	Oldest             // who came first
	Newest             // who came last
	PoppersLast        // who came first, but before all who pop
	Starving           // who came first, and at once if that is a millisecond ago or more
	Policies
)

// before says whether one who waits gets a lock before another, who came earlier if they are alike.
func (w waiter) before(other waiter) bool {
	switch Turns {
	case Ranked:
		return w.rank < other.rank
	case Newest:
		return true
	case PoppersLast:
		return w.rank != 0 && other.rank == 0
	}
	return false
}

var ranks = []string{"sync.(*Cond).Wait", ").Pop", ").HasSynced", ").Close", ").Add", ").Update", ").Delete",
	").Replace", ").Resync"}

// rankOfCaller says which method of a queue calls Lock or RLock.
func rankOfCaller() int {
	callers := make([]uintptr, 3)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	for {
		frame, more := frames.Next()
		for rank, name := range ranks {
			if strings.HasSuffix(frame.Function, name) {
				return rank
			}
		}
		if !more {
			return len(ranks)
		}
	}
}
