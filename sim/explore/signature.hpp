#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/kernel/run_result.hpp"

namespace watchlab::sim {

/// What identifies a failure: its kind and message, without the numbers of steps and tasks, and for
/// stuck tasks without their order. For a deadlock cycle only the tasks in it count, because who
/// else is caught differs from run to run. "deadlock|main/reader waits for mutex 'queue'|…".
[[nodiscard]] std::string signature_of(const Failure& failure);

/// One of several distinct failures that an exploration has found.
struct DistinctFailure {
  Failure first;
  std::size_t first_run = 0;  ///< the number of its first run
  std::size_t count = 1;      ///< runs that failed in this way
};

/// Adds a failure to the failures so far, which are sorted by their first runs. Two are the same if
/// their signatures and the lines of the program that they are about are equal; for a livelock
/// lines do not count, because any may be the last one.
void add_failure(std::vector<DistinctFailure>& failures, const DistinctFailure& found);
/// The one of `failures` that is the same; null if there is none.
[[nodiscard]] DistinctFailure* find_failure(std::vector<DistinctFailure>& failures,
                                            const Failure& failure);

}  // namespace watchlab::sim
