#pragma once

#include <string_view>
#include <vector>

#include "sim/invariants/invariant_catalogue.hpp"

/// The families of invariants, one source file each. An invariant is a function in its family's
/// source and a row at the end of it, which contains everything else; a test shows a record that
/// breaks it.
namespace watchlab::sim::invariants {

/// The contents of a client's store and its indices.
[[nodiscard]] std::vector<Invariant> of_stores();
/// What handlers and workers know from their deliveries.
[[nodiscard]] std::vector<Invariant> of_handlers();
/// How changes get from a watch through a queue to the handlers: which ones, and in which order.
[[nodiscard]] std::vector<Invariant> of_deliveries();
/// What belongs to the first list, and when a client has synced.
[[nodiscard]] std::vector<Invariant> of_first_lists();
/// What is delivered again, and to which handlers.
[[nodiscard]] std::vector<Invariant> of_resyncs();
/// What comes out of queues of newest states.
[[nodiscard]] std::vector<Invariant> of_newest_queues();
/// What workers do with the keys of a work queue.
[[nodiscard]] std::vector<Invariant> of_work_queues();
/// What clients ask for, and at which revision.
[[nodiscard]] std::vector<Invariant> of_requests();
/// What happens after a failure.
[[nodiscard]] std::vector<Invariant> of_failures();
/// What is left when clients have ended, or when everything is quiet.
[[nodiscard]] std::vector<Invariant> of_ends();
/// A server's guarantees for each watch (those of etcd), checked where its events reach the client.
[[nodiscard]] std::vector<Invariant> of_watches();

/// The illegal faults that make a server confuse revisions. Under them, nothing is promised about
/// revisions, of a client or of a watch.
[[nodiscard]] inline std::vector<std::string_view> bugs_that_confuse_revisions() {
  return {"bookmark_ahead", "empty_list_revision", "repeat_revision", "replay_event",
          "restore_backup", "revision_back",       "stale_delete"};
}

/// The illegal faults that hide the truth from a client for good.
[[nodiscard]] inline std::vector<std::string_view> bugs_that_hide_the_truth() {
  return {"bookmark_ahead",      "drop_event",   "empty_event",    "empty_list",
          "empty_list_revision", "replay_event", "restore_backup", "revision_back",
          "stale_delete",        "wrong_kind"};
}

}  // namespace watchlab::sim::invariants
