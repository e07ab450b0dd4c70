// What watchlab/goroutines calls, and what is said when the process dies.

package runtime

import _ "unsafe"

// exploreHooks is found by watchlab/goroutines under its linker name: there it is a variable without a value, and
// stays nil where this file is not in the program.
//
//go:linkname exploreHooks
var exploreHooks = &exploreFunctions{
	version:   4,
	set:       exploreSet,
	schedule:  exploreSchedule,
	prefix:    explorePrefixOf,
	give:      exploreGive,
	report:    exploreReportOf,
	deviation: exploreDeviationOf,
	birth:     exploreBirthOf,
	digests:   exploreDigests,
	point:     explorePointOf,
	widths:    exploreWidths,
	total:     exploreTotal,
}

// exploreFunctions is declared with the same members in watchlab/goroutines.
type exploreFunctions struct {
	version   int // of all that both sides declare
	set       func(config *exploreConfig)
	schedule  func(deviations string) bool
	prefix    func(decisions []uint64, which []uint32)
	give      func(values []byte)
	report    func(report *exploreReport)
	deviation func(i int) (from, step, op, to uint32, fromPCs, toPCs, madePCs []uintptr)
	birth     func(id uint32) (parent, nth uint32, pc uintptr)
	digests   func() []uint16
	point     func(i int) (goroutine, step, op uint32, pcs []uintptr)
	widths    func() (widths, again []uint8)
	total     func() int
}

// exploreTotal is how many goroutines the bubble of the caller has.
func exploreTotal() int {
	bubble := getg().bubble
	lock(&bubble.mu)
	total := bubble.total
	unlock(&bubble.mu)
	return total
}

func exploreSet(config *exploreConfig) {
	explore.exploreConfig = *config
}

func explorePrefixOf(decisions []uint64, which []uint32) {
	e := &explore
	e.nprefix = 0
	for i := range min(len(decisions), len(e.prefix)) {
		e.prefix[i] = exploreAlternative{decisions[i], which[i]}
		e.nprefix++
	}
}

// exploreGive adds to what the world of a story has drawn.
func exploreGive(values []byte) {
	e := &explore
	for _, value := range values {
		if e.given-e.taken == exploreMaxStream {
			return
		}
		e.stream[e.given%exploreMaxStream] = value
		e.given++
	}
}

func exploreReportOf(report *exploreReport) {
	e := &explore
	*report = exploreReport{points: e.points, decisions: e.decisions, switches: e.switches, digest: e.digest, taken: e.taken,
		kept: e.nkept, lost: e.lost, missed: e.missed, goroutines: int(e.nborn) - 2, overtime: e.overtime, due: e.due}
	for i := range e.nwant {
		if !e.wanted[i].used {
			report.missed++
		}
	}
}

func exploreDeviationOf(i int) (from, step, op, to uint32, fromPCs, toPCs, madePCs []uintptr) {
	d := &explore.kept[i]
	if i < exploreMaxPlaces {
		p := &explore.place[i]
		fromPCs, toPCs, madePCs = p.from[:p.nfrom], p.to[:p.nto], p.made[:p.nmade]
	}
	return d.from, d.step, d.op, d.to, fromPCs, toPCs, madePCs
}

func exploreBirthOf(id uint32) (parent, nth uint32, pc uintptr) {
	b := &explore.born[id]
	return b.parent, b.nth, b.pc
}

func exploreDigests() []uint16 {
	return explore.trail[:min(explore.points, exploreMaxTrail)]
}

func explorePointOf(i int) (goroutine, step, op uint32, pcs []uintptr) {
	if i >= exploreMaxTrace {
		return 0, 0, 0, nil
	}
	t := &explore.trace[i]
	return t.goroutine, t.step, t.op, t.pcs[:t.n]
}

func exploreWidths() (widths, again []uint8) {
	n := min(explore.decisions+1, exploreMaxTrail)
	return explore.width[:n], explore.again[:n]
}

// exploreSchedule takes deviations of the form PATH@STEP:TO, with commas between them. TO is a path, clock, or
// caseN; see instrument/schedule.go.
func exploreSchedule(s string) bool {
	e := &explore
	e.nwant = 0
	for i := 0; i < len(s); {
		if e.nwant == exploreMaxKept {
			return false
		}
		w := &e.wanted[e.nwant]
		*w = exploreWanted{}
		w.hash, i = exploreParsePath(s, i)
		if i >= len(s) || s[i] != '@' {
			return false
		}
		var step, which uint64
		step, i = exploreParseNumber(s, i+1)
		w.step = uint32(step)
		if i >= len(s) || s[i] != ':' {
			return false
		}
		switch i++; {
		case len(s)-i >= 5 && s[i:i+5] == "clock":
			w.to, i = exploreClockHash, i+5
		case len(s)-i >= 4 && s[i:i+4] == "case":
			which, i = exploreParseNumber(s, i+4)
			w.to = which
		default:
			w.to, i = exploreParsePath(s, i)
		}
		e.nwant++
		if i < len(s) {
			if s[i] != ',' {
				return false
			}
			i++
		}
	}
	return true
}

