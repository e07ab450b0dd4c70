package conformance

import (
	"sort"
	"testing/synctest"
	"time"
)

// outcome is what the real client did with a transcript. Times count from the story's beginning, but
// random delays make it another one than ours.
type outcome struct {
	began  time.Time
	asked  []*asked
	calls  []Call
	deltas []Call
	end    string
	synced bool
	store  []Object
	// When the client ("") and its handlers had synced.
	syncedAt map[string]time.Duration
	stays    map[string]time.Duration
	// An event had to hold up a watch so long that the reflector took it for a longer one: another
	// try may have longer random delays.
	bent bool
}

// play lets the real client live through a client's transcript, in virtual time: it must be called
// in a bubble.
func play(story *Story, client *Client) outcome {
	diary := newDiary()
	moments := newMoments()
	server := newServer(client, diary)
	machine := machineFor(client, server, diary, moments)
	moments.expect("", machine.synced)
	server.timeline = newTimeline(machine.events, server.stopped)
	go moments.look(diary, server.stopped)
	server.timeline.begin()
	time.Sleep(time.Duration(client.Requests[0].At) - time.Since(diary.began))

	stop := make(chan struct{})
	ended := make(chan string, 1)
	go server.timeline.run()
	go func() { ended <- machine.run(stop) }()

	select {
	case <-server.last:
		at := story.Closed
		if client.Stopped != nil {
			at = *client.Stopped
		}
		// Just before the end: what falls due at its very instant may or may not be in the record.
		time.Sleep(time.Duration(at-client.Requests[len(client.Requests)-1].At) - time.Nanosecond)
	case <-time.After(patience(story)): // the real client never asks as much as ours did
	}
	synctest.Wait()
	result := look(&machine, server, diary, moments)
	select {
	case result.end = <-ended: // by itself
		close(server.stopped)
		close(stop)
	default:
		close(server.stopped)
		close(stop)
		<-ended
	}
	time.Sleep(time.Hour) // in a bubble, time ends with its first goroutine, and sleepers would be stuck
	return result
}

// hurried says whether a handler that takes its time and left heard less than ours because it stayed for a
// shorter time: a random delay between its coming and its leaving was shorter than the recorded one.
func hurried(client *Client, real outcome) bool {
	for i := range client.Handlers {
		handler := &client.Handlers[i]
		if handler.Left == nil || handler.Takes == 0 {
			continue
		}
		stayed, left := real.stays[handler.Name]
		if left && int64(stayed) < *handler.Left-handler.Joined &&
			len(of(real.calls, handler.Name)) < len(of(client.Calls, handler.Name)) {
			return true
		}
	}
	return false
}

// look writes down what has come of it so far.
func look(machine *machine, server *server, diary *diary, moments *moments) outcome {
	result := outcome{began: diary.began, synced: machine.synced(), syncedAt: map[string]time.Duration{},
		stays: map[string]time.Duration{}}
	for _, each := range machine.store.List() {
		result.store = append(result.store, *seen(each))
	}
	sort.Slice(result.store, func(i, j int) bool { return keyOf(&result.store[i]) < keyOf(&result.store[j]) })
	diary.mutex.Lock()
	result.calls = append(result.calls, diary.calls...)
	result.deltas = append(result.deltas, diary.deltas...)
	for name, long := range diary.stays {
		result.stays[name] = long
	}
	diary.mutex.Unlock()
	moments.mutex.Lock()
	for name, at := range moments.found {
		result.syncedAt[name] = at
	}
	moments.mutex.Unlock()
	server.mutex.Lock()
	defer server.mutex.Unlock()
	result.bent = server.bent
	for _, each := range server.asked {
		copied := *each
		result.asked = append(result.asked, &copied)
	}
	return result
}

// patience is longer than any jitter can stretch the story.
func patience(story *Story) time.Duration { return 3*time.Duration(story.Closed) + time.Hour }
