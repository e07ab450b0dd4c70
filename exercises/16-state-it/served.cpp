// Plays a small story on the queue in every order that there is with one preemption, and asks an
// invariant after every pop. In a grade the story is drawn: a list of all its moments would be a
// true sentence too, and states nothing.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
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
constexpr const char* kLast = "z";  ///< what is put last

std::string text_of(const Entry& entry) {
  return entry.name + (entry.version == 0 ? " gone" : "@" + std::to_string(entry.version));
}

std::string text_of(const std::vector<Entry>& entries) {
  std::string text;
  for (const Entry& entry : entries) {
    text += (text.empty() ? "" : ", ") + text_of(entry);
  }
  return text;
}

std::string text_of(const Step& step) {
  switch (step.deed) {
    case Deed::Put:
      return "putting " + text_of(step.entry);
    case Deed::Removed:
      return "removing " + step.entry.name;
    case Deed::Listed:
      return "a list of " + text_of(step.entries);
    case Deed::Resynced:
      return "a resync";
    default:
      return "popping " + text_of(step.entries);
  }
}

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
      key += text_of(step) + ";";
    }
    return key + (moment.at_rest ? "|" : "...") + text_of(moment.stored);
  }

  const Invariant& invariant_;
  std::map<std::string, bool> known_;
};

/// Does things to a queue, and asks the invariant after each pop: before that nothing is stored.
class Observer {
 public:
  Observer(runtime::Runtime& runtime, Answers& answers)
      : queue_(make_queue(runtime)), answers_(answers) {}

  // Nobody gets in between what is done and its line in `steps_`: no step of the world is there.
  void follow(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      act(step);
      steps_.push_back(step);
    }
  }
  /// Until what was put last has come out, and nothing is queued.
  void pop_all() {
    bool is_last = false;
    while (!is_last || !queue_->is_at_rest()) {
      Step step{.deed = Deed::Popped};
      for (const Change& change : queue_->pop()) {
        step.entries.push_back(change.object == nullptr ? Entry{change.name, 0}
                                                        : entry_of(change.object));
        is_last = is_last || change.name == kLast;
      }
      steps_.push_back(std::move(step));
      look();
    }
  }

 private:
  static Entry entry_of(const api::ObjectPtr& object) {
    return {object->metadata.name, std::stoi(object->metadata.resource_version)};
  }
  static api::ObjectPtr object_of(const Entry& entry) {
    return object(entry.name, std::to_string(entry.version));
  }

  void act(const Step& step) {
    std::vector<api::ObjectPtr> list;
    switch (step.deed) {
      case Deed::Put:
        queue_->put(object_of(step.entry));
        break;
      case Deed::Removed:
        queue_->remove(object_of(step.entry));
        break;
      case Deed::Listed:
        std::ranges::transform(step.entries, std::back_inserter(list), object_of);
        queue_->replace(list);
        break;
      default:
        queue_->resync();
        break;
    }
  }

  void look() {
    Moment moment{.steps = steps_, .at_rest = queue_->is_at_rest()};
    for (const api::ObjectPtr& object : queue_->stored()) {
      moment.stored.push_back(entry_of(object));
    }
    std::ranges::sort(moment.stored, {}, &Entry::name);
    runtime::ensure(answers_.hold(moment), answers_.name() + " after " +
                                               text_of(moment.steps.back()) + " (step " +
                                               std::to_string(steps_.size()) + ")");
  }

  std::unique_ptr<ChangeQueue> queue_;
  Answers& answers_;
  std::vector<Step> steps_;
};

using Deeds = std::vector<Step>;

/// Puts one more object anywhere, and perhaps removes it later on.
void draw_object(Deeds& deeds, const std::string& name, sim::RandomNumbers& numbers) {
  const Deeds life{{.deed = Deed::Put, .entry = {name}}, {.deed = Deed::Removed, .entry = {name}}};
  const std::uint32_t length = 1 + numbers.below(2);
  std::size_t place = 0;
  for (std::uint32_t i = 0; i < length; ++i) {
    place += numbers.below(static_cast<std::uint32_t>(deeds.size() - place + 1));
    deeds.insert(deeds.begin() + static_cast<std::ptrdiff_t>(place++), life[i]);
  }
}

/// Gives each state that is put a version, and each list what is there: an object that is listed by
/// name has a new version; all others are listed as they are, but for `b`, which is gone.
void number(Deeds& deeds, int version) {
  std::map<std::string, int> truth;
  for (Step& step : deeds) {
    if (step.deed == Deed::Put) {
      step.entry.version = truth[step.entry.name] = ++version;
    } else if (step.deed == Deed::Removed) {
      truth.erase(step.entry.name);
    } else if (step.deed == Deed::Listed) {
      truth.erase("b");
      for (const Entry& entry : step.entries) {
        truth[entry.name] = ++version;
      }
      step.entries.clear();
      for (const auto& [name, known] : truth) {
        step.entries.push_back({name, known});
      }
    }
  }
}

/// Of a reflector: an object changes (`a`), is gone when the list comes (`b`), lives for a moment
/// (`c`), and goes and comes again (`d`). In a grade there are two more anywhere between, and
/// versions begin anywhere.
Deeds story_of(std::uint64_t library_seed) {
  const auto put = [](const char* name) { return Step{.deed = Deed::Put, .entry = {name}}; };
  const auto remove = [](const char* name) { return Step{.deed = Deed::Removed, .entry = {name}}; };
  Deeds deeds{put("a"),
              put("b"),
              put("a"),
              put("c"),
              remove("c"),
              put("d"),
              remove("d"),
              {.deed = Deed::Listed, .entries = {{"d"}}},
              {.deed = Deed::Resynced}};
  sim::RandomNumbers numbers(library_seed);
  if (library_seed != 0) {
    draw_object(deeds, "e", numbers);
    draw_object(deeds, "f", numbers);
  }
  deeds.push_back(put(kLast));
  number(deeds, library_seed == 0 ? 6 : static_cast<int>(numbers.below(8)));
  return deeds;
}

/// One; in a grade two: a sentence that notices a defect in most stories notices it in most runs.
std::vector<Deeds> stories() {
  const std::uint64_t library_seed = course::library_seed();
  return library_seed == 0
             ? std::vector<Deeds>{story_of(0)}
             : std::vector<Deeds>{story_of(library_seed), story_of(sim::mix(library_seed, 1))};
}

void play(runtime::Runtime& runtime, const Deeds& story, Answers& answers) {
  Observer queue(runtime, answers);
  const auto reflector = runtime::spawn(runtime, "reflector", [&] { queue.follow(story); });
  queue.pop_all();
  reflector.join();
}

/// All runs with one preemption. What is visited in any order is visited in one.
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
  for (const Deeds& story : stories()) {
    const sim::ExploreResult result =
        sim::explore({.strategy = "dfs",
                      .instead = [] { return std::make_unique<OnePreemption>(); },
                      .schedules_max = kSchedulesMax,
                      .early_advances_max = 0},
                     [&](runtime::Runtime& runtime) { play(runtime, story, answers); });
    runtime::ensure(result.failure || result.exhausted, "every run of the story was played");
    found = found ? found : result.failure;
  }
  if (!found) {
    return {};
  }
  const sim::Failure& failure = *found;
  return course::for_the_tests(
      {{.ending =
            failure.kind == "deadlock" || failure.kind == "livelock" || failure.kind == "no end"
                ? "hang"
                : "assert",
        .text = failure.kind + ": " + sim::with_short_places(failure.sentence) + "\n",
        .schedule = failure.schedule}});
}

}  // namespace watchlab::exercise
