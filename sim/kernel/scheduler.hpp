#pragma once

#include <atomic>
#include <boost/unordered/unordered_flat_set.hpp>
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
#include "sim/kernel/choice_stream.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/race_clocks.hpp"
#include "sim/kernel/ready_set.hpp"
#include "sim/kernel/run_digest.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/kernel/scheduler_limits.hpp"
#include "sim/kernel/sim_task.hpp"
#include "sim/kernel/strategy.hpp"
#include "sim/kernel/task_lifetime.hpp"
#include "sim/kernel/virtual_clock.hpp"
#include "sim/kernel/weak_memory.hpp"

namespace watchlab::sim {

class ClockPartner;

/// The engine of a simulated world. One task runs at a time, on the world's only OS thread. The
/// scheduler owns the parts of a run and brings them together at each operation: `ReadySet` knows
/// who can go next, `ChoiceStream` decides it, `VirtualClock` jumps when no task can run,
/// `TaskLifetime` keeps what tasks run on, and `RunDigest` takes in all of it.
///
/// An operation of a primitive works like this: `publish` it, `disable` the task if it cannot
/// continue now, `decide`, perform it. `decide` returns when the task has been chosen; that is the
/// only scheduling point. `enable` makes a waiting task ready again. The decision comes before the
/// operation, never after it. So every strategy sees what each task is about to do, which partial
/// order reduction needs. Everything inline here is on the path from an operation to the fiber
/// switch, where each call costs more than the switch itself.
class Scheduler {
 public:
  Scheduler();
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// Plays `body` as the root task under the strategy, until every task has ended or the run fails.
  void run(Strategy& strategy, const SchedulerLimits& limits, std::function<void()> body);

  // What the running task's operations use.

  /// Only between the start and the end of a run.
  [[nodiscard]] SimTask& current() { return *current_; }
  /// True while the world is being torn down: operations succeed at once and decide nothing.
  /// Everything that a destructor may call checks this.
  [[nodiscard]] bool stopping() const { return stopping_; }
  /// The same for operations that may throw `TaskKilled`: they do so for a task that does not end
  /// in a stopping world.
  [[nodiscard]] bool running_down() { return stopping_ && count_last_operation(); }
  /// Whether an exception is in flight, so that nothing may be decided.
  [[nodiscard]] bool unwinding() const { return exceptions_->uncaught > 0; }
  /// Panics if another OS thread than the one that plays the run calls it.
  void check_caller() const {
    if (thread_mark() != thread_) [[unlikely]] {
      refuse_caller();
    }
  }
  /// Kills a task of a stopping world in a wait that cannot end. Returns only if an exception is
  /// already in flight.
  void end_wait();
  void publish(OperationKind kind, SimObject* object, runtime::Location here,
               std::uint64_t extra = 0) {
    check_caller();
    current_->pending_ = {kind, object, extra, here};
    ++current_->operations_;
  }
  void enable(Actor& actor) { ready_.insert(actor.slot_); }
  void disable(const Actor& actor) { ready_.erase(actor.slot_); }
  /// The same for all of these slots.
  void enable_all(const ActorSet& actors) { ready_.insert_all(actors); }
  void disable_all(const ActorSet& actors) { ready_.erase_all(actors); }
  [[nodiscard]] SimTask& task_at(std::uint32_t slot) const { return *ready_.task_at(slot); }
  [[nodiscard]] bool is_ready(const Actor& actor) const { return ready_.contains(actor.slot_); }
  void decide() {
    if (default_only_) {
      decide_by_default();
    } else {
      decide_by_strategy();
    }
  }
  /// `publish` and `decide` for an operation that never waits.
  void step(OperationKind kind, SimObject* object, runtime::Location here,
            std::uint64_t extra = 0) {
    publish(kind, object, here, extra);
    decide();
  }
  /// The same for operations that a stopping world no longer performs. Returns whether to perform
  /// it.
  [[nodiscard]] bool step_if_running(OperationKind kind, SimObject* object, runtime::Location here,
                                     std::uint64_t extra = 0) {
    if (stopping_) {
      return false;
    }
    step(kind, object, here, extra);
    return !stopping_;
  }
  /// Replaces the published operation of a waiting task: it was woken and continues differently.
  void become(SimTask& task, OperationKind kind, SimObject* object) {
    task.pending_.kind = kind;
    task.pending_.object = object;
    task.prompted_at_ = steps();
  }
  /// That step made possible what the task is about to do, whoever runs in between.
  void prompt(SimTask& task, std::size_t step) { task.prompted_at_ = step; }
  // Loops that find the same again and again, see `Spinning`.

