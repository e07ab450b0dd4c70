#include "sim/trace/explored.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "sim/explore/strategy_catalogue.hpp"
#include "sim/explore/strategy_decorator.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
namespace {

/// "main/one: lock mutex 'queue'".
std::string deed_of(const Actor& actor) {
  const Operation& pending = actor.pending();
  const bool is_own = pending.kind == OperationKind::Start || pending.kind == OperationKind::Exit;
  return fmt::format("{}: {}", actor.identity().readable_path(),
                     is_own ? std::string(verb_for(pending.kind)) : describe(pending));
}

/// Writes down which alternatives are taken.
class AlternativesStrategy final : public StrategyDecorator {
 public:
  using StrategyDecorator::StrategyDecorator;

  void begin(const Scheduler& scheduler) override {
    taken_.clear();
    StrategyDecorator::begin(scheduler);
  }
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override {
    const std::uint32_t index = StrategyDecorator::choose(choice);
    if (choice.options > 1 && index < choice.options) {
      taken_.push_back(describe(choice, index));
    }
    return index;
  }

  [[nodiscard]] const std::vector<std::string>& taken() const { return taken_; }

 private:
  [[nodiscard]] std::string describe(const Choice& choice, std::uint32_t index) const {
    if (choice.kind == ChoiceKind::Actor) {
      return deed_of(scheduler().option(index));
    }
    const std::string which = index < choice.candidates.size()
                                  ? choice.candidates[index]->identity().readable_path()
                                  : std::to_string(index);
    return fmt::format("{}: {}", choice.what, which);
  }

  std::vector<std::string> taken_;
};

}  // namespace

std::size_t ExploredTree::Node::failing() const {
  return std::accumulate(failures.begin(), failures.end(), std::size_t{0},
                         [](std::size_t sum, const auto& each) { return sum + each.second; });
}

std::size_t ExploredTree::child(std::size_t parent, const std::string& alternative) {
  for (const std::size_t index : nodes_[parent].children) {
    if (nodes_[index].taken == alternative) {
      return index;
    }
  }
  const std::size_t index = nodes_.size();
  nodes_.emplace_back();
  nodes_.back().taken = alternative;
  nodes_[parent].children.push_back(index);
  return index;
}

void ExploredTree::add(const std::vector<std::string>& alternatives, const std::string& failure) {
  std::size_t at = 0;
  const auto count = [&] {
    ++nodes_[at].runs;
    if (!failure.empty()) {
      ++nodes_[at].failures[failure];
    }
  };
  count();
  for (const std::string& alternative : alternatives) {
    at = child(at, alternative);
    count();
  }
}

Explored explore_tree(const ExploreOptions& options,
                      const std::function<void(runtime::Runtime&)>& body) {
  Explored explored;
  explored.strategy = options.strategy;
  const std::unique_ptr<Strategy> strategy = make_strategy(options);
  AlternativesStrategy observed(*strategy);
  World world({.seed = options.seed,
               .steps_max = options.steps_max,
               .early_advances_max = early_advances_of(options),
               .memory = options.memory,
               .scenario = options.scenario});
  for (std::size_t run = 0; run < options.schedules_max; ++run) {
    explored.interrupted = options.keep_going && !options.keep_going({});
    if (explored.interrupted) {
      break;
    }
    const bool own_seed = run > 0 && strategy->varies_seed();
    world.set_seed(own_seed ? mix(options.seed, run) : options.seed);
    if (!observed.prepare(run)) {
      explored.exhausted = true;
      break;
    }
    const RunResult result = world.run(observed, body);
    if (strategy->repeated()) {
      continue;
    }
    if (result.abandoned) {
      ++explored.blocked;
      continue;
    }
    explored.tree.add(observed.taken(), result.failure ? result.failure->kind : "");
    if (result.failure && explored.first_schedule.empty()) {
      explored.first_schedule = result.schedule;
    }
  }
  return explored;
}

}  // namespace watchlab::sim
