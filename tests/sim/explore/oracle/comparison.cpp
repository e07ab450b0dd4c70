#include "tests/sim/explore/oracle/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "sim/explore/dfs_strategy.hpp"
#include "sim/explore/dpor_strategy.hpp"
#include "sim/explore/strategy_decorator.hpp"
#include "sim/kernel/world.hpp"
#include "tests/sim/explore/class_count.hpp"
#include "tests/sim/explore/oracle/player.hpp"

namespace watchlab::sim::oracle {
namespace {

/// Writes down the steps of each run as the oracle names them.
class Recorder final : public StrategyDecorator {
 public:
  Recorder(Strategy& inner, int tasks) : StrategyDecorator(inner), tasks_(tasks) {}

  void begin(const Scheduler& scheduler) override {
    steps_.clear();
    StrategyDecorator::begin(scheduler);
  }
  void executed(const Actor& actor) override {
    StrategyDecorator::executed(actor);
    const int number = number_of(actor);
    if (number >= 0 && actor.pending().kind != OperationKind::Exit) {
      steps_.push_back({.actor = number, .picks = ""});
    }
  }
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override {
    // The state machine hands no mutex over: who is handed one could have locked it just as well.
    const std::uint32_t index =
        choice.kind == ChoiceKind::Handover ? 0 : StrategyDecorator::choose(choice);
    // Time moves by itself, and a task that polls looks again or waits: the state machine has both.
    const bool is_free =
        choice.kind == ChoiceKind::Advance || choice.what == "whether a task that polls goes on";
    if (choice.kind != ChoiceKind::Actor && choice.kind != ChoiceKind::Handover && !is_free &&
        index < choice.options && !steps_.empty()) {
      steps_.back().picks += letter(choice.kind);
      steps_.back().picks += static_cast<char>('0' + rank(choice, index));
    }
    return index;
  }

  [[nodiscard]] const std::vector<SeenStep>& steps() const { return steps_; }

 private:
  static char letter(ChoiceKind kind) {
    switch (kind) {
      case ChoiceKind::Waiter:
        return static_cast<char>(Pick::Waiter);
      case ChoiceKind::Case:
        return static_cast<char>(Pick::Case);
      case ChoiceKind::Partner:
        return static_cast<char>(Pick::Partner);
      case ChoiceKind::Parked:
        return static_cast<char>(Pick::Parked);
      case ChoiceKind::Order:
      case ChoiceKind::Value:
        return static_cast<char>(Pick::Value);
      default:
        return '?';
    }
  }
  /// The place of the picked candidate among all by their numbers.
  std::uint32_t rank(const Choice& choice, std::uint32_t index) const {
    if (choice.candidates.empty()) {
      return index;
    }
    const int mine = number_of(*choice.candidates[index]);
    return static_cast<std::uint32_t>(std::ranges::count_if(
        choice.candidates, [&](const Actor* other) { return number_of(*other) < mine; }));
  }
  /// As in `Step`; -1 for the root.
  [[nodiscard]] int number_of(const Actor& actor) const {
    const Identity& identity = actor.identity();
    if (!actor.is_task()) {
      return tasks_ + static_cast<int>(identity.occurrence) - 1;
    }
    int number = -1;
    std::from_chars(identity.name.data() + 1, identity.name.data() + identity.name.size(), number);
    return number;
  }

  int tasks_;
  std::vector<SeenStep> steps_;
};

std::string describe(const std::vector<SeenStep>& steps) {
  std::string text;
  for (const SeenStep& step : steps) {
    text += fmt::format("{}{}{} ", step.actor, step.picks.empty() ? "" : ":", step.picks);
  }
  return text;
}

/// Where the run differs from what the state machine does; "" where it does not.
std::string difference(const RunResult& result, const std::string& shown, const Graph* graph,
                       const std::vector<SeenStep>& steps) {
  const std::string failure = result.failure ? result.failure->kind : "no failure";
  const bool failed = result.failure && failure != "leak";
  const std::string expected = graph != nullptr ? graph->outcome_of(steps) : shown;
  if (shown == expected && !failed) {
    return "";
  }
  return fmt::format("a run shows \"{}\" and {}, the oracle says \"{}\": {}", shown, failure,
                     expected, describe(steps));
}

std::string first_missing(const std::set<std::string>& all, const std::set<std::string>& found) {
  for (const std::string& outcome : all) {
    if (!found.contains(outcome)) {
      return outcome;
    }
  }
  return "";
}

std::size_t first_missing_class(const Graph& graph, const std::set<std::size_t>& found) {
  std::size_t number = 0;
  while (found.contains(number)) {
    ++number;
  }
  return number < graph.classes() ? number : Graph::kNone;
}

bool counts_up_and_waits(const Listing& listing) {
  return listing.has(Verb::GroupAdd) && listing.has(Verb::GroupWait);
}

/// Compares one strategy. `expected` are the outcomes that it has to find.
class Judge {
 public:
  Judge(const Listing& listing, const Graph& graph, Comparison& comparison)
      : listing_(listing), graph_(graph), comparison_(comparison) {}

