#include <fmt/format.h>

#include "sim/invariants/reading.hpp"
#include "sim/invariants/watch_guarantees.hpp"

namespace watchlab::sim::invariants {
std::optional<std::string> broken_watch_is_bookmarkable(const Record& record) {
  for (const WatchReading& watch : watches_in(record)) {
    std::string newest;
    std::string marked;
    for (const FrameRecord* frame : watch.frames) {
      const std::string revision = revision_of(frame->event.object);
      if (frame->event.type == watch::EventType::Bookmark) {
        if (is_earlier(revision, newest)) {
          return fmt::format("the watch of {} is marked at {} after it has told {}", watch.client,
                             revision, newest);
        }
        marked = revision;
      } else if (!marked.empty() && !is_earlier(marked, revision)) {
        return fmt::format("the watch of {} tells {} after it was marked at {}", watch.client,
                           revision, marked);
      }
      newest = is_earlier(newest, revision) ? revision : newest;
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
