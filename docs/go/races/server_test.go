// Package races explores unmodified client-go: each run chooses which goroutine goes next (see docs/go-races.md). The
// findings are in scenarios/museum/go and in docs/known_live.md.
package races

import (
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	watchlab "example.org/watchlab/goroutines"
)

// explore plays a few hundred orders of a test, or with WATCHLAB_HUNT=10m as many as fit into ten minutes, from the
// seed WATCHLAB_HUNT_SEED. `./dev races --hunt 3600` sets both variables.
func explore(t *testing.T, test func(*testing.T)) {
	t.Helper()
	if os.Getenv(watchlab.AskedVariable) != "" { // ./dev scoreboard client-go runs it itself
		test(t)
		return
	}
	options := watchlab.Options{Runs: 300}
	if text := os.Getenv("WATCHLAB_HUNT"); text != "" {
		limit, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		seed, _ := strconv.ParseUint(os.Getenv("WATCHLAB_HUNT_SEED"), 10, 32)
		options = watchlab.Options{Runs: 1 << 30, Time: limit, Seed: 1 + seed<<24}
	}
	watchlab.Explore(t, test, options)
}

// One of the default error handlers sleeps until a millisecond after the last error, whose time the process remembers
// from outside the bubble.
func init() { utilruntime.ErrorHandlers = nil }

// A server has Pods, and the history that watches need: the revision of a change is its position, from 1.
type server struct {
	lock    sync.Mutex
	pods    map[string]*v1.Pod
	history []watch.Event
	changed chan struct{} // closed at the next change
}

func newServer(names ...string) *server {
	s := &server{pods: map[string]*v1.Pod{}, changed: make(chan struct{})}
	for _, name := range names {
		s.write(watch.Added, name)
	}
	return s
}

func (s *server) write(kind watch.EventType, name string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "demo", ResourceVersion: strconv.Itoa(len(s.history) + 1)}}
	if s.pods[name] = pod; kind == watch.Deleted {
		delete(s.pods, name)
	}
	s.history = append(s.history, watch.Event{Type: kind, Object: pod})
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *server) names() (names []string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for name := range s.pods {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (*server) IsWatchListSemanticsUnSupported() bool { return true }

func (s *server) List(metav1.ListOptions) (runtime.Object, error) {
	names := s.names()
	s.lock.Lock()
	defer s.lock.Unlock()
	list := &v1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: strconv.Itoa(len(s.history))}}
	for _, name := range names {
		if pod := s.pods[name]; pod != nil {
			list.Items = append(list.Items, *pod)
		}
	}
	for name, pod := range s.pods { // those that were added meanwhile
		if !slices.Contains(names, name) {
			list.Items = append(list.Items, *pod)
		}
	}
	return list, nil
}

func (s *server) Watch(options metav1.ListOptions) (watch.Interface, error) {
	w := &stream{events: make(chan watch.Event), done: make(chan struct{})}
	revision, err := strconv.Atoi(options.ResourceVersion)
	go w.send(s, revision)
	return w, err
}

type stream struct {
	events chan watch.Event
	once   sync.Once
	done   chan struct{}
}

func (w *stream) ResultChan() <-chan watch.Event { return w.events }

func (w *stream) Stop() { w.once.Do(func() { close(w.done) }) }

func (w *stream) send(s *server, revision int) {
	defer close(w.events)
	for {
		s.lock.Lock()
		next, changed := s.history[revision:], s.changed
		s.lock.Unlock()
		for _, each := range next {
			select {
			case w.events <- each:
			case <-w.done:
				return
			}
		}
		revision += len(next)
		select {
		case <-changed:
		case <-w.done:
			return
		}
	}
}

// A seen is a handler that keeps what a client of the informer would have.
type seen struct {
	lock  sync.Mutex
	names map[string]bool
	last  map[string]int // revisions
	wrong string
}

func newSeen() *seen { return &seen{names: map[string]bool{}, last: map[string]int{}} }

func (s *seen) note(object any, was, is bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	pod := object.(*v1.Pod)
	revision, _ := strconv.Atoi(pod.ResourceVersion)
	if (s.names[pod.Name] != was || is && revision < s.last[pod.Name]) && s.wrong == "" {
		s.wrong = pod.Name
	}
	s.names[pod.Name], s.last[pod.Name] = is, revision
}

func (s *seen) OnAdd(object any, _ bool) { s.note(object, false, true) }

func (s *seen) OnUpdate(_, object any) { s.note(object, true, true) }

func (s *seen) OnDelete(object any) {
	if last, unknown := object.(cache.DeletedFinalStateUnknown); unknown {
		object = last.Obj
	}
	s.note(object, true, false)
}

// has returns what is there, by name.
func (s *seen) has() (names []string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for name, there := range s.names {
		if there {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// is compares with the server's state, and reports events that did not fit.
func (s *seen) is(t *testing.T, who string, want []string) {
	t.Helper()
	if has := s.has(); !slices.Equal(has, want) || s.wrong != "" {
		t.Errorf("%s has seen %v instead of %v; the first event that did not fit was one of %q", who, has, want, s.wrong)
	}
}
