#include "sim/explore/priority_strategies.hpp"

#include <algorithm>

#include "sim/explore/random_strategy.hpp"
#include "sim/explore/urw_strategy.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {
namespace {

/// Initial priorities lie above every one that a change point hands out.
constexpr std::int64_t kInitialLowest = 1 << 20;

/// Every so many runs change points may also lie beyond the longest run that was learned from: runs
/// may be longer, and what needs a change point there would never be found.
constexpr std::size_t kLookBeyondEvery = 4;

}  // namespace

bool PctStrategy::prepare(std::size_t run) {
  (void)SamplingStrategy::prepare(run);
  learns_ = run < kCalibrationRuns;
  const int depth = cycle_ ? 1 + static_cast<int>(run % static_cast<std::size_t>(depth_)) : depth_;
  const bool looks_beyond = run % kLookBeyondEvery == kLookBeyondEvery - 1;
  draw_change_points(depth, decisions_max_ + (looks_beyond ? 2 + decisions_max_ / 8 : 0));
  return true;
}

void PctStrategy::draw_change_points(int depth, std::size_t last) {
  change_points_.clear();
  const auto wanted = std::min(static_cast<std::size_t>(depth - 1), last);
  while (change_points_.size() < wanted) {
    const std::size_t point = 1 + numbers().next() % last;
    if (std::find(change_points_.begin(), change_points_.end(), point) == change_points_.end()) {
      change_points_.push_back(point);
    }
  }
}

void PctStrategy::begin(const Scheduler& scheduler) {
  Strategy::begin(scheduler);
  decisions_ = 0;
  lowest_ = 0;
}

std::int64_t& PctStrategy::priority_of(const Actor& actor) {
  std::int64_t& priority = actor.priority();
  if (priority == 0) {
    priority = kInitialLowest + static_cast<std::int64_t>(numbers().next() >> 24U);
  }
  return priority;
}

std::uint32_t PctStrategy::highest() {
  std::uint32_t best = 0;
  std::int64_t best_priority = INT64_MIN;
  scheduler().visit_options([&](std::uint32_t index, const Actor& actor) {
    std::int64_t& priority = priority_of(actor);
    if (actor.pending().kind == OperationKind::Yield && priority > lowest_) {
      priority = --lowest_;
    }
    if (priority > best_priority) {
      best = index;
      best_priority = priority;
    }
  });
  return best;
}

std::uint32_t PctStrategy::choose(const Choice& choice) {
  if (choice.kind != ChoiceKind::Actor) {
    return random_alternative(choice, numbers());
  }
  ++decisions_;
  if (decisions_ > 10 * decisions_max_ + 1000) {
    return numbers().below(choice.options);
  }
  std::uint32_t best = highest();
  const auto point = std::find(change_points_.begin(), change_points_.end(), decisions_);
  if (point != change_points_.end()) {
    priority_of(scheduler().option(best)) = 1 + (point - change_points_.begin());
    best = highest();
  }
  return best;
}

void PctStrategy::end(const RunResult& /*result*/) {
  if (learns_) {
    decisions_max_ = std::max(decisions_max_, decisions_);
  }
}

namespace {

bool only_reads(OperationKind kind) {
  return kind == OperationKind::AtomicRead || kind == OperationKind::ChannelSize ||
         kind == OperationKind::TaskDone;
}

}  // namespace

void PosStrategy::begin(const Scheduler& scheduler) {
  Strategy::begin(scheduler);
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
    drawn = {.operation = actor.operations(), .epoch = epoch, .priority = numbers().next()};
    if (operation.kind == OperationKind::Yield && numbers().below(2) == 0) {
      drawn.priority = --lowest_;  // who polls gives way now and then, whomever it competes with
    }
  }
  return drawn.priority;
}

std::uint32_t PosStrategy::choose(const Choice& choice) {
  if (choice.kind != ChoiceKind::Actor) {
    return random_alternative(choice, numbers());
  }
  std::uint32_t best = 0;
  std::uint64_t best_priority = 0;
  for (std::uint32_t i = 0; i < choice.options; ++i) {
    const std::uint64_t priority = priority_of(scheduler().option(i));
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
