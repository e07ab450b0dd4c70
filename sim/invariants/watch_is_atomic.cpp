#include <fmt/format.h>

#include <map>

#include "sim/invariants/reading.hpp"
#include "sim/invariants/watch_guarantees.hpp"

namespace watchlab::sim::invariants {
std::optional<std::string> broken_watch_is_atomic(const Record& record) {
  std::map<std::string, const WriteRecord*> writes;
  for (const WriteRecord& write : record.writes) {
    writes[write.revision] = &write;
  }
  for (const WatchReading& watch : watches_in(record)) {
    for (const FrameRecord* frame : watch.changes) {
      const api::Object& object = *frame->event.object;
      const auto found = writes.find(object.metadata.resource_version);
      const bool fits = found != writes.end() &&
                        found->second->key == api::key_of(object.metadata) &&
                        (frame->event.type == watch::EventType::Deleted ||
                         (found->second->object && found->second->object->body == object.body));
      if (!fits) {
        return fmt::format(
            "the watch of {} from {} tells {}, which no write has made", watch.client, watch.from,
            words_for_state(api::key_of(object.metadata), object.metadata.resource_version));
      }
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
