#pragma once

#include "core/runtime/runtime.hpp"

/// The programs of the catalogue, one file each. Each function is the root task of a run.
namespace watchlab::scenarios {

/// Somebody waits until a handler has synced, and decides by what it was told.
void decide_when_synced(runtime::Runtime& runtime);
/// A handler joins a shared informer that has synced, and waits until it has synced itself.
void join_a_running_informer(runtime::Runtime& runtime);
/// A handler joins a shared informer that is just starting.
void join_a_starting_informer(runtime::Runtime& runtime);
/// The reader of a filtered watch stops it and goes away while an event is on its way.
void leave_a_filtered_watch(runtime::Runtime& runtime);
/// A handler joins a shared informer that is just starting, and leaves again.
void leave_a_starting_informer(runtime::Runtime& runtime);
/// A queue's first list names one object twice.
void list_an_object_twice(runtime::Runtime& runtime);
/// A queue of objects gets a second list before the first was popped.
void list_twice_before_a_pop(runtime::Runtime& runtime);
/// A handler panics in its first call, and there is more to tell it.
void panic_in_a_handler(runtime::Runtime& runtime);
/// A handler panics at one object of the first list, where panics do not crash.
void panic_in_the_first_list(runtime::Runtime& runtime);
/// Somebody puts an event into a broadcaster while somebody else shuts it down.
void put_into_a_closing_broadcaster(runtime::Runtime& runtime);
/// A shared informer learns of a change from a relist only; one of its handlers wants no resyncs.
void relist_a_change(runtime::Runtime& runtime);
/// A shared informer relists three objects, of which one has changed.
void relist_what_is_known(runtime::Runtime& runtime);
/// A resync of a shared informer is due when its handlers have hardly been started.
void resync_before_the_start(runtime::Runtime& runtime);
/// A RetryWatcher is refused for a minute because its revision is gone.
void retry_a_watch_that_is_gone(runtime::Runtime& runtime);
/// Two tasks run the same shared informer at the same moment.
void run_an_informer_twice(runtime::Runtime& runtime);
/// A watcher of a broadcaster stops without having read what is meant for it.
void stop_a_full_watcher(runtime::Runtime& runtime);
/// The reader of a stream stops it and goes away while the stream turns out to be garbage.
void stop_a_garbled_stream(runtime::Runtime& runtime);
/// An event processor that has nothing to do is stopped.
void stop_an_idle_processor(runtime::Runtime& runtime);
/// A client is stopped between two tries of a watch that is refused.
void stop_during_a_pause(runtime::Runtime& runtime);

}  // namespace watchlab::scenarios
