#include "sim/explore/feedback_strategy.hpp"

#include "sim/explore/random_choice.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {
namespace {

constexpr int kMutantsEach = 16;
constexpr int kChangesEach = 5;
constexpr std::uint32_t kFreshOneIn = 8;  ///< runs that start from nothing

}  // namespace

bool FeedbackStrategy::prepare(std::size_t run) {
  numbers_ = RandomNumbers(mix(seed_, run));
  plan_.clear();
  if (corpus_.empty() || numbers_.below(kFreshOneIn) == 0) {
    return true;
  }
  next_kept_ = (next_kept_ + 1) % corpus_.size();
  mutate(corpus_[next_kept_]);
  return true;
}

void FeedbackStrategy::mutate(Kept& kept) {
  plan_ = kept.choices;
  for (int i = 0; i < kChangesEach && !plan_.empty(); ++i) {
    plan_[numbers_.below(static_cast<std::uint32_t>(plan_.size()))] = numbers_.below(64);
  }
  if (--kept.mutants_left == 0) {
    kept = std::move(corpus_.back());
    corpus_.pop_back();
    next_kept_ = 0;
  }
}

void FeedbackStrategy::begin(const Scheduler& /*scheduler*/) {
  taken_.clear();
  last_user_.clear();
  found_new_ = false;
}

std::uint32_t FeedbackStrategy::choose(const Choice& choice) {
  const std::size_t place = taken_.size();
  const std::uint32_t index =
      place < plan_.size() ? plan_[place] % choice.options : random_alternative(choice, numbers_);
  taken_.push_back(index);
  return index;
}

void FeedbackStrategy::executed(const Actor& actor) {
  const SimObject* const object = actor.pending().object;
  if (object == nullptr) {
    return;
  }
  std::uint64_t& last = last_user_[object->digest()];
  if (last != actor.digest()) {
    found_new_ |= seen_.insert(mix(mix(object->digest(), last), actor.digest())).second;
    last = actor.digest();
  }
}

void FeedbackStrategy::end(const RunResult& /*result*/) {
  if (found_new_) {
    corpus_.push_back({.choices = taken_, .mutants_left = kMutantsEach});
  }
}

}  // namespace watchlab::sim
