package instrument

// Known are the versions of Go whose sources the changes fit.
var Known = []string{"go1.25", "go1.26"}

// A change of one of Go's files: `old` stands there once, in the versions `only`, or in all.
type change struct{ file, old, new, only string }

// head puts a point at the beginning of a function.
func head(file, function, op, object string) change {
	return change{file, function, function + "\truntime_explore(" + op + ", unsafe.Pointer(" + object + "))\n", ""}
}

// The numbers of explore_state.go, for the packages that cannot see its names.
const (
	opLock, opUnlock, opRLock, opWaitGroup, opCond, opAtomic, opMap, opAtomicFunction = "5", "6", "7", "8", "9", "10", "15", "17"
)

// locksAreWaits lets time pass while a goroutine waits for a mutex: controller-runtime holds one over its requests.
var locksAreWaits = change{"runtime/runtime2.go", "\twaitReasonSyncCondWait:          true,\n",
	"\twaitReasonSyncCondWait:          true,\n\twaitReasonSyncMutexLock:         true,\n" +
		"\twaitReasonSyncRWMutexRLock:      true,\n\twaitReasonSyncRWMutexLock:       true,\n", ""}

// sameEachTime are the changes that leave nothing in a bubble to chance: what is drawn follows from a seed, and
// no goroutine is interrupted.
var sameEachTime = []change{
	{"runtime/synctest.go", "\tactive  int // other sources of activity\n",
		"\tactive  int // other sources of activity\n\n\tseed uint64 // of what is drawn in the bubble\n" +
			"\tlooks int // at its time\n", ""},
	{"runtime/synctest.go", "\tbubble.now = synctestBaseTime\n",
		"\tbubble.now = synctestBaseTime\n\tbubble.seed = seedOfEnvironment()\n\tbubblesRunning++\n" +
			"\texploreBegin(bubble, gp)\n\tdefer func() {\n\t\texploreEnd()\n\t\tbubblesRunning--\n\t}()\n", ""},
	{"runtime/select.go", "cheaprandn(uint32(norder + 1))", "bubbleOrder(uint32(norder + 1))", ""},
	{"runtime/time.go", "t.rand = cheaprand()", "t.rand = bubbleRandn(1 << 31)", ""},
	{"runtime/rand.go", "func rand() uint64 {\n",
		"func rand() uint64 {\n\tif bubble := getg().bubble; bubble != nil {\n\t\treturn bubble.draw()\n\t}\n", ""},
	{"runtime/rand.go", "func maps_rand() uint64 {\n",
		"func maps_rand() uint64 {\n\tif exploreActive(getg()) && explore.values == 0 {\n\t\treturn 0\n\t}\n", ""},
	// What is drawn outside of bubbles, as the keys of hashes at the start, is always the same.
	{"runtime/rand.go", "\tseed := &globalRand.seed\n",
		"\tseed := &globalRand.seed\n\tstartupRand = nil\n\tseed[0] = 1\n", ""},
	{"runtime/rand.go", "\t\tif readRandom(seed[:]) != len(seed) || allZero(seed[:]) {\n",
		"\t\tif allZero(seed[:]) {\n", ""},
	{"runtime/proc.go", "\tgp.preempt = true\n\n\t// Every call in a goroutine checks",
		"\tif gp.bubble != nil && !sched.gcwaiting.Load() {\n\t\treturn false\n\t}\n\n" +
			"\tgp.preempt = true\n\n\t// Every call in a goroutine checks", ""},
	// A goroutine keeps its turn while it is in a system call, as when it prints: on a busy machine the
	// others would run meanwhile. After a second they do, since one may wait for another then.
	{"runtime/proc.go", "\t\t// Retake the P if it's there for more than 1 sysmon tick",
		"\t\tif thread.gp.bubble != nil {\n" +
			"\t\t\tif calls := pp.syscalltick; pd.syscalltick != calls || pd.syscallwhen == 0 {\n" +
			"\t\t\t\tpd.syscalltick, pd.syscallwhen = calls, now\n\t\t\t}\n" +
			"\t\t\tif pd.syscallwhen+1e9 > now {\n" +
			"\t\t\t\tthread.resume()\n\t\t\t\tgoto done\n\t\t\t}\n\t\t}\n\n" +
			"\t\t// Retake the P if it's there for more than 1 sysmon tick", "go1.26"},
	{"runtime/proc.go", "if thread, ok := setBlockOnExitSyscall(oldp); ok {",
		"if thread, ok := setBlockOnExitSyscall(oldp); ok && thread.gp.bubble != nil {\n" +
			"\t\t\tthread.resume()\n\t\t} else if ok {", "go1.26"},
	{"runtime/proc.go", "\t\t\tt := int64(pp.syscalltick)\n\t\t\tif !sysretake",
		"\t\t\tt := int64(pp.syscalltick)\n\t\t\tif bubblesRunning != 0 {\n" +
			"\t\t\t\tif int64(pd.syscalltick) != t || pd.syscallwhen == 0 {\n" +
			"\t\t\t\t\tpd.syscalltick, pd.syscallwhen = uint32(t), now\n\t\t\t\t}\n" +
			"\t\t\t\tif pd.syscallwhen+1e9 > now {\n\t\t\t\t\tcontinue\n\t\t\t\t}\n\t\t\t}\n" +
			"\t\t\tif !sysretake", "go1.25"},
	locksAreWaits,
	// A mutex goes to the one that waits when it has waited for a millisecond, and otherwise to the one
	// that comes first: that millisecond is one of the bubble.
	{"runtime/sema.go", "func internal_sync_nanotime() int64 {\n",
		"func internal_sync_nanotime() int64 {\n" +
			"\tif bubble := getg().bubble; bubble != nil {\n\t\treturn bubble.now\n\t}\n", ""},
	// Since no goroutine is interrupted, one that tries again at once and never waits would keep its turn
	// for ever, also from the one that is to end it.
	{"runtime/time.go", "\t\tsec = bubble.now / (1000 * 1000 * 1000)\n",
		"\t\tbubble.look()\n\t\tsec = bubble.now / (1000 * 1000 * 1000)\n", ""},
}

