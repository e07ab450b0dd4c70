#include "scenarios/language/transcript.hpp"

#include "scenarios/language/play.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::scenarios {
namespace {

Transcript play_once(const Scenario& scenario, bool transcribes) {
  sim::World world({.seed = static_cast<std::uint64_t>(scenario.explore.seed),
                    .steps_max = static_cast<std::size_t>(scenario.explore.steps),
                    .scenario = scenario.hash});
  sim::FifoStrategy strategy;
  sim::Record record;
  const sim::RunResult result = world.run(strategy, [&](runtime::Runtime& runtime) {
    play(scenario, Scope::AnyOrder, runtime, {.record = &record, .transcribe = transcribes});
  });
  Transcript transcript;
  if (result.failure) {
    transcript.problem = result.failure->sentence;
  }
  if (record.closed != runtime::TimePoint{}) {
    transcript.line = transcribes ? transcript_text(scenario, record) : "";
    transcript.record = std::move(record);
  } else if (transcript.problem.empty()) {
    transcript.problem = "the story has no end";
  }
  return transcript;
}

}  // namespace

Transcript transcribe(const Scenario& scenario) { return play_once(scenario, true); }

Transcript play_undisturbed(const Scenario& scenario) { return play_once(scenario, false); }

}  // namespace watchlab::scenarios