  /// Call it before an operation that may turn out to change nothing. A spinning task waits here.
  /// Returns true if the operation is part of the previous one, and not a step.
  [[nodiscard]] bool passes_over(OperationKind kind, SimObject* object, runtime::Location here,
                                 std::uint8_t way = 0) {
    const Spinning* const spin = current_->spinning;
    return spin != nullptr && spin->operations == current_->operations() &&
           continues_turn({.object = object, .kind = kind, .here = here, .way = way});
  }
  /// The running step, for which `passes_over` was called, has changed nothing. Does nothing if the
  /// step was passed over.
  void looked(OperationKind kind, SimObject* object, runtime::Location here, std::uint8_t way = 0);
  /// The same for a further object of one step.
  void looked_also(OperationKind kind, SimObject* object, runtime::Location here,
                   std::uint8_t way = 0);
  /// Whether such a poll would again find tasks that are about to sleep there.
  [[nodiscard]] bool meets_again(SimObject* object, runtime::Location here, std::uint8_t way);
  /// The running step changes what a task can find when it checks the object.
  void changed(SimObject& object) {
    ++object.version_;
    if (object.awaited_) [[unlikely]] {
      release_spinners(object);
    }
  }
  /// The running task has slept, which does not end the loop that it may be in.
  void look_on_after_sleep() {
    if (current_->spinning != nullptr) {
      look_past_sleep();
    }
  }
  /// The time that the running task reads. This is not an operation, but a loop that does nothing
  /// else lets others run, and ends in a stopping world.
  [[nodiscard]] runtime::TimePoint read_clock() {
    SimTask* const me = current_;
    if (me == nullptr || me->clock_read_at == me->operations() || me->spinning != nullptr ||
        stopping_ || choices_.observed()) [[unlikely]] {
      return read_clock_again();
    }
    me->clock_read_at = me->operations();
    me->clock_reads = 1;
    return now();
  }
  /// An object that was checked is about to be destroyed.
  void forget_looks_at(const SimObject& object);
  /// Whether alternatives were left out because a spinning task had to let others run.
  [[nodiscard]] bool has_spun() const { return spun_; }
  /// How many equal turns a loop took that went on and then ended; 0 if there was none.
  [[nodiscard]] std::uint32_t loop_turns() const { return loop_turns_; }
  /// Whether alternatives were left out because every task must run within a number of steps.
  [[nodiscard]] bool was_made_fair() const { return made_fair_; }

  /// One of `options` alternatives; 0 without asking if there is only one.
  [[nodiscard]] std::uint32_t choose(ChoiceKind kind, std::size_t options, std::string_view what,
                                     std::span<const Actor* const> candidates = {}) {
    return options <= 1 || stopping_ ? 0 : choose_value(kind, options, what, candidates);
  }

  /// Which of several stores an access uses; see `Choice::impossible`.
  [[nodiscard]] std::uint32_t choose_store(std::size_t stores,
                                           std::span<const std::uint8_t> impossible);

  /// To which of `waiters` a mutex is handed over, counted from 1; 0 for none, the default.
  [[nodiscard]] std::uint32_t choose_handover(std::size_t waiters);

  [[nodiscard]] std::vector<const Actor*>& room_for_candidates() {
    return choices_.room_for_candidates();
  }

