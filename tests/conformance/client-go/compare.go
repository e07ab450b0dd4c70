package conformance

import (
	"fmt"
	"sort"
	"strings"
	"time"
)

type report func(format string, arguments ...interface{})

// compare returns what differs, a sentence each.
func compare(story *Story, client *Client, real *outcome) []string {
	var found []string
	differ := func(format string, arguments ...interface{}) {
		found = append(found, fmt.Sprintf(format, arguments...))
	}
	if real.died != "" {
		differ("client-go died: %s", real.died)
		return found
	}
	compareRequests(client, real, differ)
	for _, handler := range handlersOf(client, real) {
		compareCalls("call of "+handler, of(client.Calls, handler), of(real.calls, handler), differ)
	}
	if client.Kind == "program" {
		compareCalls("delta", client.Deltas, real.deltas, differ)
	}
	compareCalls("pop", client.Pops, real.pops, differ)
	for _, key := range keysOf(client.Work, real.work) {
		compareCalls("work on "+key, ofKey(client.Work, key), ofKey(real.work, key), differ)
	}
	compareReads(client.Reads, real.reads, differ)
	compareEnd(client, real, differ)
	compareSyncs(story, client, real, differ)
	return found
}

// compareEnd compares how the client was when it was told to end, and when it had ended.
func compareEnd(client *Client, real *outcome, differ report) {
	if ours := strings.TrimPrefix(client.End, "closed"); ours != real.end {
		differ("end: watchlab %q, client-go %q", client.End, real.end)
	}
	before := real.ended
	if !client.StoppedEarly {
		before = real.stopped
	}
	if final := client.Final; final != nil {
		if final.At != real.ended.at && real.end == "" {
			differ("it had ended: watchlab at %v, client-go at %v", time.Duration(final.At),
				time.Duration(real.ended.at))
		}
		if final.Version != real.ended.version {
			differ("revision of the store in the end: watchlab %q, client-go %q", final.Version,
				real.ended.version)
		}
		compareGlance("in the end", glance{synced: final.Synced, store: final.Store}, real.ended, differ)
	}
	compareGlance("when it was told to end", glance{synced: client.Synced, store: client.Store}, before, differ)
	compareStreams(client, real, differ)
}

// compareStreams compares how many watches were open when the client was told to end, and wants all of them
// but the last to be those that the client lost sight of: a stopped client ends what it knows.
func compareStreams(client *Client, real *outcome, differ report) {
	ours := 0
	for i := range client.Requests {
		if client.Requests[i].End == "open" {
			ours++
		}
	}
	lost := max(ours-1, 0)
	if !client.StoppedEarly && ours != real.open {
		differ("open watches when it was told to end: watchlab %d, client-go %d", ours, real.open)
	}
	if !client.StoppedEarly && real.leftOpen != lost {
		differ("watches that were never stopped: watchlab %d, client-go %d", lost, real.leftOpen)
	}
}

func compareGlance(when string, ours, theirs glance, differ report) {
	if ours.synced != theirs.synced {
		differ("has_synced %s: watchlab %v, client-go %v", when, ours.synced, theirs.synced)
	}
	if len(ours.store) != len(theirs.store) {
		differ("store %s: watchlab has %d objects, client-go %d", when, len(ours.store), len(theirs.store))
		return
	}
	for i := range ours.store {
		if a, b := ours.store[i].String(), theirs.store[i].String(); a != b {
			differ("store %s: watchlab %s, client-go %s", when, a, b)
			return
		}
	}
}

// compareCalls compares two sequences and reports the first difference.
func compareCalls(what string, ours, theirs []Call, differ report) {
	for i := 0; i < len(ours) || i < len(theirs); i++ {
		left, right := "none", "none"
		if i < len(ours) {
			left = callText(ours[i])
		}
		if i < len(theirs) {
			right = callText(theirs[i])
		}
		if left != right {
			differ("%s %d: watchlab %s, client-go %s", what, i+1, left, right)
			return
		}
	}
}

func callText(call Call) string {
	text := fmt.Sprintf("%v %s %s", time.Duration(call.At), call.Type, call.Key)
	if call.Initial {
		text += " initial"
	}
	if call.Tombstone {
		text += " tombstone"
	}
	if call.Cached != "" {
		text += " while the store has " + call.Cached
	}
	text += ": " + call.Object.String()
	if call.Before != nil {
		text += " from " + call.Before.String()
	}
	return text
}

// compareReads compares what a reader found; the values of one look come in the order of a Go map.
func compareReads(ours, theirs []Read, differ report) {
	texts := func(reads []Read) []string {
		var result []string
		for _, read := range reads {
			result = append(result, fmt.Sprintf("%v value=%q like=%v: %v", time.Duration(read.At), read.Value,
				read.Like, read.Objects))
		}
		sort.Strings(result)
		return result
	}
	a, b := texts(ours), texts(theirs)
	for i := 0; i < len(a) || i < len(b); i++ {
		if i >= len(a) || i >= len(b) {
			differ("reads: watchlab %d, client-go %d", len(a), len(b))
			return
		}
		if a[i] != b[i] {
			differ("read: watchlab %s, client-go %s", a[i], b[i])
			return
		}
	}
}

// compareSyncs compares when the client and its handlers began to say that they had synced.
func compareSyncs(story *Story, client *Client, real *outcome, differ report) {
	for name, at := range real.syncedAt {
		if at >= story.Closed {
			delete(real.syncedAt, name) // the transcript says nothing of that
		}
	}
	compareMoment("has_synced", client.SyncedAt, real.syncedAt, "", differ)
	for i := range client.Handlers {
		handler := &client.Handlers[i]
		compareMoment("has_synced of "+handler.Name, handler.SyncedAt, real.syncedAt, handler.Name, differ)
	}
}

func compareMoment(what string, ours *int64, all map[string]int64, name string, differ report) {
	left, right := "never", "never"
	if ours != nil {
		left = time.Duration(*ours).String()
	}
	if theirs, ok := all[name]; ok {
		right = time.Duration(theirs).String()
	}
	if left != right {
		differ("%s: watchlab %s, client-go %s", what, left, right)
	}
}

// handlersOf are the handlers of either side, by name.
func handlersOf(client *Client, real *outcome) []string {
	return distinct(func(call Call) string { return call.Handler }, client.Calls, real.calls)
}

func keysOf(ours, theirs []Call) []string {
	return distinct(func(call Call) string { return call.Key }, ours, theirs)
}

func distinct(nameOf func(Call) string, sides ...[]Call) []string {
	known := map[string]bool{}
	for _, side := range sides {
		for _, call := range side {
			known[nameOf(call)] = true
		}
	}
	names := make([]string, 0, len(known))
	for name := range known {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func ofKey(calls []Call, key string) []Call {
	var result []Call
	for _, call := range calls {
		if call.Key == key {
			result = append(result, call)
		}
	}
	return result
}
