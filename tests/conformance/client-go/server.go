package conformance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"sync"
	"syscall"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// asked is a request of the real client: when, what, and when it or its stream was over. It is wanted
// before it is sent when an event of the story had to come first.
type asked struct {
	verb    string
	options Options
	wanted  time.Time
	at      time.Time
	ended   time.Time
}

// server answers the n-th request with the n-th answer of the transcript.
type server struct {
	client   *Client
	diary    *diary
	timeline *timeline
	mutex    sync.Mutex
	asked    []*asked
	last     chan struct{} // closed when the last recorded request has been sent
	stopped  chan struct{} // closed when the client was told to end
	bent     bool          // an event held up a watch so long that it does not count as a short one
}

func newServer(client *Client, diary *diary) *server {
	return &server{client: client, diary: diary, last: make(chan struct{}), stopped: make(chan struct{})}
}

// take notes a request and returns what is to be answered; nil when the transcript has no more.
func (s *server) take(verb string, options metav1.ListOptions) (*Request, *asked) {
	s.mutex.Lock()
	next := len(s.asked) + 1
	s.mutex.Unlock()
	wanted := time.Now()
	s.timeline.before(next)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	now := time.Now()
	request := &asked{verb: verb, options: optionsFrom(options), wanted: wanted, at: now, ended: now}
	s.asked = append(s.asked, request)
	place := len(s.asked)
	s.timeline.sent <- place
	if place == len(s.client.Requests) {
		close(s.last)
	}
	if place > len(s.client.Requests) || s.client.Requests[place-1].Verb != verb {
		return nil, request
	}
	recorded := &s.client.Requests[place-1]
	if held := now.Sub(wanted); held > 0 && recorded.lasted() < short && recorded.lasted()+held >= short {
		s.bent = true
	}
	return recorded, request
}

// short is how long a watch must last without a frame to count as a watch at all.
const short = time.Second

// lasted is the life of a watch without frames; longer than short for all else.
func (r *Request) lasted() time.Duration {
	switch {
	case r.Verb != "WATCH" || r.Answered == nil || len(r.Frames) > 0:
		return short
	case r.Ended != nil:
		return time.Duration(*r.Ended)
	}
	return time.Duration(*r.Answered)
}

func (s *server) over(request *asked) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	request.ended = time.Now()
	s.diary.ring()
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

// answer waits until the answer is there; false when there is none before the client's end.
func (s *server) answer(recorded *Request, request *asked) bool {
	if recorded == nil || recorded.Answered == nil {
		<-s.stopped
		return false
	}
	came := s.sleep(time.Duration(*recorded.Answered))
	s.over(request)
	return came
}

// List mirrors what a list of the real client would come to.
func (s *server) List(options metav1.ListOptions) (runtime.Object, error) {
	recorded, request := s.take("LIST", options)
	if !s.answer(recorded, request) {
		return nil, context.Canceled
	}
	if recorded.Error != nil {
		return nil, errorFrom(recorded.Error)
	}
	list := &metav1.PartialObjectMetadataList{}
	list.ResourceVersion = recorded.RV
	list.Continue = recorded.Continue
	for i := range recorded.Items {
		list.Items = append(list.Items, *objectFrom(&recorded.Items[i]))
	}
	return list, nil
}

// Watch mirrors what a watch of the real client would come to.
func (s *server) Watch(options metav1.ListOptions) (watch.Interface, error) {
	recorded, request := s.take("WATCH", options)
	if !s.answer(recorded, request) {
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
	go s.play(stream, recorded, request)
	return stream, nil
}

// play sends the frames of a watch in their time, then ends it as it ended.
func (s *server) play(stream *stream, recorded *Request, request *asked) {
	defer close(stream.events)
	defer s.over(request)
	for i := range recorded.Frames {
		frame := &recorded.Frames[i]
		if !stream.waitUntil(request.at.Add(time.Duration(frame.After))) {
			return
		}
		select {
		case stream.events <- eventFrom(frame):
		case <-stream.quit:
			return
		}
	}
	if recorded.Ended == nil || recorded.End == "open" || recorded.End == "stopped" {
		<-stream.quit
		return
	}
	stream.waitUntil(request.at.Add(time.Duration(*recorded.Ended)))
}

type stream struct {
	events chan watch.Event
	quit   chan struct{}
	once   sync.Once
}

func (s *stream) Stop()                          { s.once.Do(func() { close(s.quit) }) }
func (s *stream) ResultChan() <-chan watch.Event { return s.events }

func (s *stream) waitUntil(at time.Time) bool {
	select {
	case <-time.After(time.Until(at)):
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

func objectFrom(object *Object) *metav1.PartialObjectMetadata {
	result := &metav1.PartialObjectMetadata{}
	result.Kind, result.APIVersion = "ConfigMap", "v1"
	result.Namespace, result.Name = object.Namespace, object.Name
	result.UID, result.ResourceVersion = types.UID(object.UID), object.RV
	result.Annotations = object.Annotations
	return result
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
