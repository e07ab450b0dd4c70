package primitives

import (
	"math/rand"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// world is what the tasks of one run share. Closing over ends those that are stuck.
type world struct {
	program  *Program
	channels [channels + 1]chan int
	mutexes  [2]sync.Mutex
	cells    [2]atomic.Int64
	table    sync.RWMutex
	changed  *sync.Cond
	group    sync.WaitGroup
	missing  atomic.Int64 // what the group still counts
	values   [4]int
	flag     bool
	over     chan struct{}
	ended    atomic.Bool

	mutex    sync.Mutex
	saw      [][]int
	finished int
	report   chan struct{}
}

func newWorld(program *Program) *world {
	w := &world{program: program, over: make(chan struct{}), saw: make([][]int, len(program.Tasks)),
		report: make(chan struct{}, len(program.Tasks))}
	for i := range w.channels {
		w.channels[i] = make(chan int, capacities[i])
	}
	w.changed = sync.NewCond(&w.mutexes[0])
	w.group.Add(program.Group)
	w.missing.Store(int64(program.Group))
	return w
}

// task carries out the instructions of one.
type task struct {
	*world
	number int
	random *rand.Rand
}

func (t *task) run() {
	for _, instruction := range t.program.Tasks[t.number] {
		t.stumble()
		t.play(instruction)
	}
	t.mutex.Lock()
	t.finished++
	t.mutex.Unlock()
	t.report <- struct{}{}
}

// stumble lets tasks meet in different ways.
func (t *task) stumble() {
	switch t.random.Intn(4) {
	case 0:
		runtime.Gosched()
	case 1:
		for i := t.random.Intn(400); i > 0; i-- {
			t.ended.Load()
		}
	}
}

func (t *task) see(values ...int) {
	if t.ended.Load() {
		runtime.Goexit()
	}
	t.mutex.Lock()
	t.saw[t.number] = append(t.saw[t.number], values...)
	t.mutex.Unlock()
}

func (t *task) play(instruction Instruction) {
	which, me := instruction.Which, t.number+1
	if arms, polls := armsOf(instruction); arms != nil {
		chosen, value := t.communicate(arms, polls, which)
		t.see(sees(instruction.Op, chosen, value)...)
		return
	}
	switch instruction.Op {
	case "section":
		t.mutexes[which%2].Lock()
		defer t.mutexes[which%2].Unlock()
		t.see(t.values[which%2])
		t.values[which%2]++
	case "nested":
		t.mutexes[which%2].Lock()
		t.stumble()
		t.mutexes[(which+1)%2].Lock()
		t.see(t.values[0])
		t.values[0]++
		t.mutexes[(which+1)%2].Unlock()
		t.mutexes[which%2].Unlock()
	case "try_lock":
		if !t.mutexes[which%2].TryLock() {
			t.see(0)
			return
		}
		t.see(1)
		t.mutexes[which%2].Unlock()
	case "wait", "wait_while", "set_and_notify":
		t.playCondition(instruction.Op)
	case "notify_one":
		t.changed.Signal()
	case "notify_all":
		t.changed.Broadcast()
	case "size":
		t.see(len(t.channels[which%channels]))
	case "close_done":
		close(t.channels[done])
	case "load":
		t.see(int(t.cells[which%2].Load()))
	case "store":
		t.cells[which%2].Store(int64(me))
	case "add":
		t.see(int(t.cells[which%2].Add(1)) - 1)
	case "sleep":
		time.Sleep(delayOf(which))
	case "timer_drain":
		timer := time.NewTimer(delayOf(which))
		time.Sleep(time.Millisecond)
		empty := 0
		if timer.Stop() {
			empty = 1
		} else {
			select {
			case <-timer.C:
				empty = 1
			default:
			}
		}
		t.see(empty)
	case "read_section":
		t.table.RLock()
		t.see(t.values[3])
		t.table.RUnlock()
	case "write_section":
		t.table.Lock()
		t.values[3] = 10*t.values[3] + me
		t.table.Unlock()
	case "group_done":
		t.missing.Add(-1)
		t.group.Done()
	case "group_wait":
		t.group.Wait()
		t.see(0)
	case "yield":
		runtime.Gosched()
	case "spawn_join":
		joined := make(chan struct{})
		go func() {
			t.cells[which%2].Store(7)
			close(joined)
		}()
		<-joined
	default:
		panic("there is no instruction " + instruction.Op)
	}
}

func delayOf(which int) time.Duration { return time.Duration(1+which%2) * time.Millisecond }

func (t *task) playCondition(op string) {
	t.mutexes[0].Lock()
	defer t.mutexes[0].Unlock()
	switch op {
	case "wait":
		t.changed.Wait()
	case "wait_while":
		for !t.flag && !t.ended.Load() {
			t.changed.Wait()
		}
	default:
		t.flag = true
		t.changed.Signal()
	}
	t.see(t.values[2])
	t.values[2]++
}

// communicate takes one of the arms. All forms of the programs are spelled out: select is the thing to
// be watched.
func (t *task) communicate(arms []arm, polls bool, which int) (chosen, value int) {
	me := t.number + 1
	at := func(i int) chan int { return t.channels[arms[i].channel] }
	received := func(value int, ok bool) int {
		if !ok {
			return -1
		}
		return value
	}
	switch {
	case len(arms) == 3:
		select {
		case v, ok := <-at(0):
			return 0, received(v, ok)
		case v, ok := <-at(1):
			return 1, received(v, ok)
		case v, ok := <-at(2):
			return 2, received(v, ok)
		case <-t.over:
		}
	case arms[0].channel == timer:
		timer := time.NewTimer(delayOf(which))
		select {
		case <-timer.C:
			return 0, -1
		case v, ok := <-at(1):
			return 1, received(v, ok)
		case <-t.over:
		}
	case len(arms) == 2 && polls:
		select {
		case v, ok := <-at(0):
			return 0, received(v, ok)
		case at(1) <- me:
			return 1, -1
		default:
			return -1, -1
		}
	case len(arms) == 2:
		select {
		case v, ok := <-at(0):
			return 0, received(v, ok)
		case at(1) <- me:
			return 1, -1
		case <-t.over:
		}
	case arms[0].send && polls:
		select {
		case at(0) <- me:
			return 0, -1
		default:
			return -1, -1
		}
	case arms[0].send:
		select {
		case at(0) <- me:
			return 0, -1
		case <-t.over:
		}
	case polls:
		select {
		case v, ok := <-at(0):
			return 0, received(v, ok)
		default:
			return -1, -1
		}
	default:
		select {
		case v, ok := <-at(0):
			return 0, received(v, ok)
		case <-t.over:
		}
	}
	runtime.Goexit()
	return 0, 0
}

func (w *world) start(seed int64) {
	for i := range w.program.Tasks {
		one := &task{world: w, number: i, random: rand.New(rand.NewSource(seed + int64(i)))}
		go one.run()
	}
}

// outcome is what the run shows now.
func (w *world) outcome() (text string, finished int) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return outcomeText(w.saw, w.finished < len(w.program.Tasks)), w.finished
}

