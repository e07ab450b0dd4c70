#pragma once

#include <span>
#include <string_view>

namespace watchlab::scoreboard {

/// What others have published of a program: in how many of their trials its bug was found within
/// the cap, and the median of schedules up to the bug, or 0 if most trials missed it.
struct Figure {
  int found = -1;  ///< -1: nothing is published
  double median = 0;
};

/// All of 20 trials with a cap of 10,000 schedules, except `maple`, which is one search.
struct Published {
  Figure surw, pct3, pct10, pos, random, period, maple;
};

/// A row of a board: the one description that runs, pages and tests follow.
struct Program {
  std::string_view name;  ///< as in the suite
  int threads = 0;        ///< with the main one
  std::string_view kind;  ///< of the failure, as in `sim::Failure`; two, if the schedule decides
  void (*body)() = nullptr;
  std::string_view remark;  ///< what a reader has to know of this port; "" if nothing
  Published published;
};

/// SCTBench: CS and Chess.
[[nodiscard]] std::span<const Program> sctbench();

}  // namespace watchlab::scoreboard
