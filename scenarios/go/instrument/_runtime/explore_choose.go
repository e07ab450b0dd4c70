// The strategies.

package runtime

import (
	"internal/runtime/sys"
	"unsafe"
)

// exploreDecide chooses who goes on: 0 is `current`, if it is not nil, and then come the ready goroutines in the
// order of the list; -1 lets time pass to the next timer. `last` is the goroutine that ran, to whose step a
// deviation is anchored.
func exploreDecide(current, last *g, op uint32) int {
	e := &explore
	e.decisions++
	candidates := e.nready
	if current != nil {
		candidates++
	}
	usual := 0
	if current == nil || e.nready == 0 {
		e.streak = 0
	} else if op != exploreMemory {
		if e.streak++; e.streak > explorePatience || op == exploreGosched {
			usual, e.streak = 1, 0
		}
	}
	clock := exploreMayTick()
	choice := usual
	switch e.strategy {
	case exploreRandom:
		choice = int(exploreDraw() % uint64(candidates))
		if clock && exploreDraw()%16 == 0 {
			choice = -1
		}
	case exploreSticky:
		if exploreDraw()%uint64(max(e.depth, 2)) == 0 {
			choice = int(exploreDraw() % uint64(candidates))
			if clock && exploreDraw()%4 == 0 {
				choice = -1
			}
		}
	case explorePCT, explorePOS:
		choice = exploreByPriority(current, last, candidates, usual == 1, clock)
	case explorePrefix:
		choice = exploreByPrefix(candidates, usual, clock, last)
	case exploreReplay:
		choice = exploreByPlace(current, last, candidates, usual)
	case exploreStream:
		choice = (usual + exploreStreamed(candidates)) % candidates
	}
	if choice < 0 {
		exploreKeep(last, op, exploreClock, nil)
	} else if choice != usual {
		to := exploreCandidate(current, choice)
		exploreKeep(last, op, to.xid, to)
	}
	return choice
}

func exploreCandidate(current *g, i int) *g {
	if current == nil {
		return explore.ready[i].ptr()
	}
	if i == 0 {
		return current
	}
	return explore.ready[i-1].ptr()
}

// exploreByPriority takes the candidate of the highest priority. PCT lowers that of the running one at some
// decisions, drawn before the run. From time to time the one that ran last gets the lowest, so that two that wake each
// other keep none from its turn.
func exploreByPriority(current, last *g, candidates int, lower, clock bool) int {
	e := &explore
	if e.decisions%exploreFair == 0 && last != nil {
		e.low--
		last.xprio = e.low
	}
	if e.strategy == explorePCT {
		for _, change := range e.changes {
			if change != e.decisions {
				continue
			}
			if clock && exploreDraw()%2 == 0 {
				return -1
			}
			lower = true
		}
	} else if clock && exploreDraw()%16 == 0 {
		return -1
	}
	if lower && current != nil {
		e.low--
		current.xprio = e.low
	}
	choice := 0
	for i := 1; i < candidates; i++ {
		if exploreCandidate(current, i).xprio > exploreCandidate(current, choice).xprio {
			choice = i
		}
	}
	return choice
}

// exploreByPrefix takes the alternative of the search: 0 is the usual choice, then come the others in order,
// and the clock is last.
func exploreByPrefix(candidates, usual int, clock bool, last *g) int {
	width := candidates
	if clock {
		width++
	}
	which := exploreAlternativeOf(width, last)
	if which == 0 {
		return usual
	}
	if which == candidates {
		return -1
	}
	if which <= usual {
		return which - 1
	}
	return which
}

// exploreAlternativeOf notes how many alternatives this decision has, and is the one that the search wants.
func exploreAlternativeOf(width int, last *g) int {
	e := &explore
	if e.decisions < exploreMaxTrail {
		e.width[e.decisions] = uint8(min(width, 255))
		e.again[e.decisions] = 0
		if last != nil {
			looks := &e.looks[exploreMix(e.born[last.xid].hash, uint64(e.caller))%uint64(len(e.looks))]
			e.again[e.decisions] = uint8(sys.Len64(uint64(*looks)))
			*looks = min(*looks, 1<<15) + 1
		}
	}
	for i := range e.nprefix {
		if e.prefix[i].decision != e.decisions {
			continue
		}
		if int(e.prefix[i].which) < width {
			return int(e.prefix[i].which)
		}
		e.missed++
	}
	return 0
}

// exploreByPlace takes what the schedule wants at this step of the goroutine that ran.
func exploreByPlace(current, last *g, candidates, usual int) int {
	w := exploreWants(last)
	if w == nil {
		return usual
	}
	if w.to == exploreClockHash && exploreDue() != 0 {
		return -1
	}
	for i := range candidates {
		if explore.born[exploreCandidate(current, i).xid].hash == w.to {
			return i
		}
	}
	explore.missed++
	return usual
}

// exploreStreamed is the next number of the story's world, below n; 0, the usual choice, where none is left.
func exploreStreamed(n int) int {
	e := &explore
	if n < 2 || e.taken == e.given {
		return 0
	}
	value := e.stream[e.taken%exploreMaxStream]
	e.taken++
	return int(value) % n
}

// exploreWanting says whether a schedule is replayed, so that decisions with nothing to choose have to be looked up.
func exploreWanting() bool {
	return explore.strategy == exploreReplay && exploreDue() != 0
}

func exploreWants(last *g) *exploreWanted {
	e := &explore
	if last == nil {
		return nil
	}
	hash := e.born[last.xid].hash
	for i := range e.nwant {
		if w := &e.wanted[i]; !w.used && w.hash == hash && w.step == last.xstep {
			w.used = true
			return w
		}
	}
	return nil
}

// exploreKeep notes a deviation, and its places where these are asked for.
func exploreKeep(last *g, op, to uint32, gp *g) {
	e := &explore
	if e.nkept == exploreMaxKept {
		e.lost++
		return
	}
	d := &e.kept[e.nkept]
	*d = exploreDeviation{op: op, to: to}
	if last != nil {
		d.from, d.step = last.xid, last.xstep
	}
	if e.nkept < exploreMaxPlaces {
		p := &e.place[e.nkept]
		p.nfrom, p.nto, p.nmade = 0, 0, 0
		if e.places && last != nil && last.xid != 0 && readgstatus(last)&^_Gscan != _Gdead {
			p.nfrom = exploreCallersOf(last, p.from[:])
			p.nmade = exploreMakerOf(last.xobject, p.made[:])
		}
		if e.places && gp != nil && gp != last {
			p.nto = exploreCallersOf(gp, p.to[:])
		}
	}
	e.nkept++
}

func exploreCallersOf(gp *g, pcs []uintptr) int {
	if gp == getg() {
		return callers(3, pcs)
	}
	return gcallers(gp, 0, pcs)
}

// exploreMakerOf has the callers that allocated the object: a heap profile of each allocation knows them.
func exploreMakerOf(object uintptr, pcs []uintptr) (n int) {
	if object == 0 || MemProfileRate != 1 {
		return 0
	}
	systemstack(func() {
		base, span, _ := findObject(object, 0, 0)
		if base == 0 || span.spanclass == tinySpanClass { // where several share a block, of which only the first is known
			return
		}
		lock(&span.speciallock)
		for s := span.specials; s != nil && s.offset <= object-span.base(); s = s.next {
			if s.kind == _KindSpecialProfile && s.offset >= base-span.base() {
				n = copy(pcs, (*specialprofile)(unsafe.Pointer(s)).b.stk())
			}
		}
		unlock(&span.speciallock)
	})
	return n
}