// tests are the changes by which a test fits a bubble that starts subtests, runs in parallel, or makes a bubble itself.
var tests = []change{
	{"testing/testing.go", "\tif t.isSynctest {\n\t\tpanic(\"testing: t.Run called inside synctest bubble\")\n\t}\n", "", ""},
	{"testing/testing.go", "\tif t.isSynctest {\n\t\tpanic(\"testing: t.Parallel called inside synctest bubble\")\n\t}\n",
		"\tfor in := &t.common; in != nil; in = in.parent {\n\t\tif in.isSynctest {\n\t\t\treturn\n\t\t}\n\t}\n", ""},
	{"testing/testing.go", "\t\tpanic(\"testing: t.Deadline called inside synctest bubble\")\n", "\t\treturn time.Time{}, false\n", ""},
	{"testing/testing.go", "\tgo tRunner(t2, f)\n", "\tt2.w = indenter{&t.common}\n\tt2.setOutputWriter()\n\tgo tRunner(t2, f)\n", ""},
	{"testing/synctest/synctest.go", "func Test(t *testing.T, f func(*testing.T)) {\n",
		"func Test(t *testing.T, f func(*testing.T)) {\n\tif synctest.IsInBubble() {\n\t\tf(t)\n\t\treturn\n\t}\n", ""},
}

