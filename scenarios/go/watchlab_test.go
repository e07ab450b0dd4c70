package watchlab

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/rest"
)

// outside is a channel that no bubble has made.
var outside = make(chan struct{})

// kept is what a program has made last.
var kept []byte

// played is the test of which a program is the body.
var played *testing.T

// As in later releases of apimachinery, which remember the last error from the start on.
func init() {
	last := time.Now()
	utilruntime.ErrorHandlers[1] = func(context.Context, error, string, ...any) {
		time.Sleep(time.Millisecond - time.Since(last))
	}
}

// programs live in a story that a test of the same name plays.
var programs = map[string]func(ctx context.Context, cfg *rest.Config, note Note){
	"time": func(ctx context.Context, _ *rest.Config, note Note) {
		note("%s", time.Now().UTC().Format(time.RFC3339))
		time.Sleep(10 * time.Second)
		note("ten")
		<-ctx.Done()
	},
	"draws": func(ctx context.Context, _ *rest.Config, note Note) {
		note("%d", rand.Int63())
	},
	"request": func(ctx context.Context, cfg *rest.Config, note Note) {
		transport, err := rest.TransportFor(cfg)
		if err == nil {
			_, err = (&http.Client{Transport: transport, Timeout: 30 * time.Second}).Get(cfg.Host)
		}
		note("answered %v", err != nil)
	},
	"deadline": func(ctx context.Context, cfg *rest.Config, note Note) {
		connection, err := cfg.Dial(ctx, "tcp", "story.invalid:80")
		if err == nil {
			connection.SetReadDeadline(time.Now().Add(5 * time.Second))
			_, err = connection.Read(make([]byte, 1))
		}
		note("%v", err)
	},
	"errors": func(_ context.Context, _ *rest.Config, note Note) {
		utilruntime.HandleError(errors.New("the first"))
		utilruntime.HandleError(errors.New("the second"))
		note("handled")
	},
	"deaf": func(ctx context.Context, _ *rest.Config, note Note) {
		time.Sleep(24 * time.Hour)
	},
	"fails": func(ctx context.Context, _ *rest.Config, note Note) {
		panic("here")
	},
	"mutex": func(ctx context.Context, _ *rest.Config, note Note) {
		var mutex sync.Mutex
		go func() {
			mutex.Lock()
			time.Sleep(time.Second)
			mutex.Unlock()
		}()
		time.Sleep(time.Millisecond)
		mutex.Lock()
	},
	"rwmutex": func(ctx context.Context, _ *rest.Config, note Note) {
		var mutex sync.RWMutex
		go func() {
			mutex.RLock()
			time.Sleep(time.Second)
			mutex.RUnlock()
		}()
		time.Sleep(time.Millisecond)
		mutex.Lock()
	},
	"channel": func(ctx context.Context, _ *rest.Config, note Note) {
		select {
		case <-outside:
		case <-time.After(time.Second):
		}
	},
	"parallel": func(ctx context.Context, _ *rest.Config, note Note) {
		played.Run("alone", func(t *testing.T) { note("alone") })
		played.Run("beside others", func(t *testing.T) { t.Parallel() })
	},
	"network": func(ctx context.Context, _ *rest.Config, note Note) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err == nil {
			_, err = listener.Accept()
		}
		note("%v", err)
	},
	"exec": func(ctx context.Context, _ *rest.Config, note Note) {
		note("%v", exec.CommandContext(ctx, "sleep", "20").Run())
	},
	"garbage": func(ctx context.Context, _ *rest.Config, note Note) {
		for range 400 { // megabytes, and as many turns
			kept = make([]byte, 1<<20)
			note("more")
			time.Sleep(time.Millisecond)
		}
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		note("%v", memory.HeapAlloc < 200<<20)
	},
	"slow": func(ctx context.Context, _ *rest.Config, note Note) {
		left := syscall.NsecToTimespec((2 * looksMax * lookEvery).Nanoseconds())
		for syscall.Nanosleep(&left, &left) == syscall.EINTR {
		}
		note("done")
	},
	"circles": func(context.Context, *rest.Config, Note) {
		for kept == nil {
		}
	},
	"ticker": func(ctx context.Context, _ *rest.Config, note Note) {
		go func() {
			for range time.Tick(time.Second) {
			}
		}()
	},
	"pair": func(ctx context.Context, _ *rest.Config, note Note) {
		go func() { note("a") }()
		go func() { note("b") }()
		<-ctx.Done()
	},
	"host": func(ctx context.Context, cfg *rest.Config, note Note) {
		note("asks %s", cfg.Host)
		<-ctx.Done()
		note("asked to end")
	},
	"blocked": func(ctx context.Context, _ *rest.Config, note Note) {
		go func() { <-make(chan struct{}) }()
	},
}

