#include <fmt/format.h>

#include "sim/invariants/reading.hpp"
#include "sim/invariants/watch_guarantees.hpp"

namespace watchlab::sim::invariants {
std::optional<std::string> broken_watch_is_ordered(const Record& record) {
  for (const WatchReading& watch : watches_in(record)) {
    std::string last;
    for (const FrameRecord* frame : watch.changes) {
      const std::string revision = revision_of(frame->event.object);
      if (!last.empty() && !is_earlier(last, revision)) {
        return fmt::format("the watch of {} from {} tells {} after {}", watch.client, watch.from,
                           revision, last);
      }
      last = revision;
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
