#include "scenarios/report/narration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <iterator>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/report/named_events.hpp"
#include "scenarios/report/page_data.hpp"
#include "sim/explain/wording.hpp"
#include "sim/invariants/invariant_catalogue.hpp"
#include "sim/kernel/path_text.hpp"

namespace watchlab::scenarios {
namespace {

/// A longer run takes longer to be seen than a reader waits for it.
constexpr std::size_t kStepsMax = 100'000;

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

/// An event as a row.
struct Row {
  const PageEvent* event = nullptr;
  bool is_named = false;   ///< an expectation is broken with what it shows
  bool breaks = false;     ///< and has been from there on, and not only at the end
  std::string words = {};  ///< of that, where the event does not have them
};

bool is_of_the_end(sim::EntryKind kind) {
  return kind == sim::EntryKind::Stored || kind == sim::EntryKind::Written;
}

/// All events as rows, in their order. What is named is among them, whether or not the run has
/// written it down; such events are kept in `made`.
std::vector<Row> rows_with(const PageData& data, const SeenRun& seen, std::deque<PageEvent>& made) {
  std::vector<Row> rows;
  for (const PageEvent& event : data.events()) {
    rows.push_back({.event = &event});
  }
  std::vector<Row> missing;
  for (const sim::NamedEntry& entry : seen.named) {
    const std::vector<std::size_t> found = events_of(entry, data, seen);
    const bool breaks = !is_of_the_end(entry.kind);
    const std::string name = entry.key.substr(entry.key.rfind('/') + 1);
    for (const std::size_t i : found) {
      rows[i].is_named = true;
      rows[i].breaks = rows[i].breaks || breaks;
      const bool has_name = rows[i].event->text.find(name) != std::string::npos;
      rows[i].words = has_name && entry.kind != sim::EntryKind::Listed ? "" : entry.words;
    }
    if (found.empty()) {
      const std::int64_t at =
          std::chrono::nanoseconds(entry.at - seen.witness.result.started).count();
      PageEvent& event = made.emplace_back();
      event.at = at;
      event.text = entry.client + ": " + shortened(entry.words);
      missing.push_back({.event = &event, .is_named = true, .breaks = breaks});
    }
  }
  for (const Row& row : missing) {
    const auto next =
        std::ranges::find_if(rows, [&](const Row& each) { return each.event->at > row.event->at; });
    const auto event = std::ranges::find(made, row.event, [](const PageEvent& e) { return &e; });
    event->step = next == rows.begin() ? 0 : std::prev(next)->event->step;
    rows.insert(next, row);
  }
  return rows;
}

/// The rows before that step, but for those that are only about other objects than the failure.
std::vector<Row> wanted_of(const std::vector<Row>& rows, const std::set<std::size_t>& keys,
                           std::size_t last) {
  std::vector<Row> wanted;
  for (const Row& row : rows) {
    const PageEvent& event = *row.event;
    const bool is_frame = event.lane == "clauses" || event.lane == "story";
    const bool is_about =
        keys.empty() || event.keys.empty() ||
        std::ranges::any_of(event.keys, [&](auto key) { return keys.contains(key); });
    if (row.is_named || (event.step <= last && !is_frame && is_about)) {
      wanted.push_back(row);
    }
  }
  return wanted;
}

/// All named rows, filled up to `rows_max`: first with rows that show the failure, then with rows
/// about an object or a fault, half from before the last named row and the others from the end.
std::vector<Row> shown_of(const std::vector<Row>& wanted,
                          const std::set<std::size_t>& failing_steps, std::size_t rows_max) {
  const auto rank = [&](const Row& row) {
    const bool is_of_objects = !row.event->keys.empty() || row.event->lane == "faults";
    return failing_steps.contains(row.event->step) ? 1 : is_of_objects ? 2 : 3;
  };
  std::vector<bool> shown(wanted.size());
  std::size_t count = 0;
  std::size_t last_named = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].is_named) {
      shown[i] = true;
      ++count;
      last_named = i;
    }
  }
  const auto show_last_before = [&](std::size_t end, int wanted_rank, std::size_t count_max) {
    for (std::size_t i = end; i-- > 0 && count < count_max;) {
      if (!shown[i] && rank(wanted[i]) == wanted_rank) {
        shown[i] = true;
        ++count;
      }
    }
  };
  show_last_before(wanted.size(), 1, rows_max);
  show_last_before(last_named, 2, count + (rows_max - std::min(count, rows_max)) / 2);
  show_last_before(wanted.size(), 2, rows_max);
  show_last_before(wanted.size(), 3, rows_max);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (shown[i]) {
      rows.push_back(wanted[i]);
    }
  }
  return rows;
}

