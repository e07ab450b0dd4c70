#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "core/runtime/runtime.hpp"
#include "sim/kernel/failure.hpp"

namespace watchlab::sim {

struct ShrinkOptions {
  /// How many runs the search for a failure with fewer preemptions may take; without `prove` it
  /// gives up quietly. One preemption among so many decisions of two tasks is looked through; the
  /// places where the run at hand turns are looked at before.
  std::size_t search_runs_max = 10'000;
  /// Search until it is certain that no run with one preemption fewer fails this way.
  bool prove = false;
};

struct ShrinkResult {
  Failure failure;  ///< the same mistake, by the shortest schedule that was found
  std::size_t deviations_before = 0;
  std::size_t deviations = 0;
  std::size_t preemptions = 0;
  bool proven = false;   ///< no run with fewer preemptions fails this way
  std::size_t runs = 0;  ///< that it took
};

/// Makes a failing schedule short: takes deviations from `fifo` away in batches as long as
/// the same mistake comes out (see `signature_of`), then looks for a way with none, one, two …
/// preemptions. The result was replayed strictly, twice. Throws `InvalidSchedule` when the
/// failure's schedule is none, and `std::invalid_argument` when it does not fail any more.
[[nodiscard]] ShrinkResult shrink(const Failure& failure, const ShrinkOptions& options,
                                  const std::function<void(runtime::Runtime&)>& body);

}  // namespace watchlab::sim
