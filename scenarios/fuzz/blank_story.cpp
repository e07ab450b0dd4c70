#include "scenarios/fuzz/blank_story.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/fuzz/story_draft.hpp"
#include "scenarios/fuzz/story_generator.hpp"
#include "scenarios/fuzz/swarm_faults.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

/// For backoffs that grew as long as an outage lasted, and watches that are opened late.
constexpr runtime::Duration kRest = std::chrono::minutes(10);
/// How changes begin that mean nothing to the program.
constexpr std::string_view kTouch = R"({"metadata":{"annotations":{"turn")";
constexpr std::string_view kTouchLabel = R"({"metadata":{"labels":{"turn-)";
constexpr std::uint32_t kLabelsMax = 4;

const sim::StoryClientOptions* program_of(const Scenario& scenario) {
  const auto found = std::ranges::find_if(
      scenario.clients,
      [](const sim::StoryClientOptions& client) { return traits_of(client.kind).in_lockstep; });
  return found == scenario.clients.end() ? nullptr : &*found;
}

bool is_touch(const Action& action) {
  const auto* const patch = std::get_if<PatchAction>(&action);
  return patch != nullptr &&
         (patch->patch.merge.starts_with(kTouch) || patch->patch.merge.starts_with(kTouchLabel));
}

using ObjectKey = std::array<std::string, 3>;
ObjectKey key_of(const sim::ObjectSketch& object) {
  return {object.kind, object.namespace_, object.name};
}

/// The objects that there are, each by the writes that made it what it is; changes that mean
/// nothing are left out.
class Plot {
 public:
  explicit Plot(const std::vector<sim::ObjectSketch>& objects) {
    for (const sim::ObjectSketch& object : objects) {
      objects_[key_of(object)] = {CreateAction{object}};
    }
  }

  void add(const Action& action) {
    const sim::ObjectSketch* const object = object_of(action);
    if (object == nullptr || is_touch(action)) {
      return;
    }
    if (std::holds_alternative<DeleteAction>(action)) {
      objects_.erase(key_of(*object));
    } else if (std::holds_alternative<CreateAction>(action) ||
               std::holds_alternative<UpdateAction>(action)) {
      objects_[key_of(*object)] = {CreateAction{*object}};
    } else {
      objects_[key_of(*object)].push_back(action);
    }
  }

  [[nodiscard]] const std::map<ObjectKey, std::vector<Action>>& objects() const { return objects_; }

 private:
  std::map<ObjectKey, std::vector<Action>> objects_;
};

/// Whether something is expected of the labels of objects, so that none may be added.
bool expects_labels(Scenario scenario) {
  return std::ranges::any_of(scenario.expectations, [](sim::Expectation& expectation) {
    return std::ranges::any_of(sim::objects_in(expectation), [](const sim::ObjectPattern* object) {
      return object->state.labels.has_value();
    });
  });
}

/// What a script leaves behind: the objects, and the clients that have crashed.
std::pair<Plot, std::set<std::string>> end_of(const Scenario& scenario) {
  std::pair<Plot, std::set<std::string>> end{Plot(scenario.server.objects), {}};
  for (const Step& step : scenario.script) {
    for (const Action& action : step.actions) {
      end.first.add(action);
      if (const auto* const crash = std::get_if<CrashAction>(&action)) {
        end.second.insert(crash->client);
      } else if (const auto* const start = std::get_if<StartAction>(&action)) {
        end.second.erase(start->client);
      }
    }
  }
  return end;
}

class BlankStory : private StoryDraft {
 public:
  BlankStory(const Scenario& blank, std::uint64_t seed)
      : StoryDraft("story", seed),
        seed_(seed),
        labels_(seed * 4 + 3),
        may_label_(!expects_labels(blank)),
        plot_(blank.server.objects),
        blank_(blank) {
    Scenario frame = blank;
    frame.name = scenario_.name;
    frame.story = fmt::format("{} in random weather.", blank.name);
    frame.script.clear();
    frame.explore = scenario_.explore;
    frame.schedule.clear();
    scenario_ = std::move(frame);
    for (const Step& step : blank.script) {
      if (!std::holds_alternative<WaitAction>(step.actions.front())) {
        writes_.push_back(&step);
      }
    }
  }

