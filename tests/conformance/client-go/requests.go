package conformance

import (
	"fmt"
	"time"
)

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
			d, e := delayOf(client, i), theirs.wanted.Sub(real.asked[i-1].ended)
			ourClass := ourBackoff.class(time.Duration(ours.At), d)
			theirClass := theirBackoff.class(theirs.wanted.Sub(real.began), e)
			if d != e && (d < minimum || e < minimum) || ourClass.off || theirClass.off {
				differ("request %d, %s: watchlab %v after the one before (%v), client-go %v (%v)",
					i+1, a, d, ourClass, e, theirClass)
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
	reset   = 2 * time.Minute // how long a backoff must not have been used to begin anew
)

// backoff is what the documentation of the reflector says of its waiting: each time twice as long as
// the time before, up to a maximum, and a random part of it on top. Each of the two stories is held
// to it by itself, because their random parts may lie on either side of the reset.
type backoff struct {
	step  int
	last  time.Duration
	began bool
}

// class is where a delay lies: off says that it is none that the backoff gives at its step.
type class struct {
	step     int // counted from 1; 0 for a fixed delay
	from, to time.Duration
	off      bool
}

func (c class) String() string {
	if c.step == 0 {
		return "no backoff"
	}
	text := fmt.Sprintf("step %d: %v..%v", c.step, c.from, c.to)
	if c.off {
		text += ", which it is not"
	}
	return text
}

// class notes a request after a delay.
func (b *backoff) class(at, delay time.Duration) class {
	if delay < minimum {
		return class{}
	}
	used := at - delay
	if b.began && used-b.last > reset {
		b.step = 0
	}
	b.last, b.began = used, true
	nominal := maximum
	if b.step < 6 {
		nominal = min(minimum<<b.step, maximum)
	}
	b.step++
	return class{step: b.step, from: nominal, to: 2 * nominal, off: delay < nominal || delay > 2*nominal}
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
