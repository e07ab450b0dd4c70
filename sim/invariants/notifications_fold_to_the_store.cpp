#include <fmt/format.h>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
std::optional<std::string> broken_notifications_fold_to_the_store(const Record& record) {
  if (!record.quiet) {
    return std::nullopt;
  }
  const auto calls = calls_by_handler(record);
  for (const ClientRecord& client : record.clients) {
    for (const std::string& handler : client.handlers) {
      if (!is_running(record, client)) {
        continue;
      }
      const auto told = calls.find({client.name, handler});
      const Revisions known = told == calls.end() ? Revisions() : told_last(told->second);
      const std::string difference = first_difference(known, stored_by(record, client.name));
      if (!difference.empty()) {
        return fmt::format("{} was told something else than the store of {} holds: {}", handler,
                           client.name, difference);
      }
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
