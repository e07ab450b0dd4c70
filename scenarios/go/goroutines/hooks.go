package watchlab

import _ "unsafe" // for the name of a variable

// hooks is a variable of the overlay's runtime. In a program without the overlay it has no value: the linker
// takes the one that has, and this declaration has none.
//
//go:linkname hooks runtime.exploreHooks
var hooks *functions

// functions is exploreFunctions of instrument/_runtime.
type functions struct {
	version   int // of all that both sides declare
	set       func(config *config)
	schedule  func(deviations string) bool
	prefix    func(decisions []uint64, which []uint32)
	give      func(values []byte)
	report    func(report *report)
	deviation func(i int) (from, step, op, to uint32, fromPCs, toPCs, madePCs []uintptr)
	birth     func(id uint32) (parent, nth uint32, pc uintptr)
	digests   func() []uint16
	point     func(i int) (goroutine, step, op uint32, pcs []uintptr)
	widths    func() (widths, again []uint8)
	total     func() int
}

// hooksVersion goes up when one of the declarations below changes: an overlay can be older than this package.
const hooksVersion = 4

// config is exploreConfig of instrument/_runtime.
type config struct {
	strategy  int
	seed      uint64
	values    uint64
	depth     int
	length    uint64
	lag       int64
	places    bool
	memory    bool
	maxPoints uint64
	maxTime   int64
}

// report is exploreReport of instrument/_runtime.
type report struct {
	points, decisions, switches, digest, taken uint64
	kept, lost, missed, goroutines             int
	overtime                                   bool
	due                                        int64
}

// The strategies, and the names of the operations, by the numbers of explore_state.go.
const (
	strategyOff = iota
	strategyDefault
	strategyRandom
	strategyPCT
	strategyPOS
	strategySticky
	strategyPrefix
	strategyReplay
	strategyStream
)

var operations = []string{"", "a send", "a receive", "close", "a select", "a lock", "an unlock", "a read lock", "a WaitGroup call",
	"a Cond call", "an atomic operation", "what follows its go", "it can go on", "a select", "runtime.Gosched", "a Map call", "a timer call",
	"an atomic operation", "an access to memory"}

// objects are what the operations are on.
var objects = []string{"", "channel", "channel", "channel", "", "lock", "lock", "lock", "WaitGroup", "Cond", "value", "", "", "", "", "Map", "timer",
	"value", "memory"}

const (
	operationGo      = 11
	operationBlocked = 12
	operationCase    = 13
	toClock          = 1<<32 - 1
)
