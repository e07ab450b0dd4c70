#include <fmt/format.h>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
std::optional<std::string> broken_handlers_add_up_to_the_store(const Record& record) {
  if (!record.quiet) {
    return std::nullopt;
  }
  const auto calls = calls_by_handler(record);
  for (const ClientRecord& client : record.clients) {
    for (const auto& [handler, of_handler] : calls) {
      if (handler.first != client.name || !is_running(record, client) ||
          has_left(record, handler)) {
        continue;
      }
      const std::string difference =
          first_difference(told_last(of_handler), stored_by(record, client.name));
      if (!difference.empty()) {
        return fmt::format("what {} was told is not what the store of {} holds: {}", handler.second,
                           client.name, difference);
      }
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
