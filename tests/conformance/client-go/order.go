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
		next := server.count()
		if next >= len(client.Requests) {
			return most // our client asked for nothing more before its end
		}
		extra := time.Duration(client.Requests[next].At-diary.now()) - fixed
		if extra < 0 || extra > most {
			return most / 2
		}
		return extra
	}
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
	case what == "replace":
		return listedBefore(client, from)
	case client.Kind == "controller":
		return keysFrom(client.Work, from, func(call Call) bool { return call.Type == "added" })
	case len(client.Deltas) > 0:
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

// listedBefore are the keys of the list that was answered last, in its order, its pages taken together.
func listedBefore(client *Client, now int64) []string {
	var keys []string
	for _, request := range client.Requests {
		if request.Verb != "LIST" || request.Answered == nil || request.At+*request.Answered > now {
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
