#include <fmt/format.h>

#include "sim/invariants/reading.hpp"
#include "sim/invariants/watch_guarantees.hpp"

namespace watchlab::sim::invariants {
std::optional<std::string> broken_watch_is_reliable(const Record& record) {
  for (const WatchReading& watch : watches_in(record)) {
    if (!watch.tells_everything) {
      continue;
    }
    std::string reached;
    for (const FrameRecord* frame : watch.frames) {
      const std::string revision = revision_of(frame->event.object);
      const WriteRecord* const next = reached.empty() ? nullptr : write_after(record, reached);
      if (next != nullptr && is_earlier(next->revision, revision)) {
        return fmt::format("the watch of {} goes from {} to {} and leaves out {}", watch.client,
                           reached, revision, words_for_state(next->key, next->revision));
      }
      reached = revision;
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
