#include "sim/explore/strategy_catalogue.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "sim/explore/dfs_strategy.hpp"
#include "sim/explore/fifo_strategy.hpp"
#include "sim/explore/random_strategy.hpp"

namespace watchlab::sim {

const std::vector<StrategyEntry>& strategy_catalogue() {
  static const std::vector<StrategyEntry> kCatalogue{
      {"fifo", "one run without any deviation: who runs goes on while it can",
       [](const ExploreOptions&) -> std::unique_ptr<Strategy> {
         return std::make_unique<FifoStrategy>();
       }},
      {"random", "a random walk: every alternative of every decision is equally likely",
       [](const ExploreOptions& options) -> std::unique_ptr<Strategy> {
         return std::make_unique<RandomStrategy>(options.seed);
       }},
      {"dfs", "every run, those with few preemptions first; bounded by --preemptions",
       [](const ExploreOptions& options) -> std::unique_ptr<Strategy> {
         return std::make_unique<DfsStrategy>(DfsBounds{
             .preemptions_max = options.preemptions_max, .delays_max = options.delays_max});
       }},
  };
  return kCatalogue;
}

std::unique_ptr<Strategy> make_strategy(const ExploreOptions& options) {
  std::string names;
  for (const StrategyEntry& entry : strategy_catalogue()) {
    if (entry.name == options.strategy) {
      return entry.make(options);
    }
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw std::invalid_argument(
      fmt::format("there is no strategy '{}'; there are {}", options.strategy, names));
}

}  // namespace watchlab::sim
