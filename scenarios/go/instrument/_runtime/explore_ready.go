// The list of goroutines that can run, and how turns pass from one to the next.

package runtime

func explorePut(gp *g) {
	e := &explore
	if e.nready == exploreMaxReady {
		throw("watchlab: more than 8192 goroutines can run at once")
	}
	e.ready[e.nready].set(gp)
	e.nready++
}

func exploreTake(i int) *g {
	e := &explore
	gp := e.ready[i].ptr()
	copy(e.ready[i:e.nready-1], e.ready[i+1:e.nready])
	e.nready--
	return gp
}

// exploreNext is who runs next, when the goroutine that ran has blocked, ended, or has been told to stop.
func exploreNext() *g {
	e := &explore
	if e.bubble == 0 || e.nready == 0 {
		return nil
	}
	if chosen := e.chosen; chosen != 0 {
		e.chosen = 0
		for i := range e.nready {
			if e.ready[i] == chosen {
				e.last = chosen
				return exploreTake(i)
			}
		}
	}
	last := e.last.ptr()
	e.spin = 0
	i := 0
	for {
		if last != nil {
			last.xstep++
		}
		if e.nready == 1 && !exploreMayTick() && !exploreWanting() {
			i = 0
			break
		}
		if i = exploreDecide(nil, last, exploreBlocked); i >= 0 {
			break
		}
		exploreTick()
	}
	gp := exploreTake(i)
	e.digest = exploreMix(e.digest, e.born[gp.xid].hash)
	e.last.set(gp)
	e.streak = 0
	e.switches++
	return gp
}

// exploreYield lets the chosen goroutine run instead of gp. It is called on the system's stack.
func exploreYield(gp *g) {
	casgstatus(gp, _Grunning, _Grunnable)
	dropg()
	explorePut(gp)
	schedule()
}

// exploreGiveWay is a call of Gosched: by default another goroutine runs. It is called on the system's stack; gp
// is no longer running.
func exploreGiveWay(gp *g) {
	e := &explore
	e.points++
	gp.xstep++
	e.digest = exploreMix(e.digest, e.born[gp.xid].hash^uint64(gp.xstep)<<8^exploreGosched)
	if e.spin += exploreSpin / 40; e.spin >= exploreSpin {
		exploreEndless()
		exploreTick()
	}
	e.chosen.set(gp)
	if e.nready > 0 {
		if i := exploreDecide(gp, gp, exploreGosched); i > 0 {
			e.chosen = e.ready[i-1]
			e.switches++
		} else if i < 0 {
			exploreTick()
		}
	}
	explorePut(gp)
}
