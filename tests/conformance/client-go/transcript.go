// Package conformance plays transcripts of watchlab to the real client-go and compares.
package conformance

// Object is what a transcript says of an object.
type Object struct {
	Namespace   string            `json:"namespace"`
	Name        string            `json:"name"`
	UID         string            `json:"uid"`
	RV          string            `json:"rv"`
	Annotations map[string]string `json:"annotations"`
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
	Object *Object `json:"object"`
	Status *Status `json:"status"`
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

// Call is a call of a handler, or a delta that a program popped.
type Call struct {
	At        int64   `json:"at"`
	Handler   string  `json:"handler"`
	Type      string  `json:"type"`
	Key       string  `json:"key"`
	Object    *Object `json:"object"`
	Before    *Object `json:"before"`
	Tombstone bool    `json:"tombstone"`
	Initial   bool    `json:"initial"`
}

// Handler is one of a shared informer. Resync is its own period, nothing for the informer's.
type Handler struct {
	Name     string `json:"name"`
	Takes    int64  `json:"takes"`
	Resync   *int64 `json:"resync"`
	Joined   int64  `json:"joined"`
	Left     *int64 `json:"left"`
	SyncedAt *int64 `json:"synced_at"`
}

// Client is one client's life.
type Client struct {
	Name         string    `json:"name"`
	Kind         string    `json:"kind"`
	Resync       int64     `json:"resync"`
	Pause        int64     `json:"pause"`
	BlocksInLock bool      `json:"blocks_in_lock"`
	Requests     []Request `json:"requests"`
	Handlers     []Handler `json:"handlers"`
	Calls        []Call    `json:"calls"`
	Deltas       []Call    `json:"deltas"`
	End          string    `json:"end"`
	Stopped      *int64    `json:"stopped"`
	Synced       bool      `json:"synced"`
	SyncedAt     *int64    `json:"synced_at"`
	Store        []Object  `json:"store"`
}

// Story is a line of a file of transcripts.
type Story struct {
	Transcript string   `json:"transcript"`
	Name       string   `json:"name"`
	Closed     int64    `json:"closed"`
	Clients    []Client `json:"clients"`
}
