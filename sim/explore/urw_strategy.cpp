#include "sim/explore/urw_strategy.hpp"

#include "sim/explore/calibration.hpp"
#include "sim/explore/random_choice.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {
namespace {

/// How often a task starts, or goes on after a join, before its next event was drawn.
constexpr std::uint32_t kIdleOneIn = 4;

}  // namespace

bool UrwStrategy::prepare(std::size_t run) {
  numbers_ = RandomNumbers(mix(seed_, run));
  profiling_ = run == 0;
  learns_ = run < kCalibrationRuns;
  return true;
}

void UrwStrategy::begin(const Scheduler& scheduler) {
  scheduler_ = &scheduler;
  drawn_ = 0;
  work_.begin();
}

std::uint32_t UrwStrategy::choose(const Choice& choice) {
  if (choice.kind != ChoiceKind::Actor || profiling_) {
    return random_alternative(choice, numbers_);
  }
  drawn_ = work_.meet(*scheduler_, choice.options, numbers_, drawn_);
  std::uint32_t drawn = RemainingWork::kNobody;
  for (std::uint32_t i = 0; drawn_ != 0 && i < choice.options; ++i) {
    drawn = scheduler_->option(i).digest() == drawn_ ? i : drawn;
  }
  if (drawn == RemainingWork::kNobody) {
    drawn = work_.draw(*scheduler_, choice.options, numbers_);
  }
  if (drawn == RemainingWork::kNobody) {
    return random_alternative(choice, numbers_);
  }
  drawn_ = scheduler_->option(drawn).digest();
  const std::uint32_t idle = draw_idle(choice.options);
  return idle != RemainingWork::kNobody ? idle : drawn;
}

std::uint32_t UrwStrategy::draw_idle(std::uint32_t options) {
  std::uint32_t found = 0;
  std::uint32_t drawn = RemainingWork::kNobody;
  scheduler_->visit_options([&](std::uint32_t index, const Actor& actor) {
    if (index < options && !work_.counts(actor) && numbers_.below(++found) == 0) {
      drawn = index;
    }
  });
  return found > 0 && numbers_.below(kIdleOneIn) == 0 ? drawn : RemainingWork::kNobody;
}

void UrwStrategy::executed(const Actor& actor) {
  if (work_.counts(actor)) {
    drawn_ = 0;
    work_.done(actor);
  }
}

void UrwStrategy::end(const RunResult& /*result*/) {
  if (learns_) {
    work_.end();
  }
}

}  // namespace watchlab::sim
