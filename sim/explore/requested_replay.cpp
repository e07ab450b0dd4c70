#include "sim/explore/requested_replay.hpp"

#include <fmt/format.h>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "sim/explore/replay_strategy.hpp"
#include "sim/explore/strategy_decorator.hpp"
#include "sim/kernel/path_text.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
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

  void executed(const Actor& actor) override {
    StrategyDecorator::executed(actor);
    if (step_ == 0 || scheduler().steps() != step_) {
      return;
    }
    step_ = 0;  // the reader at the debugger has seen it
    const Operation& next = actor.pending();
    std::fputs(
        fmt::format("watchlab: before step {}, {}: {} {} ({})\n", scheduler().steps(),
                    actor.identity().readable_path(), verb_for(next.kind),
                    next.object != nullptr ? next.object->describe() : "", place_text(next.here))
            .c_str(),
        stderr);
#if defined(_WIN32)
    __debugbreak();
#else
    std::raise(SIGTRAP);
#endif
  }

 private:
  std::size_t step_;
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
  World world(options_of(parsed));
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
  return fmt::format("{} --run_test={}", replay_line(schedule, program), test_case);
}

std::string replay_line(std::string_view schedule, std::string_view program) {
  return fmt::format("{}={} {}", kScheduleVariable, schedule, program);
}

}  // namespace watchlab::sim
