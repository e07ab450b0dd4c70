package conformance

import (
	"sort"
	"time"

	"watchlab/conformance/hooks"
)

// openOrders makes client-go choose, wherever it may, what the transcript shows: the order in which a Go
// map yields its keys, and the random part of a backoff. What the transcript shows must be something that
// client-go can choose; if it is not, both differ.
func openOrders(client *Client, server *server, diary *diary) {
	hooks.Order = func(what string, keys []string) []string {
		return inOrderOf(shown(client, what, server.joining(), diary.now()), keys)
	}
	hooks.Extra = func(fixed time.Duration, factor float64) time.Duration {
		most := time.Duration(factor * float64(fixed))
		next, until := server.count(), int64(0)
		switch {
		case next < len(client.Requests):
			until = client.Requests[next].At
		case pausesAtItsEnd(client):
			until = client.Final.At
		default:
			return most // our client asked for nothing more before its end
		}
		extra := time.Duration(until-diary.now()) - fixed
		if extra < 0 || extra > most {
			return most / 2
		}
		return extra
	}
}

// pausesAtItsEnd says whether a client's end had to wait for a pause: that of a streamed list which was refused.
func pausesAtItsEnd(client *Client) bool {
	if client.Final == nil || client.Final.At <= client.Stopped {
		return false
	}
	last := &client.Requests[len(client.Requests)-1]
	for i := range last.Frames {
		if last.Frames[i].isMark() {
			return false
		}
	}
	return last.Options.InitialEvents && (last.Error != nil || last.End == "error")
}

// shown is the order in which keys come in the transcript from an instant on, where it says something
// about what is chosen then.
func shown(client *Client, what, handler string, from int64) []string {
	tells := func(call Call) bool {
		switch what {
		case "tombstones":
			return call.Tombstone
		case "resync":
			return periodic(call)
		case "initial":
			return call.Initial
		}
		return true
	}
	switch {
	case what == "replace" || what == "streamed":
		return listedBefore(client, from)
	case client.Kind == "controller":
		return keysFrom(client.Work, from, func(call Call) bool { return call.Type == "added" })
	case client.Kind == "program" || tellsAny(client.Deltas, tells):
		return keysFrom(client.Deltas, from, tells)
	case what == "initial":
		return keysFrom(of(client.Calls, handler), from, tells)
	}
	// Of several handlers the first to hear of it is the nearest to the queue.
	var all []Call
	for _, call := range client.Calls {
		if call.At >= from && tells(call) {
			all = append(all, call)
		}
	}
	if len(all) == 0 {
		return nil
	}
	first := keysFrom(of(all, all[0].Handler), from, tells)
	return append(first, keysFrom(all, from, tells)...)
}

func tellsAny(calls []Call, tells func(Call) bool) bool {
	for _, call := range calls {
		if tells(call) {
			return true
		}
	}
	return false
}

// listedBefore are the keys of the list that was answered last, in its order, its pages taken together; or of
// the list that was streamed last.
func listedBefore(client *Client, now int64) []string {
	var keys []string
	for i := range client.Requests {
		request := &client.Requests[i]
		if request.Answered == nil || request.At+*request.Answered > now {
			continue
		}
		if request.Options.InitialEvents {
			if streamed, whole := streamedBefore(request, now); whole {
				keys = streamed
			}
		}
		if request.Verb != "LIST" {
			continue
		}
		if request.Options.Continue == "" {
			keys = nil
		}
		for _, item := range request.Items {
			keys = append(keys, item.key())
		}
	}
	return keys
}

// streamedBefore are the keys that a streamed list has come to at its mark, in the order in which our
// client collects them: what is new takes the place of what was deleted last, or comes last.
func streamedBefore(request *Request, now int64) ([]string, bool) {
	var places []string
	var free []int
	at := map[string]int{}
	for i := range request.Frames {
		frame := &request.Frames[i]
		if request.At+frame.After > now {
			break
		}
		if frame.Object == nil {
			continue
		}
		if frame.isMark() {
			var keys []string
			for place, key := range places {
				if _, there := at[key]; there && at[key] == place {
					keys = append(keys, key)
				}
			}
			return keys, true
		}
		key := frame.Object.key()
		place, known := at[key]
		switch {
		case frame.Type == "DELETED" && known:
			delete(at, key)
			free = append(free, place)
		case (frame.Type == "ADDED" || frame.Type == "MODIFIED") && !known && len(free) > 0:
			place, free = free[len(free)-1], free[:len(free)-1]
			places[place], at[key] = key, place
		case (frame.Type == "ADDED" || frame.Type == "MODIFIED") && !known:
			at[key] = len(places)
			places = append(places, key)
		}
	}
	return nil, false
}

func keysFrom(calls []Call, from int64, tells func(Call) bool) []string {
	var keys []string
	known := map[string]bool{}
	for _, call := range calls {
		if call.At >= from && tells(call) && !known[call.Key] {
			known[call.Key] = true
			keys = append(keys, call.Key)
		}
	}
	return keys
}

// inOrderOf puts keys into the order of others; what these lack comes last, by name.
func inOrderOf(order, keys []string) []string {
	place := map[string]int{}
	for i, key := range order {
		if place[key] == 0 {
			place[key] = i + 1
		}
	}
	result := append([]string(nil), keys...)
	sort.Slice(result, func(i, j int) bool {
		a, b := place[result[i]], place[result[j]]
		if a == 0 || b == 0 {
			return a != 0 || b == 0 && result[i] < result[j]
		}
		return a < b
	})
	return result
}

// periodic says whether a call or delta may come from a resync.
func periodic(call Call) bool {
	return call.Type == "Sync" || call.Type == "update" && call.Before.text("metadata", "resourceVersion") ==
		call.Object.text("metadata", "resourceVersion")
}

func of(calls []Call, handler string) []Call {
	var result []Call
	for _, call := range calls {
		if call.Handler == handler {
			result = append(result, call)
		}
	}
	return result
}
