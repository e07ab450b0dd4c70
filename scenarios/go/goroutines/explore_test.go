package watchlab

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"
)

// searched is what a search finds in a kernel, and nil in the processes that play.
func searched(t *testing.T, kernel func(*testing.T), options Options) *finding {
	t.Helper()
	if err := options.complete(); err != nil {
		t.Fatal(err)
	}
	if workAtStart != "" {
		work(t, kernel, workAtStart)
		return nil
	}
	found, err := search(t.Name(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(found.text())
	return found
}

func wantText(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
}

func TestBugsAreFoundMadeSmallAndReplayed(t *testing.T) {
	for _, each := range []struct {
		kernel, kind, why string
		deviations        int
	}{
		{"sendAfterClose", "panic", "send on closed channel", 2},
		{"closedTwice", "panic", "close of closed channel", 3},
		{"lockOrder", kindBlocked, "", 4},
		{"lostWakeUp", kindBlocked, "", 2},
		{"leakedAnswer", kindLeak, "", 1},
		{"readTwice", kindBlocked, "", 4},
		{"lostUpdate", kindFailed, "the count is 1", 3},
		{"lostAddition", kindFailed, "the count is 1", 3},
		{"addAfterWait", kindFailed, "Wait has not waited", 2},
		{"slowPoll", kindFailed, "not ready in time", 2},
		{"mapOrder", kindFailed, " is first", 0},
		{"eitherCase", kindFailed, "an event is lost", 1},
		{"firedTimer", kindFailed, "it has fired", 1},
		{"neverEnds", kindForever, "after 1h0m0s", 0},
		{"storedTwice", kindFailed, "stored twice", 3},
		{"endsLater", "", "", 0},
		{"correct", "", "", 0},
		{"wakeEachOther", "", "", 0},
	} {
		t.Run(each.kernel, func(t *testing.T) {
			found := searched(t, kernels[each.kernel], Options{Runs: 500})
			if found == nil {
				return
			}
			if found.Kind != each.kind || !strings.Contains(found.Why, each.why) {
				t.Errorf("it is %q: %s", found.Kind, found.Why)
			}
			if n := len(found.kept.Deviations); n > each.deviations || !found.minimal && n > 0 {
				t.Errorf("%d deviations, minimal: %v", n, found.minimal)
			}
			if found.Kind != "" && found.replays != replaysOfFinding {
				t.Errorf("replayed %d times", found.replays)
			}
			for _, smaller := range without(found.kept, 1) {
				if p, err := found.replay(smaller, false); err != nil || alike(p, found.played) {
					t.Errorf("%v fails too (%v)", smaller.Deviations, err)
				}
			}
		})
	}
}

// Sampled by one strategy, or searched by deviations, the bugs are there too.
func TestEachStrategyFindsALostUpdate(t *testing.T) {
	for _, strategy := range strategies {
		t.Run(strategy, func(t *testing.T) {
			if found := searched(t, lostUpdate, Options{Strategy: strategy, Depth: 3}); found != nil && found.Kind != kindFailed {
				t.Errorf("it is %q", found.Kind)
			}
		})
	}
}

func TestAProcessForEachOrderFindsWhatHappensOnce(t *testing.T) {
	one := searched(t, initializedTwice, Options{Runs: 100})
	if one == nil {
		return
	}
	each := searched(t, initializedTwice, Options{Runs: 100, Processes: true})
	if one.Kind != "" || each.Kind != kindFailed || each.replays != replaysOfFinding {
		t.Errorf("in one process it is %q, in one for each order %q, replayed %d times", one.Kind, each.Kind, each.replays)
	}
}

func TestTheRunOfAPanicIsCounted(t *testing.T) {
	found := searched(t, closedTwice, Options{Strategy: "dfs", Depth: 3})
	if found != nil && (found.Run != 8 || found.Strategy != "dfs") {
		t.Errorf("run %d of %q", found.Run, found.Strategy)
	}
}

func TestDfsPlaysAllOrdersWithinItsBound(t *testing.T) {
	found := searched(t, correct, Options{Strategy: "dfs", Depth: 1, Runs: 10000})
	if found != nil && (found.Kind != "" || !found.Complete || found.Runs < 20) {
		t.Errorf("%q, %v after %d runs", found.Kind, found.Complete, found.Runs)
	}
}

// A loop that polls has thousands of decisions, and only those at its first looks matter.
func TestDfsFindsWhatAPollingLoopMisses(t *testing.T) {
	found := searched(t, slowPoll, Options{Strategy: "dfs"})
	if found != nil && found.Kind != kindFailed {
		t.Errorf("%q after %d runs", found.Kind, found.Runs)
	}
}

func TestTheFailureSaysWhoWentBeforeWhom(t *testing.T) {
	if found := searched(t, leakedAnswer, Options{}); found != nil {
		wantText(t, found.text(), "watchlab: leak in run", "goroutine 1.1 of kernels_test.go:85 at kernels_test.go:85: chan send, on what was made at kernels_test.go:84",
			"without it, the run passes", "stops before a send at kernels_test.go:85 (the channel made at kernels_test.go:84)", "and goroutine 1.2 of kernels_test.go:", " goes on before it",
			"5 of 5 alike", "WATCHLAB_SCHEDULE=v1/", "go test -run '^TestTheFailureSaysWhoWentBeforeWhom$' .")
	}
}

// For a panic, a deadlock and a failed test: a hundred processes end with the same digest.
func TestReplaysAreAlikeInAHundredProcesses(t *testing.T) {
	for _, kernel := range []string{"closedTwice", "lockOrder", "lostUpdate", "slowPoll"} {
		t.Run(kernel, func(t *testing.T) {
			found := searched(t, kernels[kernel], Options{})
			if found == nil {
				return
			}
			same := 0
			for range 100 {
				p, err := found.replay(found.kept, false)
				if err != nil {
					t.Fatal(err)
				}
				if alike(p, found.played) && p.Schedule.Digest == found.kept.Digest {
					same++
				}
			}
			if same != 100 {
				t.Errorf("%d of 100", same)
			}
		})
	}
}

func TestAThousandOrdersAreEqualTwice(t *testing.T) {
	options := Options{Runs: 1000}
	if first := searched(t, correct, options); first != nil {
		if second := searched(t, correct, options); first.Digests != second.Digests || first.Points != second.Points {
			t.Errorf("%x with %d points, and %x with %d", first.Digests, first.Points, second.Digests, second.Points)
		}
		options.Seed = 5000
		if other := searched(t, correct, options); other.Digests == first.Digests {
			t.Error("other seeds have the same orders")
		}
	}
}

func TestAScheduleIsReplayedStrictly(t *testing.T) {
	if workAtStart != "" {
		searched(t, lostUpdate, Options{})
		return
	}
	found := searched(t, lostUpdate, Options{})
	defer func() { scheduleAtStart = "" }()
	scheduleAtStart = found.kept.String()
	again := searched(t, lostUpdate, Options{})
	wantText(t, again.text(), "watchlab: failure", "the count is 1", "The run is the recorded one", "What happens in this order")

	other := found.kept
	other.Deviations = other.Deviations[1:]
	scheduleAtStart = other.String()
	passes := searched(t, lostUpdate, Options{})
	wantText(t, passes.text(), "the test passes in the order", "This is NOT the run that was recorded", "It first differs between points",
		"before an atomic operation at kernels_test.go:")

	other.Deviations = append(other.Deviations, "1.7@1:1")
	scheduleAtStart = other.String()
	wantText(t, searched(t, lostUpdate, Options{}).text(), "1 of its 1 deviations did not fit")
}

// A new line shifts no steps, and a new operation only those of its own goroutine. Where steps or names have shifted, an
// order near the recorded one fails.
func TestAScheduleSurvivesSmallEdits(t *testing.T) {
	var recorded schedule
	t.Run("none", func(t *testing.T) {
		if found := searched(t, edited(""), Options{}); found != nil {
			recorded = found.kept
		}
	})
	for edit, near := range map[string]bool{"line": false, "operation": true, "operation-before": false, "goroutine": true,
		"goroutine-and-operation": true} {
		t.Run(edit, func(t *testing.T) {
			if workAtStart == "" {
				scheduleAtStart = recorded.String()
				defer func() { scheduleAtStart = "" }()
			}
			found := searched(t, edited(edit), Options{})
			if found != nil && (found.Kind != kindFailed || found.near != near) {
				t.Errorf("it is %q, of a run near: %v", found.Kind, found.near)
			}
		})
	}
}

// A test says neither which order is played nor what the processes that play it are.
func TestWhatATestSetsInTheEnvironmentChangesNothing(t *testing.T) {
	t.Setenv(scheduleVariable, "no schedule")
	t.Setenv(workVariable, "no task")
	if found := searched(t, lostUpdate, Options{}); found != nil && (found.Kind != kindFailed || found.given) {
		t.Errorf("%s; a schedule was replayed: %v", found.text(), found.given)
	}
	if slices.Contains(environment(), workVariable+"=no task") {
		t.Error("the processes that play are given what the test has set")
	}
}

func TestATestCanCallExploreOncePerRun(t *testing.T) {
	t.Run("again", func(t *testing.T) { Explore(t, correct, Options{Runs: 1}) })
	if _, kept := explored.Load(t.Name() + "/again"); kept {
		t.Error("go test -count=2 would be refused")
	}
}

func TestBadSchedulesAreRefused(t *testing.T) {
	for text, why := range map[string]string{
		"":                      "should begin with v1/",
		"v2/1@2:3":              "should begin with v1/",
		"v1/seed=1/":            `"seed=1": there is no such member`,
		"v1/digest=xyz/":        "invalid syntax",
		"v1/1.1@3:1.2,1.1>3":    `"1.1>3" is no deviation`,
		"v1/values=0/1.1@-1:12": "is no deviation",
	} {
		if _, err := parseSchedule(text); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: the error is %v", text, err)
		}
	}
}

func TestBadOptionsAreRefused(t *testing.T) {
	for _, each := range []struct {
		options Options
		why     string
	}{
		{Options{Strategy: "pcd"}, `there is no strategy "pcd"; there are portfolio, random`},
		{Options{Runs: -1}, "Options.Runs is out of its range"},
		{Options{Depth: 17}, "Options.Depth is out of its range"},
	} {
		if err := each.options.complete(); err == nil || !strings.Contains(err.Error(), each.why) {
			t.Errorf("the error is %v", err)
		}
	}
}

var began = time.Now()

// What does not fit a bubble is said within seconds, with its line.
func TestWhatDoesNotFitIsSaid(t *testing.T) {
	outside := make(chan int)
	for _, each := range []struct {
		name, why string
		test      func(*testing.T)
	}{
		{"network", `is in "IO wait", which is the network, a pipe or a terminal from outside`, func(*testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err == nil {
				listener.Accept()
			}
		}},
		{"channel", `is in "chan receive", which is a channel from outside`, func(*testing.T) { <-outside }},
		{"time", "waits for 2", func(*testing.T) { time.Sleep(time.Until(began)) }},
		{"circles", "runs in circles at explore_test.go:", func(*testing.T) {
			for i := 0; ; i++ {
				if i < 0 {
					break
				}
			}
		}},
	} {
		t.Run(each.name, func(t *testing.T) {
			t.Parallel()
			options := Options{}
			if err := options.complete(); err != nil {
				t.Fatal(err)
			}
			if workAtStart != "" {
				work(t, each.test, workAtStart)
				return
			}
			_, err := search(t.Name(), options)
			wantText(t, fmt.Sprint(err), each.why, "explore_test.go:")
		})
	}
}

// A call of C has the place of the Go line that makes it, not a place in cgo's generated code.
func TestACallOfCHasTheLineOfItsCaller(t *testing.T) {
	at, _ := userPlace("goroutine 9 [syscall, synctest bubble 1]:\ndemo._Cfunc_nap()\n\t_cgo_gotypes.go:46 +0x3d\n" +
		"demo.Nap(...)\n\t/home/demo/c.go:9\n")
	if at != "c.go:9" {
		t.Errorf("it is at %q", at)
	}
}

// A loop of operations ends with its place, long before a watchdog would end it.
func TestAnEndlessLoopOfOperationsIsAFinding(t *testing.T) {
	found := searched(t, endless, Options{MaxPoints: 10000, Lag: -time.Nanosecond})
	if found != nil && (found.Kind != "fatal error" || !strings.Contains(found.Why, "an endless loop")) {
		t.Errorf("%s: %s", found.Kind, found.Why)
	}
}

// On a busy machine a run takes as long as it has to: what counts is what it computes, or that it has nothing to.
func TestAProcessHangsThatComputesOrWaitsWithoutASign(t *testing.T) {
	const looks = int(patience / lookEvery)
	for _, each := range []struct {
		name string
		used time.Duration // in a look
		runs bool
		want int // the look that says so; 0 for none
	}{
		{"waits", 0, false, looks},
		{"computes", lookEvery, true, looks + 1},
		{"computes on eight processors", 8 * lookEvery, true, looks},
		{"has half a processor", lookEvery / 2, true, 2*looks + 1},
		{"has no processor", 0, true, 0},
	} {
		var quiet silence
		said := 0
		for look := 1; look <= 10*looks && said == 0; look++ {
			if quiet.look(time.Duration(look)*each.used, each.runs) {
				said = look
			}
		}
		if said != each.want {
			t.Errorf("%s: look %d instead of %d", each.name, said, each.want)
		}
	}
}
