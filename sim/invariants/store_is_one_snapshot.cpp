#include <fmt/format.h>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

Revisions made_by_deltas(const std::vector<const DeltaRecord*>& deltas) {
  Revisions made;
  for (const DeltaRecord* delta : deltas) {
    if (delta->type == "Deleted") {
      made.erase(delta->key);
    } else {
      made[delta->key] = revision_of(delta->object);
    }
  }
  return made;
}

}  // namespace

std::optional<std::string> broken_store_is_one_snapshot(const Record& record) {
  for (const auto& [name, objects] : record.stores) {
    if (stored_by(record, name).size() != objects.size()) {
      return fmt::format("a list of the store of {} holds a key twice", name);
    }
  }
  if (!record.quiet) {
    return std::nullopt;
  }
  for (const ClientRecord& client : record.clients) {
    const std::string difference = first_difference(stored_by(record, client.name),
                                                    made_by_deltas(deltas_of(record, client.name)));
    if (is_running(record, client) && client.keeps_deltas && !difference.empty()) {
      return fmt::format("the store of {} is not what its deltas make: {}", client.name,
                         difference);
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