// TestProgram is what runs in a story; the environment says which of the programs.
func TestProgram(t *testing.T) {
	body := programs[os.Getenv("WATCHLAB_TEST_PROGRAM")]
	if body == nil {
		t.Skip("a program for the other tests")
	}
	played = t
	Test(t, Options{}, body)
}

func startProgram(t *testing.T, name string, more ...string) *world {
	t.Helper()
	t.Setenv("WATCHLAB_TEST_PROGRAM", name)
	return start(t, "TestProgram", more...)
}

func TestTheWorldOrdersGoroutines(t *testing.T) {
	for _, each := range []struct{ turns, notes, swaps string }{
		{"", "0s a, 0s b", ""},
		{"\x02\x00", "0s a, 0s b", ""},
		{"\x01\x00", "0s b, 0s a", "1.1@1:1.1.2: goroutine 1.1 (the program's function) waits at watchlab_test.go:000, " +
			"and then goroutine 1.1.2 of watchlab_test.go:000 starts before the others"},
	} {
		w := startProgram(t, "pair", `,"chosen":true`)
		r := w.say(order{Until: w.now, Turns: []byte(each.turns)})
		if !strings.Contains(os.Getenv("GOFLAGS"), "-overlay") {
			w.wants(r.Failed, "needs the overlay")
			return
		}
		swaps := ""
		for _, swap := range r.Swaps {
			swaps += swap.Place + ": " + regexp.MustCompile(`go:\d+`).ReplaceAllString(swap.Text, "go:000")
		}
		if notes := strings.Join(w.notes, ", "); notes != each.notes || swaps != each.swaps || r.Taken != min(len(each.turns), 1) {
			t.Errorf("turns %q: the notes are %q, the swaps %q, %d taken", each.turns, notes, swaps, r.Taken)
		}
	}
}

func TestBehindServeItLivesInRealTime(t *testing.T) {
	command := exec.Command(os.Args[0], "-test.run=^TestProgram$", "-test.v")
	command.Env = append(os.Environ(), "WATCHLAB_TEST_PROGRAM=host", serverVariable+"=http://127.0.0.1:1")
	output, err := command.StdoutPipe()
	if err != nil || command.Start() != nil {
		t.Fatalf("no program: %v", err)
	}
	printed := ""
	for lines := bufio.NewScanner(output); lines.Scan(); {
		printed += lines.Text() + "\n"
		if strings.HasSuffix(lines.Text(), "asks http://127.0.0.1:1") {
			_ = command.Process.Signal(syscall.SIGTERM)
		}
	}
	if err := command.Wait(); err != nil || !strings.Contains(printed, "asked to end\n") {
		t.Fatalf("%v\n%s", err, printed)
	}
}

func TestTimeIsThatOfTheWorld(t *testing.T) {
	w := startProgram(t, "time")
	w.until(time.Minute)
	if !slices.Equal(w.notes, []string{"0s 2024-01-01T00:00:00Z", "10s ten"}) {
		t.Errorf("the notes are %q", w.notes)
	}
	r := w.say(order{Until: w.now, Stop: true})
	if !r.Done || r.Failed != "" {
		t.Fatalf("it should be done: %+v", r)
	}
	if err := w.ended(); err != nil {
		t.Errorf("it ended with %v\n%s", err, w.printed.String())
	}
}

func TestDrawsAreThoseOfTheSeed(t *testing.T) {
	var drawn []string
	for range 2 {
		w := startProgram(t, "draws")
		w.until(time.Second)
		drawn = append(drawn, w.notes...)
	}
	if wanted := fmt.Sprintf("0s %d", rand.New(rand.NewSource(7)).Int63()); drawn[0] != wanted || drawn[1] != wanted {
		t.Errorf("%q should be %q twice", drawn, wanted)
	}
}

func TestRequestTimesOutInTheStorysTime(t *testing.T) {
	w := startProgram(t, "request")
	w.until(time.Minute)
	if !slices.Equal(w.notes, []string{"30s answered true"}) {
		t.Errorf("the notes are %q", w.notes)
	}
}

func TestReadsEndAtTheirDeadline(t *testing.T) {
	w := startProgram(t, "deadline")
	w.until(time.Minute)
	if !slices.Equal(w.notes, []string{"5s i/o timeout"}) {
		t.Errorf("the notes are %q", w.notes)
	}
}

