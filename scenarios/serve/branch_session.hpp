#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/language/scenario.hpp"
#include "scenarios/report/branch.hpp"
#include "scenarios/report/level.hpp"
#include "sim/http/http_front.hpp"

namespace boost::json {
class object;
}  // namespace boost::json

namespace watchlab::scenarios {

/// What `serve-report` knows: a run, the runs that were branched off it, each from an earlier one,
/// and their pages. One thread. The scenario must outlive it.
class BranchSession {
 public:
  /// Begins with the run under that schedule; `level` is what is played, if anything is. Throws
  /// `sim::InvalidSchedule`, and `std::invalid_argument` when the run does not follow the schedule
  /// or is too long to be branched.
  BranchSession(const Scenario& scenario, const std::string& schedule, std::string variant,
                std::optional<Level> level);

  /// How one types the program, where that is not the launcher of a checkout.
  void set_program(std::string program) { program_ = std::move(program); }

  /// The answer to any request: `/run/N` is a page, a POST to `/run/N/take` with
  /// `decision=17&alternative=2` plays a branch and leads to its page, `/run/N/schedule.txt` and
  /// `/run/N/scenario.yaml` are what can be saved. Requests that name another host than this
  /// machine, and forms of other sites, are refused.
  [[nodiscard]] sim::HttpPage answer(const sim::HttpRequest& http, const sim::Target& target);

 private:
  /// A run of the tree.
  struct Run {
    std::string schedule;
    std::size_t parent = 0;
    BranchPoint from;      ///< in its parent; decision 0 of the first run
    std::size_t step = 0;  ///< before which it left its parent
    bool held = false;
    std::string outcome;  ///< "holds", or the kind of failure and the beginning of its message
    LevelResult result;
  };

  std::size_t add(Run run);
  [[nodiscard]] std::size_t branch(std::size_t parent, BranchPoint point);
  [[nodiscard]] sim::HttpPage page_of_run(std::size_t number) const;
  [[nodiscard]] sim::HttpPage take(std::size_t number, const sim::HttpRequest& http);
  [[nodiscard]] sim::HttpPage scenario_file(std::size_t number) const;
  [[nodiscard]] boost::json::object session_json(std::size_t number) const;

  const Scenario& scenario_;
  std::string variant_;
  std::optional<Level> level_;
  std::string program_ = "./watchlab";
  std::vector<Run> runs_;
};

}  // namespace watchlab::scenarios
