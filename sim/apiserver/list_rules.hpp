#pragma once

#include <cstdint>
#include <string>

#include "core/api/options.hpp"
#include "core/api/result.hpp"
#include "sim/apiserver/revision.hpp"
#include "sim/apiserver/server_profile.hpp"

namespace watchlab::sim {

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

}  // namespace watchlab::sim
