#include <fmt/format.h>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {

std::optional<std::string> broken_objects_do_not_mix(const Record& record) {
  for (const CallRecord& call : record.calls) {
    for (const api::ObjectPtr& object : {call.object, call.before}) {
      if (object && api::key_of(object->metadata) != call.key) {
        return fmt::format("the {} of {} to {} carries {}", call.type, call.key, call.handler,
                           api::key_of(object->metadata));
      }
    }
  }
  for (const DeltaRecord& delta : record.deltas) {
    if (delta.object && api::key_of(delta.object->metadata) != delta.key) {
      return fmt::format("{} of {} in the queue of {} carries {}", delta.type, delta.key,
                         delta.client, api::key_of(delta.object->metadata));
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
