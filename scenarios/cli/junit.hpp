#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// What came of a command, as CI servers read it.
namespace watchlab::scenarios {

/// What came of one scenario, as machines read it.
struct ReportEntry {
  /// The kind of a scenario of which no run was played before time was over.
  static constexpr const char* kNotPlayed = "not played";
  /// The kind of one that a signal kept from its end, so that nothing is known of it.
  static constexpr const char* kStopped = "stopped";

  std::string name;
  std::string path;
  bool held = true;
  std::string kind;      ///< of a failure: "violation", "deadlock" …
  std::string sentence;  ///< what is wrong; "" when it held
  std::string schedule;  ///< replays it
  std::string command;   ///< the line to paste that replays it
  std::string digest;    ///< of the trace; "" when nothing ran
  std::uint64_t steps = 0;
  std::uint64_t executions = 0;
  double seconds = 0;  ///< of real time
  /// The faults that never fired, a line each.
  std::vector<std::string> unfired_faults = {};
  /// What only some commands have to say, in this order.
  std::vector<std::pair<std::string, std::variant<std::string, double, std::uint64_t, bool>>> more =
      {};

  [[nodiscard]] bool was_judged() const { return kind != kNotPlayed && kind != kStopped; }
  [[nodiscard]] bool failed() const { return !held && was_judged(); }
};

/// All that a command has found.
struct Results {
  std::string suite;  ///< "run"
  std::vector<ReportEntry> entries;
};

/// The whole JUnit file.
[[nodiscard]] std::string junit_text(const Results& results);

}  // namespace watchlab::scenarios