  [[nodiscard]] std::shared_ptr<SimTask> spawn(std::string_view name, std::function<void()> body,
                                               runtime::Location here);
  /// The same in the name of another creator, which may have ended: for executors, whose handlers
  /// would otherwise form an endless line of descent.
  [[nodiscard]] std::shared_ptr<SimTask> spawn_for(const std::shared_ptr<SimTask>& creator,
                                                   std::string_view name,
                                                   std::function<void()> body,
                                                   runtime::Location here);
  [[nodiscard]] std::shared_ptr<SimTask> current_shared() {
    return ready_.task_at(current_->slot_);
  }
  /// An identity for something that the running task makes.
  [[nodiscard]] Identity identify(ObjectKind kind, std::string_view name) {
    return identify_for(creator_of_next(), kind, name);
  }
  /// Makes the deadline's actor ready at this time.
  void arm(Deadline& deadline, runtime::TimePoint at) {
    see_time();
    clock_.arm(deadline, at);
  }
  void disarm(Deadline& deadline) {
    if (deadline.armed()) {
      see_time();
      clock_.disarm(deadline);
    }
  }
  /// A deadline could have been armed now.
  void note_deadline() { clock_.note_deadline(); }
  /// The running step reads the clock, or sets or stops a deadline.
  void see_time() {
    if (choices_.observed() && !stopping_) [[unlikely]] {
      choices_.strategy().timed();
    }
  }
  /// Gives a due timer a slot, so that it can be chosen, or takes it back.
  void admit(Actor& timer);
  void dismiss(Actor& timer);
  /// A timer is about to be destroyed.
  void notify_retired(const Actor& timer);
  void hold_open(std::ptrdiff_t delta) { tasks_.hold_open(delta); }
  /// What was released into `from` happens before what the running task does from here on.
  void acquire(SyncPoint& from) { races_.acquire(current_->clock, from); }
  /// What the running task has done so far happens before whatever follows an acquisition of
  /// `into`.
  void release(SyncPoint& into) { races_.release(current_->clock, into); }
  void release_alone(SyncPoint& into) { races_.release_alone(current_->clock, into); }
  void exchange(SyncPoint& point) {
    acquire(point);
    release(point);
  }
  /// A relaxed read has seen `from`: a later acquire fence acquires it.
  void see(const SyncPoint& from) { races_.pass(from, current_->fence_clocks().seen); }
  /// A relaxed write: `into` now contains what the last release fence released, and, if it `keeps`
  /// that, what it contained before.
  void release_fenced(SyncPoint& into, bool keeps) {
    if (!keeps) {
      races_.clear(into);
    }
    races_.pass(current_->fence_clocks().fenced, into);
  }
  void fence(std::memory_order order);
  /// Null unless the run has weak memory.
  [[nodiscard]] WeakMemory* weak_memory() { return weak_.get(); }
  /// Whether the running task's operation on the object ends or fails spuriously; a choice with
  /// weak memory, but not twice in a row.
  [[nodiscard]] bool is_spurious(const SimObject& object, std::string_view what) {
    return weak_ != nullptr && choose_spurious(object, what);
  }
  /// An atomic access at this place had an order weaker than seq_cst, or there was a fence.
  void note_weaker(const runtime::Location& here) { weaker_.emplace(here); }
  /// At how many places in the source that has happened, over all runs.
  [[nodiscard]] std::size_t weaker_accesses() const;
  void synchronize(SimTask& partner) { races_.synchronize(current_->clock, partner.clock); }
  void pass(const SyncPoint& from, SyncPoint& into) {
#if defined(WATCHLAB_TSAN)
    // Through the running task, for lack of a better way: this orders too much, never too little.
    __tsan_acquire(const_cast<SyncPoint*>(&from));
    __tsan_release(&into);
#endif
    races_.pass(from, into);
  }
  /// The running task reads or writes memory that tasks share; a race ends the run.
  void touch(const SimObject& cell, AccessHistory& history, runtime::AccessKind kind,
             runtime::Location here);
  /// What the running task does now at `here`, for `knows`. Nothing if there are too many tasks.
  [[nodiscard]] std::optional<PlainAccess> stamp(runtime::Location here);
  /// Whether that access happened before what the running task does now.
  [[nodiscard]] bool knows(const PlainAccess& access) const {
    return current_->clock.known.at(access.place) >= access.count;
  }
  /// Ends the run with a failure, unless it already has one. The caller continues to its next
  /// operation and dies there.
  void fail(std::string kind, std::string message, std::optional<DataRace> race = std::nullopt,
            bool slow = false);
  /// Whether an address is on the running task's stack.
  [[nodiscard]] bool runs_on_stack(const void* address) const {
    const auto* const byte = static_cast<const std::byte*>(address);
    return current_ != nullptr && byte >= current_->stack.bottom && byte < current_->stack.top();
  }
  /// For the terminate handler, on the stack of the running task, which called `std::terminate`:
  /// ends the run with a failure, unless it already has one, and leaves that stack for good.
  [[noreturn]] void terminate_current();
  /// Leaves the running task of a stopping world as it is; called on its stack.
  [[noreturn]] void abandon_current();
  /// An uncaught exception is about to unwind the running task: first ends the tasks that it
  /// started, because they may use what is in its frames.
  void exception_escapes();
  /// Keeps something alive until the end of the run, because others still point to it.
  void retire(std::unique_ptr<SimObject> object) { tasks_.retire(std::move(object)); }
  [[nodiscard]] bool root_ended() const { return tasks_.root_ended(); }
  /// Whether only live tasks can start more: nothing outside the run does.
  [[nodiscard]] bool is_closed() const { return partner_ == nullptr && !tasks_.is_held_open(); }
  void feed_digest(std::uint64_t word) { digest_.feed(word); }

