#include "sim/explore/urw_strategy.hpp"

#include "sim/explore/calibration.hpp"
#include "sim/explore/random_choice.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {
namespace {

/// Whether an operation is one of those that are interleaved: ends follow without a decision, and
/// joins wait for what was counted already.
bool counts(OperationKind kind) {
  return kind != OperationKind::Exit && kind != OperationKind::Join &&
         kind != OperationKind::GroupWait && kind != OperationKind::Continue;
}

}  // namespace

bool UrwStrategy::prepare(std::size_t run) {
  numbers_ = RandomNumbers(mix(seed_, run));
  profiling_ = run == 0;
  learns_ = run < kCalibrationRuns;
  return true;
}

void UrwStrategy::begin(const Scheduler& scheduler) {
  scheduler_ = &scheduler;
  work_.begin();
}

std::uint32_t UrwStrategy::choose(const Choice& choice) {
  if (choice.kind != ChoiceKind::Actor || profiling_) {
    return random_alternative(choice, numbers_);
  }
  return work_.draw(*scheduler_, choice.options, numbers_);
}

void UrwStrategy::executed(const Actor& actor) {
  if (counts(actor.pending().kind)) {
    work_.done(actor);
  }
}

void UrwStrategy::end(const RunResult& /*result*/) {
  if (learns_) {
    work_.end();
  }
}

}  // namespace watchlab::sim
