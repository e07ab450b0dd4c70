#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/runtime/recover.hpp"
#include "sim/kernel/actor_set.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/race_clocks.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/kernel/schedule.hpp"
#include "sim/kernel/scheduler_limits.hpp"
#include "sim/kernel/sim_task.hpp"
#include "sim/kernel/strategy.hpp"
#include "sim/kernel/timer_heap.hpp"

namespace watchlab::sim {

/// The engine of a simulated world: which of the ready actors takes the next step, what time it is,
/// and what has been decided so far. One task runs at a time, on the one OS thread of the world.
///
/// A primitive's operation goes: `publish` it, `disable` the task if it cannot go on now, `decide`,
/// carry it out. `decide` comes back when the task was chosen; that is the only scheduling point.
/// A task that waits is made ready again by `enable`. Everything inline here is on the way from an
/// operation to the fiber switch, where each call costs more than the switch itself.
class Scheduler {
 public:
  Scheduler();
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// Plays `body` as the root task under the strategy, to the end of every task or to a failure.
  void run(Strategy& strategy, const SchedulerLimits& limits, std::function<void()> body);

  // What the running task's operations use.

  /// The running task. Only between the start and the end of a run.
  [[nodiscard]] SimTask& current() { return *current_; }
  /// True while the world is being taken down: operations succeed at once and decide nothing.
  /// Whatever may stand in a destructor asks this.
  [[nodiscard]] bool stopping() const { return stopping_; }
  /// The same for operations that may throw `TaskKilled`: does so for a task that keeps on going
  /// for long in a stopping world.
  [[nodiscard]] bool running_down() { return stopping_ && count_last_operation(); }
  /// Whether an exception is in flight, so that nothing may be decided.
  [[nodiscard]] bool unwinding() const { return exceptions_->uncaught > 0; }
  /// Panics when called from another OS thread than the one that plays the run.
  void check_caller() const {
    if (thread_mark() != thread_) [[unlikely]] {
      refuse_caller();
    }
  }
  /// Ends a task of a stopping world in a wait that cannot be satisfied. Comes back only when an
  /// exception is in flight already.
  void end_wait();
  void publish(OperationKind kind, SimObject* object, runtime::Location here,
               std::uint64_t extra = 0) {
    check_caller();
    current_->pending_ = {kind, object, extra, here};
    ++current_->operations_;
  }
  void enable(Actor& actor) { ready_.insert(actor.slot_); }
  void disable(const Actor& actor) { ready_.erase(actor.slot_); }
  /// The same for all whose slots these are.
  void enable_all(const ActorSet& actors) { ready_.insert_all(actors); }
  void disable_all(const ActorSet& actors) { ready_.erase_all(actors); }
  [[nodiscard]] SimTask& task_at(std::uint32_t slot) const { return *slots_[slot].task; }
  [[nodiscard]] bool is_ready(const Actor& actor) const { return ready_.contains(actor.slot_); }
  void decide() {
    SimTask& me = *current_;
    if (exceptions_->uncaught > 0 && is_ready(me)) [[unlikely]] {
      tell_strategy(me);
      return;  // a guard unlocks during unwinding: a switch here would nest unwindings
    }
    Actor* const ordinary = straight_ ? pick_ordinary(me) : nullptr;
    Actor* const next = ordinary != nullptr ? ordinary : pick(me);
    if (next != &me) {
      leave(me, next);
    }
    if (!stopping_) [[likely]] {
      account(me);
    }
  }
  /// `publish` and `decide` for an operation that never waits.
  void step(OperationKind kind, SimObject* object, runtime::Location here,
            std::uint64_t extra = 0) {
    publish(kind, object, here, extra);
    decide();
  }
  /// Replaces the published operation of a task that waits: it was woken and goes on differently.
  void become(SimTask& task, OperationKind kind, SimObject* object) {
    task.pending_.kind = kind;
    task.pending_.object = object;
    task.prompted_at_ = steps_;
  }
  /// One of `options` alternatives; 0 without asking when there is but one.
  [[nodiscard]] std::uint32_t choose(ChoiceKind kind, std::size_t options, std::string_view what,
                                     std::span<const Actor* const> candidates = {}) {
    return options <= 1 || stopping_ ? 0 : choose_value(kind, options, what, candidates);
  }

