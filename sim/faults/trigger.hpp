#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/faults/passage.hpp"

namespace watchlab::sim {

/// When a fault may act: every condition that is set must hold. A trigger without any holds always.
struct Trigger {
  std::string client;                       ///< who asks; "" for all
  std::vector<Verb> verbs;                  ///< empty for all; frames belong to their WATCH
  std::string resource;                     ///< "configmaps"; "" for all
  std::string key;                          ///< only events about this object; "" for all messages
  std::optional<runtime::TimePoint> from;   ///< not before
  std::optional<runtime::TimePoint> until;  ///< not at or after
  std::int64_t skip = 0;       ///< let that many messages that it would have touched go first
  std::int64_t times = 0;      ///< over after that many; 0 for no end
  Revision from_revision = 0;  ///< not before the store has reached this revision
  double chance = 1.0;         ///< of each message, drawn from the seed
  std::uint64_t seed = 1;      ///< of `chance`
  std::function<bool(const Passage&)> condition;  ///< anything else
  /// Asked last, about each message that the fault would touch, whether it does: a decision of
  /// whoever plays the world. Unset for yes.
  std::function<bool()> decide;

  /// Whether the message is one that the fault may touch, but for `skip`, `times` and `chance`.
  [[nodiscard]] bool holds_for(const Passage& passage, Revision store_revision) const;
};

}  // namespace watchlab::sim
