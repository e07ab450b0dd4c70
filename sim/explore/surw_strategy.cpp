#include "sim/explore/surw_strategy.hpp"

#include <algorithm>

#include "sim/explore/calibration.hpp"
#include "sim/explore/random_choice.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

bool SurwStrategy::prepare(std::size_t run) {
  numbers_ = RandomNumbers(mix(seed_, run));
  learns_ = run < kCalibrationRuns;
  std::vector<std::uint64_t> shared;
  for (const auto& [object, users] : users_) {
    if (users.size() > 1) {
      shared.push_back(object);
    }
  }
  target_ = shared.empty() ? 0 : shared[numbers_.below(static_cast<std::uint32_t>(shared.size()))];
  return true;
}

void SurwStrategy::begin(const Scheduler& scheduler) {
  scheduler_ = &scheduler;
  intended_ = 0;
  if (learns_) {
    for (auto& [object, work] : work_) {
      work.begin();
    }
  } else if (target_ != 0) {
    work_[target_].begin();
  }
}

bool SurwStrategy::is_interesting(const Actor& actor) const {
  const SimObject* const object = actor.pending().object;
  return target_ != 0 && object != nullptr && object->digest() == target_;
}

std::uint32_t SurwStrategy::choose(const Choice& choice) {
  if (choice.kind != ChoiceKind::Actor || target_ == 0) {
    return random_alternative(choice, numbers_);
  }
  if (intended_ == 0) {
    const std::uint32_t drawn = work_[target_].draw(*scheduler_, choice.options, numbers_);
    intended_ = scheduler_->option(drawn).digest();
  }
  std::vector<std::uint32_t> free;
  for (std::uint32_t i = 0; i < choice.options; ++i) {
    const Actor& actor = scheduler_->option(i);
    if (!is_interesting(actor) || actor.digest() == intended_) {
      free.push_back(i);
    }
  }
  if (free.empty()) {  // whose turn it is cannot move: nobody is held back any more
    intended_ = 0;
    return random_alternative(choice, numbers_);
  }
  return free[numbers_.below(static_cast<std::uint32_t>(free.size()))];
}

void SurwStrategy::executed(const Actor& actor) {
  const SimObject* const object = actor.pending().object;
  if (object == nullptr || object->identity().kind == ObjectKind::Task) {
    return;
  }
  const bool interesting = is_interesting(actor);
  if (learns_) {
    users_[object->digest()].insert(actor.digest());
  }
  if (learns_ || interesting) {
    work_[object->digest()].done(actor);
  }
  if (interesting) {
    intended_ = 0;
  }
}

void SurwStrategy::end(const RunResult& /*result*/) {
  if (learns_) {
    for (auto& [object, work] : work_) {
      work.end();
    }
  }
}

}  // namespace watchlab::sim