  /// Which of `waiters` a mutex is handed over to, counted from 1; 0 for none, as is usual.
  [[nodiscard]] std::uint32_t choose_handover(std::size_t waiters);

  /// Empty room for the candidates of a choice; whoever comes next uses it again.
  [[nodiscard]] std::vector<const Actor*>& room_for_candidates() {
    candidates_.clear();
    return candidates_;
  }

  [[nodiscard]] std::shared_ptr<SimTask> spawn(std::string_view name, std::function<void()> body,
                                               runtime::Location here);
  /// The same in the name of another creator, who may have ended: for executors, whose handlers
  /// would otherwise form an endless line of descent.
  [[nodiscard]] std::shared_ptr<SimTask> spawn_for(const std::shared_ptr<SimTask>& creator,
                                                   std::string_view name,
                                                   std::function<void()> body,
                                                   runtime::Location here);
  [[nodiscard]] std::shared_ptr<SimTask> current_shared() { return slots_[current_->slot_].task; }
  /// An identity for something that the running task makes.
  [[nodiscard]] Identity identify(ObjectKind kind, std::string_view name) {
    return identify_for(current_ != nullptr ? slots_[current_->slot_].task : kNobody, kind, name);
  }
  /// Makes the deadline's actor ready at that moment.
  void arm(Deadline& deadline, runtime::TimePoint at) { deadlines_.push(deadline, at); }
  void disarm(Deadline& deadline);
  /// Gives a timer that is due a slot, so that it can be chosen; takes it back.
  void admit(Actor& timer);
  void dismiss(Actor& timer);
  /// A timer is about to be no more.
  void tell_retired(const Actor& timer);
  /// Work that no task does yet but that keeps the run going: armed asynchronous timers.
  void hold_open(std::ptrdiff_t delta) { held_open_ += delta; }
  /// What was released into `from` happens before what the running task does from here on.
  void acquire(SyncPoint& from) { races_.acquire(current_->clock, from); }
  /// What the running task did so far happens before whatever follows an acquisition of `into`.
  void release(SyncPoint& into) { races_.release(current_->clock, into); }
  void release_alone(SyncPoint& into) { races_.release_alone(current_->clock, into); }
  void exchange(SyncPoint& point) {
    acquire(point);
    release(point);
  }
  void meet(SimTask& partner) { races_.meet(current_->clock, partner.clock); }
  void pass(const SyncPoint& from, SyncPoint& into) {
#if defined(WATCHLAB_TSAN)
    // Through the running task, for want of a better way: too much is ordered, never too little.
    __tsan_acquire(const_cast<SyncPoint*>(&from));
    __tsan_release(&into);
#endif
    races_.pass(from, into);
  }
  /// The running task reads or writes memory that tasks share; a race ends the run.
  void touch(const SimObject& cell, AccessHistory& history, runtime::AccessKind kind,
             runtime::Location here);
  /// Ends the run with a failure, unless it has one already. The caller goes on to its next
  /// operation and dies there.
  void fail(std::string kind, std::string sentence);
  /// Keeps something alive until the run is over, because others still point at it.
  void retire(std::unique_ptr<SimObject> object) { retired_.push_back(std::move(object)); }
  /// Keeps a task's record until the run is over, because a report may name it.
  static void pin(Actor& actor) { actor.pinned_ = true; }
  [[nodiscard]] bool root_ended() const { return root_ended_; }
  void feed_digest(std::uint64_t word) { digest_ = mix(digest_, word); }

  // What strategies and reports look at.

