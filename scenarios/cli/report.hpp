#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/cli/junit.hpp"
#include "scenarios/command_line/console.hpp"
#include "scenarios/language/catalogue.hpp"
#include "scenarios/language/runner.hpp"

namespace boost::json {
class object;
}  // namespace boost::json

namespace watchlab::scenarios {

/// The results of a command for machines: JSON lines as they come, and a JUnit file at the end.
class Report {
 public:
  /// Lines that another command reads again are sealed.
  enum class Lines : std::uint8_t { Plain, Sealed };

  Report(CommonOptions options, std::string suite, Lines lines = Lines::Plain);

  [[nodiscard]] const std::string& suite() const { return results_.suite; }
  /// Also prints the entry's JSON line, if JSON lines are wanted.
  void add(ReportEntry entry);
  /// Prints no line.
  void add_result(ReportEntry entry) { results_.entries.push_back(std::move(entry)); }
  /// Only prints the JSON line: something that belongs to the entry before.
  void add_detail(const ReportEntry& detail);
  /// The same with what all entries come to.
  void add_detail(const boost::json::object& detail);
  [[nodiscard]] std::size_t held() const;
  [[nodiscard]] std::size_t failed() const;
  /// Those of kind `kNotPlayed` or `kStopped`: they neither held nor failed.
  [[nodiscard]] std::size_t unplayed() const;
  /// Writes the file that is wanted, if one is. False, with an error, when that fails.
  [[nodiscard]] bool write(Console& console) const;

 private:
  CommonOptions options_;
  Lines lines_;
  Results results_;
};

/// A duration of real time in seconds, from a moment until now.
class Stopwatch {
 public:
  Stopwatch();
  [[nodiscard]] double seconds() const;

 private:
  long long began_;
};

/// For a command that plays many runs: says false from a signal on (see `Interrupt`), and when
/// `time` has passed since this call, unless that is 0.
[[nodiscard]] std::function<bool()> until_stopped(runtime::Duration time);

/// The entry of a file that cannot be played.
[[nodiscard]] ReportEntry bad_input_entry(const std::string& path, std::string sentence);

/// Adds the files that the end of a call came before, as not played: all from that one on.
void add_unplayed(Report& report, const std::vector<CatalogueEntry>& files, std::size_t first);

/// An entry as a line of JSON, before it is sealed.
[[nodiscard]] std::string json_line(const ReportEntry& entry);

/// Adds a story that a signal kept from its end, and says so on the console.
void add_stopped(Report& report, const Scenario& scenario, std::string why, Console& console);

/// Says how many of all stories a signal has come before, and the line that plays all again: what
/// goes on with the rest would put that in the place of the results that are there.
void remark_stopped(const std::string& command, std::size_t left, std::size_t all,
                    Console& console);

/// The line to paste that replays a schedule of this scenario.
[[nodiscard]] std::string replay_line(const Scenario& scenario, const std::string& schedule);

/// A run as a line of a report.
[[nodiscard]] ReportEntry entry_for(const Scenario& scenario, const Played& played);

/// Beside the message of a failure, each some lines or "".
struct FailureWords {
  std::string happened;  ///< the events around it; the last steps of the run if there are none
  std::string why;       ///< what makes the difference
};

/// The last ten events of its story before a scenario failed; "" of a program.
[[nodiscard]] std::string events_before(const Scenario& scenario, const sim::RunResult& failed);

/// What every failure prints: the message, what happened around it, what makes the difference, and
/// the line that replays it.
[[nodiscard]] std::string failure_text(const ReportEntry& entry, const sim::RunResult& result,
                                       const FailureWords& words);

/// Prints an object as a line of JSON.
void print_json(const boost::json::object& line, Console& console);

/// What is wrong with an output that is the same file as an input, by whatever name; "" when it is
/// another one.
[[nodiscard]] std::string overwriting(const std::string& output, const std::string& input);

/// What is wrong with a file, a line a problem; "" when nothing is.
[[nodiscard]] std::string problem_text(const CatalogueEntry& entry);

}  // namespace watchlab::scenarios
