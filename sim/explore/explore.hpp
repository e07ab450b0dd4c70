#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/runtime/runtime.hpp"
#include "sim/kernel/failure.hpp"

namespace watchlab::sim {

struct ExploreOptions {
  std::string strategy = "random";
  std::uint64_t seed = 1;
  std::size_t schedules_max = 1000;
  std::size_t steps_max = 100'000;
  int preemptions_max = -1;  ///< no bound
  int pct_depth = 3;
  int early_advances_max = 0;  ///< jumps of virtual time while tasks are ready
  std::uint64_t scenario = 0;  ///< the hash that found schedules carry; 0 for a C++ body
  int delays_max = -1;         ///< for dfs, instead of preemptions_max; no bound
  /// Asked before each run with the number of runs so far; false ends the exploration. For progress
  /// and time limits; unset for neither.
  std::function<bool(std::size_t runs)> keep_going;
};

struct ExploreResult {
  std::size_t executions = 0;      ///< completed runs, sleep-set-blocked ones not counted
  std::size_t blocked = 0;         ///< sleep-set-blocked runs
  bool exhausted = false;          ///< dfs and dpor: nothing is left to explore
  std::optional<Failure> failure;  ///< the first one found; exploration stops there
};

/// Runs `body` as the root task of fresh worlds, under schedules that the strategy picks, until one
/// fails or the bound is reached. The first schedule runs twice and the digests are compared, and
/// so does every thousandth after it; a difference is a failure of kind divergence. `body` must not
/// keep state between runs. Throws `std::invalid_argument` for an unknown strategy.
ExploreResult explore(const ExploreOptions& options,
                      const std::function<void(runtime::Runtime&)>& body);

/// Plays exactly that schedule. Nothing when the run holds; a failure of kind divergence when the
/// program does not fit the schedule. Throws `InvalidSchedule` when the text is no schedule.
std::optional<Failure> replay(std::string_view schedule,
                              const std::function<void(runtime::Runtime&)>& body);

/// The same mistake by the shortest schedule that can be found, replayed strictly twice. Throws
/// `InvalidSchedule` when the failure's schedule is none, and `std::invalid_argument` when it does
/// not fail any more. sim/explore/shrink.hpp tells more.
Failure shrink(const Failure& failure, const std::function<void(runtime::Runtime&)>& body);

}  // namespace watchlab::sim
