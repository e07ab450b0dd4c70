#include <fmt/format.h>

#include <algorithm>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
std::optional<std::string> broken_synced_means_told(const Record& record) {
  for (const CallRecord& call : record.calls) {
    if (call.initial && call.synced) {
      return fmt::format("{} is told {} of the first list although it has synced", call.handler,
                         words_for_state(call.key, revision_of(call.object)));
    }
  }
  for (const ClientRecord& client : record.clients) {
    const bool has_list =
        std::any_of(record.requests.begin(), record.requests.end(), [&](const auto& request) {
          return request.client == client.name && request.verb == "LIST" && request.answer == "ok";
        });
    if (client.synced && !has_list) {
      return fmt::format("{} has synced and never had a list", client.name);
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
