#include "sim/explore/replay_strategy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "sim/explore/strategy_decorator.hpp"
#include "sim/kernel/path_text.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/kernel/scheduler.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {

ReplayStrategy::ReplayStrategy(const Schedule& schedule, Mode mode) : mode_(mode) {
  entries_.reserve(schedule.deviations.size());
  for (const ScheduledDeviation& deviation : schedule.deviations) {
    const std::string what = deviation.is_switch
                                 ? fmt::format("{} goes next at operation {} of {}", deviation.next,
                                               deviation.ordinal, deviation.at)
                                 : fmt::format("choice {} of {} takes alternative {}",
                                               deviation.ordinal, deviation.at, deviation.index);
    entries_.push_back({.is_switch = deviation.is_switch,
                        .at = digest_of_path(deviation.at),
                        .ordinal = deviation.ordinal,
                        .next = digest_of_path(deviation.next),
                        .index = deviation.index,
                        .text = what});
  }
}

void ReplayStrategy::begin(const Scheduler& scheduler) {
  scheduler_ = &scheduler;
  cursor_ = 0;
  divergence_.reset();
}

bool ReplayStrategy::fits(const Entry& entry, const Choice& choice) {
  return entry.is_switch == (choice.kind == ChoiceKind::Actor) && entry.ordinal == choice.ordinal &&
         entry.at == choice.at->digest();
}

const ReplayStrategy::Entry* ReplayStrategy::find(const Choice& choice) {
  if (mode_ == Mode::Strict) {
    if (cursor_ == entries_.size() || !fits(entries_[cursor_], choice)) {
      return nullptr;
    }
    return &entries_[cursor_++];
  }
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return fits(entry, choice); });
  return found == entries_.end() ? nullptr : &*found;
}

std::optional<std::uint32_t> ReplayStrategy::alternative(const Entry& entry,
                                                         const Choice& choice) const {
  if (!entry.is_switch) {
    return entry.index < choice.options ? std::optional(entry.index) : std::nullopt;
  }
  for (std::uint32_t i = 0; i < choice.options; ++i) {
    if (scheduler_->option(i).digest() == entry.next) {
      return i;
    }
  }
  return std::nullopt;
}

std::uint32_t ReplayStrategy::choose(const Choice& choice) {
  const Entry* const entry = find(choice);
  if (entry == nullptr) {
    return 0;
  }
  const std::optional<std::uint32_t> index = alternative(*entry, choice);
  if (index || mode_ == Mode::Guided) {
    return index.value_or(0);
  }
  divergence_ = fmt::format(
      "the run does not follow the schedule: it says that {}, which is not possible at step {}",
      entry->text, scheduler_->steps());
  return kAbandon;
}

void ReplayStrategy::end(const RunResult& /*result*/) {
  if (mode_ == Mode::Strict && !divergence_ && cursor_ < entries_.size()) {
    divergence_ = fmt::format(
        "the run does not follow the schedule: it ended at step {} before it came to where {}",
        scheduler_->steps(), entries_[cursor_].text);
  }
}

namespace {

constexpr const char* kScheduleVariable = "WATCHLAB_SCHEDULE";
constexpr const char* kBreakVariable = "WATCHLAB_BREAK_AT";

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string schedule_in(const std::string& value) {
  if (!value.starts_with('@')) {
    return value;
  }
  std::ifstream file(value.substr(1));
  std::string line;
  if (!std::getline(file, line)) {
    throw std::invalid_argument(
        fmt::format("{}={}: there is no schedule in that file", kScheduleVariable, value));
  }
  return line;
}

std::size_t step_in(const std::string& value) {
  std::size_t step = 0;
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), step);
  if (failure != std::errc() || end != value.data() + value.size() || step == 0) {
    throw std::invalid_argument(
        fmt::format("{}={} is no step; they count from 1", kBreakVariable, value));
  }
  return step;
}

/// Stops the program just before one step.
class BreakStrategy final : public StrategyDecorator {
 public:
  BreakStrategy(Strategy& inner, std::size_t step) : StrategyDecorator(inner), step_(step) {}

  void begin(const Scheduler& scheduler) override {
    scheduler_ = &scheduler;
    StrategyDecorator::begin(scheduler);
  }
  void executed(const Actor& actor) override {
    StrategyDecorator::executed(actor);
    if (step_ == 0 || scheduler_->steps() != step_) {
      return;
    }
    step_ = 0;  // whoever goes on in the debugger has seen it
    const Operation& next = actor.pending();
    std::fputs(
        fmt::format("watchlab: before step {}, {}: {} {} ({})\n", scheduler_->steps(),
                    actor.identity().path(), verb_for(next.kind),
                    next.object != nullptr ? next.object->describe() : "", place_text(next.here))
            .c_str(),
        stderr);
    std::raise(SIGTRAP);
  }

 private:
  std::size_t step_;
  const Scheduler* scheduler_ = nullptr;
};

}  // namespace

std::optional<RequestedReplay> requested_replay() {
  const std::string schedule = variable(kScheduleVariable);
  const std::string step = variable(kBreakVariable);
  if (schedule.empty() && step.empty()) {
    return std::nullopt;
  }
  if (schedule.empty()) {
    throw std::invalid_argument(fmt::format("{} needs the schedule whose step it counts, in {}",
                                            kBreakVariable, kScheduleVariable));
  }
  return RequestedReplay{.schedule = schedule_in(schedule),
                         .break_at = step.empty() ? 0 : step_in(step)};
}

std::optional<Failure> replay(const RequestedReplay& requested,
                              const std::function<void(runtime::Runtime&)>& body) {
  const Schedule parsed = Schedule::parse(requested.schedule);
  World world({.seed = parsed.seed,
               .steps_max = parsed.steps_max,
               .early_advances_max = parsed.early_advances_max,
               .scenario = parsed.scenario});
  ReplayStrategy strategy(parsed, ReplayStrategy::Mode::Strict);
  BreakStrategy breaking(strategy, requested.break_at);
  Strategy& outer = requested.break_at > 0 ? static_cast<Strategy&>(breaking) : strategy;
  RunResult result = world.run(outer, body);
  if (strategy.divergence()) {
    return Failure{.kind = "divergence",
                   .sentence = *strategy.divergence(),
                   .schedule = requested.schedule,
                   .steps = result.steps};
  }
  return result.failure;
}

std::string replay_line(std::string_view schedule, std::string_view program,
                        std::string_view test_case) {
  return fmt::format("{}={} {} --run_test={}", kScheduleVariable, schedule, program, test_case);
}

}  // namespace watchlab::sim
