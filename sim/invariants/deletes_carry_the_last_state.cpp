#include <fmt/format.h>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {

std::optional<std::string> broken_deletes_carry_the_last_state(const Record& record) {
  for (const auto& [handler, calls] : calls_by_handler(record)) {
    Revisions told;
    for (const CallRecord* call : calls) {
      const std::string revision = revision_of(call->object);
      if (call->type == "delete" && !call->object) {
        return fmt::format("{} is told the delete of {} without an object", handler.second,
                           call->key);
      }
      if (call->tombstone && revision != told[call->key]) {
        return fmt::format("the tombstone for {} carries {} although it was told {} last",
                           handler.second, words_for_state(call->key, revision), told[call->key]);
      }
      told[call->key] = revision;
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
