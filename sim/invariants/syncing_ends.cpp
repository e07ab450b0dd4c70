#include <fmt/format.h>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
std::optional<std::string> broken_syncing_ends(const Record& record) {
  for (const ClientRecord& client : record.clients) {
    if (record.quiet && is_running(record, client) && watch_is_open(record, client.name) &&
        !client.synced) {
      return fmt::format("{} watches and is quiet, but has not synced", client.name);
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