// turns are the changes by which the goroutines of an explored bubble take turns as a strategy chooses.
var turns = []change{
	{"runtime/runtime2.go", "\tbubble  *synctestBubble\n",
		"\tbubble  *synctestBubble\n\n\txid, xstep, xchildren, xdraws uint32\n\txprio int64\n\txobject uintptr\n", ""},
	{"runtime/synctest.go", "\t\tbubble.now = next\n",
		"\t\tif exploreOvertime(bubble, next) {\n\t\t\tbreak\n\t\t}\n\t\tbubble.now = next\n", ""},
	{"runtime/proc.go", "\t\tnewg.bubble = callergp.bubble\n",
		"\t\tnewg.bubble = callergp.bubble\n\t\texploreBorn(newg, callergp, callerpc)\n", ""},
	{"runtime/proc.go", "func runqput(pp *p, gp *g, next bool) {\n",
		"func runqput(pp *p, gp *g, next bool) {\n\tif exploreActive(gp) {\n\t\texplorePut(gp)\n\t\treturn\n\t}\n", ""},
	{"runtime/proc.go", "\t// local runq\n\tif gp, inheritTime := runqget(pp); gp != nil {\n",
		"\tif gp := exploreNext(); gp != nil {\n\t\treturn gp, false, false\n\t}\n\n" +
			"\t// local runq\n\tif gp, inheritTime := runqget(pp); gp != nil {\n", ""},
	{"runtime/proc.go", "\tif !runqempty(pp) || !sched.runq.empty() {\n",
		"\tif !runqempty(pp) || !sched.runq.empty() || explore.nready > 0 && explore.bubble != 0 {\n", ""},
	// Stopped for the collector, it is the one that goes on; at a Gosched it is not, by default.
	{"runtime/proc.go", "\tdropg()\n\tif preempted && sched.gcwaiting.Load() {\n",
		"\tdropg()\n\tif exploreActive(gp) && preempted {\n\t\texplore.chosen.set(gp)\n\t\texplorePut(gp)\n" +
			"\t} else if exploreActive(gp) {\n\t\texploreGiveWay(gp)\n" +
			"\t} else if preempted && sched.gcwaiting.Load() {\n", "go1.26"},
	{"runtime/proc.go", "\tdropg()\n\tlock(&sched.lock)\n\tglobrunqput(gp)\n\tunlock(&sched.lock)\n\n\tif mainStarted {\n",
		"\tdropg()\n\tif exploreActive(gp) && preempted {\n\t\texplore.chosen.set(gp)\n\t\texplorePut(gp)\n" +
			"\t} else if exploreActive(gp) {\n\t\texploreGiveWay(gp)\n\t} else {\n" +
			"\t\tlock(&sched.lock)\n\t\tglobrunqput(gp)\n\t\tunlock(&sched.lock)\n\t}\n\n\tif mainStarted {\n", "go1.25"},
	{"runtime/proc.go", "\tdropg()\n\trunqput(pp, gp, false)\n\tschedule()\n",
		"\tdropg()\n\tif exploreActive(gp) {\n\t\texploreGiveWay(gp)\n\t} else {\n\t\trunqput(pp, gp, false)\n\t}\n" +
			"\tschedule()\n", ""},
	{"runtime/time.go", "\tif t.state&timerHeaped != 0 || t.when == 0 || t.when > now {\n\t\tt.trace(\"maybeRunChan-\")",
		"\tif t.isFake && t.state&timerHeaped == 0 && t.when > now {\n\t\texplorePolled(t.when)\n\t}\n" +
			"\tif t.state&timerHeaped != 0 || t.when == 0 || t.when > now {\n\t\tt.trace(\"maybeRunChan-\")", ""},
	{"runtime/traceback.go", "\t\tprint(\", synctest bubble \", bubble.id)\n",
		"\t\tprint(\", synctest bubble \", bubble.id)\n\t\texploreHeader(gp)\n", ""},
	{"runtime/panic.go", "func startpanic_m() bool {\n", "func startpanic_m() bool {\n\texploreDump()\n", ""},
}

