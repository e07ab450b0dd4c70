package conformance

import (
	"fmt"
	"sort"
	"strings"
)

// instants says when the frames of watches came, by the state that they carry. What comes at one
// instant is queued while the consumer may already pop: a key that comes twice is then popped twice, or
// once with both deltas, and both orders are true.
type instants map[string]instant

type instant struct {
	request int
	after   int64
	place   int // within the stream
}

func stateOf(key string, object *Object) string { return fmt.Sprintf("%s@%s", key, object.RV) }

func arrivals(client *Client) instants {
	result := instants{}
	for i := range client.Requests {
		for j, frame := range client.Requests[i].Frames {
			if frame.Object != nil && frame.Object.Name != "" {
				result[stateOf(keyOf(frame.Object), frame.Object)] = instant{i, frame.After, j}
			}
		}
	}
	return result
}

// repeatKeys says whether some key came twice at one instant: at any, or at that of the one given.
func (a instants) repeatKeys(only *instant) bool {
	type place struct {
		request int
		after   int64
		key     string
	}
	seen := map[place]bool{}
	for state, at := range a {
		if only != nil && (at.request != only.request || at.after != only.after) {
			continue
		}
		here := place{at.request, at.after, state[:strings.LastIndexByte(state, '@')]}
		if seen[here] {
			return true
		}
		seen[here] = true
	}
	return false
}

// withoutBacklog leaves out the last calls of a handler that left while it was behind, if they are equally
// many and of one instant at which a key came twice, or of those that come in the order of a Go map: which of
// them came first is open, and the rest of them was dropped.
func (a instants) withoutBacklog(client *Client, late bool, ours, theirs []Call) ([]Call, []Call) {
	if len(ours) == 0 || len(ours) != len(theirs) || ours[len(ours)-1].Object == nil {
		return ours, theirs
	}
	if late && ours[len(ours)-1].Initial && theirs[len(theirs)-1].Initial {
		return nil, nil // the order of the store's objects is open, and it heard but some
	}
	if begin := openEnd(client, ours); begin < len(ours) && begin == openEnd(client, theirs) {
		return ours[:begin], theirs[:begin]
	}
	last := ours[len(ours)-1]
	of, ok := a[stateOf(last.Key, last.Object)]
	if !ok || !a.repeatKeys(&of) {
		return ours, theirs
	}
	before := func(calls []Call) int {
		end := len(calls)
		for end > 0 && calls[end-1].Object != nil {
			at, ok := a[stateOf(calls[end-1].Key, calls[end-1].Object)]
			if !ok || at.request != of.request || at.after != of.after {
				break
			}
			end--
		}
		return end
	}
	if begin := before(ours); begin == before(theirs) {
		return ours[:begin], theirs[:begin]
	}
	return ours, theirs
}

// settle puts what came at one instant into the order of the stream, if its order is one that a queue
// can give: a delta may pass others only to join an earlier one of its key. Else it stays as it is.
func (a instants) settle(calls []Call) []Call {
	result := append([]Call(nil), calls...)
	told := map[string]bool{}
	at := make([]*instant, len(calls))
	for i, call := range calls {
		if call.Object == nil || call.Tombstone {
			continue
		}
		state := stateOf(call.Key, call.Object)
		if came, ok := a[state]; ok && !told[state] {
			at[i] = &came
		}
		told[state] = true
	}
	same := func(i, j int) bool {
		return at[i] != nil && at[j] != nil && at[i].request == at[j].request && at[i].after == at[j].after
	}
	for begin := 0; begin < len(calls); {
		end := begin + 1
		for end < len(calls) && same(begin, end) {
			end++
		}
		if mayBeQueued(calls[begin:end], at[begin:end]) {
			group, places := result[begin:end], map[string]int{}
			for i := begin; i < end && end-begin > 1; i++ {
				places[stateOf(calls[i].Key, calls[i].Object)] = at[i].place
			}
			sort.SliceStable(group, func(i, j int) bool {
				return places[stateOf(group[i].Key, group[i].Object)] < places[stateOf(group[j].Key, group[j].Object)]
			})
		}
		begin = end
	}
	return result
}

// mayBeQueued says whether a queue can give these calls, which came at one instant, in this order.
func mayBeQueued(calls []Call, at []*instant) bool {
	for i := range calls {
		for j := i + 1; j < len(calls); j++ {
			if at[i].place <= at[j].place || calls[i].Key == calls[j].Key {
				continue
			}
			joins := false
			for k := range calls {
				joins = joins || calls[k].Key == calls[i].Key && at[k].place < at[j].place
			}
			if !joins {
				return false
			}
		}
	}
	return true
}
