#include <fmt/format.h>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {

namespace {

/// A handler of a shared informer is told from a buffer, and the store may have moved on; the
/// others are told before the store can change again.
bool is_told_in_time(const Record& record, const CallRecord& call) {
  const std::string revision = revision_of(call.object);
  const ClientRecord* client = client_named(record, call.client);
  if (client == nullptr || client->keeps_deltas) {
    return call.cached == (call.type == "delete" ? "" : revision);
  }
  return call.cached.empty() || is_earlier(revision, call.cached) ||
         (call.type != "delete" && call.cached == revision);
}

}  // namespace

std::optional<std::string> broken_store_before_handler(const Record& record) {
  for (const CallRecord& call : record.calls) {
    if (!is_told_in_time(record, call)) {
      return fmt::format("{} is told the {} of {} while the store holds {}", call.handler,
                         call.type, words_for_state(call.key, revision_of(call.object)),
                         call.cached.empty() ? "nothing" : call.cached);
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
