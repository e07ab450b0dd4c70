// Where goroutines can be stopped.

package runtime

import (
	"internal/goarch"
	"unsafe"
)

// Who is behind an operation. What the standard library does inside is no point: it depends on caches, pools
// and hash seeds of the process, and an order that rests on them cannot be replayed.
const (
	exploreUser = 1 + iota // code of the user: a point
	exploreStd             // other code of the standard library: none
	explorePass            // sync, atomic, runtime: the caller decides
)

// Classes of operations, for which some packages count differently.
const (
	explorePlain      = iota
	exploreOfAtomic   // not a point where sync itself uses it
	exploreOfFunction // of sync/atomic: nor where a method of its types does
	exploreOfMap      // a method of sync.Map
	exploreOfClose    // also where package context ends a context
	exploreClasses
)

// exploreCallerKind remembers who is behind an operation that is called at pc.
type exploreCallerKind struct {
	pc   uintptr
	kind [exploreClasses]uint8
}

// explorePoint is called before each operation that others can see.
func explorePoint(op uint32, object unsafe.Pointer) {
	gp := getg()
	e := &explore
	if !exploreActive(gp) || gp != gp.m.curg || gp.xid == 0 || !canPreemptM(gp.m) || !exploreOfUser(op) {
		return
	}
	if e.points < exploreMaxTrail {
		e.trail[e.points] = uint16(e.digest ^ e.digest>>32)
		if e.places && e.points < exploreMaxTrace {
			t := &e.trace[e.points]
			t.goroutine, t.step, t.op = gp.xid, gp.xstep+1, op
			t.n = callers(2, t.pcs[:])
		}
	}
	e.points++
	gp.xstep++
	if op != exploreMemory {
		e.spin++
		e.still++
	}
	e.digest = exploreMix(e.digest, e.born[gp.xid].hash^uint64(gp.xstep)<<8^uint64(op))
	if e.strategy == explorePOS {
		gp.xprio = int64(exploreDraw() >> 2)
		gp.xobject = uintptr(object)
	} else if op != exploreUnlock { // Cond.Wait unlocks before it waits for the condition
		gp.xobject = uintptr(object)
	}
	if e.nready == 0 && e.spin < exploreSpin && e.still < exploreStill && !exploreMayTick() && !exploreWanting() {
		e.streak = 0
		return
	}
	exploreSwitch(gp, op, object)
}

// exploreSwitch decides who goes on at a point, and lets it.
func exploreSwitch(gp *g, op uint32, object unsafe.Pointer) {
	e := &explore
	if e.spin >= exploreSpin || e.still >= exploreStill { // what a loop waits for may need time
		exploreEndless()
		e.spin = 0
		exploreTickHere(gp)
	}
	i := exploreDecide(gp, gp, op)
	for i < 0 {
		exploreTickHere(gp)
		gp.xstep++
		i = exploreDecide(gp, gp, op)
	}
	if e.strategy == explorePOS && object != nil && i == 0 {
		for k := range e.nready {
			if other := e.ready[k].ptr(); other.xobject == uintptr(object) {
				other.xprio = int64(exploreDraw() >> 2)
			}
		}
	}
	if i == 0 {
		return
	}
	e.chosen = e.ready[i-1]
	e.streak = 0
	e.switches++
	mcall(exploreYield)
}

// exploreEndless ends the process if the run does not end.
func exploreEndless() {
	if explore.points > explore.maxPoints && explore.maxPoints != 0 {
		fatal("watchlab: an endless loop: too many points in one run")
	}
}

// exploreOfUser looks up the stack for the first function that is neither of the runtime nor of sync.
func exploreOfUser(op uint32) bool {
	e := &explore
	class := explorePlain
	switch op {
	case exploreAtomic:
		class = exploreOfAtomic
	case exploreAtomicFunction:
		class = exploreOfFunction
	case exploreMap:
		class = exploreOfMap
	case exploreClose:
		class = exploreOfClose
	}
	for fp := getfp(); fp != 0; {
		pc := *(*uintptr)(unsafe.Pointer(fp + goarch.PtrSize))
		fp = *(*uintptr)(unsafe.Pointer(fp))
		k := &e.callers[(pc^pc>>12)%uintptr(len(e.callers))]
		if k.pc != pc { // the system's stack, since this one must not move now
			systemstack(func() {
				k.pc = pc
				for each := range k.kind {
					k.kind[each] = exploreKindOf(pc, each)
				}
			})
		}
		if kind := k.kind[class]; kind != explorePass {
			e.caller = pc
			return kind == exploreUser
		}
	}
	return true // the bottom of a goroutine of sync, as of WaitGroup.Go
}

// exploreKindOf is that of the first function at pc that decides; several can be inlined into one another.
func exploreKindOf(pc uintptr, class int) uint8 {
	f := findfunc(pc)
	if !f.valid() {
		return explorePass
	}
	for u, uf := newInlineUnwinder(f, pc-1); uf.valid(); uf = u.next(uf) {
		if kind := exploreKindOfFunction(u.srcFunc(uf).name(), class); kind != explorePass {
			return kind
		}
	}
	return explorePass
}

