package conformance

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"watchlab/conformance/hooks"
)

// outcome is what the real client did with a transcript. Times count from the story's beginning, and are
// those of the transcript wherever the two do the same.
type outcome struct {
	asked    []*asked
	calls    []Call
	deltas   []Call
	pops     []Call
	work     []Call
	reads    []Read
	end      string
	syncedAt map[string]int64 // the client ("") and its handlers
	// When it was told to end, and when it had ended.
	stopped, ended glance
	// Watches that were open when it was told to end, and those that it never stopped.
	open, leftOpen int
	died           string // a panic, or that it never ended
}

// glance is what shows of a client at one moment.
type glance struct {
	at      int64
	synced  bool
	version string // which revision the store says that it has come to
	store   []Object
}

// difference plays a client's transcript to the real client and says what differs. Which of those who wait
// for a lock gets it is open: if a client differs whose handler sleeps under one, other turns are tried.
func difference(t *testing.T, story *Story, client *Client) []string {
	found := compare(story, client, play(t, story, client))
	sleeps := client.Kind == "informer" && client.Takes > 0
	for hooks.Turns = 1; sleeps && len(found) > 0 && hooks.Turns < hooks.Policies; hooks.Turns++ {
		if len(compare(story, client, play(t, story, client))) == 0 {
			found = nil
		}
	}
	hooks.Turns = hooks.Ranked
	return found
}

// play lets the real client live through a client's transcript, in virtual time.
func play(t *testing.T, story *Story, client *Client) (result *outcome) {
	result = &outcome{}
	defer func() {
		if panicked := recover(); panicked != nil {
			result.died = fmt.Sprint(panicked)
		}
	}()
	utilruntime.ReallyCrash = true // until a client says that its handlers panic
	synctest.Test(t, func(*testing.T) { live(story, client, result) })
	return result
}

// live must be called in a bubble.
func live(story *Story, client *Client, result *outcome) {
	diary := newDiary()
	moments := newMoments()
	server := newServer(client, diary)
	openOrders(client, server, diary)
	machine := machineFor(client, server, diary, moments)
	moments.expect("", machine.synced)
	until := func(at int64) { time.Sleep(time.Duration(at - diary.now())) }
	over := make(chan struct{})
	go moments.look(diary, over)

	stop := make(chan struct{})
	ended := make(chan string, 1)
	begins := client.Requests[0].At
	go func() {
		for len(machine.events) > 0 && machine.events[0].at < begins {
			until(machine.events[0].at)
			machine.events[0].do()
			machine.events = machine.events[1:]
		}
		until(begins)
		for len(machine.events) > 0 && machine.events[0].at == begins {
			machine.events[0].do()
			machine.events = machine.events[1:]
		}
		go func() {
			result.end = machine.run(stop)
			result.ended.at = diary.now()
			ended <- result.end
		}()
		for _, event := range machine.events {
			until(event.at)
			event.do()
		}
	}()

	until(client.Stopped)
	synctest.Wait()
	if !client.StoppedEarly {
		result.stopped = glanceAt(&machine, diary)
		result.open = server.open()
	}
	close(server.stopped)
	close(stop)
	select {
	case <-ended:
	case <-time.After(time.Duration(story.Closed) + 24*time.Hour):
		result.died = "it does not end"
	}
	close(over)
	at := result.ended.at
	time.Sleep(time.Hour) // in a bubble, time ends with its first goroutine, and sleepers would be stuck
	result.ended = glanceAt(&machine, diary)
	result.ended.at = at
	result.asked = server.asked
	for _, request := range server.asked {
		if request.stream != nil && !request.stream.stopped.Load() {
			result.leftOpen++
			request.stream.Stop()
		}
	}
	result.calls, result.deltas, result.pops = diary.calls, diary.deltas, diary.pops
	result.work, result.reads, result.syncedAt = diary.work, diary.reads, moments.found
}

func glanceAt(machine *machine, diary *diary) glance {
	return glance{at: diary.now(), synced: machine.synced(), version: machine.version(),
		store: sorted(machine.stored())}
}
