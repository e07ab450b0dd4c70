#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/language/scenario.hpp"
#include "scenarios/report/level.hpp"
#include "scenarios/report/seen_run.hpp"

namespace watchlab::scenarios {

/// A level as it is played in a terminal: the decisions of the run one after the other, those that
/// are the player's, each answered by a line. Scripts give the same lines. The scenario must
/// outlive it.
class LevelTerminal {
 public:
  struct Terminal {
    std::function<std::optional<std::string>()> read;  ///< a line; nothing at the end of the input
    std::function<void(std::string_view)> say;
  };

  /// Begins with the run under that schedule. Throws `sim::InvalidSchedule`, and
  /// `std::invalid_argument` when the run does not follow the schedule or is too long.
  LevelTerminal(const Scenario& scenario, std::string schedule, Level level, Terminal terminal);

  /// Plays until the level is won, the player ends it, or the input does. Whether it was won.
  [[nodiscard]] bool play();

 private:
  /// A run, and the decision that comes next.
  struct Place {
    std::string schedule;
    std::size_t decision = 1;  ///< counts from 1; one more than there are at the end of the run
  };

  void show_level() const;
  void show_decision();
  void show_end() const;
  void show_steps(std::size_t from, std::size_t until) const;
  /// What an alternative of a decision is, for people.
  [[nodiscard]] std::string alternative(std::size_t decision, std::size_t number) const;
  /// Whether the text is in the decision, in one of its alternatives, or in a step from there to
  /// the player's next decision.
  [[nodiscard]] bool has(std::size_t decision, const std::string& text) const;
  [[nodiscard]] bool is_own(std::size_t decision) const;
  /// The first decision of the player from that one on.
  [[nodiscard]] std::size_t own_from(std::size_t decision) const;
  void obey(const std::string& line);
  void take(std::size_t decision, std::uint32_t alternative);
  void go(std::size_t decision);
  void find(const std::string& text);
  void see(Place place);

  const Scenario& scenario_;
  Level level_;
  Terminal terminal_;
  std::vector<Place> places_;  ///< the last is where the player is
  SeenRun seen_;               ///< its run
  std::size_t shown_until_ = 0;
  bool ended_ = false;
};

}  // namespace watchlab::scenarios
