package conformance

import "fmt"

type report func(format string, arguments ...interface{})

// compare returns what differs, a sentence each.
func compare(client *Client, real outcome) []string {
	var found []string
	differ := func(format string, arguments ...interface{}) {
		found = append(found, fmt.Sprintf(format, arguments...))
	}
	compareRequests(client, real, differ)
	if client.Kind == "shared" {
		for i := range client.Handlers {
			handler := &client.Handlers[i]
			compareCalls(sequence{what: "call of " + handler.Name, client: client, handler: handler,
				ours: of(client.Calls, handler.Name), theirs: of(real.calls, handler.Name), real: &real}, differ)
		}
	} else {
		compareCalls(sequence{what: "call", client: client, ours: client.Calls, theirs: real.calls, real: &real}, differ)
	}
	if client.Kind == "program" {
		ours, theirs := client.Deltas, real.deltas
		if diedOfTombstone(client, real) {
			for side, deltas := range map[string][]Call{"watchlab": ours, "client-go": theirs} {
				if last := lastPop(deltas); !tellLastStates(deltas[:last+1], last) {
					differ("delta %d: %s died of %s, which is not what its key was told last", last+1, side,
						callText(deltas[last]))
				}
			}
			ours, theirs = ours[:lastPop(ours)], theirs[:lastPop(theirs)]
		}
		compareCalls(sequence{what: "delta", client: client, ours: ours, theirs: theirs, real: &real}, differ)
	}
	if client.End != real.end {
		differ("end: watchlab %q, client-go %q", client.End, real.end)
	}
	compareSyncs(client, real, differ)
	if ours, theirs := objects(client.Store), objects(real.store); ours != theirs {
		differ("store: watchlab %s, client-go %s", ours, theirs)
	}
	return found
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
	ours, theirs := client.Deltas[lastPop(client.Deltas)], real.deltas[lastPop(real.deltas)]
	return ours.Tombstone && theirs.Tombstone && !listed[ours.Key] && !listed[theirs.Key]
}

// lastPop is where the deltas begin that were popped last: of one key, at one instant, from a tombstone
// on if there is one, because newer ones may have joined it in the queue.
func lastPop(deltas []Call) int {
	last := len(deltas) - 1
	for i := last; i >= 0 && deltas[i].At == deltas[last].At && deltas[i].Key == deltas[last].Key; i-- {
		if deltas[i].Tombstone {
			return i
		}
	}
	return last
}

// compareSyncs compares when the client and its handlers began to say that they had synced.
func compareSyncs(client *Client, real outcome, differ report) {
	if client.Synced != real.synced {
		differ("has_synced at the end: watchlab %v, client-go %v", client.Synced, real.synced)
		return
	}
	compareMoment("has_synced", client.momentOf(client.SyncedAt), real.momentOf(""), differ)
	for i := range client.Handlers {
		handler := &client.Handlers[i]
		ours, theirs := client.momentOf(handler.SyncedAt), real.momentOf(handler.Name)
		if ours != nil && theirs != nil && handler.Joined > client.Requests[0].At {
			// A random delay may lie between its coming and its syncing.
			continue
		}
		compareMoment("has_synced of "+handler.Name, ours, theirs, differ)
	}
}

func compareMoment(what string, ours, theirs *moment, differ report) {
	if ours == nil || theirs == nil {
		if ours != theirs {
			differ("%s: watchlab %v, client-go %v", what, ours, theirs)
		}
	} else if *ours != *theirs {
		differ("%s: watchlab %v, client-go %v", what, ours, theirs)
	}
}
