#include "sim/kernel/scheduler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/kernel/wait_for_graph.hpp"
#include "sim/kernel/watchdog.hpp"

namespace watchlab::sim {
namespace {

/// 2024-01-01T00:00:00Z: runs start well after the zero time, which some code reads as "never".
constexpr runtime::TimePoint kStartTime{std::chrono::seconds(1'704'067'200)};

}  // namespace

Scheduler::Scheduler() = default;
Scheduler::~Scheduler() { forget_run(); }

runtime::TimePoint Scheduler::start_time() { return kStartTime; }

/// A scheduler plays many runs, and keeps its memory between them. What the strategy wants to be
/// asked is looked up once, because every operation of every task depends on it.
void Scheduler::reset(Strategy& strategy, const SchedulerLimits& limits) {
  strategy_ = &strategy;
  limits_ = limits;
  thread_ = thread_mark();
  exceptions_ = exception_state_of_this_thread();
  forget_run();
  foreign_ = nullptr;
  failure_.reset();
  current_ = nullptr;
  stopping_ = root_ended_ = abandoned_ = killing_ = false;
  advances_left_ = limits.early_advances_max;
  digest_ = 0;
  steps_ = decisions_ = preemptions_ = live_tasks_ = 0;
  spawned_ = 0;
  held_open_ = 0;
  now_ = kStartTime;
  asked_who_ = strategy.reorders();
  asked_alone_ = strategy.asks_alone();
  straight_ = !asked_who_ && !asked_alone_ && advances_left_ == 0;
  observed_ = strategy.observes();
  watched_ = observed_ || listener_ != nullptr;
}

/// Objects of a run that was cut off may still refer to each other; deadlines and clocks go first,
/// because they refer to objects that go with the slots.
void Scheduler::forget_run() {
  const Quiet quiet;  // what abandoned tasks did comes before this, and nobody said so
  deadlines_.clear();
  races_.reset();
  ready_.clear();
  free_slots_.clear();
  deviations_.clear();
  slots_.clear();
  ended_.clear();
  last_ended_.reset();
  while (!retired_.empty()) {
    // What is buried may own more that is to be buried.
    const std::unique_ptr<SimObject> object = std::move(retired_.back());
    retired_.pop_back();
  }
}

void Scheduler::disarm(Deadline& deadline) {
  if (deadline.armed()) {
    deadlines_.remove(deadline);
  }
}

void Scheduler::tell_retired(const Actor& timer) {
  if (observed_) {
    strategy_->retired(timer);
  }
}

/// The root task and the tasks that it spawns switch among themselves; control returns here when no
/// task can run, or the run has ended.
void Scheduler::run(Strategy& strategy, const SchedulerLimits& limits, std::function<void()> body) {
  reset(strategy, limits);
  const Watch watch(*this);
  strategy.begin(*this);
  const std::shared_ptr<SimTask> root =
      spawn("main", std::move(body), runtime::Location::current());
  current_ = root.get();
  Fiber::switch_over(main_, root->fiber, exceptions_);
#if defined(WATCHLAB_TSAN)
  __tsan_acquire(&main_);
#endif
  kill_all();
  if (foreign_) {
    std::rethrow_exception(foreign_);
  }
}

std::shared_ptr<SimTask> Scheduler::spawn(std::string_view name, std::function<void()> body,
                                          runtime::Location here) {
  return spawn_for(current_ != nullptr ? current_shared() : nullptr, name, std::move(body), here);
}

/// The new task is ready but does not run: its start is an operation like any other, and when it
/// comes is the strategy's choice. While a run is torn down nothing begins any more.
std::shared_ptr<SimTask> Scheduler::spawn_for(const std::shared_ptr<SimTask>& creator,
                                              std::string_view name, std::function<void()> body,
                                              runtime::Location here) {
  check_caller();
  auto task = std::make_shared<SimTask>(*this, identify_for(creator, ObjectKind::Task, name), here);
  if (stopping_) {
    task->state = SimTask::State::Ended;
    task->killed = true;
    return task;
  }
  task->body = std::move(body);
  if (current_ != nullptr) {
    release(task->handed);
  }
  task->number = spawned_++;
  task->prompted_at_ = steps_;
  task->pending_ = {OperationKind::Start, task.get(), 0, here};
  task->slot_ = take_slot();
  slots_[task->slot_] = Slot{.actor = task.get(), .task = task};
  task->stack = stacks_.take();
  task->fiber.prepare(task->stack, &Scheduler::task_entry, task.get());
  ready_.insert(task->slot_);
  ++live_tasks_;
  return task;
}

/// A name does not depend on the order of a run: it says which task made the object, its own name,
/// and how many of that name the task had made before. So a schedule addresses a task in runs where
/// others came before.
Identity Scheduler::identify_for(const std::shared_ptr<SimTask>& creator, ObjectKind kind,
                                 std::string_view name) {
  Identity identity{.creator = creator, .kind = kind, .name = std::string(name)};
  const std::uint64_t named = family_digest(creator ? creator->digest() : 0, kind, name);
  if (creator) {
    identity.occurrence = creator->made_objects.next(mix(named, 0));
  }
  identity.digest = mix(named, identity.occurrence);
  return identity;
}

std::uint32_t Scheduler::take_slot() {
  if (!free_slots_.empty()) {
    const std::uint32_t slot = free_slots_.first();
    free_slots_.erase(slot);
    return slot;
  }
  slots_.emplace_back();
  return static_cast<std::uint32_t>(slots_.size() - 1);
}

void Scheduler::free_slot(std::uint32_t slot) {
  ready_.erase(slot);
  slots_[slot] = Slot{};
  free_slots_.insert(slot);
}

void Scheduler::task_entry(void* task) {
  auto& self = *static_cast<SimTask*>(task);
  self.scheduler_.run_task(self);
}

void Scheduler::begin(SimTask& task) {
  const Quiet quiet;
  task.state = SimTask::State::Started;
  acquire(task.handed);
  note_step(task);
}

/// A plain access is no step: it makes no choice and costs no switch. Races are found by clocks,
/// whatever order is played.
void Scheduler::touch(const SimObject& cell, AccessHistory& history, runtime::AccessKind kind,
                      runtime::Location here) {
  if (stopping_ || current_ == nullptr) {
    return;
  }
  PlainAccess access{.task = current_, .kind = kind, .here = here, .step = steps_};
  PlainAccess earlier;
  pin(*current_);
  if (races_.check(current_->clock, access, history, earlier)) [[unlikely]] {
    fail("data race", describe_race(cell, earlier, access));
  }
}

/// How a body ends decides what the run has come to; only `TaskKilled` says nothing, because the
/// run was over before. An exception that is no `std::exception` ends the run and is thrown again
/// by `run`.
void Scheduler::run_task(SimTask& task) {
  begin(task);
  try {
    task.body();
    task.body = nullptr;
  } catch (const runtime::TaskKilled&) {
    runtime::ensure(stopping_, "a task was killed in a world that goes on");
  } catch (const runtime::EnsureFailed& failed) {
    fail("violation", failed.what());
  } catch (const Violation& violation) {
    fail("violation", violation.what());
  } catch (const std::exception& error) {
    fail("exception",
         fmt::format("task {} died of an exception: {}", task.identity().path(), error.what()));
  } catch (...) {
    foreign_ = std::current_exception();
    stopping_ = true;
  }
  task.body = nullptr;
  ExceptionState* const exceptions = exceptions_;  // `finish` releases all that was read before it
  Fiber& next = finish(task);
  Fiber::switch_over(task.fiber, next, exceptions, true);
}

/// The end is a step, on which joiners depend. The strategy is notified before the slot is free,
/// because it may ask for the task by then. The ending task picks its successor itself, as every
/// task does at a step.
Fiber& Scheduler::finish(SimTask& task) {
  const Quiet quiet;
  publish(OperationKind::Exit, &task, runtime::Location::current());
  task.state = SimTask::State::Ended;
  task.killed = stopping_;
  release(task.ended);
#if defined(WATCHLAB_TSAN)
  __tsan_release(&main_);
#endif
  races_.retire(task.clock);
  if (!stopping_) {
    note_step(task);
  }
  enable_all(task.joiners);
  --live_tasks_;
  root_ended_ = root_ended_ || task.number == 0;
  if (task.number == 0) {
    grace_until_ = now_ + limits_.grace_period;
  }
  last_ended_ = slots_[task.slot_].task;
  const std::uint32_t slot = task.slot_;
  ready_.erase(slot);
  Actor* const next = pick(task);
  if (task.pinned_ || task.locks_held > 0) {  // perhaps pinned by this very decision
    ended_.push_back(last_ended_);
  }
  free_slot(slot);
  stacks_.give_back(task.stack);
  if (next == nullptr) {
    return main_;
  }
  current_ = static_cast<SimTask*>(next);
  return current_->fiber;
}

std::uint32_t Scheduler::ordinary_successor(const SimTask& at) const {
  return at.pending_.kind == OperationKind::Yield ? ready_.after(at.slot_) : ready_.first();
}

/// Virtual time stands still while a task can run. When all wait it jumps to the next deadline,
/// which is no choice; earlier it may jump only as often as `early_advances_max` allows. Nothing
/// ready and no deadline is a deadlock, or a leak once the root has ended and its grace is over.
bool Scheduler::pass_time() {
  if (!ready_.empty()) {
    if (!deadlines_.empty() && choose(ChoiceKind::Advance, 2, "let time pass") == 1) {
      --advances_left_;
      jump_to_next_deadline();
    }
    return true;
  }
  if (live_tasks_ == 0 && held_open_ == 0) {
    return false;
  }
  if (observed_) {
    strategy_->idle();
  }
  if (deadlines_.empty()) {
    report_stuck();
    return false;
  }
  if (root_ended_ && live_tasks_ > 0 && deadlines_.earliest() > grace_until_) {
    report_stuck();
    return false;
  }
  jump_to_next_deadline();
  return true;
}

/// All actors that are due at that moment become ready at once; their order is a choice again.
void Scheduler::jump_to_next_deadline() {
  runtime::ensure(deadlines_.earliest() >= now_, "a deadline was passed over");
  now_ = deadlines_.earliest();
  digest_ = mix(digest_, static_cast<std::uint64_t>(now_.time_since_epoch().count()));
  while (!deadlines_.empty() && deadlines_.earliest() <= now_) {
    Actor& actor = *deadlines_.pop().actor;
    if (!actor.is_task_) {
      admit(actor);
      continue;
    }
    const OperationKind waits = actor.pending_.kind;
    runtime::ensure(
        !is_ready(actor) && (waits == OperationKind::Sleep || waits == OperationKind::CondWait),
        "the deadline of a task comes that waits for none");
    if (waits == OperationKind::CondWait) {
      actor.pending_.kind = OperationKind::CondTimeout;
    }
    enable(actor);
  }
}

/// A timer that is due is an actor like a task: it fires when it is chosen, and a task may stop it
/// before that.
void Scheduler::admit(Actor& timer) {
  runtime::ensure(timer.slot_ == Actor::kNoSlot, "a timer becomes due twice");
  timer.slot_ = take_slot();
  timer.prompted_at_ = steps_;
  timer.pending_ = {OperationKind::TimerFire, &timer, 0, timer.made()};
  slots_[timer.slot_] = Slot{.actor = &timer, .task = nullptr};
  enable(timer);
}

void Scheduler::dismiss(Actor& timer) {
  free_slot(timer.slot_);
  timer.slot_ = Actor::kNoSlot;
}

void Scheduler::fire(Actor& timer) {
  ++timer.operations_;
  note_step(timer);
  dismiss(timer);
  timer.fire();
  if (steps_ > limits_.steps_max) {
    run_too_long();
  }
}

void Scheduler::tell_strategy(const Actor& actor) {
  if (observed_ && !stopping_) {
    strategy_->executed(actor);
  }
}

void Scheduler::tell_watchers(const Actor& actor) {
  if (observed_) {
    strategy_->executed(actor);
  }
  if (listener_ != nullptr) {
    listener_->stepped(actor, steps_);
  }
}

void Scheduler::fail(std::string kind, std::string sentence) {
  if (!failure_ && !stopping_) {
    failure_ = Failure{
        .kind = std::move(kind), .sentence = std::move(sentence), .schedule = "", .steps = steps_};
  }
  stopping_ = true;
}

void Scheduler::run_too_long() { fail("livelock", describe_livelock(*this)); }

void Scheduler::report_stuck() {
  if (root_ended_) {
    fail("leak", describe_leak(*this));
  } else {
    fail("deadlock", describe_deadlock(*this));
  }
}

std::vector<const Actor*> Scheduler::actors() const {
  std::vector<const Actor*> actors;
  for (const Slot& slot : slots_) {
    if (slot.actor != nullptr) {
      actors.push_back(slot.actor);
    }
  }
  return actors;
}

}  // namespace watchlab::sim
