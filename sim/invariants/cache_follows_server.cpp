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

/// A list tells again what is known, a resync always does, a tombstone has nothing newer, and what
/// was put back comes again.
bool may_repeat(const DeltaRecord& delta, bool was_put_back) {
  return delta.tombstone || delta.type == "Replaced" || delta.type == "Sync" || was_put_back;
}

/// What a client knows of a key, and whether it has put it back.
struct Heard {
  std::string revision;
  bool is_put_back = false;
};

}  // namespace

std::optional<std::string> broken_cache_follows_server(const Record& record) {
  std::map<std::pair<std::string, std::string>, Heard> last;
  for (const DeltaRecord& delta : record.deltas) {
    const std::string revision = revision_of(delta.object);
    if (revision.empty()) {
      continue;
    }
    if (!server_had(record, delta.key, revision)) {
      return fmt::format("{} hears of {}, a state that the server never had", delta.client,
                         words_for_state(delta.key, revision));
    }
    Heard& before = last[{delta.client, delta.key}];
    const bool repeats = revision == before.revision;
    if (is_earlier(revision, before.revision) ||
        (repeats && !may_repeat(delta, before.is_put_back))) {
      return fmt::format("{} hears {} of {} after it has heard of {}", delta.client, delta.type,
                         words_for_state(delta.key, revision), before.revision);
    }
    before = {revision, delta.failed};
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
