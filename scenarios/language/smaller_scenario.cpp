#include "scenarios/language/smaller_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "scenarios/language/document.hpp"
#include "scenarios/language/document_cuts.hpp"
#include "scenarios/language/parse.hpp"
#include "scenarios/language/play.hpp"
#include "scenarios/language/runner.hpp"
#include "sim/explore/random_strategy.hpp"
#include "sim/explore/replay_strategy.hpp"
#include "sim/explore/shrink.hpp"
#include "sim/kernel/world.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

/// Whether anything in the node changes objects of the server.
bool writes(const Node& node) {
  constexpr std::array kWrites{"create", "update", "delete", "patch", "apply", "objects"};
  return std::any_of(node.entries.begin(), node.entries.end(),
                     [&](const Node::Entry& entry) {
                       return std::find(kWrites.begin(), kWrites.end(), entry.key) !=
                                  kWrites.end() ||
                              writes(entry.value);
                     }) ||
         std::any_of(node.items.begin(), node.items.end(), writes);
}

/// The smallest document so far, and the search for a smaller one.
class Search {
 public:
  Search(const std::string& text, const std::string& schedule, const SmallerOptions& options)
      : options_(options) {
    Problems problems;
    root_ = parse_document(text, problems);
    const std::optional<Scenario> read = read_scenario(text);
    if (!read) {
      throw std::invalid_argument("what is no scenario cannot be made smaller");
    }
    const Scenario& scenario = *read;
    const auto failure = play_guided(scenario, schedule_for(scenario, schedule));
    if (!failure) {
      throw std::invalid_argument("the schedule does not fail, so there is nothing to shrink");
    }
    failure_ = *failure;
    signature_ = options_.signature(failure_);
    holds_undisturbed_ = options_.keeps_race && !undisturbed(scenario);
    // Both are named by the file.
    const bool may_be_of_an_expectation =
        failure_.sentence.starts_with((scenario.path.empty() ? scenario.name : scenario.path) +
                                      ":") &&
        !scenario.expectations.empty();
    std::erase_if(root_.entries, [](const Node::Entry& entry) { return entry.key == "schedule"; });
    keeps_writes_ = !options_.admits && !holds_undisturbed_ && may_be_of_an_expectation;
  }

  SmallerScenario result() {
    const std::size_t before = size_of(root_);
    for (bool again = true; again && may_try();) {
      again = shrink_entry("expect", false);
      again = shrink_entry("script", true) || again;
      again = shrink_below({}, true) || again;
    }
    const std::size_t after = size_of(root_);
    SmallerScenario smaller = finished();
    smaller.removed = before - after;
    const Node* const script = root_.find("script");
    smaller.remaining = script == nullptr ? 0 : children_of(*script);
    smaller.runs = runs_;
    return smaller;
  }

 private:
  [[nodiscard]] bool may_try() const {
    return runs_ < options_.runs_max && (!options_.keep_going || options_.keep_going());
  }

  static std::size_t size_of(const Node& node) {
    std::size_t size = 1;
    for (const Node& item : node.items) {
      size += size_of(item);
    }
    for (const Node::Entry& entry : node.entries) {
      size += size_of(entry.value);
    }
    return size;
  }

  /// Nothing for what is no scenario.
  [[nodiscard]] std::optional<Scenario> read_scenario(const std::string& text) const {
    std::optional<Scenario> scenario = parse_scenario(text).scenario;
    if (scenario && options_.complete) {
      options_.complete(*scenario);
    }
    return scenario;
  }

  [[nodiscard]] std::optional<sim::Failure> play(const Scenario& scenario, sim::Strategy& strategy,
                                                 const sim::Schedule& schedule) {
    ++runs_;
    sim::World world({.seed = schedule.seed,
                      .steps_max = schedule.steps_max,
                      .early_advances_max = schedule.early_advances_max,
                      .memory = schedule.memory,
                      .scenario = scenario.hash});
    return world.run(strategy, body_of(scenario, Scope::AnyOrder)).failure;
  }

  [[nodiscard]] std::optional<sim::Failure> play_guided(const Scenario& scenario,
                                                        sim::Schedule schedule) {
    schedule.scenario = scenario.hash;
    sim::ReplayStrategy strategy(schedule, sim::ReplayStrategy::Mode::Guided);
    return play(scenario, strategy, schedule);
  }

  /// The failure of the run that deviates nowhere.
  [[nodiscard]] std::optional<sim::Failure> undisturbed(const Scenario& scenario) {
    sim::Schedule schedule = sim::Schedule::parse(failure_.schedule);
    schedule.deviations.clear();
    return play_guided(scenario, schedule);
  }

  [[nodiscard]] bool is_it(const std::optional<sim::Failure>& failure) const {
    return failure && options_.signature(*failure) == signature_;
  }

  /// The same mistake in another scenario, by the known schedule as far as it fits, or by some
  /// random ones.
  [[nodiscard]] std::optional<sim::Failure> same_failure(const Scenario& scenario) {
    const sim::Schedule known = sim::Schedule::parse(failure_.schedule);
    if (!options_.keeps_race) {
      std::optional<sim::Failure> failure = undisturbed(scenario);
      if (failure || known.deviations.empty()) {
        return is_it(failure) ? failure : std::nullopt;
      }
    }
    std::optional<sim::Failure> failure = play_guided(scenario, known);
    for (std::size_t i = 0; !is_it(failure) && i < options_.tries; ++i) {
      if (failure && !holds_undisturbed_) {
        return std::nullopt;  // it fails whatever the schedule, and otherwise
      }
      sim::RandomStrategy strategy(known.seed);
      (void)strategy.prepare(i + 1);
      sim::Schedule schedule = known;
      schedule.seed = known.seed + i;
      failure = play(scenario, strategy, schedule);
    }
    return is_it(failure) ? failure : std::nullopt;
  }

