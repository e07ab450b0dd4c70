#include <fmt/format.h>

#include <algorithm>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

bool hangs_on_purpose(const Record& record) {
  return std::any_of(record.faults.begin(), record.faults.end(),
                     [](const FaultRecord& fault) { return fault.in_place; });
}

}  // namespace

std::optional<std::string> broken_nobody_waits_for_ever(const Record& record) {
  for (const RequestRecord& request : record.requests) {
    if (record.quiet && request.answer == "pending" && !hangs_on_purpose(record)) {
      return fmt::format("the {} of {} has no answer although nothing happens any more",
                         request.verb, request.client);
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
