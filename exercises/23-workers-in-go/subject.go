// Package exercise is about the workers of a controller.
package exercise

import "exercise/registry"

// A Server is what a controller writes to. Tests bring their own.
type Server interface {
	// Write returns false when it is refused.
	Write(pod string, version int) bool
}

// A Controller writes the newest version of each Pod to a Server. Any goroutine may call any method at any time.
type Controller interface {
	// Changed says that a Pod has that version now; an older one than was said before changes nothing. R1: the newest
	// version of each Pod is written in the end, unless the Controller is stopped. R2: it never waits for a Write.
	Changed(pod string, version int)
	// Run calls Write in as many goroutines. R3: Writes of one Pod never overlap, and their versions never go back. R4: a
	// Write that was refused is repeated, or a newer version is written instead. R5: Run returns after Stop, and then no
	// Write is under way, and none begins. It is called once.
	Run(workers int)
	// Idle waits until all that was changed before is written, or until the Controller is stopped. R6: it returns then,
	// and not before, to all who wait.
	Idle()
	// Stop ends the work. R7: it may be called several times, also before Run, which then returns.
	Stop()
}

// New makes a Controller of the library that is chosen. It is stopped by whoever makes it.
func New(server Server) Controller {
	return registry.Chosen().(func(Server) Controller)(server)
}
