#include <fmt/format.h>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {

std::optional<std::string> broken_one_worker_a_key(const Record& record) {
  std::map<QueuedKey, std::string> worker_of;
  for (const WorkRecord& work : record.work) {
    if (work.type == "done") {
      worker_of.erase({work.client, work.key});
    } else if (work.type == "taken") {
      const auto [place, is_free] = worker_of.try_emplace({work.client, work.key}, work.worker);
      if (!is_free) {
        return fmt::format("{} takes {} while {} works on it", work.worker, work.key,
                           place->second);
      }
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
