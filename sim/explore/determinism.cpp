#include "sim/explore/determinism.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/explore/replay_strategy.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
namespace {

using Body = std::function<void(runtime::Runtime&)>;

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

}  // namespace

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

}  // namespace watchlab::sim
