#include "sim/explore/pos_strategy.hpp"

#include "sim/explore/random_choice.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {
namespace {

bool only_reads(OperationKind kind) {
  return kind == OperationKind::AtomicRead || kind == OperationKind::ChannelSize ||
         kind == OperationKind::TaskDone;
}

}  // namespace

bool PosStrategy::prepare(std::size_t run) {
  numbers_ = RandomNumbers(mix(seed_, run));
  return true;
}

void PosStrategy::begin(const Scheduler& scheduler) {
  scheduler_ = &scheduler;
  drawn_.clear();
  epochs_.clear();
  lowest_ = kLowest;
}

std::uint64_t PosStrategy::priority_of(const Actor& actor) {
  const Operation& operation = actor.pending();
  std::uint64_t epoch = 0;
  if (operation.object != nullptr) {
    const auto found = epochs_.find(operation.object->digest());
    const Epochs epochs = found == epochs_.end() ? Epochs{} : found->second;
    epoch = only_reads(operation.kind) ? epochs.writes : epochs.uses;
  }
  Drawn& drawn = drawn_[actor.digest()];
  if (drawn.operation != actor.operations() || drawn.epoch != epoch) {
    drawn = {.operation = actor.operations(), .epoch = epoch, .priority = numbers_.next()};
    if (operation.kind == OperationKind::Yield && numbers_.below(2) == 0) {
      drawn.priority = --lowest_;  // who polls gives way now and then, whomever it competes with
    }
  }
  return drawn.priority;
}

std::uint32_t PosStrategy::choose(const Choice& choice) {
  if (choice.kind != ChoiceKind::Actor) {
    return random_alternative(choice, numbers_);
  }
  std::uint32_t best = 0;
  std::uint64_t best_priority = 0;
  for (std::uint32_t i = 0; i < choice.options; ++i) {
    const std::uint64_t priority = priority_of(scheduler_->option(i));
    if (priority >= best_priority) {
      best = i;
      best_priority = priority;
    }
  }
  return best;
}

void PosStrategy::executed(const Actor& actor) {
  const Operation& operation = actor.pending();
  if (operation.object != nullptr) {
    Epochs& epochs = epochs_[operation.object->digest()];
    ++epochs.uses;
    epochs.writes += only_reads(operation.kind) ? 0 : 1;
  }
}

}  // namespace watchlab::sim
