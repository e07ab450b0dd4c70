#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/explore/explore.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// Whether runs are drawn independently, and what they depend on.
enum class Sampling : std::uint8_t {
  No,           ///< the strategy enumerates all runs in order
  Independent,  ///< each run depends on the seed, its number, and the first few runs
  Growing,      ///< each run depends on all earlier runs
};

/// A strategy that can be requested by name.
struct StrategyEntry {
  std::string_view name;
  std::string_view summary;  ///< one sentence, for --help
  std::string_view good_for;
  std::unique_ptr<Strategy> (*make)(const ExploreOptions& options);
  Sampling sampling = Sampling::No;
};

/// All strategies, in the order of the help text.
[[nodiscard]] const std::vector<StrategyEntry>& strategy_catalogue();

/// The strategy with this name. Throws `std::invalid_argument`, listing all names, if there is
/// none.
[[nodiscard]] const StrategyEntry& strategy_named(std::string_view name);

/// How many first runs a strategy learns from; see `kCalibrationRuns`.
[[nodiscard]] std::size_t calibration_runs(const StrategyEntry& entry);

/// Makes the strategy that the options name. Throws `std::invalid_argument`, listing all names, if
/// there is none.
[[nodiscard]] std::unique_ptr<Strategy> make_strategy(const ExploreOptions& options);

}  // namespace watchlab::sim
