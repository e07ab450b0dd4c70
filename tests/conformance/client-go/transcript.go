// Package conformance plays transcripts of watchlab to the real client-go and compares.
package conformance

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Object is a whole object, as a server writes it. Nil stands for none.
type Object map[string]interface{}

func (o Object) text(path ...string) string {
	found, _, _ := unstructured.NestedString(o, path...)
	return found
}

// key is namespace/name, or name for what has no namespace.
func (o Object) key() string {
	if namespace := o.text("metadata", "namespace"); namespace != "" {
		return namespace + "/" + o.text("metadata", "name")
	}
	return o.text("metadata", "name")
}

// String is all of it, with its members in the order of their names.
func (o Object) String() string {
	if o == nil {
		return "nothing"
	}
	whole, err := json.Marshal(map[string]interface{}(o))
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s@%s %s", o.key(), o.text("metadata", "resourceVersion"), whole)
}

// Cause is one of several things that were wrong.
type Cause struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// Status is a failure as the server tells it.
type Status struct {
	Code       int32   `json:"code"`
	Reason     string  `json:"reason"`
	Message    string  `json:"message"`
	Causes     []Cause `json:"causes"`
	RetryAfter int32   `json:"retry_after"`
}

// Failure is what came instead of an answer: a word, and a Status when the word is "status".
type Failure struct {
	Word   string  `json:"word"`
	Status *Status `json:"status"`
}

// Frame is an event of a watch; After counts from the moment the request was sent.
type Frame struct {
	After  int64   `json:"after"`
	Type   string  `json:"type"`
	Object Object  `json:"object"`
	Status *Status `json:"status"`
}

// isMark says whether a streamed list is whole here.
func (f *Frame) isMark() bool {
	return f.Type == "BOOKMARK" && f.Object.text("metadata", "annotations", "k8s.io/initial-events-end") == "true"
}

// Options are those of a LIST or WATCH.
type Options struct {
	RV            string `json:"rv"`
	Match         string `json:"match"`
	Limit         int64  `json:"limit"`
	Continue      string `json:"continue"`
	Timeout       int64  `json:"timeout"`
	Bookmarks     bool   `json:"bookmarks"`
	InitialEvents bool   `json:"initial_events"`
}

// Request is a LIST or WATCH with all that came of it. Answered and Ended count from At.
type Request struct {
	Verb     string   `json:"verb"`
	At       int64    `json:"at"`
	Options  Options  `json:"options"`
	Answered *int64   `json:"answered"`
	Error    *Failure `json:"error"`
	RV       string   `json:"rv"`
	Continue string   `json:"continue"`
	Items    []Object `json:"items"`
	Frames   []Frame  `json:"frames"`
	End      string   `json:"end"`
	Ended    *int64   `json:"ended"`
}

// Call is something that happened to a consumer: a call of a handler, a delta or a state that it
// popped, a step of a worker. Cached is what the store held of the key.
type Call struct {
	At        int64  `json:"at"`
	Handler   string `json:"handler"`
	Type      string `json:"type"`
	Key       string `json:"key"`
	Object    Object `json:"object"`
	Before    Object `json:"before"`
	Tombstone bool   `json:"tombstone"`
	Initial   bool   `json:"initial"`
	Cached    string `json:"cached"`
}

// Read is a look into an indexed store: for a value of the index, or for what is like an object.
type Read struct {
	At      int64    `json:"at"`
	Value   string   `json:"value"`
	Like    Object   `json:"like"`
	Objects []Object `json:"objects"`
}

// Handler is one of a shared informer. Resync is its own period, nothing for the informer's; Panics is
// which of its calls does, counted from 1.
type Handler struct {
	Name     string `json:"name"`
	Takes    int64  `json:"takes"`
	Panics   int    `json:"panics"`
	Resync   *int64 `json:"resync"`
	Joined   int64  `json:"joined"`
	Left     *int64 `json:"left"`
	SyncedAt *int64 `json:"synced_at"`
}

// Final is a client when it had ended.
type Final struct {
	At      int64    `json:"at"`
	Synced  bool     `json:"synced"`
	Version string   `json:"version"` // of the store
	Store   []Object `json:"store"`
}

// Client is one client's life. It was told to end at Stopped: with the story, or by it and StoppedEarly. Store
// and Synced are as they were at the end of the story.
type Client struct {
	Name         string    `json:"name"`
	Kind         string    `json:"kind"`
	LeftOut      string    `json:"left_out"`
	Resync       int64     `json:"resync"`
	Pause        int64     `json:"pause"`
	Takes        int64     `json:"takes"`
	Workers      int       `json:"workers"`
	Failures     int       `json:"failures"`
	Drains       bool      `json:"drains"`
	Refuses      int       `json:"refuses"`
	RunsTwice    bool      `json:"runs_twice"`
	Requests     []Request `json:"requests"`
	Handlers     []Handler `json:"handlers"`
	Calls        []Call    `json:"calls"`
	Deltas       []Call    `json:"deltas"`
	Pops         []Call    `json:"pops"`
	Work         []Call    `json:"work"`
	Reads        []Read    `json:"reads"`
	End          string    `json:"end"`
	Stopped      int64     `json:"stopped"`
	StoppedEarly bool      `json:"stopped_early"`
	Synced       bool      `json:"synced"`
	SyncedAt     *int64    `json:"synced_at"`
	Store        []Object  `json:"store"`
	Final        *Final    `json:"final"`
}

// Story is a line of a file of transcripts. LeftOut says why it holds nothing, if so.
type Story struct {
	Transcript string   `json:"transcript"`
	Name       string   `json:"name"`
	LeftOut    string   `json:"left_out"`
	Closed     int64    `json:"closed"`
	Clients    []Client `json:"clients"`
}
