package conformance

import (
	"fmt"
	"sort"
	"time"
)

// compare returns what differs, a sentence each.
func compare(client *Client, real outcome) []string {
	var found []string
	differ := func(format string, arguments ...interface{}) {
		found = append(found, fmt.Sprintf(format, arguments...))
	}
	compareRequests(client, real, differ)
	compareCalls("call", client, client.Calls, real.calls, differ)
	if client.Kind == "program" {
		ours, theirs := client.Deltas, real.deltas
		if diedOfTombstone(client, real) {
			ours, theirs = ours[:len(ours)-1], theirs[:len(theirs)-1]
		}
		compareCalls("delta", client, ours, theirs, differ)
	}
	if client.End != real.end {
		differ("end: watchlab %q, client-go %q", client.End, real.end)
	}
	if client.Synced != real.synced {
		differ("has_synced at the end: watchlab %v, client-go %v", client.Synced, real.synced)
	}
	if ours, theirs := objects(client.Store), objects(real.store); ours != theirs {
		differ("store: watchlab %s, client-go %s", ours, theirs)
	}
	return found
}

// diedOfTombstone says whether both programs ended at a tombstone that the newest list of the
// transcript accounts for. If that list lacks several objects, the order of their tombstones is the
// order of a Go map, so the two may have died of different ones.
func diedOfTombstone(client *Client, real outcome) bool {
	if client.End != "key_error" || real.end != "key_error" ||
		len(client.Deltas) == 0 || len(real.deltas) == 0 {
		return false
	}
	listed := map[string]bool{}
	for _, request := range client.Requests {
		if request.Verb == "LIST" && request.Answered != nil && request.Error == nil {
			listed = map[string]bool{}
			for i := range request.Items {
				listed[keyOf(&request.Items[i])] = true
			}
		}
	}
	ours, theirs := client.Deltas[len(client.Deltas)-1], real.deltas[len(real.deltas)-1]
	return ours.Tombstone && theirs.Tombstone && !listed[ours.Key] && !listed[theirs.Key]
}

type report func(format string, arguments ...interface{})

func compareRequests(client *Client, real outcome, differ report) {
	var ourBackoff, theirBackoff backoff
	for i := 0; i < len(client.Requests) || i < len(real.asked); i++ {
		switch {
		case i >= len(real.asked) && diedBeforeAsking(client, real, i):
			return
		case i >= len(real.asked):
			differ("request %d: watchlab %s, client-go none", i+1, requestText(client.Requests[i].Verb, client.Requests[i].Options))
			return
		case i >= len(client.Requests):
			if mayComeLater(client, real.asked, i) || diedBeforeAsking(client, real, i) {
				return
			}
			differ("request %d: watchlab none, client-go %s", i+1, requestText(real.asked[i].verb, real.asked[i].options))
			return
		}
		ours, theirs := &client.Requests[i], real.asked[i]
		a, b := requestText(ours.Verb, ours.Options), requestText(theirs.verb, theirs.options)
		if a != b {
			differ("request %d: watchlab %s, client-go %s", i+1, a, b)
			return // what comes after it was answered with the wrong answers
		}
		if i > 0 {
			d, e := delayOf(client, i), theirs.at.Sub(real.asked[i-1].ended)
			ourReset := ourBackoff.use(time.Duration(ours.At), d)
			theirReset := theirBackoff.use(theirs.at.Sub(real.asked[0].at), e)
			if ourReset != theirReset {
				return // random delays fell on either side of the two minutes: two true stories
			}
			if !sameClass(d, e) {
				differ("request %d, %s: watchlab %v after the one before, client-go %v", i+1, a, d, e)
			}
		}
	}
}

// mayComeLater says whether the record was closed while our client was in a pause before a request.
func mayComeLater(client *Client, requests []*asked, i int) bool {
	delay := requests[i].at.Sub(requests[i-1].ended)
	return i == len(requests)-1 && client.Stopped != nil && delay >= minimum
}

// diedBeforeAsking says whether request i is the last one of a program that died at the very moment at
// which its reflector sent it: which of the two comes first is up to the scheduler.
func diedBeforeAsking(client *Client, real outcome, i int) bool {
	if client.End != "key_error" || real.end != "key_error" {
		return false
	}
	if i >= len(real.asked) {
		return i == len(client.Requests)-1 && delayOf(client, i) == 0
	}
	return i == len(real.asked)-1 && real.asked[i].at.Equal(real.asked[i-1].ended)
}

