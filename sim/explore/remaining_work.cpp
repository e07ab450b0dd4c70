#include "sim/explore/remaining_work.hpp"

#include <algorithm>

#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

void RemainingWork::begin() {
  seen_.clear();
  remaining_.clear();
}

void RemainingWork::meet(const Actor& actor) {
  const auto [place, is_new] = remaining_.try_emplace(actor.digest(), 0);
  if (!is_new) {
    return;
  }
  const auto expected = expected_.find(actor.digest());
  const std::int64_t count = expected == expected_.end() ? 1 : expected->second;
  place->second = count;
  const SimTask* const parent = actor.identity().creator.get();
  if (parent != nullptr) {
    remaining_[parent->digest()] -= count;
  }
}

std::uint64_t RemainingWork::remaining(const Actor& actor) const {
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(1, remaining_.find(actor.digest())->second));
}

std::uint32_t RemainingWork::draw(const Scheduler& scheduler, std::uint32_t options,
                                  RandomNumbers& numbers) {
  // Meet everybody first: what a new task has before it no longer counts as its creator's.
  for (std::uint32_t i = 0; i < options; ++i) {
    meet(scheduler.option(i));
  }
  std::uint64_t total = 0;
  for (std::uint32_t i = 0; i < options; ++i) {
    total += remaining(scheduler.option(i));
  }
  std::uint64_t ticket = numbers.next() % total;
  std::uint32_t drawn = 0;
  while (ticket >= remaining(scheduler.option(drawn))) {
    ticket -= remaining(scheduler.option(drawn));
    ++drawn;
  }
  return drawn;
}

void RemainingWork::done(const Actor& actor) {
  meet(actor);
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
