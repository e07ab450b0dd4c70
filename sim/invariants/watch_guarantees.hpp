#pragma once

#include <optional>
#include <string>

#include "sim/story/record.hpp"

/// What a server promises of each watch (the guarantees of etcd), seen from where its events reach
/// the client. Each function says in one sentence what is wrong with a record that is closed. They
/// are pure, and any task may call them.
namespace watchlab::sim::invariants {

/// W1: The events of a watch come in the order of their revisions, but for the first state of a
/// watch from "" or "0".
[[nodiscard]] std::optional<std::string> broken_watch_is_ordered(const Record& record);
/// W2: No event comes twice on a watch.
[[nodiscard]] std::optional<std::string> broken_watch_is_unique(const Record& record);
/// W3: An event carries the state that one write gave its object, whole.
[[nodiscard]] std::optional<std::string> broken_watch_is_atomic(const Record& record);
/// W4: After a bookmark come only events that are newer than it, and before it none that are.
[[nodiscard]] std::optional<std::string> broken_watch_is_bookmarkable(const Record& record);
/// W5: Between two events or bookmarks of a watch nothing that was written is left out.
[[nodiscard]] std::optional<std::string> broken_watch_is_reliable(const Record& record);
/// W6: A watch from a revision begins with the first write after it.
[[nodiscard]] std::optional<std::string> broken_watch_is_resumable(const Record& record);

}  // namespace watchlab::sim::invariants
