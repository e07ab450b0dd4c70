#include "sim/kernel/scheduler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/clock_partner.hpp"
#include "sim/kernel/dead_frames.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/path_text.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/kernel/stuck_tasks.hpp"
#include "sim/kernel/termination.hpp"
#include "sim/kernel/wait_for_graph.hpp"
#include "sim/kernel/watchdog.hpp"

namespace watchlab::sim {
namespace {

/// How many operations a task may still do in a stopping world before it is ended by force.
constexpr std::uint32_t kLastOperationsMax = 1000;
/// After how many jumps of time to look whether tasks are stuck. Few jumps are looked at each time
/// they double: that finds most at once and costs a long run nothing.
constexpr std::size_t kJumpsPerLook = 64;

}  // namespace

Scheduler::Scheduler() = default;
Scheduler::~Scheduler() { forget_run(); }

/// A scheduler plays many runs, and keeps its memory between them.
void Scheduler::reset(Strategy& strategy, const SchedulerLimits& limits) {
  limits_ = limits;
  thread_ = thread_mark();
  exceptions_ = exception_state_of_this_thread();
  forget_run();
  foreign_ = nullptr;
  failure_.reset();
  current_ = nullptr;
  stopping_ = abandoned_ = killing_ = false;
  escaping_ = nullptr;
  lost_tasks_ = jumps_ = 0;
  partner_ = nullptr;
  digest_ = {};
  clock_.reset(limits.early_advances_max);
  choices_.reset(strategy);
  if (limits.memory == Memory::ReleaseAcquire) {
    races_.begin_whole();
    weak_ = std::make_unique<WeakMemory>(races_);
  }
  default_only_ = choices_.follows_default() && limits.early_advances_max <= 0;
  next_look_ = first_look();
  spun_ = made_fair_ = false;
  loop_turns_ = 0;
  last_clock_reads_ = 0;
  watched_ = choices_.observed() || listener_ != nullptr;
}

/// Objects of a run that was cut off may still refer to each other; deadlines and clocks go first,
/// because they refer to objects that go with the slots.
void Scheduler::forget_run() {
  const Quiet quiet;  // what abandoned tasks did comes before this, and no clock says so
  spinners_.clear();
  left_out_.clear();
  clock_.disarm_all();
  races_.reset();
  weak_.reset();
  choices_.forget_deviations();
  ready_.clear();
  tasks_.reset();
  give_back_all_spinnings();
}

void Scheduler::notify_retired(const Actor& timer) {
  if (choices_.observed()) {
    choices_.strategy().retired(timer);
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
  for (const std::unique_ptr<Spinning>& spin : spinnings_) {
    note_end_of_loop(*spin);
  }
  if (foreign_) {
    std::rethrow_exception(foreign_);
  }
}

std::shared_ptr<SimTask> Scheduler::spawn(std::string_view name, std::function<void()> body,
                                          runtime::Location here) {
  return spawn_for(creator_of_next(), name, std::move(body), here);
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
  if (creator) {
    creator->has_spawned = true;
  }
  if (current_ != nullptr) {
    release(task->handed);
  }
  tasks_.begin(*task, &Scheduler::task_entry);
  task->prompted_at_ = steps();
  task->pending_ = {OperationKind::Start, task.get(), 0, here};
  task->slot_ = ready_.take_slot(*task, task);
  enable(*task);
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

void Scheduler::task_entry(void* task) {
  auto& self = *static_cast<SimTask*>(task);
  self.scheduler_.run_task(self);
}

/// The first step of a task. What its creator did up to the spawn happens before it; what the
/// creator did after that does not, although it may have run first.
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
  PlainAccess access{.task = current_, .kind = kind, .here = here, .step = steps()};
  PlainAccess earlier;
  current_->pin();
  if (races_.check(current_->clock, access, history, earlier)) [[unlikely]] {
    const DataRace race = race_between(cell, earlier, access);
    fail("data race", describe(race), race);
  }
}

std::optional<PlainAccess> Scheduler::stamp(runtime::Location here) {
  PlainAccess access{.task = current_, .here = here, .step = steps()};
  current_->pin();
  return races_.stamp(current_->clock, access) ? std::optional(access) : std::nullopt;
}

void Scheduler::fence(std::memory_order order) {
  if (weak_ != nullptr) {
    weak_->fence(order, *current_);
    return;
  }
  if (acquires(order)) {
    acquire(current_->fence_clocks().seen);
  }
  if (releases(order)) {
    release_alone(current_->fence_clocks().fenced);
  }
}

std::size_t Scheduler::weaker_accesses() const {
  std::set<std::tuple<std::string_view, std::uint32_t, std::uint32_t>> places;
  std::transform(weaker_.begin(), weaker_.end(), std::inserter(places, places.end()),
                 [](const Place& place) {
                   return std::tuple(std::string_view(place.file), place.line, place.column);
                 });
  return places.size();
}

bool Scheduler::choose_spurious(const SimObject& object, std::string_view what) {
  std::vector<std::uint64_t>& last = current_->spurious;
  if (std::erase(last, object.digest()) > 0 || unwinding() ||
      choose(ChoiceKind::Spurious, 2, what) == 0) {
    return false;
  }
  last.push_back(object.digest());
  return true;
}

void Scheduler::fail_by_exception(std::string_view how) {
  try {
    throw;
  } catch (const runtime::TaskKilled&) {
    runtime::ensure(stopping_, "a task was killed in a world that is not stopping");
  } catch (const runtime::EnsureFailed& failed) {
    fail("violation", failed.what());
  } catch (const RunMistake& mistake) {
    fail("exception", mistake.what());
  } catch (const Violation& violation) {
    fail("violation", violation.what(), std::nullopt, violation.slow());
  } catch (const std::exception& error) {
    fail("exception",
         fmt::format("task {} {}: {}", current_->identity().readable_path(), how, error.what()));
  } catch (...) {
    foreign_ = std::current_exception();
    stopping_ = true;
  }
}

/// A stopping world has its finding. The task waits for its turn to end, because others may use
/// what lies in its frames, and is then left as it stands.
void Scheduler::terminate_current() {
  const Quiet quiet;
  const Operation& last = current_->pending();  // its object may be gone
  const std::string where =
      stopping_ ? ""
                : fmt::format(" after its last operation, {} ({}){}", verb_for(last.kind),
                              place_text(last.here), functions_on_the_stack());
  if (const std::exception_ptr thrown = std::current_exception()) {
    try {
      std::rethrow_exception(thrown);
    } catch (...) {
      fail_by_exception("let an exception leave a noexcept function" + where);
    }
  } else {
    fail("exception", fmt::format("task {} called std::terminate{}",
                                  current_->identity().readable_path(), where));
  }
  abandon_current();
}

void Scheduler::abandon_current() {
  current_->lost = true;
  Fiber::switch_over(current_->fiber, main_, exceptions_);
  std::abort();  // nothing comes back here
}

void Scheduler::exception_escapes() {
  const Quiet quiet;
  if (!stopping_ && !limits_.is_story && TaskLifetime::has_descendant(ready_, *current_)) {
    stopping_ = true;
    escaping_ = current_;
    await_the_end();
  }
}

/// How a body ends decides what the run has come to; only `TaskKilled` says nothing, because the
/// run was over before. An exception that is no `std::exception` ends the run and is thrown again
/// by `run`.
void Scheduler::run_task(SimTask& task) {
  begin(task);
  try {
    call_watched([](void* body) { (*static_cast<std::function<void()>*>(body))(); }, &task.body);
  } catch (...) {
    fail_by_exception("died of an exception");
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
  changed(task);
  give_back_spinning(task);
#if defined(WATCHLAB_TSAN)
  __tsan_release(&main_);
#endif
  races_.retire(task.clock);
  if (!stopping_) {
    note_step(task);
  }
  if (task.number == 0) {
    see_time();  // the grace of the others begins
  }
  enable_all(task.joiners);
  tasks_.end(task, now() + limits_.grace_period);
  disable(task);
  Actor* const next = pick(task);
  tasks_.retire(ready_.free_slot(task.slot_));
  if (next == nullptr) {
    return main_;
  }
  current_ = static_cast<SimTask*>(next);
  return current_->fiber;
}

/// Virtual time stands still while a task can run. When all wait it jumps to the next deadline,
/// which is no choice; earlier it may jump only as often as `early_advances_max` allows. Nothing
/// ready and no deadline is a deadlock, or a leak once the root has ended and its grace is over.
bool Scheduler::pass_time(const SimTask& at) {
  if (!ready_.empty()) {
    pass_time_early(at, false);
    return !stopping_;
  }
  if (tasks_.over()) {
    return false;
  }
  if (choices_.observed()) {
    choices_.strategy().idle();
  }
  if (!spinners_.empty()) [[unlikely]] {
    report_stuck_tasks();
    return !stopping_ && (let_spinners_go() || pass_time_of_spinners());
  }
  if (clock_.has_deadline() ? tasks_.has_leak_at(clock_.earliest()) : !has_partner_to_ask()) {
    report_stuck();
    return false;
  }
  if (!choices_.continues_with_jump(*current_)) {
    abandon();
    return false;
  }
  ++jumps_;
  if (jumps_ % kJumpsPerLook == 0 || (jumps_ < kJumpsPerLook && std::has_single_bit(jumps_))) {
    report_stuck_tasks();
  }
  if (!stopping_) {
    jump();
  }
  if (!stopping_ && !ready_.empty()) {
    pass_time_early(at, true);  // before any of those that are due
  }
  return !stopping_;
}

/// It may jump several times in a row; `again` where it has just jumped. That it could have passed
/// once more is noted: it says what a search has left out.
void Scheduler::pass_time_early(const SimTask& at, bool again) {
  for (; clock_.asks(); again = true) {
    const bool is_beside_partner = partner_ != nullptr && choices_.asks_for_single_actor();
    if (!clock_.may_jump_early() || is_beside_partner || !spinners_.empty()) {
      clock_.hold_back();
      return;
    }
    if (tasks_.has_leak_at(clock_.earliest())) {
      return;
    }
    clock_.note_asked();
    ready_.set_default(at);  // for strategies that look who is ready
    if (accept(choices_.choose_advance(*current_, again)) == 0) {
      return;
    }
    clock_.count_early_jump();
    jump();
  }
}

/// Called between two steps, with no task ready or with the strategy's consent. A partner of the
/// clock goes first; if it has something to say at once, time stands still.
void Scheduler::jump() {
  if (!partner_has_come()) {
    clock_.jump(digest_, [this](Actor& actor) { fall_due(actor); });
  }
}

/// A task whose wait has a deadline does another operation then: its wait timed out.
void Scheduler::fall_due(Actor& actor) {
  if (!actor.is_task_) {
    admit(actor);
    return;
  }
  const OperationKind waits = actor.pending_.kind;
  runtime::ensure(
      !is_ready(actor) && (waits == OperationKind::Sleep || waits == OperationKind::CondWait ||
                           waits == OperationKind::GatePass || waits == OperationKind::Await),
      "the deadline of a task comes that waits for none");
  if (waits == OperationKind::CondWait) {
    actor.pending_.kind = OperationKind::CondTimeout;
  } else if (waits == OperationKind::GatePass) {
    actor.pending_.kind = OperationKind::GateTimeout;
  }
  enable(actor);
}

/// A timer that is due is an actor like a task: it fires when it is chosen, and a task may stop it
/// before that.
void Scheduler::admit(Actor& timer) {
  runtime::ensure(timer.slot_ == Actor::kNoSlot, "a timer becomes due twice");
  timer.slot_ = ready_.take_slot(timer, nullptr);
  timer.prompted_at_ = steps();
  timer.pending_ = {OperationKind::TimerFire, &timer, 0, timer.made()};
  enable(timer);
}

void Scheduler::dismiss(Actor& timer) {
  ready_.free_slot(timer.slot_);
  timer.slot_ = Actor::kNoSlot;
}

/// A timer has no fiber: it fires on the task that is running, whose operation is still to come, so
/// what it does must not wait. Its step counts like any other, or a ticker alone could run on
/// without end.
void Scheduler::fire(Actor& timer) {
  ++timer.operations_;
  note_step(timer);
  see_time();
  dismiss(timer);
  timer.fire();
  if (steps() > next_look_) {
    look_at_progress();
  }
}

/// A guard unlocks while an exception is in flight: a switch here would nest unwindings, so a task
/// that can continue does. That is no decision and no step of the digest, but it changes what
/// others may do: a strategy that tracks dependencies must know of it.
bool Scheduler::continues_unwinding(const SimTask& me) {
  const bool continues = is_ready(me);
  if (continues && choices_.observed() && !stopping_) {
    choices_.strategy().executed(me);
  }
  return continues;
}

void Scheduler::notify_observers(const Actor& actor) {
  if (choices_.observed()) {
    choices_.strategy().executed(actor);
  }
  if (listener_ != nullptr) {
    listener_->stepped(actor, steps());
  }
}

/// The first failure counts. What goes wrong after it, in a world that is stopping, follows from
/// the way in which it stops.
void Scheduler::fail(std::string kind, std::string message, std::optional<DataRace> race,
                     bool slow) {
  const Quiet quiet;
  if (!failure_ && (!stopping_ || current_ == escaping_)) {
    failure_ = Failure{std::move(kind), std::move(message), "", steps(), std::move(race), slow};
  }
  stopping_ = true;
}

/// Once the root has ended, tasks that are left are leaks, and found as such.
void Scheduler::report_stuck_tasks() {
  if (root_ended() || stopping_ || limits_.is_story) {
    return;
  }
  const std::vector<const SimTask*> stuck = stuck_tasks(*this);
  if (!stuck.empty()) {
    fail("deadlock", describe_deadlock(*this, stuck));
  }
}

void Scheduler::run_too_long() { fail("no end", describe_endless(*this)); }

void Scheduler::report_stuck() {
  const bool is_leak = root_ended();
  fail(is_leak ? "leak" : "deadlock", is_leak ? describe_leak(*this) : describe_deadlock(*this));
}

/// The strategy has nothing to learn from the rest of the run, which neither held nor failed.
void Scheduler::abandon() {
  abandoned_ = true;
  stopping_ = true;
}

std::uint32_t Scheduler::choose_value(ChoiceKind kind, std::size_t options, std::string_view what,
                                      std::span<const Actor* const> candidates) {
  check_caller();
  const auto count = static_cast<std::uint32_t>(options);
  return accept(choices_.choose_value(
      *current_, {.kind = kind, .options = count, .what = what, .candidates = candidates}));
}

std::uint32_t Scheduler::choose_store(std::size_t stores,
                                      std::span<const std::uint8_t> impossible) {
  if (stores <= 1 || stopping_) {
    return 0;
  }
  check_caller();
  const std::uint32_t index =
      accept(choices_.choose_value(*current_, {.kind = ChoiceKind::Memory,
                                               .options = static_cast<std::uint32_t>(stores),
                                               .what = "which store an access meets",
                                               .impossible = impossible.data()}));
  return impossible[index] != 0 ? 0 : index;
}

std::uint32_t Scheduler::choose_handover(std::size_t waiters) {
  return stopping_ || unwinding() ? 0 : accept(choices_.choose_handover(*current_, waiters));
}

std::uint32_t Scheduler::accept(std::optional<std::uint32_t> index) {
  if (!index) {
    abandon();
  }
  return index.value_or(0);
}

void Scheduler::refuse_caller() const {
  const std::string task = current_ != nullptr ? current_->identity().readable_path() : "none";
  throw runtime::Panic(fmt::format(
      "an operation of a simulated world is called from an OS thread that is not its own; there "
      "task {} runs. Start tasks with runtime::spawn",
      task));
}

void Scheduler::await_the_end() {
  if (!killing_) {
    Fiber::switch_over(current_->fiber, main_, exceptions_);
  }
}

/// Every task gets control once more, in a world that is stopping, so that its frames unwind.
void Scheduler::kill_all() {
  stopping_ = killing_ = true;
  clock_.disarm_all();  // what waits for a deadline ends now
  const std::vector<std::shared_ptr<SimTask>> tasks = TaskLifetime::in_order_of_death(ready_);
  DeadFrames dead(*this);
  for (const std::shared_ptr<SimTask>& task : tasks) {
    current_ = task.get();
    if (task->state == SimTask::State::NotStarted) {
      task->body = nullptr;
      tasks_.drop(*task);
      continue;
    }
    const bool is_orphan = task.get() != escaping_ && TaskLifetime::has_ended_ancestor(*task);
    if (!task->lost && (!is_orphan || (!limits_.is_story && dead.protect_from(*task, tasks)))) {
      runtime::guards_are_void = is_orphan;
      Fiber::switch_over(main_, task->fiber, exceptions_);
      runtime::guards_are_void = false;
    }
    if (task->state != SimTask::State::Ended) {
      ++lost_tasks_;
      tasks_.drop(*task);
    }
  }
}

/// A task of a stopping world may still do harmless things on its way out. One that does them
/// without end has missed that the world stops.
bool Scheduler::count_last_operation() {
  check_caller();
  await_the_end();
  if (++current_->last_operations > kLastOperationsMax) {
    end_wait();
  }
  return true;
}

void Scheduler::end_wait() {
  await_the_end();
  if (exceptions_->uncaught == 0) {
    throw runtime::TaskKilled();
  }
}

}  // namespace watchlab::sim
