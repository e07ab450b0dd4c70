#include <fmt/format.h>

#include <algorithm>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

/// Whether the call tells of a write that was made after that moment.
bool tells_of_later(const CallRecord& call, const Record& record, runtime::TimePoint moment) {
  const std::string revision = revision_of(call.object);
  return std::any_of(record.writes.begin(), record.writes.end(), [&](const WriteRecord& write) {
    return write.at > moment && write.key == call.key && write.revision == revision;
  });
}

}  // namespace

std::optional<std::string> broken_handlers_that_left_are_left_alone(const Record& record) {
  for (const HandlerRecord& handler : record.handlers) {
    for (const CallRecord& call : record.calls) {
      if (handler.left && call.client == handler.client && call.handler == handler.name &&
          tells_of_later(call, record, *handler.left)) {
        return fmt::format("{} has left, and is told the {} of {}, which is newer", handler.name,
                           call.type, words_for_state(call.key, revision_of(call.object)));
      }
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
