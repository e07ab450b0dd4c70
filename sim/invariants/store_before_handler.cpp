#include <fmt/format.h>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {

std::optional<std::string> broken_store_before_handler(const Record& record) {
  for (const CallRecord& call : record.calls) {
    const std::string expected = call.type == "delete" ? "" : revision_of(call.object);
    if (call.cached != expected) {
      return fmt::format("{} is told the {} of {} while the store holds {}", call.handler,
                         call.type, words_for_state(call.key, revision_of(call.object)),
                         call.cached.empty() ? "nothing" : call.cached);
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
