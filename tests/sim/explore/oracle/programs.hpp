#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/sim/explore/oracle/judgement.hpp"

namespace watchlab::sim::oracle {

/// What came of many programs.
struct ProgramSums {
  std::uint64_t programs = 0;
  std::uint64_t lost = 0;
  std::uint64_t wrong = 0;
  std::uint64_t hidden = 0;
  std::uint64_t skipped = 0;
  std::uint64_t modelled = 0;
  std::uint64_t brute = 0;
  std::uint64_t runs = 0;
  std::uint64_t crashes = 0;  ///< the process ended, or a program took minutes

  void add(const Judgement& judgement);
  void add(const ProgramSums& more);
  /// "400 programs, 0 lost, 0 false, …".
  [[nodiscard]] std::string to_string() const;
};

/// Judges the programs of a theme from seed `first` to `last`, and prints each that differs, made
/// small. A few hundred at a time are judged by a child process of their own: what failing runs
/// leak goes with it, so memory stays flat, and a program that ends the process costs only itself.
[[nodiscard]] ProgramSums judge_seeds(const Theme& theme, std::uint64_t first, std::uint64_t last,
                                      const JudgementCosts& costs);

/// One program: what it does, what there is, and what was said of it.
int judge_one(const Theme& theme, std::uint64_t seed, const JudgementCosts& costs);

}  // namespace watchlab::sim::oracle