  // What strategies and reports look at.

  /// The time at which every run starts.
  [[nodiscard]] static runtime::TimePoint start_time() { return VirtualClock::kStart; }
  [[nodiscard]] runtime::TimePoint now() const { return clock_.now(); }
  [[nodiscard]] const VirtualClock& clock() const { return clock_; }
  /// Whether time could jump to the next deadline now, as a step like any other. It must not jump
  /// past the end of the grace period of tasks that outlive the root.
  [[nodiscard]] bool can_jump_early() const {
    return !stopping_ && partner_ == nullptr && spinners_.empty() && clock_.can_jump_early() &&
           !tasks_.over() && !tasks_.has_leak_at(clock_.earliest());
  }
  /// The number of alternatives of the decision about who goes next.
  [[nodiscard]] std::uint32_t options() const { return ready_.count(); }
  [[nodiscard]] std::size_t steps() const { return digest_.steps(); }
  [[nodiscard]] std::uint64_t digest() const { return digest_.value(); }
  [[nodiscard]] const RunDigest& so_far() const { return digest_; }
  [[nodiscard]] const ChoiceStream& choices() const { return choices_; }
  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }
  [[nodiscard]] bool abandoned() const { return abandoned_; }
  /// How many tasks of the run could not be unwound. What their frames owned is leaked.
  [[nodiscard]] std::size_t lost_tasks() const { return lost_tasks_; }
  /// The `index`-th alternative of the current decision about who goes next.
  [[nodiscard]] const Actor& option(std::uint32_t index) const { return ready_.option(index); }
  /// Calls `visit(index, actor)` for every alternative of that decision, in order.
  template <typename Visit>
  void visit_options(Visit visit) const {
    ready_.visit_options(visit);
  }
  /// The task that is running, or was the last to run.
  [[nodiscard]] const SimTask& running() const { return *current_; }
  /// The same, or null before the first task runs.
  [[nodiscard]] const SimTask* running_or_none() const { return current_; }
  /// The OS thread that plays the run, see `thread_mark`.
  [[nodiscard]] const void* thread() const { return thread_; }
  /// All live actors, by slot: tasks that have not ended, timers that are due.
  [[nodiscard]] std::vector<const Actor*> actors() const { return ready_.actors(); }
  void listen(StepListener* listener) { listener_ = listener; }
  /// Whether somebody wants to read what happens.
  [[nodiscard]] bool is_recorded() const { return listener_ != nullptr; }
  /// Who goes first when time advances; null for nobody. See `PartnerRegistration`.
  void seat(ClockPartner* partner) { partner_ = partner; }
  [[nodiscard]] ClockPartner* partner() const { return partner_; }

 private:
  /// The creator of what no task makes.
  static inline const std::shared_ptr<SimTask> kNoCreator;
  /// The running task, which makes the next object; valid until a task starts or ends.
  [[nodiscard]] const std::shared_ptr<SimTask>& creator_of_next() const {
    return current_ != nullptr ? ready_.task_at(current_->slot_) : kNoCreator;
  }

