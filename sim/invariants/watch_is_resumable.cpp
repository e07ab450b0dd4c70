#include <fmt/format.h>

#include "sim/invariants/reading.hpp"
#include "sim/invariants/watch_guarantees.hpp"

namespace watchlab::sim::invariants {
std::optional<std::string> broken_watch_is_resumable(const Record& record) {
  for (const WatchReading& watch : watches_in(record)) {
    if (!watch.tells_everything || watch.frames.empty()) {
      continue;
    }
    const std::string revision = revision_of(watch.frames.front()->event.object);
    const WriteRecord* const next = write_after(record, watch.from);
    if (next != nullptr && is_earlier(next->revision, revision)) {
      return fmt::format("the watch of {} from {} begins with {} and leaves out {}", watch.client,
                         watch.from, revision, words_for_state(next->key, next->revision));
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
