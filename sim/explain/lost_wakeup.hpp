#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/explain/witness.hpp"

namespace watchlab::sim {

/// A task that waits forever on a condition, because the notification meant for it came too early
/// or woke another task.
struct LostWakeup {
  std::uint32_t waiter = 0;  ///< an actor of the witness
  std::size_t notified = 0;  ///< an index into `Witness::steps`
  std::size_t waited = 0;    ///< an index into them, too: its last wait
  /// The task that woke up instead; nothing if no task was waiting.
  std::optional<std::uint32_t> taker{};
  /// Whether the steps alone prove it: the notification came between the waiter's taking the lock
  /// to check and its wait. Otherwise the waiter may be waiting rightly for a task that never
  /// comes, and only a passing run in which the notification reaches it proves it.
  bool certain = false;

  /// The two steps in words, one line each.
  [[nodiscard]] std::string to_string(const Witness& witness) const;
};

/// The first such task of a deadlock or leak; nothing if no stuck task waits on a condition that
/// another task has notified.
[[nodiscard]] std::optional<LostWakeup> find_lost_wakeup(const Witness& witness);

}  // namespace watchlab::sim