  /// The moment at which every run starts.
  [[nodiscard]] static runtime::TimePoint start_time();
  [[nodiscard]] runtime::TimePoint now() const { return now_; }
  [[nodiscard]] std::size_t steps() const { return steps_; }
  [[nodiscard]] std::size_t decisions() const { return decisions_; }
  [[nodiscard]] std::uint64_t digest() const { return digest_; }
  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }
  [[nodiscard]] bool abandoned() const { return abandoned_; }
  [[nodiscard]] const std::vector<Deviation>& deviations() const { return deviations_; }
  /// Of the deviations, those that took a task off that could have gone on.
  [[nodiscard]] std::size_t preemptions() const { return preemptions_; }
  /// The `index`-th alternative of the decision who goes next that is being made now.
  [[nodiscard]] const Actor& option(std::uint32_t index) const {
    return *slots_[slot_of_option(index)].actor;
  }
  /// Calls `visit(index, actor)` for every alternative of that decision, in their order.
  template <typename Visit>
  void visit_options(Visit visit) const {
    std::uint32_t index = 0;
    visit(index, std::as_const(*slots_[default_slot_].actor));
    ready_.visit_others(default_slot_, [&](std::uint32_t slot) {
      visit(++index, std::as_const(*slots_[slot].actor));
    });
  }
  /// The task that is running, or was the last to run.
  [[nodiscard]] const SimTask& running() const { return *current_; }
  /// The same, or null before the first task runs.
  [[nodiscard]] const SimTask* running_or_none() const { return current_; }
  /// The OS thread that plays the run, see `thread_mark`.
  [[nodiscard]] const void* thread() const { return thread_; }
  /// All live actors, by slot: tasks that have not ended, timers that are due.
  [[nodiscard]] std::vector<const Actor*> actors() const;
  void listen(StepListener* listener) { listener_ = listener; }

 private:
  /// The creator of what no task makes.
  static inline const std::shared_ptr<SimTask> kNobody;

  struct Slot {
    Actor* actor = nullptr;
    std::shared_ptr<SimTask> task;
  };

  /// The same as `pick`, where nobody is asked and only a task's step can happen; else null.
  Actor* pick_ordinary(const SimTask& at) {
    if (stopping_ || !ready_.is_small() || at.pending_.kind == OperationKind::Yield) [[unlikely]] {
      return nullptr;
    }
    const std::uint32_t slot = ready_.contains(at.slot_) ? at.slot_ : ready_.first_of_small();
    Actor* const next = slots_[slot].actor;
    if (!next->is_task_) [[unlikely]] {
      return nullptr;
    }
    if (ready_.has_several()) {
      ++decisions_;
      digest_ = mix(digest_, static_cast<std::uint32_t>(ready_.count()));
    }
    default_slot_ = slot;
    return next;
  }
  /// Who goes next after `at`; timers that are chosen fire on the way. Null when the run is over.
  Actor* pick(SimTask& at) {
    if (stopping_) [[unlikely]] {
      return nullptr;
    }
    Actor* place = &at;
    for (;;) {
      if ((ready_.empty() || advances_left_ > 0) && !pass_time()) {
        return nullptr;
      }
      default_slot_ = ready_.contains(at.slot_) && at.pending_.kind != OperationKind::Yield
                          ? at.slot_
                          : ordinary_successor(at);
      Actor* next = slots_[default_slot_].actor;
      if (asked_alone_ || ready_.has_several()) {
        next = choose_actor(*place);
        if (next == nullptr) [[unlikely]] {
          return nullptr;
        }
      }
      if (next->is_task_) [[likely]] {
        return next;
      }
      fire(*next);
      if (stopping_) [[unlikely]] {
        return nullptr;
      }
      place = next;
    }
  }
  Actor* choose_actor(Actor& place) {
    const auto options = static_cast<std::uint32_t>(ready_.count());
    const std::uint32_t index = asked_who_
                                    ? strategy_->choose(Choice{ChoiceKind::Actor, options, &place,
                                                               place.operations_, "who goes next"})
                                    : 0;
    if (index >= options) [[unlikely]] {
      abandon();
      return nullptr;
    }
    if (options > 1) [[likely]] {
      ++decisions_;
      digest_ = mix(digest_, options);
    }
    Actor* const next = slots_[slot_of_option(index)].actor;
    if (index != 0) {
      place.pinned_ = true;
      next->pinned_ = true;
      const bool preempts = default_slot_ == place.slot_;
      preemptions_ += preempts ? 1 : 0;
      deviations_.push_back({.at = &place,
                             .next = next,
                             .ordinal = place.operations_,
                             .kind = ChoiceKind::Actor,
                             .preempts = preempts});
    }
    return next;
  }
  [[nodiscard]] std::uint32_t slot_of_option(std::uint32_t index) const {
    return index == 0 ? default_slot_ : ready_.nth_other(index - 1, default_slot_);
  }
  void leave(SimTask& me, Actor* next) {
    if (next == nullptr) [[unlikely]] {
      await_the_end();
      return;  // the world is stopping: the operation sees that and ends the task
    }
    current_ = static_cast<SimTask*>(next);
    Fiber::switch_over(me.fiber, current_->fiber, exceptions_);
  }
  /// The chosen task is about to carry out its operation.
  void account(SimTask& me) {
    note_step(me);
    if (steps_ > limits_.steps_max) [[unlikely]] {
      run_too_long();
    }
  }
  void note_step(const Actor& actor) {
    ++steps_;
    const SimObject* const object = actor.pending_.object;
    digest_ = mix(digest_, actor.digest() + static_cast<std::uint64_t>(actor.pending_.kind));
    digest_ = mix(digest_, object != nullptr ? object->digest() : 0);
    if (watched_) [[unlikely]] {
      tell_watchers(actor);
    }
  }

