#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/kernel/actor_set.hpp"
#include "sim/kernel/sim_task.hpp"

namespace watchlab::sim {

/// The live actors of a world, and which of them can take a step now. Each has a slot: a task from
/// its start to its end, a timer while it is due. A newcomer gets the lowest free slot, so slots
/// are the same in every run that goes the same way.
///
/// It also determines the alternatives of a decision. Number 0 is the default, which `fifo` takes;
/// the others follow in slot order. Schedules store these numbers, so the order is part of their
/// meaning.
class ReadySet {
 public:
  std::uint32_t take_slot(Actor& actor, std::shared_ptr<SimTask> task) {
    std::uint32_t slot = static_cast<std::uint32_t>(slots_.size());
    if (free_.empty()) {
      slots_.emplace_back();
    } else {
      slot = free_.first();
      free_.erase(slot);
    }
    slots_[slot] = {&actor, std::move(task)};
    return slot;
  }
  /// Frees the slot and returns its task; null for a timer.
  std::shared_ptr<SimTask> free_slot(std::uint32_t slot) {
    ready_.erase(slot);
    free_.insert(slot);
    return std::exchange(slots_[slot], {}).task;
  }
  void clear() {
    ready_.clear();
    free_.clear();
    slots_.clear();
  }

  void insert(std::uint32_t slot) { ready_.insert(slot); }
  void erase(std::uint32_t slot) { ready_.erase(slot); }
  void insert_all(const ActorSet& slots) { ready_.insert_all(slots); }
  void erase_all(const ActorSet& slots) { ready_.erase_all(slots); }
  [[nodiscard]] bool contains(std::uint32_t slot) const { return ready_.contains(slot); }
  [[nodiscard]] bool empty() const { return ready_.empty(); }
  [[nodiscard]] bool has_several() const { return ready_.has_several(); }
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(ready_.count()); }

  /// Excludes those in `slots` from what follows; stores in `all` who was ready. Returns false and
  /// does nothing if nobody else is ready.
  [[nodiscard]] bool leave_out(const ActorSet& slots, ActorSet& all) {
    all = ready_;
    ready_.erase_all(slots);
    if (ready_.empty()) {
      ready_ = all;
      return false;
    }
    return true;
  }
  void restore(const ActorSet& all) { ready_ = all; }

  /// Sets the default actor: `at` if it can continue, because a switch costs a preemption;
  /// otherwise the lowest. A task that yields wants the next one in turn. The set must not be
  /// empty.
  void set_default(const Actor& at) {
    if (at.pending().kind == OperationKind::Yield) {
      default_ = ready_.after(at.slot());
    } else {
      default_ = contains(at.slot()) ? at.slot() : ready_.first();
    }
  }
  /// The same for the common case that takes few instructions: all ready actors are in the first
  /// slots, and `at` does not yield. Returns whether this was the case.
  bool set_default_quickly(const Actor& at) {
    if (!ready_.is_small() || at.pending().kind == OperationKind::Yield) [[unlikely]] {
      return false;
    }
    default_ = ready_.small_contains(at.slot()) ? at.slot() : ready_.first_of_small();
    return true;
  }
  [[nodiscard]] bool is_default(const Actor& actor) const { return default_ == actor.slot(); }

  /// The `index`-th alternative of the current decision.
  [[nodiscard]] Actor& option(std::uint32_t index) const {
    return *slots_[index == 0 ? default_ : ready_.nth_other(index - 1, default_)].actor;
  }
  /// Calls `visit(index, actor)` for each alternative.
  template <typename Visit>
  void visit_options(Visit visit) const {
    std::uint32_t index = 0;
    visit(index, std::as_const(*slots_[default_].actor));
    ready_.visit_others(
        default_, [&](std::uint32_t slot) { visit(++index, std::as_const(*slots_[slot].actor)); });
  }

  [[nodiscard]] const std::shared_ptr<SimTask>& task_at(std::uint32_t slot) const {
    return slots_[slot].task;
  }
  /// Calls `visit(actor)` for each ready actor.
  template <typename Visit>
  void visit_ready(Visit visit) const {
    ready_.visit_others(Actor::kNoSlot, [&](std::uint32_t slot) { visit(*slots_[slot].actor); });
  }
  /// All live actors, by slot.
  [[nodiscard]] std::vector<const Actor*> actors() const {
    std::vector<const Actor*> actors;
    for (const Slot& slot : slots_) {
      if (slot.actor != nullptr) {
        actors.push_back(slot.actor);
      }
    }
    return actors;
  }

 private:
  struct Slot {
    Actor* actor = nullptr;
    std::shared_ptr<SimTask> task;  // null for a timer
  };

  ActorSet ready_;
  std::vector<Slot> slots_;
  ActorSet free_;
  std::uint32_t default_ = 0;
};

}  // namespace watchlab::sim
