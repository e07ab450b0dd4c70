#include "sim/explore/urw_strategy.hpp"

#include <algorithm>

#include "sim/explore/random_strategy.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

void RemainingWork::begin() {
  seen_.clear();
  remaining_.clear();
}

bool RemainingWork::counts(const Actor& actor) const {
  const Operation& operation = actor.pending();
  if (object_ != 0) {
    return operation.object != nullptr && operation.object->digest() == object_;
  }
  return operation.kind != OperationKind::Start && operation.kind != OperationKind::Exit &&
         operation.kind != OperationKind::Join && operation.kind != OperationKind::GroupWait &&
         operation.kind != OperationKind::Continue;
}

void RemainingWork::add(const Actor& actor, RandomNumbers& numbers, std::uint64_t& drawn) {
  if (remaining_.contains(actor.digest())) {
    return;
  }
  const auto expected = expected_.find(actor.digest());
  const std::int64_t unknown = object_ == 0 ? 1 : 0;
  const std::int64_t count = expected == expected_.end() ? unknown : expected->second;
  remaining_[actor.digest()] = count;
  const SimTask* const parent = actor.identity().creator.get();
  if (parent == nullptr) {
    return;
  }
  add(*parent, numbers, drawn);
  std::int64_t& of_both = remaining_[parent->digest()];
  if (drawn == parent->digest() && count > 0) {
    const auto all = static_cast<std::uint64_t>(std::max(of_both, count));
    drawn = numbers.next() % all < static_cast<std::uint64_t>(count) ? actor.digest() : drawn;
  }
  of_both -= count;
}

std::uint64_t RemainingWork::add_offered(const Scheduler& scheduler, std::uint32_t options,
                                         RandomNumbers& numbers, std::uint64_t drawn) {
  for (std::uint32_t i = 0; i < options; ++i) {
    add(scheduler.option(i), numbers, drawn);
  }
  return drawn;
}

std::uint64_t RemainingWork::weight(const Actor& actor) const {
  const std::int64_t least = counts(actor) ? 1 : 0;
  return static_cast<std::uint64_t>(std::max(least, remaining_.find(actor.digest())->second));
}

std::uint32_t RemainingWork::draw(const Scheduler& scheduler, std::uint32_t options,
                                  RandomNumbers& numbers) const {
  std::uint64_t total = 0;
  for (std::uint32_t i = 0; i < options; ++i) {
    total += weight(scheduler.option(i));
  }
  if (total == 0) {
    return kNoActor;
  }
  std::uint64_t ticket = numbers.next() % total;
  std::uint32_t drawn = 0;
  for (;; ++drawn) {
    const std::uint64_t each = weight(scheduler.option(drawn));
    if (ticket < each) {
      return drawn;
    }
    ticket -= each;
  }
}

void RemainingWork::done(const Actor& actor) {
  if (!counts(actor)) {
    return;
  }
  RandomNumbers nothing_drawn(0);
  std::uint64_t nobody_drawn = 0;
  add(actor, nothing_drawn, nobody_drawn);
  --remaining_[actor.digest()];
  ++seen_[actor.digest()];
  for (const SimTask* ancestor = actor.identity().creator.get(); ancestor != nullptr;
       ancestor = ancestor->identity().creator.get()) {
    ++seen_[ancestor->digest()];
  }
}

void RemainingWork::end() {
  for (const auto& [actor, count] : seen_) {
    expected_[actor] = count;
  }
}

namespace {

/// How often a task starts, or continues after a join, before its next event was drawn.
constexpr std::uint32_t kIdleOneIn = 4;

}  // namespace

bool UrwStrategy::prepare(std::size_t run) {
  (void)SamplingStrategy::prepare(run);
  profiling_ = run == 0;
  learns_ = run < kCalibrationRuns;
  return true;
}

void UrwStrategy::begin(const Scheduler& scheduler) {
  Strategy::begin(scheduler);
  drawn_ = 0;
  work_.begin();
}

std::uint32_t UrwStrategy::choose(const Choice& choice) {
  if (choice.kind != ChoiceKind::Actor || profiling_) {
    return random_alternative(choice, numbers());
  }
  drawn_ = work_.add_offered(scheduler(), choice.options, numbers(), drawn_);
  std::uint32_t drawn = drawn_ == 0 ? RemainingWork::kNoActor : option_of(drawn_, choice.options);
  if (drawn == RemainingWork::kNoActor) {
    drawn = work_.draw(scheduler(), choice.options, numbers());
  }
  if (drawn == RemainingWork::kNoActor) {
    return random_alternative(choice, numbers());
  }
  drawn_ = scheduler().option(drawn).digest();
  const std::uint32_t idle = draw_idle(choice.options);
  return idle != RemainingWork::kNoActor ? idle : drawn;
}

std::uint32_t UrwStrategy::draw_idle(std::uint32_t options) {
  std::uint32_t found = 0;
  std::uint32_t drawn = RemainingWork::kNoActor;
  scheduler().visit_options([&](std::uint32_t index, const Actor& actor) {
    if (index < options && !work_.counts(actor) && numbers().below(++found) == 0) {
      drawn = index;
    }
  });
  return found > 0 && numbers().below(kIdleOneIn) == 0 ? drawn : RemainingWork::kNoActor;
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

namespace {

/// After so many yields without a use of the target no task is held back: they wait for one that
/// is.
constexpr std::size_t kYieldsMax = 16;
/// The same for decisions, for loops that spin without a yield. Halved each time, so that a program
/// full of such loops ends too.
constexpr std::size_t kHeldMax = 2000;
constexpr std::size_t kHeldLeast = 16;

}  // namespace

bool SurwStrategy::prepare(std::size_t run) {
  (void)SamplingStrategy::prepare(run);
  learns_ = run < kCalibrationRuns;
  std::vector<std::uint64_t> shared;
  for (const auto& [object, users] : users_) {
    if (users.size() > 1) {
      shared.push_back(object);
    }
  }
  target_ = shared.empty() ? 0 : shared[numbers().below(static_cast<std::uint32_t>(shared.size()))];
  return true;
}

void SurwStrategy::begin(const Scheduler& scheduler) {
  Strategy::begin(scheduler);
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
  intended_ = work.add_offered(scheduler(), options, numbers(), intended_);
  if (intended_ == 0) {
    const std::uint32_t drawn = work.draw(scheduler(), options, numbers());
    intended_ = drawn == RemainingWork::kNoActor ? 0 : scheduler().option(drawn).digest();
  }
  return intended_ != 0;
}

std::uint32_t SurwStrategy::choose(const Choice& choice) {
  if (choice.kind != ChoiceKind::Actor || target_ == 0 || released_ || !draw_turn(choice.options)) {
    return random_alternative(choice, numbers());
  }
  free_.clear();
  scheduler().visit_options([this](std::uint32_t index, const Actor& actor) {
    if (!is_interesting(actor) || actor.digest() == intended_) {
      free_.push_back(index);
    }
  });
  held_ += free_.size() < choice.options ? 1 : 0;
  if (free_.empty() || held_ > held_max_) {  // whose turn it is does not get there
    released_ = true;
    held_max_ = held_ > held_max_ ? std::max(held_max_ / 2, kHeldLeast) : held_max_;
    return random_alternative(choice, numbers());
  }
  return free_[numbers().below(static_cast<std::uint32_t>(free_.size()))];
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
