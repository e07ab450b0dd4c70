#include "scenarios/cli/failure_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace watchlab::scenarios {
namespace {

constexpr std::size_t shown_steps = 10;

long long nanoseconds_now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

}  // namespace

Stopwatch::Stopwatch() : began_(nanoseconds_now()) {}

double Stopwatch::seconds() const { return static_cast<double>(nanoseconds_now() - began_) / 1e9; }

std::string replay_line(const Scenario& scenario, const std::string& schedule) {
  const char* const variant = std::getenv("WATCHLAB_VARIANT");  // set by the launcher
  return fmt::format("./watchlab replay {}{} --schedule '{}'", scenario.path,
                     variant == nullptr ? "" : fmt::format(" --variant {}", variant), schedule);
}

ReportEntry entry_for(const Scenario& scenario, const Played& played) {
  ReportEntry entry{.name = display_name(scenario.path),
                    .path = scenario.path,
                    .held = played.held(),
                    .digest = fmt::format("{:016x}", played.result.digest),
                    .steps = played.result.steps,
                    .unfired_faults = played.unfired_faults};
  if (played.divergence) {
    entry.kind = "divergence";
    entry.sentence = *played.divergence;
  } else if (played.result.failure) {
    entry.kind = played.result.failure->kind;
    entry.sentence = played.result.failure->sentence;
  }
  if (!entry.held) {
    entry.schedule = played.result.schedule;
    entry.command = replay_line(scenario, played.result.schedule);
  }
  return entry;
}

std::string failure_text(const ReportEntry& entry, const sim::RunResult& result,
                         const std::string& why) {
  std::string text = fmt::format("{}: {}\n", entry.kind, entry.sentence);
  const std::size_t total = result.steps_taken.size();
  const std::size_t first = total - std::min(total, shown_steps);
  if (total > 0) {
    text += fmt::format("the last {} of {} steps:\n", total - first, total);
  }
  for (std::size_t i = first; i < total; ++i) {
    const sim::StepRecord& step = result.steps_taken[i];
    const double seconds = std::chrono::duration<double>(step.at - result.started).count();
    text += fmt::format("  {:>6}  {:>10.3f}s  {}\n", step.step, seconds, step.to_text());
  }
  if (!why.empty()) {
    text += why + (why.ends_with('\n') ? "" : "\n");
  }
  return text + "replay it: " + entry.command;
}

}  // namespace watchlab::scenarios