func exploreParseNumber(s string, i int) (n uint64, next int) {
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = n*10 + uint64(s[i]-'0')
	}
	return n, i
}

// exploreParsePath is the hash of a path as 1.2.1, of t3.1 (below the third goroutine of a timer), or of 0.
func exploreParsePath(s string, i int) (hash uint64, next int) {
	hash = 1
	if i < len(s) && s[i] == 't' {
		hash = 2
		i++
	}
	for {
		n, next := exploreParseNumber(s, i)
		hash = exploreMix(hash, n)
		if next >= len(s) || s[next] != '.' {
			return hash, next
		}
		i = next + 1
	}
}

func explorePrintPath(id uint32) {
	b := &explore.born[id]
	if id < 2 {
		print("0")
		return
	}
	if b.parent == 1 {
		print("t")
	} else if b.parent > 1 {
		explorePrintPath(b.parent)
		print(".")
	}
	print(b.nth)
}

// exploreDump says on standard error how to get here again, once, when the process dies in a bubble.
func exploreDump() {
	e := &explore
	if e.bubble == 0 {
		return
	}
	e.bubble = 0
	print("watchlab-died points=", e.points, " decisions=", e.decisions, " goroutines=", e.nborn-2, " missed=", e.missed,
		" values=", e.values, " seed=", e.seed, " strategy=", e.strategy, " depth=", e.depth, " lag=", e.lag, " digest=", e.digest, " deviations=")
	for i := range e.nkept {
		d := &e.kept[i]
		if i > 0 {
			print(",")
		}
		explorePrintPath(d.from)
		print("@", d.step, ":")
		if d.to == exploreClock {
			print("clock")
		} else if d.op == exploreCase {
			print("case", d.to)
		} else {
			explorePrintPath(d.to)
		}
	}
	print(" trail=")
	known := min(e.points, exploreMaxTrail)
	stride := known/16 + 1
	for i := uint64(0); i < known; i += stride {
		if i > 0 {
			print(".")
		}
		print(e.trail[i])
	}
	print("\n")
	for i := range min(e.nkept, exploreMaxPlaces) {
		if e.places {
			exploreDumpPlace(i)
		}
	}
}

// exploreDumpPlace says where a deviation was: who ran, where it was started, where it was, the operation, and the
// same of who ran instead.
func exploreDumpPlace(i int) {
	e := &explore
	d, p := &e.kept[i], &e.place[i]
	print("watchlab-place ")
	explorePrintPath(d.from)
	explorePrintUser(e.born[d.from].pc)
	explorePrintUser(p.from[:p.nfrom]...)
	explorePrintUser(p.made[:p.nmade]...)
	print(" ", d.op, " ")
	if d.op == exploreCase || d.to == exploreClock {
		print(int32(d.to), " - -\n")
		return
	}
	explorePrintPath(d.to)
	explorePrintUser(e.born[d.to].pc)
	explorePrintUser(p.to[:p.nto]...)
	print("\n")
}

// exploreHeader names a goroutine of an explored bubble in the first line of its stack, and what its last operation
// is on.
func exploreHeader(gp *g) {
	if gp.xid < 2 || gp.xid >= explore.nborn {
		return
	}
	print(", explored ")
	explorePrintPath(gp.xid)
	var pcs [12]uintptr
	if n := exploreMakerOf(gp.xobject, pcs[:]); n > 0 {
		print(" on")
		explorePrintUser(pcs[:n]...)
	}
}

// explorePrintUser prints the first place in code of the user.
func explorePrintUser(pcs ...uintptr) {
	for _, pc := range pcs {
		f := findfunc(pc)
		if !f.valid() {
			continue
		}
		for u, uf := newInlineUnwinder(f, pc-1); uf.valid(); uf = u.next(uf) {
			if exploreKindOfFunction(u.srcFunc(uf).name(), explorePlain) == exploreUser {
				file, line := u.fileLine(uf)
				print(" ", file, ":", line)
				return
			}
		}
	}
	print(" -")
}
