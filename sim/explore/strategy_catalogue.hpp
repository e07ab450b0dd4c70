#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/explore/explore.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// Whether runs are drawn one by one, and what they depend on.
enum class Sampling : std::uint8_t {
  No,           ///< there is an order in which all runs come
  Independent,  ///< each run depends on the seed and its number, and on the first few runs
  Growing,      ///< each run depends on all before it
};

/// A strategy that can be asked for by name.
struct StrategyEntry {
  std::string_view name;
  std::string_view summary;  ///< one sentence, for --help
  std::string_view good_for;
  std::unique_ptr<Strategy> (*make)(const ExploreOptions& options);
  Sampling sampling = Sampling::No;
};

/// All of them, in the order in which help lists them.
[[nodiscard]] const std::vector<StrategyEntry>& strategy_catalogue();

/// The entry of that name; throws `std::invalid_argument`, naming all, when there is none.
[[nodiscard]] const StrategyEntry& strategy_named(std::string_view name);

/// How many first runs a strategy learns from; see `kCalibrationRuns`.
[[nodiscard]] std::size_t calibration_runs(const StrategyEntry& entry);

/// The one that the options ask for. Throws `std::invalid_argument`, naming all, when there is none
/// of that name.
[[nodiscard]] std::unique_ptr<Strategy> make_strategy(const ExploreOptions& options);

}  // namespace watchlab::sim
