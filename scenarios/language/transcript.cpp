#include "scenarios/language/transcript.hpp"

#include "scenarios/language/play.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::scenarios {
namespace {

/// The default run, but for mutexes: those who starve are served first.
class HandingOver final : public sim::Strategy {
 public:
  [[nodiscard]] std::uint32_t choose(const sim::Choice& choice) override {
    return choice.kind == sim::ChoiceKind::Handover ? 1 : 0;
  }
  [[nodiscard]] bool reorders() const override { return false; }
};

Transcript play_once(const Scenario& scenario, bool transcribes, Locks locks) {
  sim::World world({.seed = static_cast<std::uint64_t>(scenario.explore.seed),
                    .steps_max = static_cast<std::size_t>(scenario.explore.steps),
                    .scenario = scenario.hash});
  sim::FifoStrategy undisturbed;
  HandingOver handing_over;
  sim::Strategy& strategy = locks == Locks::Free ? static_cast<sim::Strategy&>(undisturbed)
                                                 : static_cast<sim::Strategy&>(handing_over);
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

Transcript transcribe(const Scenario& scenario, Locks locks) {
  return play_once(scenario, true, locks);
}

Transcript play_undisturbed(const Scenario& scenario) {
  return play_once(scenario, false, Locks::Free);
}

}  // namespace watchlab::scenarios
