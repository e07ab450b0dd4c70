package watchlab

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Small programs with a bug each, of the kinds that are found in real ones.

// A pool hands out a worker's place after it has looked, without a lock, whether it is closed.
func sendAfterClose(*testing.T) {
	jobs, closed := make(chan int, 1), atomic.Bool{}
	go func() {
		if !closed.Load() {
			jobs <- 1
		}
	}()
	closed.Store(true)
	close(jobs)
}

// Two close the same channel after they have looked.
func closedTwice(*testing.T) {
	done := make(chan struct{})
	var once atomic.Bool
	var all sync.WaitGroup
	for range 2 {
		all.Add(1)
		go func() {
			defer all.Done()
			if !once.Load() {
				once.Store(true)
				close(done)
			}
		}()
	}
	all.Wait()
}

// Two locks are taken in two orders.
func lockOrder(*testing.T) {
	var a, b sync.Mutex
	var all sync.WaitGroup
	all.Add(2)
	take := func(first, second *sync.Mutex) {
		defer all.Done()
		first.Lock()
		second.Lock()
		second.Unlock()
		first.Unlock()
	}
	go take(&a, &b)
	go take(&b, &a)
	all.Wait()
}

// The flag that a waiter looks at has another lock than its condition: a wake-up is lost.
func lostWakeUp(*testing.T) {
	var mutex sync.Mutex
	var closed atomic.Bool
	cond := sync.NewCond(&mutex)
	done := make(chan struct{})
	go func() {
		defer close(done)
		mutex.Lock()
		defer mutex.Unlock()
		for !closed.Load() {
			cond.Wait()
		}
	}()
	closed.Store(true)
	cond.Broadcast()
	<-done
}

// The one that asks gives up first, and then nobody takes the answer.
func leakedAnswer(*testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	answer := make(chan error)
	go func() { answer <- errors.New("slow") }()
	go cancel()
	select {
	case <-answer:
	case <-ctx.Done():
	}
}

// A reader comes again while a writer waits: it waits for the writer, which waits for it.
func readTwice(*testing.T) {
	var mutex sync.RWMutex
	var all sync.WaitGroup
	all.Add(2)
	go func() {
		defer all.Done()
		mutex.RLock()
		mutex.RLock()
		mutex.RUnlock()
		mutex.RUnlock()
	}()
	go func() {
		defer all.Done()
		mutex.Lock()
		mutex.Unlock()
	}()
	all.Wait()
}

// An update is lost between Load and Store.
func lostUpdate(t *testing.T) {
	var count atomic.Int64
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() { count.Store(count.Load() + 1) })
	}
	all.Wait()
	if count.Load() != 2 {
		t.Errorf("the count is %d", count.Load())
	}
}

// The same with the functions of sync/atomic, which are instructions elsewhere.
func lostAddition(t *testing.T) {
	var count int32
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() { atomic.StoreInt32(&count, atomic.LoadInt32(&count)+1) })
	}
	all.Wait()
	if n := atomic.AddInt32(&count, 0); n != 2 {
		t.Errorf("the count is %d", n)
	}
}

// edited is a lost update, with one part edited since its schedule was recorded.
func edited(part string) func(*testing.T) {
	return func(t *testing.T) {
		var count, other atomic.Int64
		var all sync.WaitGroup
		if part == "operation-before" {
			other.Add(1)
		}
		if strings.HasPrefix(part, "goroutine") {
			all.Go(func() { other.Add(1) })
		}
		for range 2 {
			all.Go(func() {
				if strings.HasSuffix(part, "operation") {
					other.Add(1)
				}
				count.Store(count.Load() + 1)
			})
		}
		if part == "line" {
			t.Log("a line")
		}
		all.Wait()
		if count.Load() != 2 {
			t.Errorf("the count is %d", count.Load())
		}
	}
}

// Add may come after Wait.
func addAfterWait(t *testing.T) {
	var all sync.WaitGroup
	var done atomic.Int32
	begin := all.Add
	go func() {
		begin(1)
		go func() {
			done.Add(1)
			all.Done()
		}()
	}()
	time.Sleep(time.Millisecond)
	all.Wait()
	if done.Load() != 1 {
		t.Error("Wait has not waited")
	}
}

