#pragma once

#include "core/api/options.hpp"
#include "core/api/result.hpp"
#include "sim/apiserver/revision.hpp"
#include "sim/apiserver/server_profile.hpp"

namespace watchlab::sim {

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
/// Status, which travels as an ordinary HTTP error: 422 for options that contradict each other, 400
/// for unreadable ones. Everything that goes wrong later is an event in the stream.
[[nodiscard]] api::Result<WatchPlan> plan_watch(const api::ListOptions& options,
                                                const ServerProfile& profile);

}  // namespace watchlab::sim