func delayOf(client *Client, i int) time.Duration {
	before := &client.Requests[i-1]
	end := before.At
	if before.Answered != nil {
		end = before.At + *before.Answered
	}
	if before.Verb == "WATCH" && before.Error == nil && before.Ended != nil {
		end = before.At + *before.Ended
	}
	return time.Duration(client.Requests[i].At - end)
}

const (
	minimum = 800 * time.Millisecond
	maximum = 30 * time.Second
)

// reset is how long a backoff must not have been used to begin anew.
const reset = 2 * time.Minute

// backoff remembers when a client's backoff was last used.
type backoff struct {
	last time.Duration
	used bool
}

// use notes a request after a delay. It says whether the backoff began anew for it.
func (b *backoff) use(at, delay time.Duration) bool {
	if delay < minimum {
		return false
	}
	began := at - delay
	anew := b.used && began-b.last > reset
	b.last, b.used = began, true
	return anew
}

// sameClass says whether both are the same fixed time, or can be the same step of the backoff, of
// which each hands out between one and two times its nominal delay.
func sameClass(a, b time.Duration) bool {
	if a == b {
		return true
	}
	for step := minimum; ; step = min(2*step, maximum) {
		if a >= step && a < 2*step && b >= step && b < 2*step {
			return true
		}
		if step == maximum {
			return false
		}
	}
}

func requestText(verb string, options Options) string {
	text := fmt.Sprintf("%s rv=%q", verb, options.RV)
	if options.Match != "" {
		text += " match=" + options.Match
	}
	if options.Limit != 0 {
		text += fmt.Sprintf(" limit=%d", options.Limit)
	}
	if options.Continue != "" {
		text += " continue=" + options.Continue
	}
	if options.Bookmarks {
		text += " bookmarks"
	}
	if options.InitialEvents {
		text += " initial events"
	}
	switch {
	case options.Timeout >= 300 && options.Timeout < 600:
		text += " timeout=300..599"
	case options.Timeout != 0:
		text += fmt.Sprintf(" timeout=%d", options.Timeout)
	}
	return text
}

func objectText(object *Object) string {
	if object == nil {
		return "nothing"
	}
	return fmt.Sprintf("%s@%s (%s)", keyOf(object), object.RV, object.UID)
}

func objects(all []Object) string {
	text := "["
	for i := range all {
		text += " " + objectText(&all[i])
	}
	return text + " ]"
}

func callText(call Call) string {
	text := call.Type + " " + objectText(call.Object)
	if call.Before != nil {
		text += " from " + objectText(call.Before)
	}
	if call.Tombstone {
		text += " tombstone"
	}
	if call.Initial {
		text += " initial"
	}
	return text
}

// periodic says whether a call or delta may come from a resync.
func periodic(call Call) bool {
	return call.Type == "Sync" ||
		call.Type == "update" && call.Before != nil && call.Object != nil && call.Before.RV == call.Object.RV
}

// stretched says whether a random delay of the story moves resyncs against everything else.
func stretched(client *Client) bool {
	for i := 1; i < len(client.Requests); i++ {
		if delayOf(client, i) >= minimum {
			return true
		}
	}
	return false
}

func compareCalls(what string, client *Client, ours, theirs []Call, differ report) {
	skip := func(Call) bool { return false }
	if client.Resync > 0 && stretched(client) {
		skip = periodic
	}
	a, b := byKey(ours, skip), byKey(theirs, skip)
	keys := map[string]bool{}
	for key := range a {
		keys[key] = true
	}
	for key := range b {
		keys[key] = true
	}
	sorted := make([]string, 0, len(keys))
	for key := range keys {
		sorted = append(sorted, key)
	}
	sort.Strings(sorted)
	for _, key := range sorted {
		for i := 0; i < len(a[key]) || i < len(b[key]); i++ {
			left, right := "none", "none"
			if i < len(a[key]) {
				left = a[key][i]
			}
			if i < len(b[key]) {
				right = b[key][i]
			}
			if left != right {
				differ("key %s, %s %d: watchlab %s, client-go %s", key, what, i+1, left, right)
				break
			}
		}
	}
}

func byKey(calls []Call, skip func(Call) bool) map[string][]string {
	result := map[string][]string{}
	for _, call := range calls {
		if !skip(call) {
			result[call.Key] = append(result[call.Key], callText(call))
		}
	}
	return result
}
