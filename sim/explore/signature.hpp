#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/kernel/run_result.hpp"

namespace watchlab::sim {

/// What makes two failures the same mistake: the kind and the message, without the numbers of
/// steps and tasks, and for stuck tasks without their order. Of a deadlock in a circle only the
/// tasks in it count: who else was caught by it differs from run to run. "deadlock|main/reader
/// waits for mutex 'queue'|…".
[[nodiscard]] std::string signature_of(const Failure& failure);

/// One of several different failures that an exploration has come to.
struct DistinctFailure {
  Failure first;
  std::size_t first_run = 0;  ///< the number of its run
  std::size_t count = 1;      ///< runs that failed in this way
};

/// Adds what was found to the failures so far, which are sorted by their first runs. Two are the
/// same when their signatures are and the lines of the program that these are about; of a livelock
/// no line counts, because any may be the last one.
void add_failure(std::vector<DistinctFailure>& failures, const DistinctFailure& found);
/// The one of `failures` that is the same; null when there is none.
[[nodiscard]] DistinctFailure* find_failure(std::vector<DistinctFailure>& failures,
                                            const Failure& failure);

}  // namespace watchlab::sim
