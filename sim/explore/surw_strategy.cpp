#include "sim/explore/surw_strategy.hpp"

#include <algorithm>

#include "sim/explore/calibration.hpp"
#include "sim/explore/random_choice.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {
namespace {

/// After so many yields without a use of the target nobody is held back: they wait for one who is.
constexpr std::size_t kYieldsMax = 16;
/// The same for decisions, for loops that spin without a yield. Halved each time, so that a program
/// full of such loops ends too.
constexpr std::size_t kHeldMax = 2000;
constexpr std::size_t kHeldLeast = 16;

}  // namespace

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
  released_ = false;
  held_ = yields_ = 0;
  held_max_ = kHeldMax;
  if (learns_) {
    for (auto& [object, work] : work_) {
      work.begin();
    }
  } else if (target_ != 0) {
    work_on(target_).begin();
  }
}

RemainingWork& SurwStrategy::work_on(std::uint64_t object) {
  return work_.try_emplace(object, object).first->second;
}

bool SurwStrategy::is_interesting(const Actor& actor) const {
  const SimObject* const object = actor.pending().object;
  return target_ != 0 && object != nullptr && object->digest() == target_;
}

bool SurwStrategy::draw_turn(std::uint32_t options) {
  RemainingWork& work = work_on(target_);
  intended_ = work.meet(*scheduler_, options, numbers_, intended_);
  if (intended_ == 0) {
    const std::uint32_t drawn = work.draw(*scheduler_, options, numbers_);
    intended_ = drawn == RemainingWork::kNobody ? 0 : scheduler_->option(drawn).digest();
  }
  return intended_ != 0;
}

std::uint32_t SurwStrategy::choose(const Choice& choice) {
  if (choice.kind != ChoiceKind::Actor || target_ == 0 || released_ || !draw_turn(choice.options)) {
    return random_alternative(choice, numbers_);
  }
  free_.clear();
  scheduler_->visit_options([this](std::uint32_t index, const Actor& actor) {
    if (!is_interesting(actor) || actor.digest() == intended_) {
      free_.push_back(index);
    }
  });
  held_ += free_.size() < choice.options ? 1 : 0;
  if (free_.empty() || held_ > held_max_) {  // whose turn it is does not get there
    released_ = true;
    held_max_ = held_ > held_max_ ? std::max(held_max_ / 2, kHeldLeast) : held_max_;
    return random_alternative(choice, numbers_);
  }
  return free_[numbers_.below(static_cast<std::uint32_t>(free_.size()))];
}

void SurwStrategy::executed(const Actor& actor) {
  const SimObject* const object = actor.pending().object;
  if (actor.pending().kind == OperationKind::Yield) {
    released_ = released_ || (intended_ != 0 && ++yields_ > kYieldsMax);
  }
  if (object == nullptr || object->identity().kind == ObjectKind::Task) {
    return;
  }
  const bool interesting = is_interesting(actor);
  if (learns_) {
    users_[object->digest()].insert(actor.digest());
  }
  if (learns_ || interesting) {
    work_on(object->digest()).done(actor);
  }
  if (interesting) {
    intended_ = 0;
    released_ = false;
    held_ = yields_ = 0;
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
