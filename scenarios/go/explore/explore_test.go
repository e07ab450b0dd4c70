package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	watchlab "example.org/watchlab/goroutines"
)

// sample are tests of a module that does not know of watchlab: with bugs, and with what a bubble cannot have.
const sample = `package sample

import (
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

func lose(t *testing.T) {
	var count int32
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() { atomic.StoreInt32(&count, atomic.LoadInt32(&count)+1) })
	}
	all.Wait()
	if n := atomic.LoadInt32(&count); n != 2 {
		t.Errorf("the count is %d", n)
	}
}

func TestHolds(t *testing.T) {
	t.Parallel()
	var mutex sync.Mutex
	done := make(chan int)
	go func() {
		mutex.Lock()
		mutex.Unlock()
		done <- 1
	}()
	<-done
}

func TestOfParts(t *testing.T) {
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lose(t)
		})
	}
}

func TestInBubble(t *testing.T) { synctest.Test(t, lose) }

func TestNetwork(t *testing.T) {
	if listener, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		listener.Accept()
	}
}

func TestFinaliser(t *testing.T) {
	done := make(chan int)
	runtime.SetFinalizer(&[64]int{}, func(*[64]int) { close(done) })
	runtime.GC()
	<-done
}
`

func TestAllTestsOfAPackageAreExplored(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("GOFLAGS", "-mod=mod")
	for name, text := range map[string]string{"go.sum": string(sums), "sample_test.go": sample,
		"go.mod": "module sample\n\ngo 1.25.0\n\nrequire example.org/watchlab v0.0.0\n\nreplace example.org/watchlab => " + root + "\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	explorer, err := newExplorer(watchlab.Options{Runs: 500, Time: 10 * time.Second}, regexp.MustCompile(""))
	if err != nil {
		t.Fatal(err)
	}
	defer explorer.close()
	var out bytes.Buffer
	explorer.out = &out
	packages, err := list([]string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range packages {
		explorer.explore(each)
	}
	for _, part := range []string{"passed sample TestHolds: 500 runs passed", "FOUND  sample TestOfParts: failure in run ", "the count is 1",
		"FOUND  sample TestInBubble: failure in run ", " go run example.org/watchlab/explore -run '^TestInBubble$' sample\n",
		"unfit  sample TestNetwork: a run stands still: ", `sample_test.go:49 is in "IO wait", which is the network`,
		"unfit  sample TestFinaliser: close of synctest channel from outside bubble", "as that of a finaliser"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is not there", part)
		}
	}
	if summary := explorer.summary(); summary != "1 passed, 2 found, 2 do not fit" {
		t.Error(summary)
	}
	t.Log(out.String())
}

func TestPackagesWithoutTestsAreRefused(t *testing.T) {
	if _, err := list([]string{"../overlay/none..."}); err == nil || !strings.Contains(err.Error(), "has tests") {
		t.Errorf("the error is %v", err)
	}
	if _, err := list([]string{"./nowhere"}); err == nil || !strings.Contains(err.Error(), "go list: ") {
		t.Errorf("the error is %v", err)
	}
}
