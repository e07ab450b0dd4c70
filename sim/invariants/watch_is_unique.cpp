#include <fmt/format.h>

#include <set>

#include "sim/invariants/reading.hpp"
#include "sim/invariants/watch_guarantees.hpp"

namespace watchlab::sim::invariants {
std::optional<std::string> broken_watch_is_unique(const Record& record) {
  for (const WatchReading& watch : watches_in(record)) {
    std::set<std::string> seen;
    for (const FrameRecord* frame : watch.frames) {
      if (frame->event.type == watch::EventType::Bookmark || !frame->event.object) {
        continue;
      }
      const std::string state = words_for_state(api::key_of(frame->event.object->metadata),
                                                revision_of(frame->event.object));
      if (!seen.insert(state).second) {
        return fmt::format("the watch of {} from {} tells {} twice", watch.client, watch.from,
                           state);
      }
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
