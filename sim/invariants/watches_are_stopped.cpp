#include <fmt/format.h>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {

std::optional<std::string> broken_watches_are_stopped(const Record& record) {
  if (!record.left_open.empty()) {
    return fmt::format("still open after all clients have ended: {}",
                       fmt::join(record.left_open, ", "));
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
