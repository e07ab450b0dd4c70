#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/explain/witness.hpp"

namespace watchlab::sim {

/// A task that waits on a condition indefinitely, because the notification that was meant for it
/// came too early, or woke another task.
struct LostWakeup {
  std::uint32_t waiter = 0;  ///< an actor of the witness
  std::size_t notified = 0;  ///< an index into `Witness::steps`
  std::size_t waited = 0;    ///< the same, of the last wait
  /// The task that woke up instead; nothing when no task waited at the time.
  std::optional<std::uint32_t> taker{};
  /// Whether the steps alone show it: the notification fell between the moment at which the waiter
  /// took the lock, to look, and its wait. Otherwise the waiter may rightly wait for a task that
  /// never comes, and only a run in which the notification reaches it and which passes shows it.
  bool certain = false;

  /// The two steps in words, on a line each.
  [[nodiscard]] std::string to_string(const Witness& witness) const;
};

/// The first such task of a deadlock or leak; nothing when no stuck task waits on a condition that
/// another task has notified.
[[nodiscard]] std::optional<LostWakeup> find_lost_wakeup(const Witness& witness);

}  // namespace watchlab::sim
