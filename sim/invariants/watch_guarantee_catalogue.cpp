#include "sim/invariants/invariant_catalogue.hpp"
#include "sim/invariants/server_bugs.hpp"
#include "sim/invariants/watch_guarantees.hpp"

namespace watchlab::sim {
namespace {

using Names = std::vector<std::string_view>;

/// Bugs of servers that change what an event says.
Names watch_forging() {
  return {"repeat_revision", "replay_event", "restore_backup",
          "revision_back",   "stale_delete", "wrong_kind"};
}

/// Bugs of servers and proxies that lose events or change their revisions.
Names losing() {
  return {"bookmark_ahead",  "drop_event",        "empty_event",    "garble_event",
          "repeat_revision", "replay_event",      "restore_backup", "revision_back",
          "stale_delete",    "unknown_event_type"};
}

}  // namespace

std::vector<Invariant> watch_guarantee_catalogue() {
  return {
      {"W1", "watch_is_ordered",
       "The events of a watch come in the order of their revisions, but for "
       "the first state of a watch from \"\" or \"0\".",
       false, invariants::broken_watch_is_ordered, bugs_that_confuse_revisions()},
      {"W2", "watch_is_unique", "No event comes twice on a watch.", false,
       invariants::broken_watch_is_unique, bugs_that_confuse_revisions()},
      {"W3", "watch_is_atomic", "An event carries the state that one write gave its object, whole.",
       false, invariants::broken_watch_is_atomic, watch_forging()},
      {"W4", "watch_is_bookmarkable",
       "After a bookmark come only events that are newer than it, and before "
       "it none that are.",
       false, invariants::broken_watch_is_bookmarkable, bugs_that_confuse_revisions()},
      {"W5", "watch_is_reliable",
       "Between two events or bookmarks of a watch nothing that was written is "
       "left out.",
       false, invariants::broken_watch_is_reliable, losing()},
      {"W6", "watch_is_resumable", "A watch from a revision begins with the first write after it.",
       false, invariants::broken_watch_is_resumable, losing()},
  };
}

}  // namespace watchlab::sim
