#include <fmt/format.h>

#include <set>
#include <utility>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

/// Client and key of what failed and was not tried since.
using Owed = std::set<std::pair<std::string, std::string>>;

void note(Owed& owed, const auto& tried) {
  if (tried.failed) {
    owed.emplace(tried.client, tried.key);
  } else {
    owed.erase({tried.client, tried.key});
  }
}

}  // namespace

std::optional<std::string> broken_failures_are_tried_again(const Record& record) {
  Owed owed;
  for (const DeltaRecord& delta : record.deltas) {
    note(owed, delta);
  }
  for (const PopRecord& pop : record.pops) {
    note(owed, pop);
  }
  for (const auto& [name, key] : owed) {
    const ClientRecord* client = client_named(record, name);
    // What was deleted while it waited may never come.
    if (client != nullptr && knows_everything(record, *client) &&
        truth_for(record, *client).contains(key)) {
      return fmt::format("{} has failed at {} and did not try again", name, key);
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
