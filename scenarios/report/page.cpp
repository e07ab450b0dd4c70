#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/report/alignment.hpp"
#include "scenarios/report/page_data.hpp"
#include "sim/explain/wording.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

/// A page does not get smaller than that to be small.
constexpr std::size_t kStepsMin = 100;

/// Puts a text in the place of a mark, which stands in the page once.
void fill(std::string& page, std::string_view mark, std::string_view text) {
  const std::size_t at = page.find(mark);
  runtime::ensure(at != std::string::npos, "the page has a place for everything");
  page.replace(at, mark.size(), text);
}

/// What takes this long in all is still worth waiting for.
constexpr std::size_t kStepsForExplanation = 1'000'000;

/// The tasks that can run after that step.
std::vector<std::uint32_t> ready_after(const SeenRun& seen, std::size_t step) {
  std::map<std::uint32_t, TaskMoment::State> states;
  for (const TaskMoment& moment : seen.tasks) {
    if (moment.step <= step) {
      states[moment.task] = moment.state;
    }
  }
  std::vector<std::uint32_t> ready;
  for (const auto& [task, state] : states) {
    if (state == TaskMoment::State::Ready) {
      ready.push_back(task);
    }
  }
  return ready;
}

/// Where time moves on while tasks can run, and what one of them does too late because of that.
std::vector<TurningPoint> early_advance(const SeenRun& seen, std::size_t before) {
  const std::vector<sim::WitnessedStep>& steps = seen.witness.steps;
  std::vector<TurningPoint> turns;
  for (const std::uint32_t task : ready_after(seen, before)) {
    const auto late = std::ranges::find_if(steps, [&](const sim::WitnessedStep& each) {
      return each.step > before && each.done.actor == task;
    });
    if (before < steps.size() && late != steps.end()) {
      const sim::WitnessedStep& next = steps[before];
      const std::chrono::duration<double> since = next.at - seen.witness.result.started;
      turns.push_back({next.step, fmt::format("time moves on to {:.3f} s while {} could still run",
                                              since.count(), seen.witness.name(task))});
      turns.push_back(
          {late->step, fmt::format("{}: in a run that passes, this comes before step {}",
                                   sim::describe(seen.witness, late->done), next.step)});
      return turns;
    }
  }
  return turns;
}

bool is_about_time(const sim::Witness& witness, const sim::CriticalPair& pair) {
  return std::ranges::any_of(witness.decisions, [&](const sim::WitnessedDecision& each) {
    return each.kind == sim::ChoiceKind::Advance && each.what == pair.choice &&
           each.steps_before == pair.step + 1;
  });
}

}  // namespace

std::vector<TurningPoint> turns_of(const sim::Explanation& found, const SeenRun& seen) {
  const sim::Witness& witness = found.witness;
  if (found.pair && !found.lost_wakeup && is_about_time(witness, *found.pair)) {
    auto turns = early_advance(seen, witness.steps[found.pair->step].step);
    if (!turns.empty()) {
      return turns;
    }
  }
  std::vector<TurningPoint> turns;
  if (found.pair && !found.lost_wakeup) {
    const sim::CriticalPair& pair = *found.pair;
    std::string text = sim::describe(witness, pair.first);
    if (!pair.choice.empty()) {
      text += fmt::format("; {}: {}, where {} passes", pair.choice, pair.taken, pair.instead);
    }
    turns.push_back({witness.steps[pair.step].step, text});
    if (pair.second && pair.second_step) {
      turns.push_back(
          {witness.steps[*pair.second_step].step,
           fmt::format("{}: in a run that passes, this comes before step {}",
                       sim::describe(witness, *pair.second), witness.steps[pair.step].step)});
    }
  }
  if (found.lost_wakeup) {
    const sim::LostWakeup& lost = *found.lost_wakeup;
    turns.push_back({witness.steps[lost.notified].step,
                     sim::describe(witness, witness.steps[lost.notified].done) +
                         ": the notification that is missed"});
    turns.push_back(
        {witness.steps[lost.waited].step,
         sim::describe(witness, witness.steps[lost.waited].done) + ": the wait that nothing ends"});
  }
  return turns;
}

namespace {

/// More departures than that tell a reader nothing.
constexpr std::size_t kDeviationsMax = 6;

/// What a task did there later that another one was let go before.
std::optional<TurningPoint> put_off(const sim::Witness& witness, const sim::WitnessedStep& step) {
  if (step.handover != sim::Handover::Interrupted) {
    return std::nullopt;
  }
  const auto later = std::ranges::find_if(witness.steps, [&](const sim::WitnessedStep& each) {
    return each.step > step.step && each.done.actor == step.left.actor;
  });
  if (later == witness.steps.end()) {
    return std::nullopt;
  }
  return TurningPoint{later->step, fmt::format("{}: by default this comes before step {}",
                                               sim::describe(witness, later->done), step.step)};
}

/// Where the schedule departs from the default order. What it does to the goroutines of a program
/// is noted in words.
std::vector<TurningPoint> deviations_of(const sim::Witness& witness) {
  std::vector<TurningPoint> points;
  for (const sim::NoteRecord& note : witness.result.notes) {
    if (note.kind == "goroutine") {
      points.push_back({note.step, fmt::format("{}: {}", note.subject, note.by)});
    }
  }
  std::size_t count = points.size();
  const bool is_noted = count > 0;
  for (const sim::WitnessedDecision& decision : witness.decisions) {
    if (decision.index == 0 || decision.steps_before >= witness.steps.size() ||
        (is_noted && decision.kind == sim::ChoiceKind::Value)) {
      continue;
    }
    ++count;
    const sim::WitnessedStep& step = witness.steps[decision.steps_before];
    if (decision.kind != sim::ChoiceKind::Actor) {
      points.push_back({step.step, fmt::format("{}: alternative {} of {}", decision.what,
                                               decision.index + 1, decision.options)});
      continue;
    }
    points.push_back({step.step, sim::describe(witness, step.done)});
    if (const auto later = put_off(witness, step)) {
      points.push_back(*later);
    }
  }
  return count > kDeviationsMax ? std::vector<TurningPoint>() : points;
}

}  // namespace

