package races

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	watchtools "k8s.io/client-go/tools/watch"
)

// All readers get everything that is sent while they watch, in order, and then the end.
func TestABroadcastReachesAll(t *testing.T) {
	explore(t, func(t *testing.T) {
		b := watch.NewBroadcaster(1, watch.WaitIfChannelFull)
		var readers, writers sync.WaitGroup
		for range 2 {
			w, err := b.Watch()
			if err != nil {
				t.Fatal(err)
			}
			readers.Go(func() {
				n := 0
				for range w.ResultChan() {
					n++
				}
				if n != 4 {
					t.Errorf("%d events of 4", n)
				}
			})
		}
		for range 2 {
			writers.Go(func() {
				b.Action(watch.Added, &v1.Pod{})
				b.Action(watch.Deleted, &v1.Pod{})
			})
		}
		writers.Wait()
		b.Shutdown()
		readers.Wait()
	})
}

// Readers stop and writers write while two goroutines shut the broadcaster down.
func TestABroadcasterIsShutDownAtAnyMoment(t *testing.T) {
	explore(t, func(t *testing.T) {
		b := watch.NewBroadcaster(0, watch.DropIfChannelFull)
		var all sync.WaitGroup
		w, err := b.Watch()
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			all.Go(w.Stop)
			all.Go(b.Shutdown)
			all.Go(func() { b.ActionOrDrop(watch.Added, &v1.Pod{}) })
		}
		all.Go(func() {
			if late, err := b.Watch(); err == nil {
				late.Stop()
			}
		})
		for range w.ResultChan() {
		}
		all.Wait()
	})
}

// A reader that is stopped while its queue is full holds up neither the writer nor the others.
func TestAStoppedReaderHoldsUpNobody(t *testing.T) {
	explore(t, func(t *testing.T) {
		b := watch.NewBroadcaster(0, watch.WaitIfChannelFull)
		leaves, err := b.Watch()
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		all.Go(leaves.Stop)
		all.Go(func() { b.Action(watch.Added, &v1.Pod{}) })
		all.Wait()
		b.Shutdown()
	})
}

// frames are what a decoder reads, until it is closed.
type frames struct {
	next, closed chan struct{}
	once         sync.Once
}

func (f *frames) Decode() (watch.EventType, runtime.Object, error) {
	select {
	case <-f.next:
		return watch.Added, &v1.Pod{}, nil
	case <-f.closed:
		return "", nil, io.EOF
	}
}

func (f *frames) Close() { f.once.Do(func() { close(f.closed) }) }

// A stream whose reader goes away at any moment leaves nothing behind.
func TestAStreamEndsWithoutAReader(t *testing.T) {
	explore(t, func(t *testing.T) {
		f := &frames{next: make(chan struct{}, 2), closed: make(chan struct{})}
		w := watch.NewStreamWatcher(f, apierrors.NewClientErrorReporter(500, "GET", "demo"))
		f.next <- struct{}{}
		f.next <- struct{}{}
		<-w.ResultChan()
		w.Stop()
	})
}

// A sink counts events, and rejects the first.
type sink struct {
	tries, kept atomic.Int32
}

func (s *sink) Create(event *v1.Event) (*v1.Event, error) {
	if s.tries.Add(1) == 1 {
		return nil, context.DeadlineExceeded
	}
	s.kept.Add(1)
	return event, nil
}

func (s *sink) Update(event *v1.Event) (*v1.Event, error) { return event, nil }

func (s *sink) Patch(event *v1.Event, _ []byte) (*v1.Event, error) { return event, nil }

// Events reach the sink, even after a failed attempt. A shutdown, by context or by call, ends everything.
func TestARecorderEndsWithItsContext(t *testing.T) {
	explore(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		b := record.NewBroadcaster(record.WithContext(ctx))
		var to sink
		b.StartRecordingToSink(&to)
		recorder := b.NewRecorder(runtime.NewScheme(), v1.EventSource{Component: "demo"})
		var all sync.WaitGroup
		for _, reason := range []string{"One", "Two"} {
			all.Go(func() {
				recorder.Event(&v1.ObjectReference{Name: "web", Namespace: "demo"}, v1.EventTypeNormal, reason, reason)
			})
		}
		all.Wait()
		time.Sleep(time.Minute)
		if n := to.kept.Load(); n != 2 {
			t.Errorf("%d events were kept", n)
		}
		all.Go(cancel)
		all.Go(b.Shutdown)
		all.Go(func() {
			recorder.Event(&v1.ObjectReference{Name: "web", Namespace: "demo"}, v1.EventTypeNormal, "Late", "late")
		})
		all.Wait()
	})
}

// A RetryWatcher hands on each event once, whenever its stream ends, and can be stopped at any moment.
func TestARetriedWatchLosesNothing(t *testing.T) {
	explore(t, func(t *testing.T) {
		s := newServer("a")
		short := &shortStreams{server: s}
		w, err := watchtools.NewRetryWatcher("1", &cache.ListWatch{WatchFunc: short.Watch})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			s.write(watch.Added, "b")
			s.write(watch.Added, "c")
		}()
		for _, want := range []string{"b", "c"} {
			if name := (<-w.ResultChan()).Object.(*v1.Pod).Name; name != want {
				t.Errorf("%s comes instead of %s", name, want)
			}
		}
		go w.Stop()
		w.Stop()
		<-w.Done()
	})
}

// UntilWithSync ends when its condition holds, or with its context.
func TestUntilEnds(t *testing.T) {
	explore(t, func(t *testing.T) {
		s := newServer("a")
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		go s.write(watch.Added, "b")
		w, err := watchtools.UntilWithoutRetry(ctx, must(s.Watch(listedAt("1"))), func(event watch.Event) (bool, error) {
			return event.Object.(*v1.Pod).Name == "b", nil
		})
		if err != nil || w.Type != watch.Added {
			t.Errorf("%v (%v)", w, err)
		}
	})
}

// shortStreams end the first watch after its first event.
type shortStreams struct {
	*server
	watches atomic.Int32
}

func (s *shortStreams) Watch(options metav1.ListOptions) (watch.Interface, error) {
	w, err := s.server.Watch(options)
	if err != nil || s.watches.Add(1) > 1 {
		return w, err
	}
	short := &stream{events: make(chan watch.Event), done: make(chan struct{})}
	go func() {
		defer close(short.events)
		defer w.Stop()
		select {
		case event := <-w.ResultChan():
			select {
			case short.events <- event:
			case <-short.done:
			}
		case <-short.done:
		}
	}()
	return short, nil
}