func TestErrorsCostMillisecondsOfTheStorysTime(t *testing.T) {
	w := startProgram(t, "errors")
	w.until(time.Minute)
	if !slices.Equal(w.notes, []string{"2ms handled"}) {
		t.Errorf("the notes are %q", w.notes)
	}
}

func TestProgramThatDoesNotStopIsNamed(t *testing.T) {
	w := startProgram(t, "deaf")
	w.until(time.Second)
	w.say(order{Until: w.now, Stop: true})
	r := w.say(order{Until: w.now, Alone: true})
	w.wants(r.Failed, "has not returned within 10m0s after ctx had ended")
	w.wants(r.Failed, "sleep, at watchlab_test.go")
}

func TestPanicEndsTheProcess(t *testing.T) {
	w := startProgram(t, "fails")
	w.file.Write([]byte("\x00\x00\x00\x0d{\"until\":123}"))
	if err := w.ended(); err == nil {
		t.Error("it should have ended badly")
	}
	w.wants(w.printed.String(), "panic: here")
}

// The world switches the runtime's own collection off.
func TestGarbageIsCollectedBetweenTurns(t *testing.T) {
	w := startProgram(t, "garbage")
	w.until(time.Minute)
	if last := w.notes[len(w.notes)-1]; last != "400ms true" {
		t.Errorf("of 400 MiB that were made one by one, more than 200 are still there: %q", last)
	}
}

func TestProgramThatIsSlowDoesNotStandStill(t *testing.T) {
	w := startProgram(t, "slow")
	r := w.until(time.Minute)
	if !r.Done || !slices.Equal(w.notes, []string{"0s done"}) {
		t.Errorf("it should be done: %+v, %q", r, w.notes)
	}
}

// Each trap of docs/go.md is named, with the line of the program that is in it.
func TestTrapsAreNamed(t *testing.T) {
	traps := map[string]string{
		"mutex":    "stands still: a goroutine waits for a mutex that another one holds while it sleeps or waits (sync.Mutex.Lock), at watchlab_test.go:",
		"rwmutex":  "stands still: a goroutine waits for a mutex that another one holds while it sleeps or waits (sync.RWMutex.Lock), at watchlab_test.go:",
		"channel":  "stands still: a goroutine waits for a channel that was made outside of the test's function (select), at watchlab_test.go:",
		"parallel": "stands still: a goroutine waits for a channel that was made outside of the test's function (chan receive), at watchlab_test.go:",
		"network":  "stands still: a goroutine waits for a real network or a pipe (IO wait), at watchlab_test.go:",
		"exec":     "stands still: a goroutine is in a system call for 8s, as one that runs a program is, at watchlab_test.go:",
		"ticker":   "has left goroutines behind, which must end before its function returns, or with ctx:\n  chan receive, at watchlab_test.go:",
		"blocked":  "has left goroutines behind, which must end before its function returns, or with ctx:\n  chan receive, at watchlab_test.go:",
	}
	for name, wanted := range traps {
		t.Run(name, func(t *testing.T) {
			w := startProgram(t, name)
			r := w.until(time.Minute)
			if strings.HasSuffix(name, "mutex") && strings.Contains(os.Getenv("GOFLAGS"), "-overlay") {
				if !r.Done {
					t.Errorf("with the overlay time passes: %+v", r)
				}
				return
			}
			w.wants(r.Failed, wanted)
		})
	}
}

func TestStoryNeedsANameAndACommand(t *testing.T) {
	if _, err := storyCommand("TestX", Options{}); err == nil || err.Error() != "watchlab: Options.Scenario names no story" {
		t.Errorf("without a scenario: %v", err)
	}
	options := Options{Scenario: "demo", Seed: 7, Program: "/no/such/watchlab"}
	if _, err := storyCommand("TestX", options); err == nil {
		t.Error("without a command there should be an error")
	}
	options.Program = os.Args[0]
	command, err := storyCommand("TestX/sub", options)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(command.Args[1:], []string{"run", "demo", "--seed", "7"}) {
		t.Errorf("the words are %q", command.Args)
	}
}

// A program that was started may be slow because the machine is busy.
func TestAChildThatCouldRunIsSeen(t *testing.T) {
	for _, each := range []struct {
		script string
		runs   bool
	}{{"while :; do :; done", true}, {"exec sleep 1000", false}} {
		child := exec.Command("sh", "-c", each.script)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		seen := false
		for look := 0; look < 10000 && !seen; look++ {
			standBy(time.Millisecond)
			seen = childRuns() == each.runs
		}
		child.Process.Kill()
		child.Wait()
		if !seen {
			t.Errorf("%s: never seen as one that runs: %v", each.script, each.runs)
		}
	}
}
