#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include "core/runtime/ensure.hpp"
#include "scenarios/report/page_data.hpp"
#include "sim/explain/explain.hpp"
#include "sim/explain/wording.hpp"

namespace watchlab::scenarios {
namespace {

/// Puts a text in the place of a mark, which stands in the page once.
void fill(std::string& page, std::string_view mark, std::string_view text) {
  const std::size_t at = page.find(mark);
  runtime::ensure(at != std::string::npos, "the page has a place for everything");
  page.replace(at, mark.size(), text);
}

/// What takes this long in all is still worth waiting for.
constexpr std::size_t kStepsForExplanation = 1'000'000;

std::vector<TurningPoint> turns_of(const sim::Explanation& found) {
  const sim::Witness& witness = found.witness;
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
           sim::describe(witness, *pair.second) + ": in a run that passes, this comes first"});
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
  return TurningPoint{later->step, sim::describe(witness, later->done) +
                                       ": by default this comes before the other"};
}

/// Where the schedule departs from the default order.
std::vector<TurningPoint> deviations_of(const sim::Witness& witness) {
  std::vector<TurningPoint> points;
  std::size_t count = 0;
  for (const sim::WitnessedDecision& decision : witness.decisions) {
    if (decision.index == 0 || decision.steps_before >= witness.steps.size()) {
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

std::string json_for_page(const boost::json::value& data) {
  std::string text;
  for (const char letter : boost::json::serialize(data)) {
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

std::string page_with(const boost::json::object& data) {
  std::string page(page_source("page.html"));
  fill(page, "/* styles */", page_source("page.css"));
  std::string script;
  for (const std::string_view name :
       {"state.js", "elements.js", "lanes.js", "timeline.js", "controls.js", "page.js"}) {
    script += page_source(name);
  }
  fill(page, "/* script */", script);
  fill(page, "/* data */", json_for_page(data));
  return page;
}

std::string page_of(const PageData& data, PageWindow& window, std::size_t bytes_max) {
  std::string page = page_with(data.window(window));
  while (page.size() > bytes_max && window.steps_max > 100) {
    window.steps_max = std::max<std::size_t>(window.steps_max / 2, 100);
    page = page_with(data.window(window));
  }
  return page;
}

PageFacts facts_of(const Scenario& scenario, const SeenRun& seen, Scope scope) {
  PageFacts facts;
  const sim::RunResult& result = seen.witness.result;
  if (!result.failure) {
    return facts;
  }
  const std::size_t runs = std::clamp<std::size_t>(
      kStepsForExplanation / std::max<std::size_t>(result.steps, 1), 20, 500);
  const auto found = sim::explain(result.schedule, body_of(scenario, scope),
                                  {.pair_runs_max = runs, .likelihood = {.endings = 0}});
  if (found) {
    facts.why = found->in_short();
    facts.turns = turns_of(*found);
    facts.turns_title = "What decides it: the other way round, and all else alike, the run passes.";
    if (facts.turns.empty()) {
      facts.turns = deviations_of(seen.witness);
      facts.turns_title = "Here the schedule departs from the default order:";
    }
  }
  return facts;
}

}  // namespace watchlab::scenarios
