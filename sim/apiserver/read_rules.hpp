#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/options.hpp"
#include "core/api/result.hpp"
#include "core/runtime/time.hpp"
#include "sim/apiserver/stamps.hpp"

namespace watchlab::sim {

/// Which release of Kubernetes a server behaves like. To clients those from 1.34 on are alike.
enum class ServerRelease : std::uint8_t { V1_30, V1_31, V1_32, V1_33, V1_34, V1_35, V1_36 };

/// Their names, "1.30" and so on, in order.
[[nodiscard]] std::vector<std::pair<std::string, ServerRelease>> server_releases();

/// The switches between releases that clients can observe (docs/apiserver_rules.md V).
struct ServerProfile {
  bool watch_list = true;        ///< accepts sendInitialEvents; 422 otherwise
  bool lists_from_cache = true;  ///< "most recent" and paged NotOlderThan lists use the cache
  bool marks_at_once = true;     ///< the mark follows the initial events, or comes a second later
  bool snapshots = true;         ///< exact lists and pages come from snapshots of the cache

  bool operator==(const ServerProfile&) const = default;
};

[[nodiscard]] ServerProfile profile_of(ServerRelease release);

/// Which state a LIST shall show.
enum class ListState : std::uint8_t {
  MostRecent,    ///< at least what the store held when the request came
  Any,           ///< whatever the watch cache has, however old
  NotOlderThan,  ///< the given revision or later
  Exact,         ///< the given revision
  Page,          ///< the revision of the continue token
  Remainder,     ///< the rest as it is now, after an expired continue token
};

/// What a LIST means once its options are understood.
struct ListPlan {
  ListState state = ListState::MostRecent;
  Revision revision = 0;   ///< for NotOlderThan, Exact and Page
  std::int64_t limit = 0;  ///< 0: no limit, or not honoured
  std::string start_key;   ///< for Page and Remainder
  bool from_cache = true;  ///< answered by the watch cache, if the collection has one

  bool operator==(const ListPlan&) const = default;
};

/// The routing table of LIST (docs/apiserver_rules.md L1 to L17), after its validation. Fails with
/// a Status: 422 for options that contradict each other, 400 for unreadable ones.
[[nodiscard]] api::Result<ListPlan> plan_list(const api::ListOptions& options,
                                              const ServerProfile& profile);

/// What a WATCH means once its options are understood.
struct WatchPlan {
  bool initial_events = false;     ///< begin with one ADDED for each object
  bool from_now = false;           ///< no history: begin with what happens next
  bool reach_store = false;        ///< first wait until the cache has what the store holds now
  bool marks_initial_end = false;  ///< a bookmark ends the initial events
  Revision revision = 0;  ///< replay from here; with initial events: wait until the cache is there

  bool operator==(const WatchPlan&) const = default;
};

/// The table of WATCH (docs/apiserver_rules.md W1 to W16), after its validation. Fails with a
/// Status, which travels as an HTTP error: 422 for options that contradict each other, 400
/// for unreadable ones. Everything that goes wrong later is an event in the stream.
[[nodiscard]] api::Result<WatchPlan> plan_watch(const api::ListOptions& options,
                                                const ServerProfile& profile);

/// How long the client wants its watch to last; nothing when it does not say. More than a year is a
/// year, so that whatever number came in over the wire can be added to a time.
[[nodiscard]] inline std::optional<runtime::Duration> asked_timeout(
    const api::ListOptions& options) {
  constexpr std::chrono::seconds kLongest = std::chrono::hours(24 * 365);
  if (options.timeout_seconds <= 0) {
    return std::nullopt;
  }
  return std::min(std::chrono::seconds(options.timeout_seconds), kLongest);
}

}  // namespace watchlab::sim
