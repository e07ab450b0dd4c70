// Plays a small story on the queue in every order that there is with one preemption, and asks an
// invariant after every step. In a grade the story is drawn: a list of all its moments would be a
// true sentence too, and states nothing.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "core/runtime/task.hpp"
#include "exercises/16-state-it/remote.hpp"
#include "exercises/16-state-it/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "sim/explain/wording.hpp"
#include "sim/explore/dfs_strategy.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/random_numbers.hpp"
#include "sim/explore/strategy_decorator.hpp"
#include "sim/kernel/mix.hpp"

namespace watchlab::exercise {
namespace {

constexpr std::size_t kSchedulesMax = 20000;

std::string text_of(const Entry& entry) { return entry.name + "@" + std::to_string(entry.version); }

/// What the invariant says of the moments that there are: it is asked once for each.
class Answers {
 public:
  explicit Answers(const Invariant& invariant) : invariant_(invariant) {}

  [[nodiscard]] const std::string& name() const { return invariant_.name; }
  bool hold(const Moment& moment) {
    const auto [known, is_new] = known_.try_emplace(key_of(moment), false);
    if (is_new) {
      known->second = invariant_.holds(moment);
    }
    return known->second;
  }

 private:
  static std::string key_of(const Moment& moment) {
    std::string key;
    for (const Step& step : moment.steps) {
      key += std::to_string(static_cast<int>(step.deed)) + text_of(step.entry);
    }
    for (const Entry& entry : moment.waiting) {
      key += "|" + text_of(entry);
    }
    return key;
  }

  const Invariant& invariant_;
  std::map<std::string, bool> known_;
};

/// Does things to a queue, and asks the invariant after each.
class Observer {
 public:
  Observer(runtime::Runtime& runtime, Answers& answers)
      : queue_(make_queue(runtime)), answers_(answers) {}

  void follow(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (step.deed == Deed::Added) {
        queue_->add(object(step.entry.name, std::to_string(step.entry.version)));
      } else {
        queue_->remove(object(step.entry.name));
      }
      look(step);
    }
  }
  void pop() {
    const api::ObjectPtr popped = queue_->pop();
    look({Deed::Popped, popped != nullptr ? entry_of(popped) : Entry()});
  }

 private:
  static Entry entry_of(const api::ObjectPtr& object) {
    return {object->metadata.name, std::stoi(object->metadata.resource_version)};
  }

  // Nobody gets in between a step and its line in `steps_`: the next visible operation is
  // `waiting`.
  void look(Step step) {
    steps_.push_back(std::move(step));
    Moment moment;
    for (const api::ObjectPtr& object : queue_->waiting()) {
      moment.waiting.push_back(object != nullptr ? entry_of(object) : Entry());
    }
    std::ranges::sort(moment.waiting, {}, &Entry::name);
    moment.steps = steps_;
    runtime::ensure(answers_.hold(moment), answers_.name() + " after " +
                                               text_of(moment.steps.back()) + " (step " +
                                               std::to_string(steps_.size()) + ")");
  }

  static std::string text_of(const Step& step) {
    const std::string what = step.entry.name + "@" + std::to_string(step.entry.version);
    switch (step.deed) {
      case Deed::Added:
        return "adding " + what;
      case Deed::Removed:
        return "removing " + step.entry.name;
      default:
        return "popping " + what;
    }
  }

  std::unique_ptr<SmallQueue> queue_;
  Answers& answers_;
  std::vector<Step> steps_;
};

/// What a producer does, in this order.
using Deeds = std::vector<Step>;

/// Adds one more object anywhere, and perhaps removes it later on.
void draw_object(Deeds& deeds, const std::string& name, sim::RandomNumbers& numbers) {
  const Deeds life{{Deed::Added, {name, 1}}, {Deed::Removed, {name, 0}}};
  const std::uint32_t length = 1 + numbers.below(2);
  std::size_t place = 0;
  for (std::uint32_t i = 0; i < length; ++i) {
    place += numbers.below(static_cast<std::uint32_t>(deeds.size() - place + 1));
    deeds.insert(deeds.begin() + static_cast<std::ptrdiff_t>(place++), life[i]);
  }
}

/// Of two producers: three objects, one of which changes and one of which goes, and in a grade
/// three more anywhere between. `a` and `b` stay: a consumer of two never waits indefinitely.
std::vector<Deeds> story_of(std::uint64_t lot) {
  std::vector<Deeds> story{
      {{Deed::Added, {"a", 9}}, {Deed::Added, {"b", 1}}, {Deed::Added, {"a", 10}}},
      {{Deed::Added, {"c", 1}}, {Deed::Removed, {"c", 0}}}};
  if (lot != 0) {
    sim::RandomNumbers numbers(lot);
    for (const char* const name : {"d", "e", "f"}) {
      draw_object(story[numbers.below(2)], name, numbers);
    }
    std::swap(story[0], story[numbers.below(2)]);
  }
  return story;
}

/// One; in a grade two: a sentence that notices a defect in most stories notices it in most runs.
std::vector<std::vector<Deeds>> stories() {
  const std::uint64_t lot = course::lot_of_library();
  return lot == 0 ? std::vector<std::vector<Deeds>>{story_of(0)}
                  : std::vector<std::vector<Deeds>>{story_of(lot), story_of(sim::mix(lot, 1))};
}

void play(runtime::Runtime& runtime, const std::vector<Deeds>& story, Answers& answers) {
  Observer queue(runtime, answers);
  const auto one = runtime::spawn(runtime, "one", [&] { queue.follow(story[0]); });
  const auto two = runtime::spawn(runtime, "two", [&] { queue.follow(story[1]); });
  queue.pop();
  queue.pop();
  one.join();
  two.join();
}

/// All runs with one preemption. What waits is listed in one order: moments are sorted.
class OnePreemption final : public sim::StrategyDecorator {
 public:
  OnePreemption() : StrategyDecorator(all_) {}

  [[nodiscard]] std::uint32_t choose(const sim::Choice& choice) override {
    return choice.kind == sim::ChoiceKind::Order ? 0 : StrategyDecorator::choose(choice);
  }

 private:
  sim::DfsStrategy all_{{.preemptions_max = 1}};
};

}  // namespace

course::Findings failures_of(const Invariant& invariant) {
  Answers answers(invariant);
  std::optional<sim::Failure> found;
  for (const std::vector<Deeds>& story : stories()) {
    const sim::ExploreResult result =
        sim::explore({.strategy = "dfs",
                      .instead = [] { return std::make_unique<OnePreemption>(); },
                      .schedules_max = kSchedulesMax},
                     [&](runtime::Runtime& runtime) { play(runtime, story, answers); });
    runtime::ensure(result.failure || result.exhausted, "every run of the story was played");
    found = found ? found : result.failure;
  }
  if (!found) {
    return {};
  }
  const sim::Failure& failure = *found;
  return course::for_the_tests(
      {{.ending = failure.kind == "deadlock" || failure.kind == "livelock" ? "hang" : "assert",
        .text = failure.kind + ": " + sim::with_short_places(failure.sentence) + "\n",
        .schedule = failure.schedule}});
}

}  // namespace watchlab::exercise
