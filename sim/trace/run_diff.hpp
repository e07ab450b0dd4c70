#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/trace/run_trace.hpp"

namespace watchlab::sim {

/// What one side saw of one thing: its handler calls, its deltas, or the messages between two
/// parties.
struct ObservedDifference {
  std::string what;  ///< "handler calls of informer"
  std::size_t only_first = 0;
  std::size_t only_second = 0;
  std::vector<std::string> lines;  ///< "  both", "- only the first", "+ only the second"
};

/// How two runs differ. Steps are compared by who does what to which object, so runs of a changed
/// program can still be aligned. Source lines and times are compared only if that is the same.
struct RunDiff {
  std::size_t alike = 0;             ///< identical steps and notes at the start
  std::vector<std::string> before;   ///< the last few of these
  std::optional<std::string> first;  ///< how each run continues then; nothing if it has ended
  std::optional<std::string> second;
  std::optional<std::string> later;  ///< everything is the same, but this happens at another time
  std::vector<ObservedDifference> observed;
  std::string first_outcome;
  std::string second_outcome;

  [[nodiscard]] bool is_empty() const { return !first && !second && !later && observed.empty(); }
  /// A few paragraphs, with `a` and `b` for the two.
  [[nodiscard]] std::string to_string() const;
};

[[nodiscard]] RunDiff diff_runs(const RunTrace& first, const RunTrace& second);

}  // namespace watchlab::sim