  /// The same as `pick` if no strategy is asked and only a task can take a step; otherwise null.
  Actor* pick_default(const SimTask& at) {
    if (stopping_ || !ready_.set_default_quickly(at)) [[unlikely]] {
      return nullptr;
    }
    Actor* const next = &ready_.option(0);
    if (!next->is_task_) [[unlikely]] {
      return nullptr;
    }
    if (ready_.has_several()) {
      digest_.decided(ready_.count());
    }
    return next;
  }
  // The two are separate because the registers that the second needs would slow the first down.
  [[gnu::noinline]] void decide_by_default() {
    SimTask& me = *current_;
    if (unwinding() && continues_unwinding(me)) [[unlikely]] {
      return;
    }
    Actor* const by_default = pick_default(me);
    go_on(me, by_default != nullptr ? by_default : pick(me));
  }
  [[gnu::noinline]] void decide_by_strategy() {
    SimTask& me = *current_;
    if (unwinding() && continues_unwinding(me)) [[unlikely]] {
      return;
    }
    go_on(me, pick_inline(me));
  }
  void go_on(SimTask& me, Actor* next) {
    if (next != &me) {
      leave(me, next);
    }
    if (!stopping_) [[likely]] {
      account(me);
    }
  }
  /// Which task goes next after `at`; timers that are chosen fire on the way. Null if the run is
  /// over.
  [[gnu::noinline]] Actor* pick(SimTask& at) { return pick_inline(at); }
  [[gnu::always_inline]] Actor* pick_inline(SimTask& at) {
    if (stopping_ || made_fair_) [[unlikely]] {
      return stopping_ ? nullptr : pick_fairly(at);
    }
    Actor* place = &at;
    for (;;) {
      if ((ready_.empty() || clock_.asks()) && !pass_time(at)) {
        return nullptr;
      }
      ready_.set_default(at);
      Actor* next = &ready_.option(0);
      if (choices_.asks_for_single_actor() || ready_.has_several()) {
        next = choices_.choose_actor(ready_, *place);
        if (next == nullptr) [[unlikely]] {
          abandon();
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
  void leave(SimTask& me, Actor* next) {
    if (next == nullptr) [[unlikely]] {
      await_the_end();
      return;  // the world is stopping: the operation sees that and kills the task
    }
    current_ = static_cast<SimTask*>(next);
    Fiber::switch_over(me.fiber, current_->fiber, exceptions_);
  }
  /// The chosen task is about to perform its operation.
  void account(SimTask& me) {
    note_step(me);
    if (steps() > next_look_) [[unlikely]] {
      look_at_progress();
    }
  }
  void note_step(const Actor& actor) {
    digest_.stepped(actor);
    if (watched_) [[unlikely]] {
      notify_observers(actor);
    }
  }

  [[nodiscard]] bool continues_turn(const IdleOperation& next);
  [[nodiscard]] bool await_change(runtime::Location here);
  [[nodiscard]] Spinning& spinning_of(SimTask& task);
  void give_back_spinning(SimTask& task) {
    if (task.spinning != nullptr) [[unlikely]] {
      take_spinning(task);
    }
  }
  void take_spinning(SimTask& task);
  void give_back_all_spinnings();
  void note_end_of_loop(const Spinning& spin);
  void leave_loop(Spinning& spin);
  [[nodiscard]] bool chooses_to_poll_on(bool sees_time);
  void wait_for_change();
  void release_spinners(const SimObject& object);
  [[nodiscard]] runtime::TimePoint read_clock_again();
  void look_past_sleep();
  void pause_at_clock();
  [[nodiscard]] bool let_spinners_go();
  [[nodiscard]] bool pass_time_of_spinners();
  [[nodiscard]] std::size_t first_look() const;
  void look_at_progress();
  /// The same as `pick`, with some actors left out.
  [[nodiscard]] Actor* pick_fairly(SimTask& at);
  [[nodiscard]] bool pass_time(const SimTask& at);
  void pass_time_early(const SimTask& at, bool again);
  /// Whether a partner has something to say although nothing in the world is due; the partner
  /// decides when.
  [[nodiscard]] bool has_partner_to_ask();
  /// Lets the partner advance to where time would jump. Returns true if it has something to say at
  /// once; if it has something to say earlier than that, its alarm is the next deadline.
  [[nodiscard]] bool partner_has_come();
  void jump();
  void fall_due(Actor& actor);
  void fire(Actor& timer);
  void notify_observers(const Actor& actor);
  bool continues_unwinding(const SimTask& me);
  bool count_last_operation();
  std::uint32_t choose_value(ChoiceKind kind, std::size_t options, std::string_view what,
                             std::span<const Actor* const> candidates);
  bool choose_spurious(const SimObject& object, std::string_view what);
  /// The answer of the choice stream; 0 if it has abandoned the run.
  std::uint32_t accept(std::optional<std::uint32_t> index);
  [[noreturn]] void refuse_caller() const;
  void abandon();
  /// Ends the run if tasks can never continue while timers or other tasks go on.
  void report_stuck_tasks();
  void run_too_long();
  void report_stuck();

  [[nodiscard]] static Identity identify_for(const std::shared_ptr<SimTask>& creator,
                                             ObjectKind kind, std::string_view name);
  static void task_entry(void* task);
  void run_task(SimTask& task);
  /// In a handler: makes the exception that ended the running task the failure of the run.
  void fail_by_exception(std::string_view how);
  void begin(SimTask& task);
  /// Ends the task. Returns what runs next.
  [[nodiscard]] Fiber& finish(SimTask& task);
  void kill_all();
  /// Suspends the running task of a stopping world until it is its turn to end. Its frames may hold
  /// what other tasks still use, so the tasks that it started end first.
  void await_the_end();
  void forget_run();
  void reset(Strategy& strategy, const SchedulerLimits& limits);

  // Hot.
  SimTask* current_ = nullptr;
  ExceptionState* exceptions_ = nullptr;
  const void* thread_ = nullptr;  // see `thread_mark`
  bool default_only_ = false;  // no strategy is asked, and time may not jump while tasks are ready
  bool stopping_ = false;
  bool watched_ = false;  // whether anybody wants to see every step
  ReadySet ready_;
  RunDigest digest_;
  ChoiceStream choices_{digest_};
  VirtualClock clock_;
  SchedulerLimits limits_;
  std::size_t next_look_ = 0;  ///< the step after which to check whether all tasks get to run
  ActorSet left_out_;          ///< tasks that have run for long while others could not
  ActorSet all_ready_;
  std::vector<SimTask*> spinners_;                    ///< tasks that wait for a change
  std::vector<std::unique_ptr<Spinning>> spinnings_;  ///< one per task, and spare ones
  std::vector<Spinning*> spare_spinnings_;
  std::int64_t last_clock_reads_ = 0;  ///< for a stopping world
  bool spun_ = false;
  std::uint32_t loop_turns_ = 0;
  bool made_fair_ = false;
  RaceClocks races_;
  std::unique_ptr<WeakMemory> weak_;
  TaskLifetime tasks_;

  /// A place in the source. The file is identified by the address of its name, because several may
  /// have the same name.
  struct Place {
    const char* file;
    std::uint32_t line;
    std::uint32_t column;
    explicit Place(const runtime::Location& here)
        : file(here.file_name()), line(here.line()), column(here.column()) {}
    bool operator==(const Place&) const = default;
    friend std::size_t hash_value(const Place& place) {
      return mix(mix(reinterpret_cast<std::uintptr_t>(place.file), place.line), place.column);
    }
  };
  boost::unordered_flat_set<Place> weaker_;

  Fiber main_;  // the caller of `run`
  bool killing_ = false;
  bool abandoned_ = false;
  std::optional<Failure> failure_;
  const SimTask* escaping_ = nullptr;  // its exception has ended the run and is the failure
  std::size_t lost_tasks_ = 0;
  std::size_t jumps_ = 0;       // time jumps
  std::exception_ptr foreign_;  // thrown by a task; neither ours nor a std::exception
  StepListener* listener_ = nullptr;
  ClockPartner* partner_ = nullptr;
};

}  // namespace watchlab::sim
