package conformance

import "testing"

// relist is the life of a shared informer that knew three objects, and whose second list has but the third.
func relist() *Client {
	answered := int64(1)
	object := func(name string) Object { return Object{Name: name, UID: name, RV: "1"} }
	list := func(items ...Object) Request { return Request{Verb: "LIST", Answered: &answered, Items: items} }
	return &Client{Requests: []Request{
		list(object("apple"), object("birch"), object("cedar")), list(object("cedar")),
	}}
}

// told is what a handler of relist() hears that leaves after the tombstone of one object at this revision.
func told(name, revision string) []Call {
	var calls []Call
	for _, each := range []string{"apple", "birch", "cedar"} {
		calls = append(calls, Call{Type: "add", Key: each, Object: &Object{Name: each, UID: each, RV: "1"}})
	}
	return append(calls, Call{Type: "delete", Key: name, Tombstone: true,
		Object: &Object{Name: name, UID: name, RV: revision}})
}

// remaining is how many calls are compared of two handlers that left.
func remaining(t *testing.T, ours, theirs []Call) int {
	client := relist()
	ours, theirs = arrivals(client).withoutBacklog(client, false, ours, theirs)
	if len(ours) != len(theirs) {
		return -1
	}
	return len(ours)
}

// The order of the tombstones of one relist is that of a Go map.
func TestWhichTombstoneALeavingHandlerHearsIsOpen(t *testing.T) {
	if count := remaining(t, told("apple", "1"), told("birch", "1")); count != 3 {
		t.Errorf("%d calls are compared, not the three before the tombstones", count)
	}
}

func TestATombstoneOfWhatTheListHasIsCompared(t *testing.T) {
	if count := remaining(t, told("apple", "1"), told("cedar", "1")); count != 4 {
		t.Errorf("%d calls are compared, not all four", count)
	}
}

func TestATombstoneOfAnotherStateIsCompared(t *testing.T) {
	if count := remaining(t, told("apple", "1"), told("birch", "2")); count != 4 {
		t.Errorf("%d calls are compared, not all four", count)
	}
}

func TestOneTombstoneMoreIsCompared(t *testing.T) {
	more := append(told("apple", "1"), told("birch", "1")[3])
	if count := remaining(t, told("birch", "1"), more); count != -1 {
		t.Errorf("%d calls are compared on either side, though one has a call more", count)
	}
}

// toldAgain is what a handler hears that leaves after one call of a resync.
func toldAgain(name, revision string) []Call {
	calls := told("none", "1")[:3]
	object := &Object{Name: name, UID: name, RV: revision}
	return append(calls, Call{Type: "update", Key: name, Object: object, Before: object})
}

// The order of the calls of one resync is that of a Go map.
func TestWhichRepetitionALeavingHandlerHearsIsOpen(t *testing.T) {
	client := relist()
	client.Resync = 1
	for _, each := range []struct {
		revision string
		compared int
	}{{"1", 3}, {"2", 4}} {
		ours, theirs := arrivals(client).withoutBacklog(client, false, toldAgain("apple", "1"),
			toldAgain("birch", each.revision))
		if len(ours) != each.compared || len(theirs) != each.compared {
			t.Errorf("revision %s: %d and %d calls are compared, not %d", each.revision, len(ours), len(theirs),
				each.compared)
		}
	}
}

func TestATombstoneMustKnowTheLastState(t *testing.T) {
	calls := told("apple", "1")
	if !tellLastStates(calls, 3) {
		t.Error("the last state is not taken for it")
	}
	calls[3].Object = nil
	if tellLastStates(calls, 3) {
		t.Error("a tombstone without an object is taken for the last state")
	}
}
