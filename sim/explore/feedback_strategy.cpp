#include "sim/explore/feedback_strategy.hpp"

#include "sim/explore/random_strategy.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/primitives/sim_channel.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {
namespace {

/// Where a step leaves its mark on an object, and which marks it can see. Two kinds of steps
/// commute when neither sees the other's lane.
struct Lane {
  std::uint32_t own;
  std::uint32_t seen;  ///< a bit for each lane
};

constexpr Lane kEverything{0, 0b1111};
constexpr Lane kRead{1, 0b1101};
/// Steps that commute with their like but not with reads: waits, sends and receives.
constexpr Lane kWait{2, 0b0011};
constexpr Lane kNotify{1, 0b1101};
constexpr Lane kSend{2, 0b0111};
constexpr Lane kReceive{3, 0b1011};

bool has_buffer(const SimObject& object) {
  const auto* const channel = dynamic_cast<const SimChannel*>(&object);
  return channel != nullptr && channel->capacity() > 0;
}

Lane lane_of(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::ReadLock:
    case OperationKind::ReadGranted:
    case OperationKind::ReadUnlock:
    case OperationKind::ChannelSize:
    case OperationKind::Join:
    case OperationKind::TaskDone:
    case OperationKind::AtomicRead:
      return kRead;
    case OperationKind::NotifyOne:
    case OperationKind::NotifyAll:
    case OperationKind::GroupAdd:
      return kNotify;
    case OperationKind::CondWait:
    case OperationKind::GroupWait:
      return kWait;
    case OperationKind::Send:
      return has_buffer(*operation.object) ? kSend : kEverything;
    case OperationKind::Receive:
      return has_buffer(*operation.object) ? kReceive : kEverything;
    default:
      return kEverything;
  }
}

}  // namespace

void OrderDigest::begin() {
  sum_ = 0;
  actors_.clear();
  objects_.clear();
}

void OrderDigest::executed(const Actor& actor, std::int64_t moment) {
  const Operation& operation = actor.pending();
  std::uint64_t& done = actors_.try_emplace(actor.digest(), actor.digest()).first->second;
  done = mix(mix(done, static_cast<std::uint64_t>(operation.kind)),
             static_cast<std::uint64_t>(moment));
  if (operation.object != nullptr) {
    Lanes& lanes = objects_[operation.object->digest()];
    const Lane lane = lane_of(operation);
    done = mix(done, operation.object->digest());
    for (std::uint32_t i = 0; i < lanes.size(); ++i) {
      done = (lane.seen >> i & 1U) == 0 ? done : mix(done, lanes[i]);
    }
    lanes[lane.own] += mix(done, lane.own);
  }
  sum_ += mix(done, 0);
}

void OrderDigest::chosen(const Choice& choice, std::uint32_t index) {
  if (choice.kind == ChoiceKind::Actor || choice.options == 1 || index >= choice.options) {
    return;
  }
  // Alternatives stand in the order of arrival, which differs between equivalent runs.
  const std::uint64_t what =
      index < choice.candidates.size() ? choice.candidates[index]->digest() : index;
  std::uint64_t& done = actors_.try_emplace(choice.at->digest(), choice.at->digest()).first->second;
  done = mix(mix(done, static_cast<std::uint64_t>(choice.kind)), what);
  sum_ += mix(done, 1);
}

namespace {

constexpr int kMutantsEach = 16;
constexpr int kChangesEach = 5;
constexpr std::uint32_t kFreshOneIn = 8;  ///< runs that start from nothing

}  // namespace

bool FeedbackStrategy::prepare(std::size_t run) {
  numbers_ = RandomNumbers(seed_of_run(seed_, run));
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