// A poller gives up before the last answer, if time passes while it could look.
func slowPoll(t *testing.T) {
	var ready atomic.Bool
	time.AfterFunc(10*time.Millisecond, func() { ready.Store(true) })
	deadline := time.After(15 * time.Millisecond)
	for {
		select {
		case <-deadline:
			if !ready.Load() {
				t.Error("not ready in time")
			}
			return
		default:
			if ready.Load() {
				return
			}
		}
	}
}

// The order of a map decides which of two is first.
func mapOrder(t *testing.T) {
	names := map[string]int{}
	for i, name := range []string{"a", "b", "c"} {
		names[name] = i
	}
	for name := range names {
		if name != "a" {
			t.Errorf("%s is first", name)
		}
		break
	}
}

// A select with two ready cases takes the one that loses an event.
func eitherCase(t *testing.T) {
	events, stop := make(chan int, 1), make(chan struct{})
	events <- 1
	close(stop)
	select {
	case <-events:
	case <-stop:
		t.Error("an event is lost")
	}
}

// A timer that has fired is not stopped.
func firedTimer(t *testing.T) {
	var fired atomic.Bool
	timer := time.AfterFunc(time.Millisecond, func() { fired.Store(true) })
	if !timer.Stop() {
		time.Sleep(time.Millisecond)
	}
	if fired.Load() {
		t.Error("it has fired")
	}
}

// A plain field is written without a lock: only -race sees it.
func plainField(*testing.T) {
	var mutex sync.Mutex
	value := 0
	done := make(chan struct{})
	go func() {
		mutex.Lock()
		value++
		mutex.Unlock()
		close(done)
	}()
	mutex.Lock()
	mutex.Unlock()
	value++
	<-done
}

// Two that are ready ask each other for ever.
func neverEnds(*testing.T) {
	ping := make(chan struct{})
	go func() {
		for range ping {
			time.Sleep(time.Second)
		}
	}()
	for {
		ping <- struct{}{}
	}
}

// Two look into a sync.Map, and both store.
func storedTwice(t *testing.T) {
	var cache sync.Map
	var stores atomic.Int32
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			if _, found := cache.Load("key"); !found {
				cache.Store("key", 1)
				stores.Add(1)
			}
		})
	}
	all.Wait()
	if stores.Load() != 1 {
		t.Error("stored twice")
	}
}

var initialized atomic.Bool

// The process is initialized by the first one that sees that it is not: by two, once.
func initializedTwice(t *testing.T) {
	var count atomic.Int32
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			if !initialized.Load() {
				initialized.Store(true)
				count.Add(1)
			}
		})
	}
	all.Wait()
	if count.Load() > 1 {
		t.Error("initialized twice")
	}
}

// endless looks at a flag that nobody sets.
func endless(*testing.T) {
	var flag atomic.Bool
	for !flag.Load() {
	}
}

// Two that wake each other are ended by a timer, and by a third.
func wakeEachOther(t *testing.T) {
	pings, stop := make(chan int), make(chan struct{})
	timer := time.AfterFunc(300*time.Nanosecond, func() { close(stop) })
	defer timer.Stop()
	go func() {
		for {
			select {
			case <-pings:
			case <-stop:
				return
			}
		}
	}()
	for {
		select {
		case <-stop:
			return
		default:
		}
		select {
		case pings <- 1:
		case <-stop:
		}
	}
}

// endsLater leaves a goroutine that ends by itself.
func endsLater(*testing.T) {
	go func() { time.Sleep(10 * time.Second) }()
}

// correct has locks, channels, a timer and no bug.
func correct(t *testing.T) {
	var mutex sync.Mutex
	count := 0
	results := make(chan int)
	for range 3 {
		go func() {
			time.Sleep(time.Millisecond)
			mutex.Lock()
			count++
			mutex.Unlock()
			results <- 1
		}()
	}
	for range 3 {
		<-results
	}
	if count != 3 {
		t.Error(count)
	}
}

var kernels = map[string]func(*testing.T){"sendAfterClose": sendAfterClose, "closedTwice": closedTwice, "lockOrder": lockOrder,
	"lostWakeUp": lostWakeUp, "leakedAnswer": leakedAnswer, "readTwice": readTwice, "lostUpdate": lostUpdate, "lostAddition": lostAddition,
	"addAfterWait": addAfterWait, "slowPoll": slowPoll, "mapOrder": mapOrder, "eitherCase": eitherCase, "firedTimer": firedTimer,
	"plainField": plainField, "neverEnds": neverEnds, "storedTwice": storedTwice, "endsLater": endsLater, "wakeEachOther": wakeEachOther, "correct": correct}
