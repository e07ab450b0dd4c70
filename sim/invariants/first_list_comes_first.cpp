#include <fmt/format.h>

#include <algorithm>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

bool has_listed(const Record& record, const std::string& client) {
  return std::any_of(record.requests.begin(), record.requests.end(), [&](const auto& request) {
    return request.client == client && request.verb == "WATCH" && request.answer == "ok";
  });
}

}  // namespace

std::optional<std::string> broken_first_list_comes_first(const Record& record) {
  for (const ClientRecord& client : record.clients) {
    bool later = false;
    for (const DeltaRecord* delta : deltas_of(record, client.name)) {
      if (delta->initial && later) {
        return fmt::format("{} pops {} as of the first list after others that are not", client.name,
                           words_for_state(delta->key, revision_of(delta->object)));
      }
      later = later || !delta->initial;
    }
    if (record.quiet && is_running(record, client) && has_listed(record, client.name) &&
        !client.synced) {
      return fmt::format("{} has its list and is quiet, but has not synced", client.name);
    }
  }
  for (const CallRecord& call : record.calls) {
    if (call.initial && call.type != "add") {
      return fmt::format("{} is told the {} of {} as of the first list", call.handler, call.type,
                         call.key);
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