  [[nodiscard]] std::uint32_t ordinary_successor(const SimTask& at) const;
  [[nodiscard]] bool pass_time();
  void jump_to_next_deadline();
  void fire(Actor& timer);
  void tell_watchers(const Actor& actor);
  void tell_strategy(const Actor& actor);
  bool count_last_operation();
  std::uint32_t choose_value(ChoiceKind kind, std::size_t options, std::string_view what,
                             std::span<const Actor* const> candidates);
  [[noreturn]] void refuse_caller() const;
  void abandon();
  void run_too_long();
  void report_stuck();

  [[nodiscard]] static Identity identify_for(const std::shared_ptr<SimTask>& creator,
                                             ObjectKind kind, std::string_view name);
  std::uint32_t take_slot();
  void free_slot(std::uint32_t slot);
  static void task_entry(void* task);
  void run_task(SimTask& task);
  void begin(SimTask& task);
  /// Where to go on.
  [[nodiscard]] Fiber& finish(SimTask& task);
  void kill_all();
  void drop(SimTask& task);
  /// Leaves the running task of a stopping world alone until its turn to end has come. Its frames
  /// may hold what other tasks still use, so those that it started end first.
  void await_the_end();
  void forget_run();
  void reset(Strategy& strategy, const SchedulerLimits& limits);

  // Hot.
  SimTask* current_ = nullptr;
  ExceptionState* exceptions_ = nullptr;
  Strategy* strategy_ = nullptr;
  const void* thread_ = nullptr;  ///< see `thread_mark`
  ActorSet ready_;
  std::vector<Slot> slots_;
  std::uint32_t default_slot_ = 0;
  bool asked_who_ = true;     ///< whether the strategy is asked who goes next
  bool asked_alone_ = false;  ///< whether the strategy is asked when only one is ready
  bool straight_ = false;     ///< neither is it, nor may time jump while tasks are ready
  bool stopping_ = false;
  bool watched_ = false;
  int advances_left_ = 0;
  std::uint64_t digest_ = 0;
  std::size_t steps_ = 0;
  std::size_t decisions_ = 0;
  std::size_t preemptions_ = 0;
  SchedulerLimits limits_;
  std::vector<Deviation> deviations_;
  std::vector<const Actor*> candidates_;

  runtime::TimePoint now_;
  TimerHeap deadlines_;
  RaceClocks races_;
  ActorSet free_slots_;
  std::size_t live_tasks_ = 0;
  std::ptrdiff_t held_open_ = 0;
  bool root_ended_ = false;
  bool abandoned_ = false;
  bool killing_ = false;
  runtime::TimePoint grace_until_;
  std::optional<Failure> failure_;
  Fiber main_;
  StackPool stacks_;
  std::shared_ptr<SimTask> last_ended_;  ///< its fiber may still be the running one
  std::exception_ptr foreign_;           ///< thrown by a task, and neither ours nor std::exception
  std::uint64_t spawned_ = 0;
  std::vector<std::shared_ptr<SimTask>> ended_;  ///< pinned ones, until the run is over
  std::vector<std::unique_ptr<SimObject>> retired_;
  StepListener* listener_ = nullptr;
  bool observed_ = false;
};

}  // namespace watchlab::sim