std::string json_for_page(const json::value& data) {
  std::string text;
  for (const char letter : visible_text(json::serialize(data))) {
    switch (letter) {
      case '<':
        text += "\\u003c";
        break;
      case '>':
        text += "\\u003e";
        break;
      case '&':
        text += "\\u0026";
        break;
      default:
        text += letter;
    }
  }
  return text;
}

std::string page_with(const json::object& data) {
  std::string page(page_source("page.html"));
  fill(page, "/* styles */",
       std::string(page_source("page.css")) + std::string(page_source("branch.css")));
  std::string script;
  for (const std::string_view name :
       {"state.js", "pair.js", "elements.js", "questions.js", "lanes.js", "panels.js",
        "timeline.js", "controls.js", "branch.js", "page.js"}) {
    script += page_source(name);
  }
  fill(page, "/* script */", script);
  fill(page, "/* data */", json_for_page(data));
  return page;
}

std::string page_of(const json::object& whole, PageWindow& window, std::size_t bytes_max) {
  std::string page = page_with(window_of(whole, window));
  while (page.size() > bytes_max && window.steps_max > kStepsMin) {
    window.steps_max = std::max(window.steps_max / 2, kStepsMin);
    page = page_with(window_of(whole, window));
  }
  return page;
}

namespace {

/// Where the two runs differ first: a step of each.
std::pair<std::size_t, std::size_t> first_difference(const json::object& first,
                                                     const json::object& second) {
  const std::vector<AlignedPart> parts = align(item_names(first), item_names(second));
  const std::size_t alike = parts.empty() ? 0 : parts.front().both;
  const auto step_at = [&](const std::vector<std::size_t>& steps) {
    return steps.empty() ? 1 : steps[std::min(alike, steps.size() - 1)];
  };
  return {step_at(item_steps(first)), step_at(item_steps(second))};
}

/// The window of one of two runs: all of it where it fits, else so that the step stands in its
/// first quarter.
PageWindow around(const json::object& whole, const PageWindow& wanted, std::size_t step) {
  const auto steps = whole.at("window").at("of").to_number<std::size_t>();
  if (wanted.first || steps <= wanted.steps_max) {
    return wanted;
  }
  const std::size_t before = wanted.steps_max / 4;
  return {.first = step > before ? step - before : 1, .steps_max = wanted.steps_max};
}

}  // namespace

std::string page_of_two(const json::object& first, const json::object& second, PageWindow& window,
                        std::size_t bytes_max) {
  const auto [in_first, in_second] = first_difference(first, second);
  while (true) {
    json::object data = window_of(first, around(first, window, in_first));
    json::object other = window_of(second, around(second, window, in_second));
    json::array alignment;
    for (const AlignedPart& part : align(item_names(data), item_names(other))) {
      for (const std::size_t count : {part.both, part.only_first, part.only_second}) {
        alignment.emplace_back(count);
      }
    }
    data["alignment"] = std::move(alignment);
    data["other"] = std::move(other);
    std::string page = page_with(data);
    if (page.size() <= bytes_max || window.steps_max <= kStepsMin) {
      return page;
    }
    const auto longest =
        std::max(data.at("window").at("last").to_number<std::size_t>(),
                 data.at("other").at("window").at("last").to_number<std::size_t>());
    window.steps_max = std::max(std::min(window.steps_max, longest) / 2, kStepsMin);
  }
}

namespace {

/// The patch of the variant that plays; "" for core as it is.
std::string patch_of_variant() {
  const char* const path = std::getenv("WATCHLAB_VARIANT_PATCH");  // set by the launcher
  std::ifstream file(path == nullptr ? "" : path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

PageFacts facts_of(const Scenario& scenario, const SeenRun& seen, Scope scope) {
  PageFacts facts;
  const sim::RunResult& result = seen.witness.result;
  if (!result.failure) {
    return facts;
  }
  facts.patch = patch_of_variant();
  const std::size_t runs = std::clamp<std::size_t>(
      kStepsForExplanation / std::max<std::size_t>(result.steps, 1), 20, 500);
  const auto found = sim::explain(result.schedule, body_of(scenario, scope),
                                  {.pair_runs_max = runs, .likelihood = {.endings = 0}});
  if (found) {
    facts.why = found->in_short();
    facts.turns = turns_of(*found, seen);
    facts.turns_title = "What decides it: the other way round, and all else alike, the run passes.";
    if (facts.turns.empty()) {
      facts.turns = deviations_of(seen.witness);
      facts.turns_title = "Here the schedule departs from the default order:";
    }
  }
  return facts;
}

}  // namespace watchlab::scenarios