  /// False when it took too long.
  bool check(Searched searched, Strategy& strategy, std::size_t runs_max,
             const std::set<std::string>& expected) {
    found_ = search(strategy, listing_, &graph_, runs_max);
    comparison_.executions.at(static_cast<std::size_t>(searched)) = found_.executions;
    comparison_.blocked.at(static_cast<std::size_t>(searched)) = found_.blocked;
    const auto report = [&](const std::string& text) {
      comparison_.differences.push_back(fmt::format("{}: {}", to_string(searched), text));
    };
    if (!found_.error.empty()) {
      report(found_.error);
      return true;
    }
    if (!found_.exhausted) {
      return false;
    }
    if (found_.outcomes != expected) {
      const std::string missing = first_missing(expected, found_.outcomes);
      report(fmt::format("{} of {} outcomes in {} runs; {} \"{}\"", found_.outcomes.size(),
                         expected.size(), found_.executions, missing.empty() ? "too many:" : "not",
                         missing.empty() ? first_missing(found_.outcomes, expected) : missing));
    }
    return true;
  }
  void check_classes(Searched searched) {
    if (!found_.error.empty() || !found_.exhausted || !graph_.has_classes() ||
        counts_up_and_waits(listing_)) {
      return;
    }
    const std::size_t missing = first_missing_class(graph_, found_.classes);
    if (missing != Graph::kNone) {
      comparison_.differences.push_back(fmt::format(
          "{}: {} of {} classes in {} runs; not {}", to_string(searched), found_.classes.size(),
          graph_.classes(), found_.executions, graph_.example(missing)));
    }
  }
  void check_runs(Searched searched, std::uint64_t expected) {
    if (found_.error.empty() && found_.executions != expected) {
      comparison_.differences.push_back(
          fmt::format("{}: {} runs and not {}", to_string(searched), found_.executions, expected));
    }
  }

 private:
  const Listing& listing_;
  const Graph& graph_;
  Comparison& comparison_;
  Found found_;
};

/// Whether dpor gives each class of runs one name. A rendezvous can be the step of either partner,
/// and what a timer makes possible depends on when it is looked at.
bool names_classes(const Listing& listing) {
  const auto is_of_channel = [](const Instruction& instruction) {
    return instruction.verb >= Verb::Send && instruction.verb <= Verb::Poll;
  };
  const bool has_channels = std::ranges::any_of(
      listing.tasks, [&](const auto& task) { return std::ranges::any_of(task, is_of_channel); });
  return !has_channels && !listing.has(Verb::TimerStop) && !listing.has(Verb::TimerReset) &&
         !counts_up_and_waits(listing);
}

/// Notes the class of each run that dpor plays to its end.
class Classes final : public StrategyDecorator {
 public:
  explicit Classes(DporStrategy& inner) : StrategyDecorator(inner), inner_(inner) {}

  void end(const RunResult& result) override {
    StrategyDecorator::end(result);
    if (!result.abandoned && !repeated()) {
      seen_.insert(class_digest(inner_.log(), inner_.order()));
    }
  }

  [[nodiscard]] const std::set<std::uint64_t>& seen() const { return seen_; }

