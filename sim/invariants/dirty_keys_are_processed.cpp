#include <fmt/format.h>

#include <map>
#include <set>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

/// Since when a record that is closed in the middle of a resync may hold keys that wait for a
/// worker who is busy with the others.
runtime::TimePoint still_waiting_since(const Record& record, const ClientRecord& client) {
  std::set<std::string> keys;
  for (const WorkRecord& work : record.work) {
    if (work.client == client.name) {
      keys.insert(work.key);
    }
  }
  return record.closed - client.slowest * static_cast<int>(keys.size());
}

}  // namespace

std::optional<std::string> broken_dirty_keys_are_processed(const Record& record) {
  std::map<QueuedKey, runtime::TimePoint> dirty;
  for (const WorkRecord& work : record.work) {
    if (work.type == "added") {
      dirty[{work.client, work.key}] = work.at;
    } else if (work.type == "taken") {
      dirty.erase({work.client, work.key});
    }
  }
  for (const ClientRecord& client : record.clients) {
    const bool is_over = !is_running(record, client);
    const runtime::TimePoint late = still_waiting_since(record, client);
    const bool resyncs = client.resync > runtime::Duration::zero();
    std::erase_if(dirty, [&](const auto& key) {
      return key.first.first == client.name && (is_over || (resyncs && key.second >= late));
    });
  }
  if (record.quiet && !dirty.empty()) {
    return fmt::format("{} was added and no worker has taken it since",
                       dirty.begin()->first.second);
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
