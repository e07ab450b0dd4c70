package conformance

import (
	"fmt"
	"sort"
	"time"
)

// sequence is what a handler or a pop function was told, by ours and by the real client.
type sequence struct {
	what         string
	client       *Client
	handler      *Handler // of a shared informer, else nil
	ours, theirs []Call
	real         *outcome
}

// late says whether the handler came when the store had its first list.
func (s *sequence) late() bool {
	return s.handler != nil && s.client.SyncedAt != nil && s.handler.Joined > *s.client.SyncedAt
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

// stretched says whether a random delay of the story moves resyncs against everything else. Each
// successful list begins the period of resyncs anew, so only a delay between two watches does; but
// the handlers of a shared informer have a period of their own, which no list begins.
func stretched(client *Client) bool {
	for i := 1; i < len(client.Requests); i++ {
		if delayOf(client, i) >= minimum && (client.Kind == "shared" || client.Requests[i].Verb == "WATCH") {
			return true
		}
	}
	return false
}

func compareCalls(s sequence, differ report) {
	if s.client.Resync > 0 && stretched(s.client) {
		for side, calls := range map[string][]Call{"watchlab": s.ours, "client-go": s.theirs} {
			if text := idleTalk(calls); text != "" {
				differ("%s: %s %s", s.what, side, text)
			}
		}
		s.ours, s.theirs = withoutPeriodic(s.ours), withoutPeriodic(s.theirs)
	}
	if s.handler != nil && s.handler.Left != nil {
		s.ours, s.theirs = arrivals(s.client).withoutBacklog(s.client, s.late(), s.ours, s.theirs)
	}
	if compareByKey(s, differ) {
		compareOrder(s, differ)
	}
}

// idleTalk says what is wrong with calls that should only tell again: each must tell what its key was
// told last.
func idleTalk(calls []Call) string {
	told := map[string]string{}
	for _, call := range calls {
		if periodic(call) && told[call.Key] != objectText(call.Object) {
			return fmt.Sprintf("tells again %s after %s", objectText(call.Object), told[call.Key])
		}
		told[call.Key] = objectText(call.Object)
	}
	return ""
}

func withoutPeriodic(calls []Call) []Call {
	var result []Call
	for _, call := range calls {
		if !periodic(call) {
			result = append(result, call)
		}
	}
	return result
}

// compareByKey says whether all is well.
func compareByKey(s sequence, differ report) bool {
	a, b := byKey(s.ours), byKey(s.theirs)
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
	well := true
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
				differ("key %s, %s %d: watchlab %s, client-go %s", key, s.what, i+1, left, right)
				well = false
				break
			}
		}
	}
	return well
}

func byKey(calls []Call) map[string][]string {
	result := map[string][]string{}
	for _, call := range calls {
		result[call.Key] = append(result[call.Key], callText(call))
	}
	return result
}

// compareOrder compares the order across keys, and when each call came if nothing but requests
// decides that. Both have the same calls for each key.
func compareOrder(s sequence, differ report) {
	together := arrivals(s.client)
	if s.client.Pause > 0 && together.repeatKeys(nil) {
		return // what a slow consumer pops first decides where the key stands from then on
	}
	ours, theirs := together.settle(promised(s, s.ours)), together.settle(promised(s, s.theirs))
	for i := range ours {
		if a, b := callText(ours[i]), callText(theirs[i]); a != b {
			differ("%s %d, across keys: watchlab %s, client-go %s", s.what, i+1, a, b)
			return
		}
	}
	if s.client.Pause > 0 || s.client.Resync > 0 || s.handler != nil {
		return
	}
	for i := range ours {
		a, b := s.client.momentOf(&ours[i].At), s.real.at(time.Duration(theirs[i].At))
		if *a != *b {
			differ("%s %d, %s: watchlab %v, client-go %v", s.what, i+1, callText(ours[i]), a, b)
			return
		}
	}
}

// promised returns the calls in an order that is promised: a queue keeps the order in which keys came
// to it, but some come in the order of a Go map. These are the tombstones of one list, what one
// resync tells again, and what a handler that comes late is told of the store.
func promised(s sequence, calls []Call) []Call {
	late := s.late()
	kind := func(i int) int {
		switch call := calls[i]; {
		case call.Tombstone:
			return 1
		case s.client.Resync > 0 && periodic(call):
			return 2
		case late && call.Initial:
			return 3
		}
		return 0
	}
	result := append([]Call(nil), calls...)
	for begin := 0; begin < len(calls); {
		end := begin + 1
		for end < len(calls) && kind(begin) != 0 && kind(end) == kind(begin) {
			end++
		}
		group := result[begin:end]
		sort.SliceStable(group, func(i, j int) bool { return group[i].Key < group[j].Key })
		begin = end
	}
	return result
}