 private:
  DporStrategy& inner_;
  std::set<std::uint64_t> seen_;
};

}  // namespace

Found search(Strategy& strategy, const Listing& listing, const Graph* graph, std::size_t runs_max) {
  Recorder recorder(strategy, static_cast<int>(listing.tasks.size()));
  const Listing played = listing.released();
  Observations observations;
  World world;
  Stage stage;  // its objects belong to the world
  const auto body = [&](runtime::Runtime& runtime) { stage.play(played, runtime, observations); };
  Found found;
  for (std::size_t run = 0; run < runs_max && found.error.empty(); ++run) {
    if (!recorder.prepare(run)) {
      found.exhausted = true;
      break;
    }
    const RunResult result = world.run(recorder, body);
    stage.clear();
    if (result.abandoned) {
      ++found.blocked;
    } else if (!recorder.repeated()) {
      ++found.executions;
      const std::string shown = describe_all(observations);
      found.error = difference(result, shown, graph, recorder.steps());
      found.outcomes.insert(shown);
      if (graph != nullptr && graph->has_classes() && found.error.empty()) {
        found.classes.insert(graph->class_of(recorder.steps()));
      }
    }
  }
  return found;
}

std::string_view to_string(Searched searched) {
  static constexpr std::array<std::string_view, kSearched> kNames{"source sets", "wake-up trees",
                                                                  "dfs", "dfs with a bound"};
  return kNames.at(static_cast<std::size_t>(searched));
}

ModesComparison compare_modes(const Listing& listing, std::size_t runs_max) {
  DporStrategy sources(DporStrategy::Mode::SourceSets);
  DporStrategy trees(DporStrategy::Mode::WakeupTrees);
  Classes of_sources(sources);
  Classes of_trees(trees);
  const Found one = search(of_sources, listing, nullptr, runs_max);
  if (!one.exhausted) {
    return {};
  }
  const Found other = search(of_trees, listing, nullptr, runs_max);
  if (!other.exhausted) {
    return {};
  }
  const std::size_t classes = of_sources.seen().size();
  const bool classes_differ = classes != of_trees.seen().size();
  const bool is_named = names_classes(listing);
  ModesComparison comparison{.asks_oracle = classes_differ && !is_named};
  if (one.outcomes != other.outcomes || (classes_differ && is_named)) {
    comparison.difference =
        fmt::format("source sets show {} outcomes in {} classes, wake-up trees {} in {}",
                    one.outcomes.size(), classes, other.outcomes.size(), of_trees.seen().size());
  }
  return comparison;
}

Comparison compare(const Listing& listing, const Costs& costs) {
  Comparison comparison;
  const Graph graph(listing, costs.limits);
  comparison.states = graph.states();
  if (!graph.complete()) {
    const ModesComparison modes = compare_modes(listing, costs.modes_runs_max);
    if (!modes.difference.empty()) {
      comparison.differences.push_back(modes.difference);
    }
    return comparison;
  }
  comparison.outcomes = graph.outcomes().size();
  comparison.classes = graph.has_classes() ? graph.classes() : 0;
  comparison.done = graph.has_classes();
  Judge judge(listing, graph, comparison);
  for (const Searched mode : {Searched::SourceSets, Searched::WakeupTrees}) {
    DporStrategy strategy(mode == Searched::SourceSets ? DporStrategy::Mode::SourceSets
                                                       : DporStrategy::Mode::WakeupTrees);
    comparison.done &= judge.check(mode, strategy, costs.executions_max, graph.outcomes());
    judge.check_classes(mode);
  }
  if (graph.runs() <= costs.dfs_runs_max) {
    DfsStrategy strategy({.iterative = false});
    comparison.done &= judge.check(Searched::Everything, strategy, SIZE_MAX, graph.outcomes());
    judge.check_runs(Searched::Everything, graph.runs());
  }
  const Graph::Bounded bounded = graph.bounded(costs.preemptions_max);
  if (bounded.runs <= costs.dfs_runs_max) {
    DfsStrategy strategy({.preemptions_max = costs.preemptions_max});
    comparison.done &= judge.check(Searched::Bounded, strategy, SIZE_MAX, bounded.outcomes);
    judge.check_runs(Searched::Bounded, bounded.runs);
  }
  return comparison;
}

namespace {

/// False when others start it.
bool remove_task(Listing& listing, std::size_t task) {
  if (listing.is_spawned(task)) {
    return false;
  }
  listing.tasks.erase(listing.tasks.begin() + static_cast<std::ptrdiff_t>(task));
  for (auto& instructions : listing.tasks) {
    for (Instruction& instruction : instructions) {
      const bool names = instruction.verb >= Verb::Spawn;
      instruction.object -= names && instruction.object > static_cast<int>(task) ? 1 : 0;
    }
  }
  return true;
}

}  // namespace

Listing shrink(Listing listing, const std::function<bool(const Listing&)>& fails) {
  const auto try_without = [&](const std::function<bool(Listing&)>& leave_out) {
    Listing smaller = listing;
    if (!leave_out(smaller) || !fails(smaller)) {
      return false;
    }
    listing = std::move(smaller);
    return true;
  };
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t i = 0; i < listing.tasks.size(); ++i) {
      progress |= try_without([&](Listing& smaller) { return remove_task(smaller, i); });
    }
    for (std::size_t i = 0; i < listing.tasks.size(); ++i) {
      for (std::size_t j = 0; j < listing.tasks[i].size(); ++j) {
        progress |= try_without([&](Listing& smaller) {
          smaller.tasks[i].erase(smaller.tasks[i].begin() + static_cast<std::ptrdiff_t>(j));
          return true;
        });
        for (std::size_t arm = 0;
             j < listing.tasks[i].size() && arm < listing.tasks[i][j].arms.size(); ++arm) {
          progress |= try_without([&](Listing& smaller) {
            auto& arms = smaller.tasks[i][j].arms;
            arms.erase(arms.begin() + static_cast<std::ptrdiff_t>(arm));
            return arms.size() > 0;
          });
        }
      }
    }
  }
  return listing;
}

}  // namespace watchlab::sim::oracle
