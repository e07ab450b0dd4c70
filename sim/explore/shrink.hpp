#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "core/runtime/runtime.hpp"
#include "sim/kernel/run_result.hpp"

namespace watchlab::sim {

struct ShrinkOptions {
  /// How many runs the last search may take, which goes through all runs with fewer preemptions
  /// than found so far. Without `prove` it ends there, and the result is marked as not proven. The
  /// random searches before it have bounds of their own.
  std::size_t search_runs_max = 10'000;
  /// Search until it is certain that no run with one preemption fewer fails in the same way.
  bool prove = false;
  /// Called before each run of the searches. Return false to end them with the result so far. For
  /// time limits and interrupts; may be empty.
  std::function<bool()> keep_going{};
};

struct ShrinkResult {
  Failure failure;  ///< the same failure, with the shortest schedule that was found
  std::size_t deviations_before = 0;
  std::size_t deviations = 0;
  std::size_t preemptions = 0;
  /// No run with fewer preemptions fails in the same way. False if the search for one reached its
  /// bound, as it does for programs with many tasks.
  bool proven = false;
  bool interrupted = false;  ///< `keep_going` returned false: it might have become shorter still
  std::size_t runs = 0;      ///< how many runs it took
};

/// Makes a failing schedule short while the failure stays the same (see `signature_of`): removes
/// deviations from `fifo` in batches, reorders the segments of tasks, tries random runs with fewer
/// preemptions, and finally goes through all of those. The result has been replayed strictly,
/// twice. Throws `InvalidSchedule` if the failure's schedule is not one, and
/// `std::invalid_argument` if it no longer fails.
[[nodiscard]] ShrinkResult shrink(const Failure& failure, const ShrinkOptions& options,
                                  const std::function<void(runtime::Runtime&)>& body);

}  // namespace watchlab::sim
