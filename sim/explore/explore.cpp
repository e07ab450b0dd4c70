#include "sim/explore/explore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "sim/explore/replay_strategy.hpp"
#include "sim/explore/strategy_catalogue.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
namespace {

using Body = std::function<void(runtime::Runtime&)>;

constexpr std::size_t kCheckEvery = 1000;

std::string describe_step(const std::vector<StepRecord>& steps, std::size_t index) {
  return index < steps.size() ? steps[index].to_text() : "nothing: the run had ended";
}

/// Plays the schedule twice, recording, and names the first step that differs.
std::string first_difference(World& world, const Schedule& schedule, const Body& body) {
  const bool recorded = world.options().record;
  world.set_record(true);
  ReplayStrategy strategy(schedule, ReplayStrategy::Mode::Guided);
  const RunResult one = world.run(strategy, body);
  const RunResult two = world.run(strategy, body);
  world.set_record(recorded);
  const std::size_t length = std::max(one.steps_taken.size(), two.steps_taken.size());
  for (std::size_t i = 0; i < length; ++i) {
    const std::string first = describe_step(one.steps_taken, i);
    const std::string second = describe_step(two.steps_taken, i);
    if (first != second) {
      return fmt::format("the first difference is step {}: once {}, once {}", i + 1, first, second);
    }
  }
  return "the same steps with other names, times or choices";
}

/// Plays what was just played once more. A failure when it went another way.
std::optional<Failure> check_determinism(World& world, const RunResult& first,
                                         const Schedule& schedule, const Body& body) {
  ReplayStrategy strategy(schedule, ReplayStrategy::Mode::Strict);
  const RunResult second = world.run(strategy, body);
  if (second.digest == first.digest && !strategy.divergence()) {
    return std::nullopt;
  }
  const std::string cause = strategy.divergence().value_or("the digests differ");
  return Failure{
      .kind = "divergence",
      .sentence = fmt::format(
          "the same schedule gave two different runs, so the body is not deterministic: {}; {}. "
          "Look for addresses used as order or hash, state kept between runs, real time, or "
          "uninitialised memory",
          cause, first_difference(world, schedule, body)),
      .schedule = schedule.to_text(),
      .steps = second.steps};
}

}  // namespace

ExploreResult explore(const ExploreOptions& options, const Body& body) {
  const std::unique_ptr<Strategy> strategy = make_strategy(options);
  World world({.seed = options.seed,
               .steps_max = options.steps_max,
               .early_advances_max = options.early_advances_max,
               .scenario = options.scenario});
  ExploreResult result;
  for (std::size_t run = 0; run < options.schedules_max; ++run) {
    if (options.keep_going && !options.keep_going(run)) {
      break;
    }
    if (!strategy->prepare(run)) {
      result.exhausted = true;
      break;
    }
    const bool own_seed = run > 0 && strategy->varies_seed();
    world.set_seed(own_seed ? mix(options.seed, run) : options.seed);
    const RunResult played = world.run(*strategy, body);
    if (played.abandoned) {
      ++result.blocked;
      continue;
    }
    if (strategy->repeated()) {
      continue;
    }
    ++result.executions;
    result.failure = played.failure;
    if (run % kCheckEvery == 0 || played.failure) {
      const std::optional<Failure> divergence =
          check_determinism(world, played, world.schedule(), body);
      result.failure = divergence ? divergence : played.failure;
    }
    if (result.failure) {
      break;
    }
  }
  return result;
}

std::optional<Failure> replay(std::string_view schedule, const Body& body) {
  const Schedule parsed = Schedule::parse(schedule);
  World world({.seed = parsed.seed,
               .steps_max = parsed.steps_max,
               .early_advances_max = parsed.early_advances_max});
  ReplayStrategy strategy(parsed, ReplayStrategy::Mode::Strict);
  RunResult result = world.run(strategy, body);
  if (strategy.divergence()) {
    return Failure{.kind = "divergence",
                   .sentence = *strategy.divergence(),
                   .schedule = std::string(schedule),
                   .steps = result.steps};
  }
  return result.failure;
}

}  // namespace watchlab::sim