  Scenario generate() {
    const std::string program = program_of(blank_)->name;
    SwarmFaults faults(
        numbers_,
        static_cast<std::uint32_t>(std::max<std::size_t>(blank_.server.replicas.size(), 1)),
        {program});
    for (std::uint32_t left = 1 + numbers_.below(10); left > 0 || !writes_.empty();) {
      const auto waiting = static_cast<std::uint32_t>(writes_.size());
      const bool is_write = numbers_.below(left + waiting) < waiting;
      left -= is_write ? 0 : 1;
      draw_step(is_write, program, faults);
    }
    add_last({.after = up_to(20'000)});
    scenario_.until.at =
        length_ + (blank_.until.kind == Ending::Kind::At ? blank_.until.at : kRest);
    scenario_.until.kind = Ending::Kind::At;
    scenario_.within = scenario_.until.at + kQuietWithin;
    return has_long_outage(seed_) ? with_long_outage(std::move(scenario_), seed_)
                                  : std::move(scenario_);
  }

 private:
  void draw_step(bool is_write, const std::string& program, SwarmFaults& faults) {
    Step step;
    // From nearly at once to longer than backoffs are at first.
    constexpr std::array<std::uint32_t, 5> spans{5, 50, 900, 3'000, 20'000};
    step.after = up_to(pick(spans));
    constexpr std::uint32_t what_else = 6;
    switch (numbers_.below(is_write ? what_else : what_else - 2)) {
      case 0:  // it happens while no watch is open, and a list follows
        step.actions.emplace_back(FaultAction{{.name = "cut_watch"}});
        change(step, is_write);
        step.actions.emplace_back(FaultAction{{.name = "evict_watch_window"}});
        break;
      case 1:
        crash(step, program);
        change(step, is_write);
        break;
      case 2:
        step.actions.push_back(draw_fault(faults));
        change(step, is_write);
        break;
      case 3:
        step.actions.push_back(draw_fault(faults));
        if (is_write) {
          change(step, true);
        }
        break;
      default:
        change(step, is_write);
    }
    maybe_start(step);
    maybe_heal(step);
    if (!step.actions.empty()) {
      add(std::move(step));
    }
  }

  /// The next of the blank story's writes, or a change that means nothing.
  void change(Step& step, bool is_write) {
    if (is_write) {
      for (const Action& action : writes_.front()->actions) {
        plot_.add(action);
        step.actions.push_back(action);
      }
      writes_.erase(writes_.begin());
      return;
    }
    if (plot_.objects().empty()) {
      return;
    }
    auto object = plot_.objects().begin();
    std::advance(object, numbers_.below(static_cast<std::uint32_t>(plot_.objects().size())));
    const auto& [kind, namespace_, name] = object->first;
    step.actions.emplace_back(PatchAction{
        {.object = {.name = name, .namespace_ = namespace_, .kind = kind}, .merge = draw_touch()}});
  }

  /// An annotation, or a label that comes, changes or goes: an object has none to four of them.
  std::string draw_touch() {
    ++touches_;
    if (!may_label_ || labels_.below(2) == 0) {
      return fmt::format("{}:\"{}\"}}}}}}", kTouch, touches_);
    }
    const std::uint32_t which = labels_.below(kLabelsMax);
    const std::string value =
        labels_.below(3) == 0 ? "null" : fmt::format("\"{}\"", labels_.below(kLabelsMax));
    return fmt::format("{}{}\":{}}}}}}}", kTouchLabel, which, value);
  }

  /// Not one that keeps the script from writing.
  Action draw_fault(SwarmFaults& faults) {
    DrawnFault drawn = faults.draw(fmt::format("fault_{}", ++faults_));
    if (drawn.sketch.name == "withdraw_resource") {
      return FaultAction{{.name = "cut_watch"}};
    }
    if (drawn.sketch.name == "login_page") {
      // client-go reads no body of a DELETE: the page is success to it, and no controller knows.
      drawn.sketch.verb = sim::Verb::List;
    }
    if (drawn.lasts) {
      lasting_.push_back(drawn.sketch.as);
    }
    return FaultAction{std::move(drawn.sketch)};
  }

  void maybe_heal(Step& step) {
    if (!lasting_.empty() && one_in(3)) {
      const std::size_t which = numbers_.below(static_cast<std::uint32_t>(lasting_.size()));
      step.actions.emplace_back(HealAction{lasting_[which]});
      lasting_.erase(lasting_.begin() + static_cast<std::ptrdiff_t>(which));
    }
  }

  std::uint64_t seed_;
  sim::RandomNumbers labels_;
  bool may_label_;
  Plot plot_;
  const Scenario& blank_;
  std::vector<const Step*> writes_;  ///< of the blank story that have not been drawn
  int faults_ = 0;
  int touches_ = 0;
};

}  // namespace

std::string blank_problem(const Scenario& scenario) {
  if (program_of(scenario) == nullptr) {
    return "no client is of the kind go";
  }
  if (scenario.expectations.empty()) {
    return "it expects nothing, so that nothing can be found";
  }
  for (const Step& step : scenario.script) {
    const bool writes = std::ranges::all_of(step.actions, [](const Action& action) {
      return object_of(action) != nullptr || std::holds_alternative<WaitAction>(action);
    });
    if (!writes || step.when) {
      return fmt::format(
          "the step in line {} {}, and a blank story only writes: what else happens, "
          "and when, is drawn",
          step.line, step.when ? "has a condition" : "does something else");
    }
  }
  return "";
}

Scenario story_around(const Scenario& blank, std::uint64_t seed) {
  return BlankStory(blank, seed).generate();
}

bool asks_the_same(const Scenario& smaller, const Scenario& story) {
  const auto [objects, crashed] = end_of(smaller);
  return crashed.empty() && objects.objects() == end_of(story).first.objects() &&
         smaller.clients == story.clients && smaller.until == story.until &&
         smaller.explore == story.explore && !smaller.expectations.empty();
}

}  // namespace watchlab::scenarios
