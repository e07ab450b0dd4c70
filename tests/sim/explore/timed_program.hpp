#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "sim/explore/explore.hpp"

namespace watchlab::sim {

/// A small random program whose tasks sleep, wait with time limits, set and stop timers and read
/// the clock, beside what they share.
class TimedProgram {
 public:
  using Outcomes = std::set<std::string>;

  explicit TimedProgram(std::uint64_t seed);

  /// What runs of an exhaustive strategy show: what each task observed, and how the run failed.
  /// Empty where there are too many.
  [[nodiscard]] Outcomes outcomes(ExploreOptions options, int early_advances_max) const;
  [[nodiscard]] std::string to_string() const;

 private:
  struct Objects;
  /// `code` is one of `kCodes`, which says what each letter stands for.
  struct Instruction {
    char code;
    int which;
  };

  void play(runtime::Runtime& runtime, std::vector<std::string>& seen) const;
  [[nodiscard]] static std::string carry_out(const Instruction& what, Objects& on, int task);
  [[nodiscard]] static std::string wait(const Instruction& what, Objects& on);

  std::vector<std::vector<Instruction>> tasks_;
};

}  // namespace watchlab::sim
