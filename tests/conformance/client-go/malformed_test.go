//go:build !modern

package conformance

import (
	"strings"
	"testing"
	"time"
)

const second = int64(time.Second)

func configMap(name, revision string) Object {
	return Object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]interface{}{
		"namespace": "default", "name": name, "uid": name, "resourceVersion": revision}}
}

// watching is an informer that has listed nothing, and whose watch brings these frames, one a second. What
// it does then is not in the transcript.
func watching(frames ...Frame) (*Story, *Client) {
	answered, ended := int64(0), int64(1000)*second
	for i := range frames {
		frames[i].After = int64(i+1) * second
	}
	client := &Client{Name: "one", Kind: "informer", Stopped: 100 * second, Requests: []Request{
		{Verb: "LIST", Answered: &answered, RV: "1"},
		{Verb: "WATCH", Answered: &answered, Frames: frames, End: "open", Ended: &ended},
	}}
	return &Story{Name: "by hand", Closed: 100 * second, Clients: []Client{*client}}, client
}

// told is what the real client's handler is told of these frames, and how many requests it sent.
func told(t *testing.T, frames ...Frame) (string, int) {
	prepare(t)
	story, client := watching(frames...)
	real := play(t, story, client)
	if real.died != "" {
		t.Fatalf("client-go died: %s", real.died)
	}
	var calls []string
	for _, call := range real.calls {
		calls = append(calls, call.Type+" "+call.Key)
	}
	return strings.Join(calls, ", "), len(real.asked)
}

func TestMalformedFramesDoNotEndTheJudge(t *testing.T) {
	after := Frame{Type: "ADDED", Object: configMap("after", "9")}
	const relisted = 3
	for _, each := range []struct {
		name  string
		frame Frame
		told  string
		asked int
	}{
		{"no object", Frame{Type: "ADDED"}, "add default/after", 2},
		{"a bookmark without an object", Frame{Type: "BOOKMARK"}, "add default/after", 2},
		{"an unknown type", Frame{Type: "WHAT", Object: configMap("what", "2")}, "add default/after", 2},
		{"no type", Frame{Object: configMap("what", "2")}, "add default/after", 2},
		{"no metadata", Frame{Type: "ADDED", Object: Object{"kind": "ConfigMap"}}, "add , add default/after", 2},
		{"metadata that is null", Frame{Type: "ADDED", Object: Object{"kind": "ConfigMap", "metadata": nil}},
			"add , add default/after", 2},
		{"another kind", Frame{Type: "ADDED", Object: Object{"apiVersion": "v1", "kind": "Pod",
			"metadata": map[string]interface{}{"name": "pod"}}}, "add pod, add default/after", 2},
		{"an error without a status", Frame{Type: "ERROR"}, "", relisted},
		{"nothing at all", Frame{}, "add default/after", 2},
	} {
		calls, asked := told(t, each.frame, after)
		if calls != each.told || asked != each.asked {
			t.Errorf("%s: told %q after %d requests, not %q after %d", each.name, calls, asked, each.told, each.asked)
		}
	}
}

// agreeing is a story that client-go lives through as its transcript says.
func agreeing() (*Story, *Client) {
	story, client := watching(Frame{Type: "ADDED", Object: configMap("apple", "2")})
	synced := int64(0)
	client.Calls = []Call{{At: second, Type: "add", Key: "default/apple", Object: configMap("apple", "2"),
		Cached: "2"}}
	client.Requests[1].Options = Options{RV: "1", Bookmarks: true, Timeout: 300}
	client.Requests[0].Options = Options{RV: "0", Limit: 500}
	client.Synced, client.SyncedAt = true, &synced
	client.Store = []Object{configMap("apple", "2")}
	client.Final = &Final{At: 100 * second, Synced: true, Store: client.Store}
	return story, client
}

func TestEachThingThatAClientIsGivenIsCompared(t *testing.T) {
	prepare(t)
	metadata := func(object Object) map[string]interface{} { return object["metadata"].(map[string]interface{}) }
	for name, change := range map[string]func(*Client){
		"":                              func(*Client) {},
		"call of  1":                    func(c *Client) { metadata(c.Calls[0].Object)["labels"] = map[string]interface{}{"a": "b"} },
		"call of  1 ":                   func(c *Client) { c.Calls[0].Object["kind"] = "Pod" },
		"call of  1  ":                  func(c *Client) { c.Calls[0].Object["data"] = map[string]interface{}{"a": "b"} },
		"call of  1   ":                 func(c *Client) { metadata(c.Calls[0].Object)["resourceVersion"] = "3" },
		"call of  1    ":                func(c *Client) { c.Calls[0].At++ },
		"call of  1     ":               func(c *Client) { c.Calls[0].Cached = "" },
		"call of  2":                    func(c *Client) { c.Calls = append(c.Calls, c.Calls[0]) },
		"store when it was told to end": func(c *Client) { c.Store = []Object{configMap("apple", "3")} },
		"store in the end":              func(c *Client) { c.Final.Store = nil },
		"has_synced in the end":         func(c *Client) { c.Final.Synced = false },
		"it had ended":                  func(c *Client) { c.Final.At++ },
		"request 2":                     func(c *Client) { c.Requests[1].At++ },
		"request 3": func(c *Client) {
			c.Requests = append(c.Requests, Request{Verb: "LIST", At: c.Stopped})
		},
		"end": func(c *Client) { c.End = "key_error" },
	} {
		story, client := agreeing()
		change(client)
		found := difference(t, story, client)
		name = strings.TrimRight(name, " ")
		if name == "" && len(found) > 0 || name != "" && (len(found) != 1 || !strings.HasPrefix(found[0], name)) {
			t.Errorf("%q: %q", name, found)
		}
	}
}

func TestASummaryNamesWhatIsWrong(t *testing.T) {
	sum := &tally{stories: 4, played: 3, clients: 5, differing: 2, unreadable: 1, leftOut: map[string]int{"bytes": 1}}
	const want = "5 clients of 3 stories lived through them, 2 differ; 1 of 4 stories not played (1: bytes); " +
		"1 lines are no transcripts"
	if sum.String() != want {
		t.Errorf("%q", sum)
	}
}
