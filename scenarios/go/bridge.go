package watchlab

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	utilrand "k8s.io/apimachinery/pkg/util/rand"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	goroutines "example.org/watchlab/goroutines"
)

const (
	// How long a program may live on by itself after its world has gone, in the bubble's time.
	aloneMax = 10 * time.Minute
	// How long goroutines may live on that a program has left behind, likewise.
	lateMax = time.Minute
)

// bridge is the border between a bubble and the world: connections and notes go out, what the world
// does to the connections comes in, and between the two the bubble sleeps as long as it may. All of
// it belongs to goroutines of the bubble.
type bridge struct {
	link  *link
	turns *goroutines.Stream // nil if the order of goroutines is not the world's choice

	mu    sync.Mutex // held for moments only
	said  []event
	conns map[int64]*conn
	last  int64
	gone  bool          // no one answers any more
	wake  chan struct{} // something was said
	done  chan struct{} // the program has ended
}

// live is the life of a program in a story.
func live(t *testing.T, descriptor int, body func(context.Context, *rest.Config, Note)) {
	link := openLink(descriptor)
	h, err := link.greet()
	if err != nil {
		t.Fatalf("watchlab: %v", err)
	}
	seedGlobalRandom(t, h.Seed)
	rand.Seed(int64(h.Seed)) // of whoever draws without a source of its own
	utilrand.Seed(int64(h.Seed))
	restBetweenErrors()
	klog.StopFlushDaemon() // it would wake by a real clock
	turns, err := turnsOf(h)
	if err != nil {
		link.receive()
		link.send(report{Failed: err.Error()})
		t.Fatalf("watchlab: this program %v", err)
	}
	dog := watch(link)
	synctest.Test(t, func(*testing.T) {
		time.Sleep(time.Until(time.Unix(0, h.Epoch))) // no other goroutine is there: at once
		bringChannels()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		b := &bridge{
			link:  link,
			conns: map[int64]*conn{},
			wake:  make(chan struct{}, 1),
			done:  make(chan struct{}),
			turns: turns,
		}
		b.run(cancel, dog, func() { body(ctx, b.config(h), b.note) })
	})
	dog.stop()
	link.file.Close()
}

func turnsOf(h hello) (*goroutines.Stream, error) {
	if !h.Chosen {
		return nil, nil
	}
	return goroutines.OpenStream(h.Seed)
}

// restBetweenErrors replaces the pause that apimachinery makes between two errors: it counts from the
// real time at which the process started, and would last for years of the story's.
func restBetweenErrors() {
	if n := len(utilruntime.ErrorHandlers); n == 2 {
		utilruntime.ErrorHandlers[n-1] = func(context.Context, error, string, ...any) {
			time.Sleep(time.Millisecond)
		}
	}
}

// config is for clients of the program. The story's server takes JSON from everyone.
func (b *bridge) config(h hello) *rest.Config {
	return &rest.Config{
		Host:          "http://story.invalid",
		Dial:          b.dial,
		UserAgent:     h.Client,
		ContentConfig: rest.ContentConfig{ContentType: "application/json"},
	}
}

func (b *bridge) note(format string, args ...any) {
	b.say(event{Kind: "note", Text: fmt.Sprintf(format, args...)})
}

func (b *bridge) say(e event) {
	b.mu.Lock()
	if !b.gone {
		b.said = append(b.said, e)
	}
	b.mu.Unlock()
	b.ring()
}

func (b *bridge) ring() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *bridge) forget(c *conn) {
	b.mu.Lock()
	delete(b.conns, c.id)
	b.mu.Unlock()
	b.say(event{Conn: c.id, Kind: "close"})
}

// run carries out the orders of the world until the program has ended.
func (b *bridge) run(cancel func(), dog *watchdog, body func()) {
	started := false
	garbage := newCollector()
	for {
		garbage.collect()
		dog.rest()
		o, err := b.link.receive()
		if err != nil {
			fmt.Fprintf(os.Stderr, "watchlab: the story is gone (%v)\n", err)
			os.Exit(1)
		}
		dog.look()
		if !started {
			started = true
			go func() {
				defer b.ring()
				defer close(b.done)
				body()
			}()
		}
		b.carryOut(o, cancel)
		synctest.Wait() // every other goroutine is durably blocked
		r := b.report()
		if b.ended(o) {
			r.Failed = b.end(cancel, o)
			r.Done = r.Failed == ""
		}
		if err := b.link.send(r); err != nil {
			fmt.Fprintf(os.Stderr, "watchlab: the story is gone (%v)\n", err)
			os.Exit(1)
		}
		if r.Done {
			return
		}
	}
}

func (b *bridge) carryOut(o order, cancel func()) {
	if b.turns != nil {
		b.turns.Give(o.Turns)
	}
	for _, e := range o.Events {
		b.mu.Lock()
		c := b.conns[e.Conn]
		b.mu.Unlock()
		if c != nil {
			c.happen(e)
		}
	}
	if o.Stop {
		cancel()
	}
	if wait := time.Until(time.Unix(0, o.Until)); wait > 0 {
		// The runtime moves the clock to the earliest timer, this one or that of any goroutine; who
		// has something to say wakes us before it goes on.
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-b.wake:
		}
		timer.Stop()
	}
}

// report is what was said since the last one.
func (b *bridge) report() report {
	select {
	case <-b.wake: // what was said is in the report
	default:
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	r := report{Now: time.Now().UnixNano(), Events: b.said}
	b.said = nil
	if b.turns != nil {
		taken, swaps := b.turns.Since()
		r.Taken = taken
		for _, each := range swaps {
			r.Swaps = append(r.Swaps, swap{each[0], each[1]})
		}
	}
	return r
}

func (b *bridge) ended(o order) bool {
	select {
	case <-b.done:
		return true
	default:
		return o.Alone
	}
}

// end resets all connections, and waits for all that the program has started. What is returned says
// what did not end.
func (b *bridge) end(cancel func(), o order) string {
	b.mu.Lock()
	b.gone = true
	open := make([]*conn, 0, len(b.conns))
	for _, c := range b.conns {
		open = append(open, c)
	}
	b.mu.Unlock()
	slices.SortFunc(open, func(a, c *conn) int { return int(a.id - c.id) })
	for _, c := range open {
		c.reset()
	}
	cancel()
	if o.Alone {
		select {
		case <-b.done:
		case <-time.After(aloneMax):
			return fmt.Sprintf("has not returned within %v after ctx had ended%s", aloneMax, leftBehind())
		}
	}
	time.Sleep(lateMax)
	synctest.Wait()
	if left := leftBehind(); left != "" {
		return "has left goroutines behind, which must end before its function returns, or with ctx" + left
	}
	return ""
}
