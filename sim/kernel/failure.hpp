#pragma once

#include <cstddef>
#include <string>

namespace watchlab::sim {

/// How a run went wrong.
struct Failure {
  /// deadlock, livelock, violation, data race, exception, leak or divergence.
  std::string kind;
  /// What is wrong, in words; for a deadlock or leak with the wait-for graph, a line each.
  std::string sentence;
  /// Replays the run: see `Schedule`.
  std::string schedule;
  /// Visible operations done when it happened.
  std::size_t steps = 0;
};

}  // namespace watchlab::sim
