package conformance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// asked is a request of the real client: when, and what; and its stream, if it is a watch that was
// accepted.
type asked struct {
	verb    string
	options Options
	at      int64
	stream  *stream
}

// server answers the n-th request with the n-th answer of the transcript.
type server struct {
	client  *Client
	diary   *diary
	mutex   sync.Mutex
	asked   []*asked
	joins   string        // the handler that is being added
	stopped chan struct{} // closed when the client was told to end
}

func newServer(client *Client, diary *diary) *server {
	return &server{client: client, diary: diary, stopped: make(chan struct{})}
}

// count is how many requests were sent.
func (s *server) count() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.asked)
}

// join notes that a handler is being added; joining is which.
func (s *server) join(handler string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.joins = handler
}

// open is how many watches are.
func (s *server) open() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	count := 0
	for _, request := range s.asked {
		if request.stream != nil && !request.stream.over.Load() && !request.stream.stopped.Load() {
			count++
		}
	}
	return count
}

func (s *server) joining() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.joins
}

// take notes a request and returns what is to be answered; nil when the transcript has no more.
func (s *server) take(verb string, options metav1.ListOptions) (*Request, *asked) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	request := &asked{verb: verb, options: optionsFrom(options), at: s.diary.now()}
	s.asked = append(s.asked, request)
	place := len(s.asked)
	if place > len(s.client.Requests) || s.client.Requests[place-1].Verb != verb {
		return nil, request
	}
	return &s.client.Requests[place-1], request
}

// sleep waits; false when the client was told to end first.
func (s *server) sleep(span time.Duration) bool {
	if span <= 0 {
		return true
	}
	select {
	case <-time.After(span):
		return true
	case <-s.stopped:
		return false
	}
}

// answer waits until the answer is there; false when there is none before the client's end, whose
// cancelling a moment earlier is none.
func (s *server) answer(recorded *Request) bool {
	if recorded == nil || recorded.Answered == nil || recorded.Error != nil && recorded.Error.Word == "cancelled" {
		<-s.stopped
		return false
	}
	came := s.sleep(time.Duration(*recorded.Answered))
	s.diary.ring()
	return came
}

// List mirrors what a list of the real client would come to.
func (s *server) List(options metav1.ListOptions) (runtime.Object, error) {
	recorded, _ := s.take("LIST", options)
	if !s.answer(recorded) {
		return nil, context.Canceled
	}
	if recorded.Error != nil {
		return nil, errorFrom(recorded.Error)
	}
	list := &unstructured.UnstructuredList{}
	list.SetResourceVersion(recorded.RV)
	list.SetContinue(recorded.Continue)
	for _, item := range recorded.Items {
		list.Items = append(list.Items, *objectFrom(item))
	}
	return list, nil
}

// Watch mirrors what a watch of the real client would come to.
func (s *server) Watch(options metav1.ListOptions) (watch.Interface, error) {
	recorded, request := s.take("WATCH", options)
	if !s.answer(recorded) {
		return nil, context.Canceled
	}
	if recorded.Error != nil {
		switch recorded.Error.Word {
		case "eof", "unexpected_eof", "reset", "timeout":
			return watch.NewEmptyWatch(), nil // as rest.Request.Watch does with these
		}
		return nil, errorFrom(recorded.Error)
	}
	stream := &stream{events: make(chan watch.Event), quit: make(chan struct{})}
	s.mutex.Lock()
	request.stream = stream
	s.mutex.Unlock()
	go s.play(stream, recorded, request)
	return stream, nil
}

// play sends the frames of a watch in their time, then ends it as it ended.
func (s *server) play(stream *stream, recorded *Request, request *asked) {
	defer close(stream.events)
	defer s.diary.ring()
	defer stream.over.Store(true)
	until := func(after int64) bool {
		return stream.wait(time.Duration(request.at + after - s.diary.now()))
	}
	for i := range recorded.Frames {
		frame := &recorded.Frames[i]
		if !until(frame.After) {
			return
		}
		select {
		case stream.events <- eventFrom(frame):
			if frame.isMark() {
				s.diary.ring() // a list may be there
			}
		case <-stream.quit:
			return
		}
	}
	if recorded.Ended == nil || recorded.End == "open" || recorded.End == "stopped" {
		<-stream.quit
		return
	}
	until(*recorded.Ended)
}

type stream struct {
	events  chan watch.Event
	quit    chan struct{}
	once    sync.Once
	stopped atomic.Bool
	over    atomic.Bool // nothing more comes of it
}

func (s *stream) Stop() {
	s.once.Do(func() {
		s.stopped.Store(true)
		close(s.quit)
	})
}

func (s *stream) ResultChan() <-chan watch.Event { return s.events }

func (s *stream) wait(span time.Duration) bool {
	select {
	case <-time.After(span):
		return true
	case <-s.quit:
		return false
	}
}

func optionsFrom(options metav1.ListOptions) Options {
	result := Options{
		RV: options.ResourceVersion, Match: string(options.ResourceVersionMatch),
		Limit: options.Limit, Continue: options.Continue, Bookmarks: options.AllowWatchBookmarks,
	}
	if options.TimeoutSeconds != nil {
		result.Timeout = *options.TimeoutSeconds
	}
	if options.SendInitialEvents != nil {
		result.InitialEvents = *options.SendInitialEvents
	}
	return result
}

// objectFrom makes an object of the client's own: what it does to it shows nowhere else.
func objectFrom(object Object) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: runtime.DeepCopyJSON(object)}
}

func statusFrom(status *Status) *metav1.Status {
	result := &metav1.Status{
		Status: metav1.StatusFailure, Code: status.Code, Message: status.Message,
		Reason:  metav1.StatusReason(status.Reason),
		Details: &metav1.StatusDetails{RetryAfterSeconds: status.RetryAfter},
	}
	result.Kind, result.APIVersion = "Status", "v1"
	for _, cause := range status.Causes {
		result.Details.Causes = append(result.Details.Causes,
			metav1.StatusCause{Type: metav1.CauseType(cause.Reason), Message: cause.Message})
	}
	return result
}

func eventFrom(frame *Frame) watch.Event {
	if frame.Status != nil {
		return watch.Event{Type: watch.Error, Object: statusFrom(frame.Status)}
	}
	if frame.Object == nil {
		return watch.Event{Type: watch.EventType(frame.Type)}
	}
	return watch.Event{Type: watch.EventType(frame.Type), Object: objectFrom(frame.Object)}
}

func errorFrom(failure *Failure) error {
	broken := func(cause error) error {
		return &url.Error{Op: "Get", URL: "http://server", Err: &net.OpError{Op: "dial", Err: cause}}
	}
	switch failure.Word {
	case "status":
		return &apierrors.StatusError{ErrStatus: *statusFrom(failure.Status)}
	case "refused":
		return broken(syscall.ECONNREFUSED)
	case "reset":
		return broken(syscall.ECONNRESET)
	case "eof":
		return io.EOF
	case "unexpected_eof":
		return io.ErrUnexpectedEOF
	case "timeout":
		return broken(context.DeadlineExceeded)
	case "cancelled":
		return context.Canceled
	}
	return errors.New(fmt.Sprintf("a failure called %q", failure.Word))
}
