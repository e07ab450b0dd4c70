// Time as a choice.

package runtime

import "unsafe"

// exploreDue is when the next timer is due; 0 when there is none, or when all goroutines wait, so that the root or a
// caller of synctest.Wait has been woken: time passes by itself then.
func exploreDue() int64 {
	e := &explore
	bubble := (*synctestBubble)(unsafe.Pointer(e.bubble))
	if bubble.active != 0 {
		return 0
	}
	next := bubble.timers.wakeTime()
	if e.polled > bubble.now && (next == 0 || e.polled < next) {
		next = e.polled
	}
	return next
}

// explorePolled notes a timer whose channel is looked at in a loop: the runtime has it in no list, since nobody waits.
func explorePolled(when int64) {
	if e := &explore; exploreActive(getg()) && (e.polled == 0 || when < e.polled) {
		e.polled = when
	}
}

// exploreMayTick says whether the next timer may fire although a goroutine could run.
func exploreMayTick() bool {
	e := &explore
	if e.lag <= 0 || e.ticks >= exploreTicks {
		return false
	}
	next := exploreDue()
	return next != 0 && next-(*synctestBubble)(unsafe.Pointer(e.bubble)).now <= e.lag
}

// exploreTick lets time pass to the next timer. It is called on the system's stack.
func exploreTick() {
	e := &explore
	e.spin, e.still = 0, 0
	if e.strategy == exploreStream { // the world says how far it may
		return
	}
	e.ticks++
	bubble := (*synctestBubble)(unsafe.Pointer(e.bubble))
	next := exploreDue()
	if bubble.active != 0 {
		return
	}
	if next == 0 { // a loop that looks at the time
		next = bubble.now + exploreLook
	}
	e.polled = 0
	lock(&bubble.mu)
	bubble.now = max(bubble.now, next)
	unlock(&bubble.mu)
	bubble.timers.check(bubble.now, bubble)
	e.digest = exploreMix(e.digest, uint64(bubble.now))
}

// exploreTickHere is exploreTick for a goroutine on its own stack.
func exploreTickHere(gp *g) {
	systemstack(func() {
		// As synctestRun: what timers start shall not look as if this goroutine had.
		curg := gp.m.curg
		gp.m.curg = nil
		exploreTick()
		gp.m.curg = curg
	})
}

// exploreOvertime says whether the bubble's time is up: something goes on for ever in it.
func exploreOvertime(bubble *synctestBubble, next int64) bool {
	e := &explore
	if uintptr(unsafe.Pointer(bubble)) != e.bubble || e.maxTime == 0 {
		return false
	}
	e.still = 0
	e.due = next - exploreEpoch
	e.overtime = e.due > e.maxTime
	return e.overtime
}

const exploreLook = 1e6

const exploreEpoch = 946684800000000000 // of synctest
