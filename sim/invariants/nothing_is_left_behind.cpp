#include <fmt/format.h>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
std::optional<std::string> broken_nothing_is_left_behind(const Record& record) {
  if (!record.left_open.empty()) {
    return fmt::format("all clients have ended, and a stream is open: {}",
                       record.left_open.front());
  }
  if (!record.left_pending.empty()) {
    return fmt::format("all clients have ended, and a request has no answer: {}",
                       record.left_pending.front());
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
