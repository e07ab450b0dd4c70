#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "sim/explore/explore.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// A strategy that can be asked for by name.
struct StrategyEntry {
  std::string_view name;
  std::string_view summary;  ///< one sentence, for --help
  std::unique_ptr<Strategy> (*make)(const ExploreOptions& options);
};

/// All of them, in the order in which help lists them.
[[nodiscard]] const std::vector<StrategyEntry>& strategy_catalogue();

/// Throws `std::invalid_argument`, naming the nearest one, when there is none of that name.
[[nodiscard]] std::unique_ptr<Strategy> make_strategy(const ExploreOptions& options);

}  // namespace watchlab::sim
