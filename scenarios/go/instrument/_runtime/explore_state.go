// A choice stream over the goroutines of one bubble of testing/synctest.
//
// While a bubble is explored, its goroutines that can run stand in a list of our own instead of the
// scheduler's queues, and a strategy chooses among them before each operation that others can see. There
// is one P (GOMAXPROCS=1), and the collector runs between bubbles only, so nothing here needs a lock.
//
// A run is described by its deviations from the default order: "after that many steps of goroutine 1.2,
// goroutine 1.1 goes on instead". Anchored to a goroutine's own steps, the remaining deviations keep their
// meaning when one is taken away.

package runtime

import "unsafe"

const (
	exploreOff     = iota // Go's own scheduler
	exploreDefault        // the running goroutine goes on; when it cannot, the one that has waited longest does
	exploreRandom         // any that can run, at each point
	explorePCT            // fixed priorities, lowered at depth-1 places of the run
	explorePOS            // a priority for each pending operation, drawn anew after a conflict
	exploreSticky         // deviates from the default at one point in depth
	explorePrefix         // takes alternatives by the number of the decision: bounded search
	exploreReplay         // takes the deviations of a schedule
	exploreStream         // takes what the world of a story has drawn; no time passes by itself
)

// The operations. instrument/schedule.go has their names.
const (
	exploreSend = 1 + iota
	exploreReceive
	exploreClose
	exploreSelect
	exploreLock
	exploreUnlock
	exploreRLock
	exploreWaitGroup
	exploreCond
	exploreAtomic
	exploreGo
	exploreBlocked // the goroutine that ran cannot go on
	exploreCase    // which ready case of a select
	exploreGosched
	exploreMap
	exploreTimer
	exploreAtomicFunction
	exploreMemory // an access, with -race
)

const (
	exploreMaxReady  = 1 << 13
	exploreMaxBorn   = 1 << 16
	exploreMaxKept   = 1 << 16 // deviations
	exploreMaxTrail  = 1 << 16 // points
	exploreMaxTrace  = 1 << 13
	exploreMaxPlaces = 256
	exploreMaxStream = 1 << 12
	explorePatience  = 200     // points in a row while others could run
	exploreSpin      = 2000    // points without a block, after which time passes
	exploreStill     = 100_000 // points without time, although goroutines block: two that wake each other for ever
	exploreFair      = 512     // decisions, after which a priority is lowered
	exploreTicks     = 1000    // choices of "time passes" in a run
	exploreClock     = 1<<32 - 1
	exploreClockHash = 1<<64 - 1
)

// exploreConfig is what a run is asked to do. watchlab/goroutines declares it with the same members.
type exploreConfig struct {
	strategy  int
	seed      uint64 // of the strategy
	values    uint64 // of map orders, equal timers and random numbers; 0: maps start at their beginning
	depth     int
	length    uint64 // decisions that a run is expected to have, for PCT
	lag       int64  // ns that time may pass while goroutines could run
	places    bool   // keep where deviations are
	memory    bool   // with -race: each access is a point
	maxPoints uint64
	maxTime   int64 // ns of the bubble's time
}

// exploreReport is what a run has been. watchlab/goroutines declares it with the same members.
type exploreReport struct {
	points, decisions, switches, digest, taken uint64
	kept, lost, missed, goroutines             int
	overtime                                   bool
	due                                        int64 // when the timer that was too late fires, in the bubble's time
}

// exploreBirth names a goroutine: the how-manieth child of which other.
type exploreBirth struct {
	parent, nth uint32
	pc          uintptr
	hash        uint64 // of its path
}

// exploreDeviation is one taken: before its operation op, at its step, goroutine `from` stops and `to` runs.
type exploreDeviation struct {
	from, step, op, to uint32
}

type explorePlace struct {
	from, to, made    [12]uintptr // of who ran, who runs, and who made what the operation is on
	nfrom, nto, nmade int
}

// exploreWanted is a deviation of a schedule.
type exploreWanted struct {
	hash uint64
	step uint32
	to   uint64 // the hash of a path, or the number of a case
	used bool
}

// exploreAlternative is one of the search by decision.
type exploreAlternative struct {
	decision uint64
	which    uint32
}

