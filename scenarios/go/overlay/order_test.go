package main

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// inOneThread plays the test once more in a process that has one thread for goroutines, as the
// programs of a story do; false where that is to be left to that process.
func inOneThread(t *testing.T) bool {
	t.Helper()
	if !strings.Contains(os.Getenv("GOFLAGS"), "-overlay") {
		t.Skip("without the overlay: put it into GOFLAGS")
	}
	if os.Getenv("GOMAXPROCS") == "1" {
		return true
	}
	again := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.timeout=30s")
	again.Env = append(os.Environ(), "GOMAXPROCS=1")
	if printed, err := again.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, printed)
	}
	return false
}

// inSystemCall blocks the thread for that real time.
func inSystemCall(span time.Duration) {
	left := syscall.NsecToTimespec(span.Nanoseconds())
	for syscall.Nanosleep(&left, &left) == syscall.EINTR {
	}
}

func wantOrder(t *testing.T, got []string, wanted ...string) {
	t.Helper()
	if !slices.Equal(got, wanted) {
		t.Errorf("the order is %q, and should be %q", got, wanted)
	}
}

func TestSystemCallKeepsItsTurn(t *testing.T) {
	if !inOneThread(t) {
		return
	}
	over := make(chan struct{})
	defer close(over)
	go func() { // a goroutine of outside comes back all the time, and looks for a turn
		for {
			select {
			case <-over:
				return
			default:
				inSystemCall(25 * time.Millisecond)
			}
		}
	}()
	for range 5 {
		time.Sleep(time.Millisecond) // that goroutine gets to its call
		synctest.Test(t, func(t *testing.T) {
			var order []string
			go func() { order = append(order, "other") }()
			inSystemCall(80 * time.Millisecond)
			order = append(order, "caller")
			synctest.Wait()
			wantOrder(t, order, "caller", "other")
		})
	}
}

func TestMutexDoesNotLookAtRealTime(t *testing.T) {
	if !inOneThread(t) {
		return
	}
	synctest.Test(t, func(t *testing.T) {
		var mutex sync.Mutex
		var order []string
		slow := make(chan struct{})
		mutex.Lock()
		go func() {
			mutex.Lock()
			order = append(order, "waiter")
			mutex.Unlock()
		}()
		for range 2 {
			runtime.Gosched() // the waiter comes to where it waits
			go func() {
				inSystemCall(5 * time.Millisecond)
				slow <- struct{}{}
			}()
			<-slow
			mutex.Unlock()
			mutex.Lock() // the waiter has been woken, and has not run
			order = append(order, "holder")
		}
		mutex.Unlock()
		synctest.Wait()
		wantOrder(t, order, "holder", "holder", "waiter")
	})
}

func TestTimePassesWhileAMutexIsHeld(t *testing.T) {
	if !inOneThread(t) {
		return
	}
	synctest.Test(t, func(t *testing.T) {
		var mutex sync.RWMutex
		began := time.Now()
		go func() {
			mutex.Lock()
			time.Sleep(time.Second)
			mutex.Unlock()
		}()
		time.Sleep(time.Millisecond)
		mutex.RLock()
		if waited := time.Since(began); waited != time.Second {
			t.Errorf("it has waited until %v", waited)
		}
	})
}

func TestOneThatNeverWaitsLetsOthersRun(t *testing.T) {
	if !inOneThread(t) {
		return
	}
	synctest.Test(t, func(t *testing.T) {
		var over atomic.Bool
		go func() { over.Store(true) }()
		for looks := 1; !over.Load(); looks++ {
			if looks > 1000 {
				t.Fatal("no other goroutine has had a turn")
			}
			time.Now()
		}
	})
}

func TestATimerLooksAtTheTimeWithoutATurn(t *testing.T) {
	if !inOneThread(t) {
		return
	}
	synctest.Test(t, func(t *testing.T) {
		ticker := time.NewTicker(time.Millisecond) // sends the time, on the runtime's own stack
		defer ticker.Stop()
		for range 3000 {
			<-ticker.C
		}
	})
}
