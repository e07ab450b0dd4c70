package conformance

import (
	"sort"
	"time"
)

// event is something that the story does to a client: after so many of its requests, and after so
// much time since the last of them. A request that comes too early, because a random delay was
// shorter than the recorded one, is held up until then: so the event always falls between the same
// requests.
type event struct {
	after  int // requests that were sent before
	offset time.Duration
	do     func()
	done   chan struct{}
}

func newEvent(client *Client, at int64, do func()) *event {
	after := sort.Search(len(client.Requests), func(i int) bool { return client.Requests[i].At >= at })
	offset := time.Duration(at)
	if after > 0 {
		offset -= time.Duration(client.Requests[after-1].At)
	}
	return &event{after: after, offset: offset, do: do, done: make(chan struct{})}
}

// timeline does events in their order.
type timeline struct {
	events  []*event
	sent    chan int // the number of requests, each time there is one more
	stopped <-chan struct{}
}

func newTimeline(events []*event, stopped <-chan struct{}) *timeline {
	sort.SliceStable(events, func(i, j int) bool {
		a, b := events[i], events[j]
		return a.after < b.after || a.after == b.after && a.offset < b.offset
	})
	return &timeline{events: events, sent: make(chan int, 1<<16), stopped: stopped}
}

// before waits until all that happens before request number `place` has happened.
func (t *timeline) before(place int) {
	for _, event := range t.events {
		if event.after < place {
			select {
			case <-event.done:
			case <-t.stopped:
				return
			}
		}
	}
}

// begin does what comes before the first request: the client runs once it returns.
func (t *timeline) begin() {
	began := time.Now()
	for len(t.events) > 0 && t.events[0].after == 0 {
		first := t.events[0]
		time.Sleep(first.offset - time.Since(began))
		first.do()
		t.events = t.events[1:]
	}
}

func (t *timeline) run() {
	requests, last := 0, time.Now()
	for _, event := range t.events {
		for requests < event.after {
			select {
			case requests = <-t.sent:
				last = time.Now()
			case <-t.stopped:
				return
			}
		}
		select {
		case <-time.After(event.offset - time.Since(last)):
		case <-t.stopped:
			return
		}
		event.do()
		close(event.done)
	}
}
