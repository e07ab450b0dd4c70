#pragma once

#include <string>

#include "scenarios/cli/report.hpp"
#include "scenarios/language/runner.hpp"

namespace watchlab::scenarios {

/// The line to paste that replays a schedule of this scenario.
[[nodiscard]] std::string replay_line(const Scenario& scenario, const std::string& schedule);

/// A run as a line of a report.
[[nodiscard]] ReportEntry entry_for(const Scenario& scenario, const Played& played);

/// What every failure prints: the sentence, the last ten steps, what makes the difference if that
/// is known (`why`, some lines), and the line that replays it.
[[nodiscard]] std::string failure_text(const ReportEntry& entry, const sim::RunResult& result,
                                       const std::string& why = "");

/// A duration of real time in seconds, from a moment until now.
class Stopwatch {
 public:
  Stopwatch();
  [[nodiscard]] double seconds() const;

 private:
  long long began_;
};

}  // namespace watchlab::scenarios
