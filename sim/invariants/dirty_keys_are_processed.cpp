#include <fmt/format.h>

#include <set>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {

std::optional<std::string> broken_dirty_keys_are_processed(const Record& record) {
  std::set<std::string> dirty;
  for (const WorkRecord& work : record.work) {
    if (work.type == "added") {
      dirty.insert(work.key);
    } else if (work.type == "taken") {
      dirty.erase(work.key);
    }
  }
  if (record.quiet && !dirty.empty()) {
    return fmt::format("{} was added and no worker has taken it since", *dirty.begin());
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
