#include <fmt/format.h>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
std::optional<std::string> broken_stopped_clients_ask_for_nothing(const Record& record) {
  for (const RequestRecord& request : record.requests) {
    const auto stopped = record.stopped.find(request.client);
    if (stopped != record.stopped.end() && request.at > stopped->second) {
      return fmt::format("{} sends a {} after it was told to end", request.client, request.verb);
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