// points are the operations that other goroutines can see.
var points = []change{
	{"runtime/chan.go", "func chansend(c *hchan, ep unsafe.Pointer, block bool, callerpc uintptr) bool {\n",
		"func chansend(c *hchan, ep unsafe.Pointer, block bool, callerpc uintptr) bool {\n" +
			"\tif getg().bubble != nil {\n\t\texplorePoint(exploreSend, unsafe.Pointer(c))\n\t}\n", ""},
	{"runtime/chan.go", "func chanrecv(c *hchan, ep unsafe.Pointer, block bool) (selected, received bool) {\n",
		"func chanrecv(c *hchan, ep unsafe.Pointer, block bool) (selected, received bool) {\n" +
			"\tif getg().bubble != nil {\n\t\texplorePoint(exploreReceive, unsafe.Pointer(c))\n\t}\n", ""},
	{"runtime/chan.go", "func closechan(c *hchan) {\n",
		"func closechan(c *hchan) {\n\tif getg().bubble != nil {\n\t\texplorePoint(exploreClose, unsafe.Pointer(c))\n\t}\n", ""},
	{"runtime/select.go", "\tgp := getg()\n\tif debugSelect {\n\t\tprint(\"select: cas0=\", cas0, \"\\n\")\n",
		"\tgp := getg()\n\tif gp.bubble != nil {\n\t\texplorePoint(exploreSelect, nil)\n\t}\n" +
			"\tif debugSelect {\n\t\tprint(\"select: cas0=\", cas0, \"\\n\")\n", ""},
	{"runtime/select.go", "\t// pass 1 - look for something already waiting\n",
		"\texploreSelectCase(gp, scases, pollorder, nsends)\n\n\t// pass 1 - look for something already waiting\n", ""},
	{"runtime/proc.go", "\t\tif mainStarted {\n\t\t\twakep()\n\t\t}\n\t})\n}\n",
		"\t\tif mainStarted {\n\t\t\twakep()\n\t\t}\n\t})\n\tif gp.bubble != nil {\n" +
			"\t\texplorePoint(exploreGo, nil)\n\t}\n}\n", ""},
	{"runtime/proc.go", "\tpc := sys.GetCallerPC()\n\tsystemstack(func() {\n\t\tnewg := newproc1(",
		"\tpc := exploreCreator(sys.GetCallerPC())\n\tsystemstack(func() {\n\t\tnewg := newproc1(", ""},
	{"runtime/time.go", "\treturn t.stop()\n}\n\n// resetTimer",
		"\tif getg().bubble != nil {\n\t\texplorePoint(exploreTimer, unsafe.Pointer(t))\n\t}\n" +
			"\treturn t.stop()\n}\n\n// resetTimer", ""},
	{"runtime/time.go", "\treturn t.reset(when, period)\n",
		"\tif getg().bubble != nil {\n\t\texplorePoint(exploreTimer, unsafe.Pointer(t))\n\t}\n" +
			"\treturn t.reset(when, period)\n", ""},

	head("internal/sync/mutex.go", "func (m *Mutex) Lock() {\n", opLock, "m"),
	head("internal/sync/mutex.go", "func (m *Mutex) TryLock() bool {\n", opLock, "m"),
	{"internal/sync/mutex.go", "\t\tm.unlockSlow(new)\n\t}\n}\n",
		"\t\tm.unlockSlow(new)\n\t}\n\truntime_explore(" + opUnlock + ", unsafe.Pointer(m))\n}\n", ""},
	{"internal/sync/runtime.go", "//go:linkname throw\n",
		"//go:linkname runtime_explore\nfunc runtime_explore(op uint32, object unsafe.Pointer)\n\n//go:linkname throw\n", ""},
	{"internal/sync/runtime.go", "import _ \"unsafe\"\n", "import \"unsafe\"\n", ""},
	{"sync/runtime.go", "func throw(string)\n",
		"//go:linkname runtime_explore\nfunc runtime_explore(op uint32, object unsafe.Pointer)\n\nfunc throw(string)\n", ""},
	head("sync/rwmutex.go", "func (rw *RWMutex) RLock() {\n", opRLock, "rw"),
	head("sync/rwmutex.go", "func (rw *RWMutex) TryRLock() bool {\n", opRLock, "rw"),
	head("sync/rwmutex.go", "func (rw *RWMutex) RUnlock() {\n", opUnlock, "rw"),
	head("sync/rwmutex.go", "func (rw *RWMutex) Lock() {\n", opLock, "rw"),
	head("sync/rwmutex.go", "func (rw *RWMutex) TryLock() bool {\n", opLock, "rw"),
	head("sync/waitgroup.go", "func (wg *WaitGroup) Add(delta int) {\n", opWaitGroup, "wg"),
	head("sync/waitgroup.go", "func (wg *WaitGroup) Wait() {\n", opWaitGroup, "wg"),
	head("sync/once.go", "func (o *Once) Do(f func()) {\n", opLock, "o"),
	{"sync/once.go", "import (\n", "import (\n\t\"unsafe\"\n", ""},
	{"sync/cond.go", "\tc.checker.check()\n\tt := runtime_notifyListAdd",
		"\tc.checker.check()\n\truntime_explore(" + opCond + ", unsafe.Pointer(c))\n\tt := runtime_notifyListAdd", ""},
	{"sync/cond.go", "\tc.checker.check()\n\truntime_notifyListNotifyOne",
		"\tc.checker.check()\n\truntime_explore(" + opCond + ", unsafe.Pointer(c))\n\truntime_notifyListNotifyOne", ""},
	{"sync/cond.go", "\tc.checker.check()\n\truntime_notifyListNotifyAll",
		"\tc.checker.check()\n\truntime_explore(" + opCond + ", unsafe.Pointer(c))\n\truntime_notifyListNotifyAll", ""},
}