  bool takes(Node candidate) {
    const std::optional<Scenario> scenario = read_scenario(document_text(candidate));
    if (!scenario || (options_.admits && !options_.admits(*scenario))) {
      return false;
    }
    if (holds_undisturbed_ && undisturbed(*scenario)) {
      return false;
    }
    std::optional<sim::Failure> failure = same_failure(*scenario);
    if (!failure) {
      return false;
    }
    root_ = std::move(candidate);
    failure_ = *std::move(failure);
    return true;
  }

  bool shrink_entry(std::string_view key, bool deep) {
    for (std::size_t i = 0; i < root_.entries.size(); ++i) {
      if (root_.entries[i].key == key) {
        return shrink_below({i}, deep);
      }
    }
    return false;
  }

  /// Whether the children of a node may go; the head of a file and what an expectation says stay,
  /// and what heals a fault as long as that is there.
  [[nodiscard]] bool may_go(const NodePath& path, const Node& node, std::size_t which) const {
    if (path.empty()) {
      const std::string& key = node.entries[which].key;
      return key != "apiVersion" && key != "name" && key != "story" && key != "clients";
    }
    if (heals(root_, path, which)) {
      return false;
    }
    const bool is_write =
        node.kind == Node::Kind::Mapping
            ? writes({.kind = Node::Kind::Mapping, .entries = {node.entries[which]}})
            : writes(node.items[which]);
    return !(keeps_writes_ && root_.entries[path.front()].key != "expect" && is_write);
  }

  [[nodiscard]] std::size_t children_at(const NodePath& path) {
    const Node* const node = at(root_, path);
    return node == nullptr ? 0 : children_of(*node);
  }

  /// Takes children of a node away, in batches that halve, then what is below those that stay.
  bool shrink_below(const NodePath& path, bool deep) {
    bool removed = false;
    for (std::size_t batch = std::max<std::size_t>(children_at(path), 1); batch > 0; batch /= 2) {
      removed = remove_batches(path, batch) || removed;
    }
    for (std::size_t i = 0; deep && i < children_at(path); ++i) {
      const bool is_expectation = path.empty() && root_.entries[i].key == "expect";
      if (is_expectation || children_of(child_of(*at(root_, path), i)) == 0) {
        continue;
      }
      NodePath below = path;
      below.push_back(i);
      removed = shrink_below(below, true) || removed;
    }
    return removed;
  }

  bool remove_batches(const NodePath& path, std::size_t batch) {
    bool removed = false;
    std::size_t begin = 0;
    while (begin < children_at(path) && may_try()) {
      const std::size_t end = std::min(begin + batch, children_at(path));
      bool may = true;
      for (std::size_t i = begin; i < end; ++i) {
        may = may && may_go(path, *at(root_, path), i);
      }
      Node candidate = without(root_, path, begin, end);
      if (may && candidate != root_ && takes(std::move(candidate))) {
        removed = true;
      } else {
        begin = end;
      }
    }
    return removed;
  }

  /// Under its final name, with the shortest schedule.
  SmallerScenario finished() {
    for (Node::Entry& entry : root_.entries) {
      if (entry.key == "name" && !options_.name.empty()) {
        entry.value = {.kind = Node::Kind::Scalar, .text = options_.name, .quoted = true};
      }
    }
    const std::optional<Scenario> scenario = read_scenario(document_text(root_));
    if (!scenario) {
      throw std::invalid_argument(fmt::format("'{}' is no name for a scenario", options_.name));
    }
    sim::Schedule schedule = sim::Schedule::parse(failure_.schedule);
    schedule.scenario = scenario->hash;
    sim::Failure known = failure_;
    known.schedule = schedule.to_string();
    const sim::ShrinkResult result = sim::shrink(known, {.keep_going = options_.keep_going},
                                                 body_of(*scenario, Scope::AnyOrder));
    runs_ += result.runs;
    if (result.deviations > 0) {
      root_.entries.push_back(
          {.key = "schedule",
           .place = {},
           .value = {.kind = Node::Kind::Scalar, .text = result.failure.schedule, .quoted = true}});
    }
    return {.text = document_text(root_), .failure = result.failure};
  }

  SmallerOptions options_;
  Node root_;
  sim::Failure failure_;
  std::string signature_;
  bool holds_undisturbed_ = false;
  bool keeps_writes_ = false;
  std::size_t runs_ = 0;
};

}  // namespace

void complete_like(const Scenario& original, Scenario& smaller) {
  for (const sim::StoryClientOptions& client : original.clients) {
    if (!traits_of(client.kind).in_lockstep) {
      continue;
    }
    smaller.path = original.path;
    for (sim::StoryClientOptions& same : smaller.clients) {
      if (same.name == client.name) {
        same.built = client.built;
      }
    }
  }
}

SmallerScenario smaller_scenario(const std::string& text, const std::string& schedule,
                                 const SmallerOptions& options) {
  return Search(text, schedule, options).result();
}

}  // namespace watchlab::scenarios
