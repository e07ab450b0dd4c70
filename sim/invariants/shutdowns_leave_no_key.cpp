#include <fmt/format.h>

#include <set>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {

std::optional<std::string> broken_shutdowns_leave_no_key(const Record& record) {
  std::set<QueuedKey> waiting;
  for (const WorkRecord& work : record.work) {
    const auto stopped = record.stopped.find(work.client);
    const bool is_earlier_than_the_end =
        stopped != record.stopped.end() && work.at < stopped->second;
    // What a worker puts back itself waits for its time, and is forgotten at the end.
    if (work.type == "added" && work.worker.empty() && is_earlier_than_the_end) {
      waiting.insert({work.client, work.key});
    } else if (work.type == "taken") {
      waiting.erase({work.client, work.key});
    }
  }
  if (record.quiet && !waiting.empty()) {
    return fmt::format("{} waited when the queue of {} was shut down, and no worker has taken it",
                       waiting.begin()->second, waiting.begin()->first);
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
