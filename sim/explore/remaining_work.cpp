#include "sim/explore/remaining_work.hpp"

#include <algorithm>

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

void RemainingWork::meet(const Actor& actor, RandomNumbers& numbers, std::uint64_t& drawn) {
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
  meet(*parent, numbers, drawn);
  std::int64_t& of_both = remaining_[parent->digest()];
  if (drawn == parent->digest() && count > 0) {
    const auto all = static_cast<std::uint64_t>(std::max(of_both, count));
    drawn = numbers.next() % all < static_cast<std::uint64_t>(count) ? actor.digest() : drawn;
  }
  of_both -= count;
}

std::uint64_t RemainingWork::meet(const Scheduler& scheduler, std::uint32_t options,
                                  RandomNumbers& numbers, std::uint64_t drawn) {
  for (std::uint32_t i = 0; i < options; ++i) {
    meet(scheduler.option(i), numbers, drawn);
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
    return kNobody;
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
  std::uint64_t nobody = 0;
  meet(actor, nothing_drawn, nobody);
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

}  // namespace watchlab::sim
