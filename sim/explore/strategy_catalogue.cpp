#include "sim/explore/strategy_catalogue.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "sim/explore/dfs_strategy.hpp"
#include "sim/explore/dpor_strategy.hpp"
#include "sim/explore/feedback_strategy.hpp"
#include "sim/explore/fifo_strategy.hpp"
#include "sim/explore/pct_strategy.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/explore/pos_strategy.hpp"
#include "sim/explore/random_strategy.hpp"
#include "sim/explore/surw_strategy.hpp"
#include "sim/explore/urw_strategy.hpp"

namespace watchlab::sim {

namespace {

using Made = std::unique_ptr<Strategy>;

Made make_portfolio(const ExploreOptions& options) {
  std::vector<Made> members;
  members.push_back(std::make_unique<RandomStrategy>(options.seed));
  members.push_back(std::make_unique<PctStrategy>(options.seed, options.pct_depth));
  members.push_back(std::make_unique<PosStrategy>(options.seed));
  members.push_back(std::make_unique<UrwStrategy>(options.seed));
  members.push_back(std::make_unique<SurwStrategy>(options.seed));
  return std::make_unique<PortfolioStrategy>(std::move(members));
}

}  // namespace

const std::vector<StrategyEntry>& strategy_catalogue() {
  static const std::vector<StrategyEntry> kCatalogue{
      {"fifo", "one run without any deviation: who runs goes on while it can",
       [](const ExploreOptions&) -> Made { return std::make_unique<FifoStrategy>(); }},
      {"random", "a random walk: every alternative of every decision is equally likely",
       [](const ExploreOptions& options) -> Made {
         return std::make_unique<RandomStrategy>(options.seed);
       }},
      {"dfs", "every run, those with few preemptions first; bounded by --preemptions",
       [](const ExploreOptions& options) -> std::unique_ptr<Strategy> {
         return std::make_unique<DfsStrategy>(DfsBounds{.preemptions_max = options.preemptions_max,
                                                        .delays_max = options.delays_max});
       }},
      {"dpor", "one run of each class of runs that differ only where the order cannot matter",
       [](const ExploreOptions& options) -> std::unique_ptr<Strategy> {
         return std::make_unique<DporStrategy>(DporStrategy::Mode::WakeupTrees,
                                               options.early_advances_max > 0);
       }},
      {"pct", "random priorities that change at d-1 points; depths 1 to --pct-depth in turn",
       [](const ExploreOptions& options) -> Made {
         return std::make_unique<PctStrategy>(options.seed, options.pct_depth);
       }},
      {"pos", "partial order sampling: random priorities for operations, redrawn at races",
       [](const ExploreOptions& options) -> Made {
         return std::make_unique<PosStrategy>(options.seed);
       }},
      {"urw", "uniform random walk: tasks weigh as much as they have left to do",
       [](const ExploreOptions& options) -> Made {
         return std::make_unique<UrwStrategy>(options.seed);
       }},
      {"surw", "the same on one shared object a run, the rest at random",
       [](const ExploreOptions& options) -> Made {
         return std::make_unique<SurwStrategy>(options.seed);
       }},
      {"feedback", "keeps runs that showed new hand-overs and changes a few of their choices",
       [](const ExploreOptions& options) -> Made {
         return std::make_unique<FeedbackStrategy>(options.seed);
       }},
      {"portfolio", "random, pct, pos, urw and surw in turn", make_portfolio},
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
