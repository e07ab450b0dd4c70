package conformance

// openEnd says from where on a handler that left heard some of several calls whose order is open; len(calls)
// if there is no such end. What is left of it is as right as can be seen.
func openEnd(client *Client, calls []Call) int {
	if len(calls) == 0 || calls[len(calls)-1].Tombstone {
		return tombstonesAtEnd(client, calls)
	}
	return repeatsAtEnd(client, calls)
}

// repeatsAtEnd says where the calls of one resync begin with which the calls end. client-go goes over the keys
// of the store, a Go map; each must repeat what its key was told last.
func repeatsAtEnd(client *Client, calls []Call) int {
	begin := len(calls)
	for client.Resync > 0 && begin > 0 && periodic(calls[begin-1]) {
		begin--
	}
	if idleTalk(calls) != "" {
		return len(calls)
	}
	return begin
}

// tombstonesAtEnd says where the tombstones of one relist begin with which the calls end; len(calls) if they
// end otherwise. client-go finds what a list lacks by going over Go maps (the queue's items, then the keys of
// the store), so which of them comes first is open. Each must be right in itself: of a key that the list
// lacks, with the state that the key was told last.
func tombstonesAtEnd(client *Client, calls []Call) int {
	begin := len(calls)
	for begin > 0 && calls[begin-1].Tombstone {
		begin--
	}
	if !tellLastStates(calls, begin) {
		return len(calls)
	}
	for _, listed := range lists(client) {
		if lacksAll(listed, calls[begin:]) {
			return begin
		}
	}
	return len(calls)
}

// tellLastStates says whether the tombstones from `begin` on carry the state that their keys were told last.
func tellLastStates(calls []Call, begin int) bool {
	const gone = "gone"
	told := map[string]string{}
	for i, call := range calls {
		if i >= begin && told[call.Key] != objectText(call.Object) {
			return false
		}
		told[call.Key] = objectText(call.Object)
		if call.Type == "delete" || call.Type == "Deleted" {
			told[call.Key] = gone
		}
	}
	return true
}

// lists returns the keys of each list that was answered whole, its pages taken together.
func lists(client *Client) []map[string]bool {
	var result []map[string]bool
	listed := map[string]bool{}
	for _, request := range client.Requests {
		if request.Verb != "LIST" || request.Answered == nil || request.Error != nil {
			continue
		}
		if request.Options.Continue == "" {
			listed = map[string]bool{}
		}
		for i := range request.Items {
			listed[keyOf(&request.Items[i])] = true
		}
		if request.Continue == "" {
			result = append(result, listed)
		}
	}
	return result
}

func lacksAll(listed map[string]bool, calls []Call) bool {
	for _, call := range calls {
		if listed[call.Key] {
			return false
		}
	}
	return true
}