std::string row_of(std::size_t step, double seconds, const std::string& text,
                   std::string_view mark = " ") {
  return fmt::format("{} {:>6}  {:>10.3f}s  {}\n", mark, step, seconds, text);
}

/// The rows, and before what they do the steps that decide.
std::string text_of(const std::vector<Row>& rows, const SeenRun& seen,
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
  for (const Row& row : rows) {
    decide_until(row.event->step);
    std::string words = row.event->text.substr(0, row.event->text.find('\n'));
    words += row.words.empty() ? "" : fmt::format(" ({})", shortened(row.words));
    text += row_of(row.event->step, static_cast<double>(row.event->at) / 1e9, words,
                   row.is_named ? "▶" : " ");
  }
  decide_until(seen.witness.steps.size());
  return text;
}

/// The steps that show a broken invariant; none where what is wrong is that something is missing.
std::set<std::size_t> failing_steps_of(const SeenRun& seen) {
  std::set<std::size_t> steps;
  for (const auto& [message, step] : seen.shown_at) {
    steps.insert(step);
  }
  return steps;
}

/// The steps of the events that these steps wrote down: a task does something, and then it stands
/// in the record.
std::set<std::size_t> event_steps_of(const std::set<std::size_t>& steps, const SeenRun& seen) {
  std::set<std::size_t> events;
  for (const std::size_t step : steps) {
    if (step == 0 || step > seen.witness.steps.size()) {
      continue;
    }
    const auto& writer = seen.witness.actors[seen.witness.steps[step - 1].done.actor].path;
    std::size_t noted = step;
    for (const sim::NoteRecord& note : seen.witness.result.notes) {
      noted = note.step <= step && note.task == writer ? note.step : noted;
    }
    events.insert(noted);
  }
  return events;
}

/// Where a run has failed, and whether a row or a step shows it.
struct FailingStep {
  std::size_t step = 0;
  bool is_shown = false;
};
FailingStep failed_at(const SeenRun& seen, const std::vector<Row>& rows) {
  if (!is_violation(seen)) {
    return {seen.witness.result.steps};
  }
  std::set<std::size_t> steps = failing_steps_of(seen);
  for (const Row& row : rows) {
    if (row.breaks) {
      steps.insert(row.event->step);
    }
  }
  return steps.empty() ? FailingStep{std::min(seen.story_end(), seen.witness.result.steps)}
                       : FailingStep{*steps.rbegin(), true};
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
  std::deque<PageEvent> made;
  const std::vector<Row> rows = rows_with(data, *seen, made);
  const FailingStep last = failed_at(*seen, rows);
  const std::vector<Row> wanted = wanted_of(rows, keys_of_failure(data.events()), last.step);
  const std::vector<Row> shown =
      shown_of(wanted, event_steps_of(failing_steps_of(*seen), *seen), rows_max);
  const std::string_view until = !is_violation(*seen) ? "before it fails"
                                 : last.is_shown      ? "until the violation shows"
                                                      : "before the story ends";
  if (wanted.empty()) {
    return "";
  }
  const auto turns = found == nullptr ? std::vector<TurningPoint>() : turns_of(*found, *seen);
  return fmt::format("{} of {} {}, at step {}:\n{}", shown.size(),
                     sim::counted(wanted.size(), "event"), until, last.step,
                     text_of(shown, *seen, turns));
}

std::size_t failure_step(const Scenario& scenario, const sim::RunResult& failed) {
  const std::optional<SeenRun> seen = see_failure(scenario, failed);
  if (!seen) {
    return failed.steps;
  }
  std::deque<PageEvent> made;
  return failed_at(*seen, rows_with(PageData(scenario, *seen, {}), *seen, made)).step;
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