// end lets tasks that are stuck end; those stuck at a mutex stay.
func (w *world) end() {
	w.ended.Store(true)
	close(w.over)
	for w.missing.Add(-1) >= 0 {
		w.group.Done()
	}
	if w.mutexes[0].TryLock() {
		w.mutexes[0].Unlock()
		w.changed.Broadcast()
	}
}

// inTime says whether time matters: then a run takes place in a bubble, with virtual time.
func (p *Program) inTime() bool { return p.uses("sleep", "timer") }

// Playable says whether real Go can play it: in a bubble time stands still while somebody waits for
// a mutex, so a program that can get stuck at one must not be played there.
func (p *Program) Playable() bool { return !(p.inTime() && p.uses("nested")) }

// playOnce runs it in real Go. known says whether an outcome has been seen to be possible: it is
// waited longer for one that is not.
func playOnce(t *testing.T, program *Program, seed int64, known func(string) bool) string {
	if program.inTime() {
		var text string
		synctest.Test(t, func(*testing.T) {
			w := newWorld(program)
			w.start(seed)
			time.Sleep(time.Hour) // it is over when nothing else can happen
			text, _ = w.outcome()
			w.end()
		})
		return text
	}
	w := newWorld(program)
	w.start(seed)
	patience := time.After(3 * time.Millisecond)
	long := false
	for finished := 0; finished < len(program.Tasks); {
		select {
		case <-w.report:
			finished++
		case <-patience:
			if text, _ := w.outcome(); long || known(text) {
				w.end()
				return text
			}
			long = true
			patience = time.After(2 * time.Second)
		}
	}
	text, _ := w.outcome()
	return text
}
