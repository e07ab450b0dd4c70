// Package exercise is about the part of a controller between an informer and its workers.
package exercise

import "exercise/registry"

// A Queue remembers the newest version of each Pod, and hands the names of Pods that have changed to workers. Any
// goroutine may call any method at any time.
type Queue interface {
	// Updated is called by an informer's handler. R1: an older version than the newest known one changes nothing. R2: it
	// never waits for a worker. R3: a newer version is followed by a Next of this name that begins or ends later, unless
	// the Queue is closed.
	Updated(pod string, version int)
	// Version is the newest version of the Pod; 0 if it is not known. R4: who is handed a name by Next finds the version
	// that it was queued for, or a newer one.
	Version(pod string) int
	// Next waits until a name is queued, and hands it to this worker. R5: no other worker is handed the name before Done.
	// The order of names is not promised. R6: when the Queue is closed, Next hands out what is queued or not, as it likes,
	// and then returns false to all workers, those that wait already among them.
	Next() (pod string, open bool)
	// Done says that the worker has finished with the name.
	Done(pod string)
	// Close ends the work. R7: it may be called several times, also at once.
	Close()
}

// New makes a Queue of the library that is chosen. It is closed by whoever makes it.
func New() Queue { return registry.Chosen().(func() Queue)() }
