#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/toolkit/remote_protocol.hpp"
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
    const std::string text = sim::with_short_places(step.to_string());
    if (text.find(course::kEndOfCall) == std::string::npos) {
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
  text += "  then: " + sim::with_short_places(run.failure ? run.failure->sentence : "") + "\n";
  text += sim::explain_in_short(failure.schedule, body);
  return text;
}

}  // namespace watchlab::exercise
