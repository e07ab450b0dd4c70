#include "scenarios/report/narration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/report/page_data.hpp"
#include "sim/explain/wording.hpp"
#include "sim/invariants/invariant_catalogue.hpp"
#include "sim/kernel/path_text.hpp"

namespace watchlab::scenarios {
namespace {

/// A longer run takes longer to be seen than a reader waits for it.
constexpr std::size_t kStepsMax = 20'000;

bool is_violation(const SeenRun& seen) {
  const auto& failure = seen.witness.result.failure;
  return failure && failure->kind == "violation";
}

/// What the failure is about; empty where it names no object.
std::set<std::size_t> keys_of_failure(const std::vector<PageEvent>& events) {
  std::set<std::size_t> keys;
  for (const PageEvent& event : events) {
    if (event.lane == "clauses") {
      keys.insert(event.keys.begin(), event.keys.end());
    }
  }
  return keys;
}

/// The events before that step, but for those that are only about other objects than the failure.
std::vector<const PageEvent*> wanted_of(const PageData& data, const std::set<std::size_t>& keys,
                                        std::size_t last) {
  std::vector<const PageEvent*> wanted;
  for (const PageEvent& event : data.events()) {
    const bool is_frame = event.lane == "clauses" || event.lane == "story";
    const bool is_about =
        keys.empty() || event.keys.empty() ||
        std::ranges::any_of(event.keys, [&](auto key) { return keys.contains(key); });
    if (event.step <= last && !is_frame && is_about) {
      wanted.push_back(&event);
    }
  }
  return wanted;
}

/// The last so many of them, first of those that are about an object or a fault.
std::vector<const PageEvent*> shown_of(const std::vector<const PageEvent*>& wanted,
                                       std::size_t rows_max) {
  std::vector<bool> shown(wanted.size());
  std::size_t left = rows_max;
  for (const bool of_objects : {true, false}) {
    for (std::size_t i = wanted.size(); i-- > 0 && left > 0;) {
      const bool is_of_objects = !wanted[i]->keys.empty() || wanted[i]->lane == "faults";
      if (!shown[i] && is_of_objects == of_objects) {
        shown[i] = true;
        --left;
      }
    }
  }
  std::vector<const PageEvent*> events;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (shown[i]) {
      events.push_back(wanted[i]);
    }
  }
  return events;
}

std::string row_of(std::size_t step, double seconds, const std::string& text) {
  return fmt::format("  {:>6}  {:>10.3f}s  {}\n", step, seconds, text);
}

/// The events, and before what they do the steps that decide.
std::string rows_of(const std::vector<const PageEvent*>& events, const SeenRun& seen,
                    std::vector<TurningPoint> turns) {
  std::ranges::sort(turns, {}, &TurningPoint::step);
  std::string text;
  auto turn = turns.begin();
  const auto decide_until = [&](std::size_t step) {
    for (; turn != turns.end() && turn->step <= step; ++turn) {
      const auto since = seen.witness.steps[turn->step - 1].at - seen.witness.result.started;
      text += row_of(turn->step, std::chrono::duration<double>(since).count(),
                     "◆ this decides: " + sim::with_readable_tasks(turn->text));
    }
  };
  for (const PageEvent* const event : events) {
    decide_until(event->step);
    text += row_of(event->step, static_cast<double>(event->at) / 1e9,
                   event->text.substr(0, event->text.find('\n')));
  }
  decide_until(seen.witness.steps.size());
  return text;
}

std::size_t failed_at(const SeenRun& seen) {
  if (!is_violation(seen)) {
    return seen.witness.result.steps;
  }
  std::size_t last = 0;
  for (const auto& [message, step] : seen.shown_at) {
    last = std::max(last, step);
  }
  return last == 0 ? std::min(seen.story_end(), seen.witness.result.steps) : last;
}

/// The failed run, seen; nothing where it cannot be, or is too long to be seen twice.
std::optional<SeenRun> see_failure(const Scenario& scenario, const sim::RunResult& failed) {
  if (!scenario.program.empty() || failed.schedule.empty() || failed.steps > kStepsMax) {
    return std::nullopt;
  }
  try {
    SeenRun seen = see_clauses(scenario, failed.schedule, Scope::AnyOrder);
    if (!seen.witness.result.failure) {  // of what depends on the stored order
      seen = see_clauses(scenario, failed.schedule, Scope::StoredOrder);
    }
    return seen.witness.result.failure ? std::optional(std::move(seen)) : std::nullopt;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

}  // namespace

SeenRun see_clauses(const Scenario& scenario, const std::string& schedule, Scope scope) {
  SeenRun seen = see_run(scenario, schedule, scope);
  if (!is_violation(seen) || !seen.record) {
    return seen;
  }
  const std::vector<std::string> broken = complaints_of(scenario, seen);
  return broken.empty() ? seen : see_run(scenario, schedule, scope, broken);
}

std::string narrate(const Scenario& scenario, const sim::RunResult& failed, std::size_t rows_max,
                    const sim::Explanation* found) {
  const std::optional<SeenRun> seen = see_failure(scenario, failed);
  if (!seen) {
    return "";
  }
  const PageData data(scenario, *seen, {});
  const std::size_t last = failed_at(*seen);
  const std::vector<const PageEvent*> wanted =
      wanted_of(data, keys_of_failure(data.events()), last);
  const std::vector<const PageEvent*> shown = shown_of(wanted, rows_max);
  const std::string_view until = !is_violation(*seen)     ? "before it fails"
                                 : seen->shown_at.empty() ? "before the story ends"
                                                          : "until the violation shows";
  if (wanted.empty()) {
    return "";
  }
  const auto turns = found == nullptr ? std::vector<TurningPoint>() : turns_of(*found, *seen);
  return fmt::format("{} of {} {}, at step {}:\n{}", shown.size(),
                     sim::counted(wanted.size(), "event"), until, last,
                     rows_of(shown, *seen, turns));
}

std::size_t failure_step(const Scenario& scenario, const sim::RunResult& failed) {
  const std::optional<SeenRun> seen = see_failure(scenario, failed);
  return seen ? failed_at(*seen) : failed.steps;
}

FailureMark failure_mark(const Scenario& scenario, const SeenRun& seen) {
  const auto& failure = seen.witness.result.failure;
  if (!failure) {
    return {};
  }
  const auto first = std::ranges::min_element(seen.shown_at, {},
                                              [](const auto& message) { return message.second; });
  const bool is_shown = first != seen.shown_at.end() && first->second < seen.last_step();
  const std::size_t step = is_shown ? first->second : seen.last_step();
  std::string text = sim::with_short_places(is_shown ? first->first : failure->sentence);
  text = text.substr(0, text.find('\n'));
  const std::string file = (scenario.path.empty() ? scenario.name : scenario.path) + ":";
  if (text.starts_with(file)) {
    text = text.substr(text.find(": ", file.size()) + 2);
  }
  text = text.substr(0, text.rfind("; seen:"));  // what follows stands in further lines
  text = text.starts_with(failure->kind) ? text : failure->kind + ": " + text;
  return {step, shortened(sim::with_readable_tasks(text))};
}

}  // namespace watchlab::scenarios
