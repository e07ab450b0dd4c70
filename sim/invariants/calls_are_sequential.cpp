#include <fmt/format.h>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {

std::optional<std::string> broken_calls_are_sequential(const Record& record) {
  for (const auto& [handler, calls] : calls_by_handler(record)) {
    Revisions told;
    for (const CallRecord* call : calls) {
      if (call->overlaps) {
        return fmt::format("{} is told the {} of {} while it is in another call", handler.second,
                           call->type, call->key);
      }
      const std::string revision = revision_of(call->object);
      const std::string last = told[call->key];
      if (is_earlier(revision, last)) {
        return fmt::format("{} is told the {} of {} after {}", handler.second, call->type,
                           words_for_state(call->key, revision), last);
      }
      if (call->before && revision_of(call->before) != last) {
        return fmt::format("{} is told that {} was at {} before, but it was told {} last",
                           handler.second, call->key, revision_of(call->before), last);
      }
      told[call->key] = revision;
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