func exploreKindOfFunction(name string, class int) uint8 {
	pkg, rest := explorePackage(name)
	has := func(prefix string) bool { return len(rest) >= len(prefix) && rest[:len(prefix)] == prefix }
	pass := false
	switch { // they are the runtime's, with a name in the package that calls them
	case rest == "runtime_explore", rest == "stopTimer", rest == "resetTimer":
		return explorePass
	}
	switch pkg {
	case "runtime", "internal/synctest":
		pass = true
	case "sync/atomic":
		pass = class != exploreOfFunction || !has("(*")
	case "sync":
		pass = class != exploreOfAtomic && class != exploreOfFunction && !has("(*Pool)") && (class == exploreOfMap || !has("(*Map)"))
	case "internal/sync":
		pass = class != exploreOfAtomic && class != exploreOfFunction && has("(*Mutex)")
	case "time":
		pass = has("(*Timer)") || has("(*Ticker)")
	case "context":
		pass = class == exploreOfClose
	default:
		if !exploreStandard(pkg) {
			return exploreUser
		}
	}
	if pass {
		return explorePass
	}
	return exploreStd
}

// explorePackage splits the name of a function into its package and the rest.
func explorePackage(name string) (pkg, rest string) {
	slash := 0
	for i := 0; i < len(name) && name[i] != '['; i++ {
		if name[i] == '/' {
			slash = i
		}
	}
	for i := slash; i < len(name); i++ {
		if name[i] == '.' {
			return name[:i], name[i+1:]
		}
	}
	return name, ""
}

// exploreSelectCase moves the chosen one among the ready cases of a select to the front; its channels are locked.
func exploreSelectCase(gp *g, scases []scase, order []uint16, nsends int) {
	e := &explore
	if !exploreActive(gp) || gp.xid == 0 || !exploreOfUser(exploreCase) {
		return
	}
	is := func(i int) bool {
		c := scases[order[i]].c
		if int(order[i]) >= nsends {
			return c.sendq.first != nil || c.qcount > 0 || c.closed != 0
		}
		return c.closed != 0 || c.recvq.first != nil || c.qcount < c.dataqsiz
	}
	ready := 0
	for i := range order {
		if is(i) {
			ready++
		}
	}
	if ready < 2 {
		return
	}
	e.decisions++
	gp.xstep++
	k := 0
	switch e.strategy {
	case exploreReplay:
		if w := exploreWants(gp); w != nil && w.to < uint64(ready) {
			k = int(w.to)
		} else if w != nil {
			e.missed++
		}
	case explorePrefix:
		k = exploreAlternativeOf(ready, gp)
	case exploreStream:
		k = exploreStreamed(ready)
	case exploreDefault:
	default:
		k = int(exploreDraw() % uint64(ready))
	}
	e.digest = exploreMix(e.digest, uint64(k))
	if k != 0 {
		exploreKeep(gp, exploreCase, uint32(k), nil)
	}
	// Receives stand there in the reverse of their order in the source.
	for i, seen := len(order)-1, 0; i >= 0; i-- {
		if !is(i) {
			continue
		}
		if seen == k {
			order[0], order[i] = order[i], order[0]
			return
		}
		seen++
	}
}

// exploreCreator is the place in the user's code that starts a goroutine, also through WaitGroup.Go.
func exploreCreator(pc uintptr) uintptr {
	if !exploreActive(getg()) {
		return pc
	}
	user := uintptr(0)
	for fp := getfp(); fp != 0 && user == 0; {
		pc := *(*uintptr)(unsafe.Pointer(fp + goarch.PtrSize))
		fp = *(*uintptr)(unsafe.Pointer(fp))
		systemstack(func() {
			if kind := exploreKindOf(pc, explorePlain); kind == exploreUser {
				user = pc
			} else if kind == exploreStd {
				fp = 0
			}
		})
	}
	if user == 0 {
		return pc
	}
	return user
}

//go:linkname explore_isync internal/sync.runtime_explore
func explore_isync(op uint32, object unsafe.Pointer) {
	if getg().bubble != nil {
		explorePoint(op, object)
	}
}

//go:linkname explore_sync sync.runtime_explore
func explore_sync(op uint32, object unsafe.Pointer) {
	if getg().bubble != nil {
		explorePoint(op, object)
	}
}

//go:linkname explore_atomic sync/atomic.runtime_explore
func explore_atomic(op uint32, object unsafe.Pointer) {
	if getg().bubble != nil {
		explorePoint(op, object)
	}
}

// exploreAccess is called before each access to memory, in a build with -race.
func exploreAccess(address unsafe.Pointer) {
	if explore.memory && getg().bubble != nil {
		explorePoint(exploreMemory, address)
	}
}
