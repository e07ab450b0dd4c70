#include <fmt/format.h>

#include <algorithm>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

/// A deletion is a state too: the object's last one under the revision of the deletion.
bool server_had(const Record& record, const std::string& key, const std::string& revision) {
  return std::any_of(record.writes.begin(), record.writes.end(), [&](const WriteRecord& write) {
    return write.key == key &&
           (write.revision == revision || revision_of(write.object) == revision);
  });
}

/// A list tells again what is known, a resync always does, and a tombstone has nothing newer.
bool may_repeat(const DeltaRecord& delta) {
  return delta.tombstone || delta.type == "Replaced" || delta.type == "Sync";
}

}  // namespace

std::optional<std::string> broken_cache_follows_server(const Record& record) {
  std::map<std::pair<std::string, std::string>, std::string> last;
  for (const DeltaRecord& delta : record.deltas) {
    const std::string revision = revision_of(delta.object);
    if (revision.empty()) {
      continue;
    }
    if (!server_had(record, delta.key, revision)) {
      return fmt::format("{} hears of {}, a state that the server never had", delta.client,
                         words_for_state(delta.key, revision));
    }
    std::string& before = last[{delta.client, delta.key}];
    if (is_earlier(revision, before) || (revision == before && !may_repeat(delta))) {
      return fmt::format("{} hears {} of {} after it has heard of {}", delta.client, delta.type,
                         words_for_state(delta.key, revision), before);
    }
    before = revision;
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
