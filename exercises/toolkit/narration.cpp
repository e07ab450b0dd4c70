#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/toolkit/remote_protocol.hpp"
#include "exercises/toolkit/search.hpp"
#include "exercises/toolkit/worlds.hpp"
#include "sim/explain/explain.hpp"
#include "sim/explain/wording.hpp"
#include "sim/explore/replay_strategy.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::exercise {
namespace {

constexpr std::size_t kLinesMax = 40;

sim::RunResult record(const sim::Failure& failure, const Body& body) {
  const sim::Schedule schedule = sim::Schedule::parse(failure.schedule);
  sim::World world({.seed = schedule.seed,
                    .steps_max = schedule.steps_max,
                    .early_advances_max = schedule.early_advances_max,
                    .record = true});
  sim::ReplayStrategy strategy(schedule, sim::ReplayStrategy::Mode::Strict);
  return world.run(strategy, body);
}

/// Lines of equal text are one, with a count.
class Lines {
 public:
  void add(std::string text) {
    if (!texts_.empty() && texts_.back() == text) {
      ++counts_.back();
      return;
    }
    texts_.push_back(std::move(text));
    counts_.push_back(1);
  }

  [[nodiscard]] std::string to_string() const {
    std::string out;
    const std::size_t first = texts_.size() > kLinesMax ? texts_.size() - kLinesMax : 0;
    if (first > 0) {
      out += fmt::format("  … {} earlier steps\n", first);
    }
    for (std::size_t i = first; i < texts_.size(); ++i) {
      const std::string times = counts_[i] > 1 ? fmt::format(" ({} times)", counts_[i]) : "";
      out += fmt::format("  {:>2}. {}{}\n", i + 1, texts_[i], times);
    }
    return out;
  }

 private:
  std::vector<std::string> texts_;
  std::vector<std::size_t> counts_;
};

std::string line_of(const sim::NoteRecord& note) {
  if (note.kind == kActionNote) {
    return fmt::format("Action: {}: {}", note.task, note.text);
  }
  if (note.kind == kExpectationNote) {
    return fmt::format("Expectation: {}", note.text);
  }
  return fmt::format("Action: {}: {} {} {}", note.task, note.kind, note.subject, note.text);
}

/// The locks and the cells of the library, of which the author of a test knows nothing.
bool is_inner(const sim::StepRecord& step) {
  using Kind = sim::OperationKind;
  const bool locks = step.kind >= Kind::Lock && step.kind <= Kind::NotifyAll;
  const bool is_cell = step.kind >= Kind::AtomicRead && step.kind <= Kind::AtomicUpdate;
  return (locks || is_cell) && course::is_foreign(step.here.file_name());
}

/// Steps and notes of a run in the order in which they happened.
Lines narrated(const sim::RunResult& run) {
  Lines lines;
  std::size_t next = 0;
  const auto add_notes_until = [&](std::size_t step) {
    for (; next < run.notes.size() && run.notes[next].step < step; ++next) {
      lines.add(line_of(run.notes[next]));
    }
  };
  for (const sim::StepRecord& step : run.steps_taken) {
    add_notes_until(step.step);
    std::string text = sim::with_short_places(step.to_string());
    if (course::is_foreign(step.here.file_name())) {
      text.resize(text.rfind(" ("));
    }
    if (text.find(course::kEndOfCall) == std::string::npos && !is_inner(step)) {
      lines.add("Action: " + text);
    }
  }
  add_notes_until(run.steps + 1);
  return lines;
}

}  // namespace

std::string narrate(const sim::Failure& failure, const Body& body) {
  const sim::RunResult run = record(failure, body);
  std::string text = "It failed after these steps:\n" + narrated(run).to_string();
  text +=
      "  then: " + course::without_foreign_places(run.failure ? run.failure->sentence : "") + "\n";
  text += course::without_foreign_places(sim::explain_in_short(failure.schedule, body));
  return text;
}

}  // namespace watchlab::exercise

namespace watchlab::course {

bool is_foreign(std::string_view file) {
  const auto has = [file](std::string_view part) { return file.find(part) != file.npos; };
  return file.ends_with(".cpp") && !has("/tests/") &&
         (has("core/") || has("sim/") || has("scenarios/") || has("exercises/"));
}

std::string without_foreign_places(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find(" ("), text.size());
    const std::size_t end = text.find(')', begin);
    const std::size_t line = text.find(':', begin);
    out += text.substr(0, begin);
    text.remove_prefix(begin);
    if (text.empty()) {
      break;
    }
    const bool is_place = end != std::string_view::npos && line < end;
    if (is_place && is_foreign(text.substr(2, line - begin - 2))) {
      text.remove_prefix(end + 1 - begin);
    } else {
      out += text.substr(0, 2);
      text.remove_prefix(2);
    }
  }
  return sim::with_short_places(out);
}

}  // namespace watchlab::course
