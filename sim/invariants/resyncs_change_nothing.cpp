#include <fmt/format.h>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
std::optional<std::string> broken_resyncs_change_nothing(const Record& record) {
  for (const ClientRecord& client : record.clients) {
    Revisions known;
    for (const DeltaRecord* delta : deltas_of(record, client.name)) {
      const std::string revision = revision_of(delta->object);
      if (delta->type == "Deleted") {
        known.erase(delta->key);
        continue;
      }
      const auto before = known.find(delta->key);
      if (delta->type == "Sync" && (before == known.end() || before->second != revision)) {
        return fmt::format("a resync of {} tells {}, which {}", client.name,
                           words_for_state(delta->key, revision),
                           before == known.end() ? "is not there" : "is at " + before->second);
      }
      known[delta->key] = revision;
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
