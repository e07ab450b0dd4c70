#include "scenarios/programs/catalogue.hpp"

#include <algorithm>
#include <array>

#include "scenarios/programs/programs.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::array programs{
    Program{"decide_when_synced",
            "Somebody waits until a handler has synced, and decides by what it was told.",
            decide_when_synced},
    Program{
        "join_a_running_informer",
        "A handler joins a shared informer that has synced, and waits until it has synced itself.",
        join_a_running_informer},
    Program{"join_a_starting_informer", "A handler joins a shared informer that is just starting.",
            join_a_starting_informer},
    Program{"leave_a_filtered_watch",
            "The reader of a filtered watch stops it and goes away while an event is on its way.",
            leave_a_filtered_watch, false},
    Program{"leave_a_starting_informer",
            "A handler joins a shared informer that is just starting, and leaves again.",
            leave_a_starting_informer},
    Program{"list_an_object_twice", "A queue's first list names one object twice.",
            list_an_object_twice},
    Program{"list_twice_before_a_pop",
            "A queue of objects gets a second list before the first was popped.",
            list_twice_before_a_pop, false},
    Program{"panic_in_a_handler",
            "A handler panics in its first call, and there is more to tell it.",
            panic_in_a_handler},
    Program{"panic_in_the_first_list",
            "A handler panics at one object of the first list, where panics do not crash.",
            panic_in_the_first_list, false},
    Program{"put_into_a_closing_broadcaster",
            "Somebody puts an event into a broadcaster while somebody else shuts it down.",
            put_into_a_closing_broadcaster},
    Program{"relist_a_change",
            "A shared informer learns of a change from a relist; one handler wants no resyncs.",
            relist_a_change},
    Program{"relist_what_is_known",
            "A shared informer relists three objects, of which one has changed.",
            relist_what_is_known},
    Program{"resync_before_the_start",
            "A resync is due when a shared informer's handlers have hardly been started.",
            resync_before_the_start},
    Program{"retry_a_watch_that_is_gone",
            "A RetryWatcher is refused for a minute because its revision is gone.",
            retry_a_watch_that_is_gone, false},
    Program{"run_an_informer_twice", "Two tasks run the same shared informer at the same moment.",
            run_an_informer_twice, false},
    Program{"stop_a_full_watcher",
            "A watcher of a broadcaster stops without having read what is meant for it.",
            stop_a_full_watcher},
    Program{
        "stop_a_garbled_stream",
        "The reader of a stream stops it and goes away while the stream turns out to be garbage.",
        stop_a_garbled_stream},
    Program{"stop_an_idle_processor", "An event processor that has nothing to do is stopped.",
            stop_an_idle_processor},
    Program{"stop_during_a_pause",
            "A client is stopped between two tries of a watch that is refused.",
            stop_during_a_pause},
};

}  // namespace

std::span<const Program> program_catalogue() { return programs; }

const Program* find_program(std::string_view name) {
  const auto* const found = std::find_if(programs.begin(), programs.end(),
                                         [&](const Program& each) { return each.name == name; });
  return found == programs.end() ? nullptr : found;
}

}  // namespace watchlab::scenarios
