#include <fmt/format.h>

#include <algorithm>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
std::optional<std::string> broken_healed_worlds_converge(const Record& record) {
  const bool healed = std::none_of(record.faults.begin(), record.faults.end(),
                                   [](const FaultRecord& fault) { return fault.in_place; });
  if (!record.quiet || !healed) {
    return std::nullopt;
  }
  for (const ClientRecord& client : record.clients) {
    if (!is_running(record, client) || is_robbed(record, client.name)) {
      continue;
    }
    if (!watch_is_open(record, client.name)) {
      return fmt::format("{} has no open watch although everything is healed", client.name);
    }
    if (!client.keeps_store) {
      continue;
    }
    const std::string difference =
        first_difference(stored_by(record, client.name), truth_for(record, client));
    if (!difference.empty()) {
      return fmt::format("everything is healed, and in the store of {} {}", client.name,
                         difference);
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
