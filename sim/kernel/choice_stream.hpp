#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/kernel/ready_set.hpp"
#include "sim/kernel/run_digest.hpp"
#include "sim/kernel/schedule.hpp"
#include "sim/kernel/sim_task.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// All decisions of a run, in order: asks the strategy, folds the answer into the digest, and
/// records what deviates from `fifo`. These deviations, each with its address, are the whole
/// schedule: a run that is given them again goes the same way. An answer that is not one of the
/// alternatives abandons the run.
class ChoiceStream {
 public:
  explicit ChoiceStream(RunDigest& digest) : digest_(digest) {}

  /// What the strategy wants to be asked is looked up once per run, because every operation depends
  /// on it.
  void reset(Strategy& strategy) {
    strategy_ = &strategy;
    asks_who_ = strategy.reorders();
    asks_alone_ = strategy.asks_for_single_actor();
    observed_ = strategy.observes();
    deviations_.clear();
    preemptions_ = 0;
  }
  [[nodiscard]] bool observed() const { return observed_; }
  [[nodiscard]] Strategy& strategy() const { return *strategy_; }
  /// Whether every decision about who goes next takes the default without asking the strategy.
  [[nodiscard]] bool follows_default() const { return !asks_who_ && !asks_alone_; }
  /// Whether the strategy is asked when only one actor is ready.
  [[nodiscard]] bool asks_for_single_actor() const { return asks_alone_; }

  /// Picks the next of the ready actors, for a decision at `place`. Null if the run is abandoned.
  /// Always inlined, because every switch goes through it.
  [[gnu::always_inline]] Actor* choose_actor(const ReadySet& ready, Actor& place) {
    const std::uint32_t options = ready.count();
    std::uint32_t index = 0;
    if (asks_who_) {
      who_.options = options;
      who_.at = &place;
      who_.ordinal = place.operations();
      index = strategy_->choose(who_);
    }
    if (index >= options) [[unlikely]] {
      return nullptr;
    }
    if (options > 1) [[likely]] {
      digest_.decided(options);
    }
    Actor* const next = &ready.option(index);
    if (index != 0) {
      deviate_to(*next, place, ready.is_default(place));
    }
    return next;
  }
  /// One of several alternatives for a task; fills in the address of `choice`. Nothing if the run
  /// is abandoned.
  [[nodiscard]] std::optional<std::uint32_t> choose_value(SimTask& task, Choice&& choice) {
    choice.at = &task;
    choice.ordinal = ++task.choices;
    const std::uint32_t index = strategy_->choose(choice);
    if (index >= choice.options) {
      return std::nullopt;
    }
    digest_.chose(choice.kind, choice.options, index);
    if (index != 0) {
      deviate(task, choice, index);
    }
    return index;
  }
  /// To which of `waiters` a mutex is handed over, counted from 1; 0 for none.
  [[nodiscard]] std::optional<std::uint32_t> choose_handover(SimTask& task, std::size_t waiters);
  /// Whether a task that polls and reads the clock goes on; 1 for yes.
  [[nodiscard]] std::optional<std::uint32_t> choose_to_poll_on(SimTask& task);
  /// Whether time jumps while tasks are ready; `again` if it has just done so.
  [[nodiscard]] std::optional<std::uint32_t> choose_advance(SimTask& task, bool again);
  /// Whether the run continues with a time jump that is not a choice.
  [[nodiscard]] bool continues_with_jump(const SimTask& task);

  [[nodiscard]] const std::vector<Deviation>& deviations() const { return deviations_; }
  /// How many of the deviations took a task off that could have continued.
  [[nodiscard]] std::size_t preemptions() const { return preemptions_; }
  void forget_deviations() { deviations_.clear(); }
  /// Empty space for the candidates of a choice; the next caller reuses it.
  [[nodiscard]] std::vector<const Actor*>& room_for_candidates() {
    candidates_.clear();
    return candidates_;
  }

 private:
  [[nodiscard]] std::optional<std::uint32_t> choose_apart(SimTask& task, const Choice& choice);
  void deviate(SimTask& task, const Choice& choice, std::uint32_t index) {
    task.pin();
    deviations_.push_back(
        {.at = &task, .ordinal = choice.ordinal, .index = index, .kind = choice.kind});
  }
  void deviate_to(Actor& next, Actor& place, bool preempts) {
    place.pin();
    next.pin();
    preemptions_ += preempts ? 1 : 0;
    deviations_.push_back({.at = &place,
                           .next = &next,
                           .ordinal = place.operations(),
                           .kind = ChoiceKind::Actor,
                           .preempts = preempts});
  }

  RunDigest& digest_;
  Strategy* strategy_ = nullptr;
  Choice who_{.kind = ChoiceKind::Actor, .what = "who goes next"};
  bool asks_who_ = true;  // whether the strategy is asked who goes next
  bool asks_alone_ = false;
  bool observed_ = false;
  std::size_t preemptions_ = 0;
  std::vector<Deviation> deviations_;
  std::vector<const Actor*> candidates_;
};

}  // namespace watchlab::sim
