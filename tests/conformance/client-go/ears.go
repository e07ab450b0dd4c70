package conformance

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"
)

// diary holds what consumers are told, in the order in which they are.
type diary struct {
	mutex  sync.Mutex
	began  time.Time
	calls  []Call
	deltas []Call
	pops   []Call
	work   []Call
	reads  []Read
	news   chan struct{} // holds something when something has happened
}

func newDiary() *diary {
	return &diary{began: time.Now(), news: make(chan struct{}, 1)}
}

func (d *diary) now() int64 { return int64(time.Since(d.began)) }

// ring says that something has happened.
func (d *diary) ring() {
	select {
	case d.news <- struct{}{}:
	default:
	}
}

func (d *diary) write(to *[]Call, call Call) {
	if call.Key == "" {
		call.Key = call.Object.key()
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	call.At = d.now()
	*to = append(*to, call)
	d.ring()
}

func (d *diary) popped(delta cache.Delta, initial bool) {
	call := Call{Type: string(delta.Type), Initial: initial}
	if tombstone, ok := delta.Object.(cache.DeletedFinalStateUnknown); ok {
		call.Key, call.Object, call.Tombstone = tombstone.Key, seen(tombstone.Obj), true
	} else {
		call.Object = seen(delta.Object)
	}
	d.write(&d.deltas, call)
}

// listener is a handler that writes to the diary, takes its time, and may panic.
type listener struct {
	diary  *diary
	name   string
	takes  time.Duration
	panics int
	calls  int
	store  cache.Store // what it looks into when it is called; nil for not at all
}

func (l *listener) OnAdd(object interface{}, initial bool) {
	l.called(Call{Type: "add", Object: seen(object), Initial: initial})
}

func (l *listener) OnUpdate(before, after interface{}) {
	l.called(Call{Type: "update", Object: seen(after), Before: seen(before)})
}

func (l *listener) OnDelete(object interface{}) {
	if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		l.called(Call{Type: "delete", Key: tombstone.Key, Object: seen(tombstone.Obj), Tombstone: true})
		return
	}
	l.called(Call{Type: "delete", Object: seen(object)})
}

func (l *listener) called(call Call) {
	call.Handler = l.name
	if call.Key == "" {
		call.Key = call.Object.key()
	}
	if l.store != nil {
		call.Cached = revisionIn(l.store, call.Key)
	}
	l.diary.write(&l.diary.calls, call)
	if l.takes > 0 {
		time.Sleep(l.takes)
		l.diary.ring()
	}
	if l.calls++; l.calls == l.panics {
		panic("a handler that panics")
	}
}

// revisionIn is the revision that a store holds of a key; "" for none.
func revisionIn(store cache.Store, key string) string {
	object, exists, err := store.GetByKey(key)
	if err != nil || !exists {
		return ""
	}
	return seen(object).text("metadata", "resourceVersion")
}

// seen is what stands behind an object of client-go's; nil for what is no object.
func seen(object interface{}) Object {
	if known, ok := object.(*unstructured.Unstructured); ok {
		return known.Object
	}
	return nil
}

// moments finds out when whatever can say that it has synced begins to say so: after each piece of
// news, once all that was due at that instant is over, it asks those who have not.
type moments struct {
	mutex sync.Mutex
	asks  map[string]func() bool
	found map[string]int64
}

func newMoments() *moments {
	return &moments{asks: map[string]func() bool{}, found: map[string]int64{}}
}

func (m *moments) expect(name string, synced func() bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.asks[name] = synced
}

func (m *moments) forget(name string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	delete(m.asks, name)
}

func (m *moments) look(diary *diary, stopped <-chan struct{}) {
	for {
		select {
		case <-diary.news:
		case <-stopped:
			return
		}
		instant := diary.now()
		time.Sleep(time.Nanosecond)
		m.mutex.Lock()
		asks := make(map[string]func() bool, len(m.asks))
		for name, synced := range m.asks {
			asks[name] = synced
		}
		m.mutex.Unlock()
		for name, synced := range asks {
			if synced() {
				m.mutex.Lock()
				if _, there := m.asks[name]; there {
					m.found[name] = instant
					delete(m.asks, name)
				}
				m.mutex.Unlock()
			}
		}
	}
}
