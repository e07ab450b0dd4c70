#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "core/runtime/runtime.hpp"
#include "sim/kernel/run_result.hpp"

namespace watchlab::sim {

struct ShrinkOptions {
  /// How many runs the last search may take, which looks through all runs with fewer preemptions
  /// than were found; without `prove` it ends there, and the result says that it is not proven. The
  /// searches before it, at random, have bounds of their own.
  std::size_t search_runs_max = 10'000;
  /// Search until it is certain that no run with one preemption fewer fails this way.
  bool prove = false;
  /// Asked before each run of the searches; false ends them, and what was found by then is the
  /// result. For limits of time and interrupts; unset for none.
  std::function<bool()> keep_going{};
};

struct ShrinkResult {
  Failure failure;  ///< the same mistake, by the shortest schedule that was found
  std::size_t deviations_before = 0;
  std::size_t deviations = 0;
  std::size_t preemptions = 0;
  /// No run with fewer preemptions fails this way; false when the search for one ended at its
  /// bound, as it does in a program of many tasks.
  bool proven = false;
  bool interrupted = false;  ///< `keep_going` said no: more might have been taken away
  std::size_t runs = 0;      ///< that it took
};

/// Makes a failing schedule short, as long as the same mistake comes out (see `signature_of`):
/// takes deviations from `fifo` away in batches, plays the tasks' segments in other orders, tries
/// random runs with fewer preemptions, and at last looks through all of those. The result was
/// replayed strictly, twice. Throws `InvalidSchedule` when the failure's schedule is none, and
/// `std::invalid_argument` when it does not fail any more.
[[nodiscard]] ShrinkResult shrink(const Failure& failure, const ShrinkOptions& options,
                                  const std::function<void(runtime::Runtime&)>& body);

}  // namespace watchlab::sim