var explore struct {
	exploreConfig
	bubble uintptr // the explored one; 0 when there is none. It lives as long as its root.
	rng    uint64

	ready   [exploreMaxReady]guintptr
	nready  int
	chosen  guintptr // by the decision before the switch
	last    guintptr // who ran before this decision
	streak  int      // points in a row of one goroutine while others could run
	spin    int      // points since a goroutine blocked or time passed
	ticks   int
	still   int   // points since time passed
	polled  int64 // when the next timer is due whose channel was looked at
	low     int64 // the next priority below all
	changes [16]uint64

	points, decisions, switches, digest uint64

	born          [exploreMaxBorn]exploreBirth
	nborn         uint32
	timerChildren uint32

	kept   [exploreMaxKept]exploreDeviation
	nkept  int
	lost   int
	place  [exploreMaxPlaces]explorePlace
	wanted [exploreMaxKept]exploreWanted
	nwant  int
	missed int

	stream       [exploreMaxStream]uint8 // drawn ahead by the world of a story: a ring
	given, taken uint64                  // of it, in this run

	prefix  [64]exploreAlternative
	nprefix int
	width   [exploreMaxTrail]uint8 // alternatives of each decision
	again   [exploreMaxTrail]uint8 // how often its goroutine was at its place before, as a power of two
	looks   [1 << 12]uint16        // by goroutine and place
	caller  uintptr                // the place of the last point

	trail    [exploreMaxTrail]uint16 // the digest before each point
	trace    [exploreMaxTrace]exploreTraced
	callers  [4096]exploreCallerKind
	overtime bool
	due      int64
}

// exploreTraced is a point, where places are kept.
type exploreTraced struct {
	goroutine, step, op uint32
	n                   int
	pcs                 [8]uintptr
}

//go:nosplit
func exploreMix(h, v uint64) uint64 {
	h ^= v + 0x9e3779b97f4a7c15 + (h << 6) + (h >> 2)
	h *= 0xff51afd7ed558ccd
	return h ^ h>>33
}

// exploreDraw is the strategy's next random number.
func exploreDraw() uint64 {
	explore.rng += 0x9e3779b97f4a7c15
	return exploreMix(explore.rng, explore.rng>>32)
}

// exploreActive says whether the goroutine is one whose turns are chosen here.
//
//go:nosplit
func exploreActive(gp *g) bool {
	return gp.bubble != nil && uintptr(unsafe.Pointer(gp.bubble)) == explore.bubble
}

// exploreValue is a random number for the goroutine: it depends on its name and on how many it has drawn, so
// that another order of goroutines leaves the numbers of each as they are.
//
//go:nosplit
func exploreValue(gp *g) uint64 {
	gp.xdraws++
	return exploreMix(exploreMix(explore.values, explore.born[gp.xid].hash), uint64(gp.xdraws))
}

// exploreBegin is called as a bubble begins, with the goroutine that has called synctest.Run.
func exploreBegin(bubble *synctestBubble, root *g) {
	e := &explore
	if e.strategy == exploreOff || gomaxprocs != 1 {
		e.bubble = 0
		return
	}
	e.bubble = uintptr(unsafe.Pointer(bubble))
	e.rng = exploreMix(e.seed, 0x5eed)
	e.nready, e.chosen, e.last, e.streak, e.spin, e.ticks, e.low, e.polled, e.still = 0, 0, 0, 0, 0, 0, 0, 0, 0
	e.points, e.decisions, e.switches, e.digest = 0, 0, 0, 0
	e.nkept, e.lost, e.missed, e.timerChildren = 0, 0, 0, 0
	e.overtime = false
	e.given, e.taken = 0, 0
	if e.strategy == explorePrefix {
		clear(e.looks[:])
	}
	for i := range e.nwant {
		e.wanted[i].used = false
	}
	e.born[0] = exploreBirth{hash: exploreMix(1, 0)}
	e.born[1] = exploreBirth{hash: 2} // what timers start
	e.nborn = 2
	root.xid, root.xstep, root.xchildren, root.xdraws, root.xprio = 0, 0, 0, 0, 1<<62
	for i := range e.changes {
		e.changes[i] = 0
		if e.strategy == explorePCT && i < e.depth-1 {
			e.changes[i] = 1 + exploreDraw()%max(e.length, 1)
		}
	}
}

// exploreEnd is called as the bubble ends, also by a panic.
func exploreEnd() {
	explore.bubble = 0
}

// exploreBorn names a new goroutine. The first one of a bubble is the testing package's, and has the name of the
// root; so the test's function is goroutine 1.
func exploreBorn(newg, callergp *g, pc uintptr) {
	newg.xid, newg.xstep, newg.xchildren, newg.xdraws, newg.xobject = 0, 0, 0, 0, 0
	e := &explore
	if !exploreActive(newg) || e.nborn >= exploreMaxBorn {
		return
	}
	bubble := newg.bubble
	if callergp == bubble.root {
		newg.xprio = 1 << 61
		return
	}
	parent, nth := uint32(1), uint32(0)
	hash := uint64(2)
	if callergp.goid != 0 {
		parent = callergp.xid
		callergp.xchildren++
		nth = callergp.xchildren
		hash = 1
		if parent > 0 {
			hash = e.born[parent].hash
		}
	} else { // a timer, on the system's stack
		e.timerChildren++
		nth = e.timerChildren
	}
	newg.xid = e.nborn
	e.born[e.nborn] = exploreBirth{parent, nth, pc, exploreMix(hash, uint64(nth))}
	e.nborn++
	newg.xprio = int64(exploreDraw() >> 2)
}
