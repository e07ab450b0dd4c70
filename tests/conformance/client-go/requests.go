package conformance

import (
	"fmt"
	"time"
)

// compareRequests compares what was asked, and when: each backoff of the real client was as long as ours
// where it could be.
func compareRequests(client *Client, real *outcome, differ report) {
	for i := 0; i < len(client.Requests) || i < len(real.asked); i++ {
		ours, theirs := "none", "none"
		if i < len(client.Requests) {
			ours = requestText(client.Requests[i].Verb, client.Requests[i].Options, client.Requests[i].At)
		}
		if i < len(real.asked) {
			theirs = requestText(real.asked[i].verb, real.asked[i].options, real.asked[i].at)
		}
		if ours != theirs {
			if !diedBeforeAsking(client, real, i) {
				differ("request %d: watchlab %s, client-go %s", i+1, ours, theirs)
			}
			return // what comes after it was answered with the wrong answers
		}
	}
}

// diedBeforeAsking says whether request i is the last one of a program that died at the very moment at
// which its reflector sent it: which of the two comes first is up to the scheduler.
func diedBeforeAsking(client *Client, real *outcome, i int) bool {
	if client.End != "key_error" || real.end != "key_error" || len(client.Deltas) == 0 {
		return false
	}
	died := client.Deltas[len(client.Deltas)-1].At
	if i >= len(real.asked) {
		return i == len(client.Requests)-1 && client.Requests[i].At == died
	}
	return i >= len(client.Requests) && i == len(real.asked)-1 && real.asked[i].at == died
}

func requestText(verb string, options Options, at int64) string {
	text := fmt.Sprintf("%v %s rv=%q", time.Duration(at), verb, options.RV)
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