// methods get a point at their beginning, all of a type.
var methods = []struct{ file, only, pattern, op, object string }{
	{"sync/atomic/type.go", "", `(?m)^func \(x \*[A-Za-z0-9]+(?:\[T\])?\) [A-Za-z]+\([^)]*\)[^{]*\{`, opAtomic, "x"},
	{"sync/atomic/value.go", "", `(?m)^func \(v \*Value\) [A-Za-z]+\([^)]*\)[^{]*\{`, opAtomic, "v"},
	{"sync/map.go", "go1.26", `(?m)^func \(m \*Map\) [A-Z][A-Za-z]+\(.*\{$`, opMap, "m"},
	{"sync/hashtriemap.go", "go1.25", `(?m)^func \(m \*Map\) [A-Z][A-Za-z]+\(.*\{$`, opMap, "m"},
}

// What stands at the end of runtime/synctest.go.
const functions = `
// bubblesRunning is how many bubbles there are in the process.
var bubblesRunning int32

// seedOfEnvironment is the seed of a bubble.
func seedOfEnvironment() uint64 {
	seed := uint64(0)
	for _, c := range []byte(gogetenv("WATCHLAB_SEED")) {
		seed = seed*10 + uint64(c-'0')
	}
	return seed + 1
}

// draw is the next number of the bubble (SplitMix64).
//
//go:nosplit
func (bubble *synctestBubble) draw() uint64 {
	if gp := getg(); exploreActive(gp) {
		return exploreValue(gp)
	}
	bubble.seed += 0x9e3779b97f4a7c15
	z := bubble.seed
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// look counts how often goroutines look at the time. After a thousand looks the others get their
// turns; a look of the runtime itself, as of a timer that sends the time, waits for the next one.
func (bubble *synctestBubble) look() {
	gp := getg()
	if bubble.looks++; bubble.looks >= 1000 && gp == gp.m.curg && canPreemptM(gp.m) {
		bubble.looks = 0
		Gosched()
	}
}

// bubbleRandn is below n: drawn from the bubble in one, and by chance outside.
func bubbleRandn(n uint32) uint32 {
	if bubble := getg().bubble; bubble != nil {
		if explore.bubble != 0 && explore.values == 0 {
			return 0
		}
		return uint32(bubble.draw() % uint64(n))
	}
	return cheaprandn(n)
}

// bubbleOrder leaves the cases of a select in their order where an exploration chooses among them.
func bubbleOrder(n uint32) uint32 {
	if exploreActive(getg()) {
		return n - 1
	}
	return bubbleRandn(n)
}
`
