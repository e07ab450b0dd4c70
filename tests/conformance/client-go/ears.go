package conformance

import (
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// diary holds what handlers and pop functions are told, in the order in which they are.
type diary struct {
	mutex  sync.Mutex
	began  time.Time
	calls  []Call
	deltas []Call
	stays  map[string]time.Duration // of handlers that left, from coming to leaving
	news   chan struct{}            // holds something when something has happened
}

func newDiary() *diary {
	return &diary{began: time.Now(), stays: map[string]time.Duration{}, news: make(chan struct{}, 1)}
}

// ring says that something has happened.
func (d *diary) ring() {
	select {
	case d.news <- struct{}{}:
	default:
	}
}

func (d *diary) write(to *[]Call, call Call) {
	if call.Key == "" {
		call.Key = keyOf(call.Object)
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	call.At = int64(time.Since(d.began))
	*to = append(*to, call)
	d.ring()
}

func (d *diary) stayed(handler string, long time.Duration) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.stays[handler] = long
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

// listener is a handler that writes to the diary and takes its time.
type listener struct {
	diary *diary
	name  string
	takes time.Duration
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
	l.diary.write(&l.diary.calls, call)
	if l.takes > 0 {
		time.Sleep(l.takes)
		l.diary.ring()
	}
}

func keyOf(object *Object) string {
	if object == nil {
		return ""
	}
	if object.Namespace == "" {
		return object.Name
	}
	return object.Namespace + "/" + object.Name
}

func seen(object interface{}) *Object {
	known, ok := object.(*metav1.PartialObjectMetadata)
	if !ok {
		return nil
	}
	return &Object{
		Namespace: known.Namespace, Name: known.Name, UID: string(known.UID), RV: known.ResourceVersion,
	}
}

// moments finds out when whatever can say that it has synced begins to say so: after each piece of
// news, once all that was due at that instant is over, it asks those who have not.
type moments struct {
	mutex sync.Mutex
	asks  map[string]func() bool
	found map[string]time.Duration
}

func newMoments() *moments {
	return &moments{asks: map[string]func() bool{}, found: map[string]time.Duration{}}
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
		instant := time.Since(diary.began)
		time.Sleep(time.Nanosecond)
		m.mutex.Lock()
		for name, synced := range m.asks {
			if synced() {
				m.found[name] = instant
				delete(m.asks, name)
			}
		}
		m.mutex.Unlock()
	}
}
