#include "sim/explore/strategy_catalogue.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "core/runtime/ensure.hpp"
#include "sim/explore/dfs_strategy.hpp"
#include "sim/explore/dpor_strategy.hpp"
#include "sim/explore/feedback_strategy.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/explore/priority_strategies.hpp"
#include "sim/explore/random_strategy.hpp"
#include "sim/explore/urw_strategy.hpp"

namespace watchlab::sim {

namespace {

/// Each of them has its own count of runs.
constexpr std::size_t kPortfolioMembers = 5;

using Made = std::unique_ptr<Strategy>;

template <typename Seeded>
Made make_seeded(const ExploreOptions& options) {
  return std::make_unique<Seeded>(options.seed);
}

Made make_portfolio(const ExploreOptions& options) {
  std::vector<Made> members;
  members.push_back(std::make_unique<RandomStrategy>(options.seed));
  members.push_back(std::make_unique<PctStrategy>(options.seed, options.pct_depth));
  members.push_back(std::make_unique<PosStrategy>(options.seed));
  members.push_back(std::make_unique<UrwStrategy>(options.seed));
  members.push_back(std::make_unique<SurwStrategy>(options.seed));
  runtime::ensure(members.size() == kPortfolioMembers, "the portfolio is counted right");
  return std::make_unique<PortfolioStrategy>(std::move(members));
}

}  // namespace

const std::vector<StrategyEntry>& strategy_catalogue() {
  static const std::vector<StrategyEntry> kCatalogue{
      {"fifo", "one run in the default order: the running task continues while it can",
       "a baseline for all other runs",
       [](const ExploreOptions&) -> Made { return std::make_unique<FifoStrategy>(); }},
      {"random", "a random walk: at every decision, all alternatives are equally likely",
       "a first look", make_seeded<RandomStrategy>, Sampling::Independent},
      {"dfs", "every run, fewest preemptions first; bounded by --preemptions",
       "small programs; proving that there is no bug",
       [](const ExploreOptions& options) -> std::unique_ptr<Strategy> {
         return std::make_unique<DfsStrategy>(DfsBounds{.preemptions_max = options.preemptions_max,
                                                        .delays_max = options.delays_max});
       }},
      {"dpor", "one run for each class of equivalent runs (partial order reduction)",
       "small programs; far fewer runs than `dfs`",
       [](const ExploreOptions& options) -> std::unique_ptr<Strategy> {
         return std::make_unique<DporStrategy>(DporStrategy::Mode::WakeupTrees,
                                               early_advances_of(options));
       }},
      {"pct", "random priorities that change at d-1 points, for depths 1 to --pct-depth in turn",
       "bugs that need few task switches in the right places",
       [](const ExploreOptions& options) -> Made {
         return std::make_unique<PctStrategy>(options.seed, options.pct_depth);
       },
       Sampling::Independent},
      {"pos", "partial order sampling: random priorities for operations, redrawn at races",
       "bugs that involve few operations", make_seeded<PosStrategy>, Sampling::Independent},
      {"urw", "uniform random walk: weights tasks by the work they have left",
       "tasks of very different lengths", make_seeded<UrwStrategy>, Sampling::Independent},
      {"surw", "like urw, but for one shared object per run; everything else is random",
       "bugs around one object", make_seeded<SurwStrategy>, Sampling::Independent},
      {"feedback", "keeps runs that showed new interactions and mutates a few of their choices",
       "long stories", make_seeded<FeedbackStrategy>, Sampling::Growing},
      {"portfolio", "random, pct, pos, urw and surw in turn", "when you do not know which one fits",
       make_portfolio, Sampling::Independent},
  };
  return kCatalogue;
}

const StrategyEntry& strategy_named(std::string_view name) {
  std::string names;
  for (const StrategyEntry& entry : strategy_catalogue()) {
    if (entry.name == name) {
      return entry;
    }
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw std::invalid_argument(fmt::format("there is no strategy '{}'; there are {}", name, names));
}

std::size_t calibration_runs(const StrategyEntry& entry) {
  if (entry.sampling != Sampling::Independent) {
    return 0;
  }
  return entry.name == "portfolio" ? kCalibrationRuns * kPortfolioMembers : kCalibrationRuns;
}

std::unique_ptr<Strategy> make_strategy(const ExploreOptions& options) {
  return options.instead ? options.instead() : strategy_named(options.strategy).make(options);
}

}  // namespace watchlab::sim
