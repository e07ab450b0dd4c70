#include <fmt/format.h>

#include <set>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {

std::optional<std::string> broken_dirty_keys_are_processed(const Record& record) {
  std::set<QueuedKey> dirty;
  for (const WorkRecord& work : record.work) {
    if (work.type == "added") {
      dirty.insert({work.client, work.key});
    } else if (work.type == "taken") {
      dirty.erase({work.client, work.key});
    }
  }
  for (const ClientRecord& client : record.clients) {
    if (!is_running(record, client)) {
      std::erase_if(dirty, [&](const QueuedKey& key) { return key.first == client.name; });
    }
  }
  if (record.quiet && !dirty.empty()) {
    return fmt::format("{} was added and no worker has taken it since", dirty.begin()->second);
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
