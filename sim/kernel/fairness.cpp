#include <algorithm>
#include <chrono>

#include "sim/kernel/fiber.hpp"
#include "sim/kernel/scheduler.hpp"
#include "sim/kernel/spinning.hpp"
#include "sim/kernel/wait_for_graph.hpp"

// Who has to let others go: a task that spins, see `Spinning`, and, in a run that becomes long,
// whoever has gone on while others who could go did not come to. Without that a schedule in which
// only one task runs would pass for a livelock, right as the program may be.

namespace watchlab::sim {
namespace {

/// How often it is looked whether all come to go. A prime, so that all places of a loop have their
/// turn, also that at which another task could go.
constexpr std::size_t kLookEvery = 997;

/// How often a task may read the clock before it lets others go.
constexpr std::uint32_t kClockReads = 10'000;

/// How long a loop that sees time may find the same, in a world where nothing else is to come.
constexpr auto kPatience = std::chrono::hours(24 * 366);

/// How long a task that spins waits when no other can go. It grows with the time that it has spun,
/// so that few steps come to where another task wakes by a clock, or to what the loop waits for.
runtime::Duration spin_pause(runtime::Duration spun) {
  constexpr runtime::Duration kLeast = std::chrono::microseconds(1);
  return std::max<runtime::Duration>(spun / 16, kLeast);
}

}  // namespace

void Scheduler::looked(OperationKind kind, SimObject* object, runtime::Location here,
                       std::uint8_t way) {
  SimTask& me = *current_;
  Spinning& spin = me.spinning != nullptr ? *me.spinning : spinning_of(me);
  if (me.operations() == spin.operations) {
    return;
  }
  if (me.operations() != spin.operations + 1) {
    leave_loop(spin);
  }
  if (spin.empty()) {
    spin.since = now();
  }
  spin.operations = me.operations();
  looked_also(kind, object, here, way);
}

void Scheduler::looked_also(OperationKind kind, SimObject* object, runtime::Location here,
                            std::uint8_t way) {
  IdleOperation look{.object = object, .kind = kind, .here = here, .way = way};
  if (object != nullptr) {
    object->looked_at_ = true;
    look.version = object->version_;
  }
  current_->spinning->add(look);
}

bool Scheduler::meets_again(SimObject* object, runtime::Location here, std::uint8_t way) {
  const SimTask& me = *current_;
  if (me.spinning == nullptr || me.spinning->operations != me.operations()) {
    return false;
  }
  const std::uint32_t turn = me.spinning->turn_before(
      {.object = object, .kind = OperationKind::Poll, .here = here, .way = way},
      limits_.equal_turns);
  return turn > 0 && me.spinning->last(turn).meets;
}

bool Scheduler::continues_turn(const IdleOperation& next) {
  SimTask& me = *current_;
  Spinning& spin = *me.spinning;
  if (spin.operations != me.operations() || unwinding()) {
    leave_loop(spin);
    return false;
  }
  if (spin.ahead == 0) {
    const std::uint32_t turn = spin.turn_before(next, limits_.equal_turns);
    if (turn == 0) {
      return false;
    }
    spin.turn = turn;
    if (!await_change(next.here)) {
      return false;
    }
  }
  const std::uint32_t into = spin.ahead % spin.turn;
  const IdleOperation& known = spin.last(into == 0 ? spin.turn : into);
  if (next.object != nullptr && next.object == known.object &&
      next.object->version_ != known.version) {
    spin.restart();  // it changed before the task came to go on
    return false;
  }
  if (stopping_ || !known.repeats(next)) {
    leave_loop(spin);
    return false;
  }
  --spin.ahead;
  return true;
}

/// The turn has come again. True when the task goes on looking, in one operation: it reads all that
/// the turn reads, where it stands. A poll that does not go on and has partners will meet one, and
/// no further step is needed for that.
bool Scheduler::await_change(runtime::Location here) {
  SimTask& me = *current_;
  Spinning& spin = *me.spinning;
  spun_ = true;
  bool goes_on = false;
  if (!spin.asked && !spin.slept) {
    spin.asked = true;
    goes_on = chooses_to_poll_on(spin.sees_time);
  }
  SimObject* first = nullptr;
  bool meets = false;
  spin.visit_turn([&](const IdleOperation& look) {
    first = first == nullptr ? const_cast<SimObject*>(look.object) : first;
    meets = meets || look.meets;
  });
  if (meets && !goes_on) {
    return false;
  }
  publish(OperationKind::Await, first, here, goes_on ? Spinning::GoesOn : Spinning::Waits);
  if (goes_on) {
    decide();
  } else {
    wait_for_change();
  }
  spin.operations = me.operations();
  switch (me.pending_.extra) {
    case Spinning::Changed:
      spin.restart();
      break;
    case Spinning::GoesOn:
      spin.go_on();
      break;
    default:
      break;
  }
  return spin.ahead > 0;
}

bool Scheduler::chooses_to_poll_on(bool sees_time) {
  if (!sees_time) {
    return choose(ChoiceKind::Value, 2, "whether a task that polls goes on") == 1;
  }
  return !stopping_ && accept(choices_.choose_to_poll_on(*current_)) == 1;
}

void Scheduler::wait_for_change() {
  SimTask& me = *current_;
  bool changed = false;
  me.spinning->visit_turn([&](const IdleOperation& look) {
    if (look.object != nullptr) {
      const_cast<SimObject*>(look.object)->awaited_ = true;
      changed = changed || look.object->version_ != look.version;
    }
  });
  if (changed) {
    me.pending_.extra = Spinning::Changed;
  } else {
    disable(me);
  }
  see_time();  // it does not pass early while a task spins
  spinners_.push_back(&me);
  decide();
  see_time();
  std::erase(spinners_, &me);
  clock_.disarm(me.deadline);
}

/// One whose pause is over, or who goes on, keeps to that.
void Scheduler::release_spinners(const SimObject& object) {
  bool awaited = false;
  for (SimTask* const task : spinners_) {
    bool looks_at_it = false;
    task->spinning->visit_turn(
        [&](const IdleOperation& look) { looks_at_it = looks_at_it || look.object == &object; });
    awaited = awaited || looks_at_it;
    if (looks_at_it && task->pending_.extra == Spinning::Waits && !is_ready(*task)) {
      clock_.disarm(task->deadline);
      task->pending_.extra = Spinning::Changed;
      enable(*task);
    }
  }
  const_cast<SimObject&>(object).awaited_ = awaited;
}

void Scheduler::forget_looks_at(const SimObject& object) {
  release_spinners(object);
  for (const std::unique_ptr<Spinning>& spin : spinnings_) {
    spin->forget(object);
  }
}

/// Where it has gone on, it was a loop with an end, or a task that looks again by several lines.
void Scheduler::note_end_of_loop(const Spinning& spin) {
  if (const std::uint32_t alone = spin.turns_alone(); alone > 0) {
    loop_turns_ = std::max(loop_turns_, limits_.equal_turns + alone);
  }
}

void Scheduler::leave_loop(Spinning& spin) {
  note_end_of_loop(spin);
  spin.restart();
}

Spinning& Scheduler::spinning_of(SimTask& task) {
  if (task.spinning == nullptr) {
    if (spare_spinnings_.empty()) {
      spare_spinnings_.push_back(spinnings_.emplace_back(std::make_unique<Spinning>()).get());
    }
    task.spinning = spare_spinnings_.back();
    spare_spinnings_.pop_back();
    task.spinning->operations = 0;  // a task's looks come after its first operation
  }
  return *task.spinning;
}

void Scheduler::take_spinning(SimTask& task) {
  leave_loop(*task.spinning);
  spare_spinnings_.push_back(std::exchange(task.spinning, nullptr));
}

void Scheduler::give_back_all_spinnings() {
  spinners_.clear();
  spare_spinnings_.clear();
  for (const std::unique_ptr<Spinning>& spin : spinnings_) {
    spin->restart();
    spare_spinnings_.push_back(spin.get());
  }
}

void Scheduler::look_past_sleep() {
  Spinning& spin = *current_->spinning;
  if (current_->pending_.kind == OperationKind::Sleep &&
      current_->operations() == spin.operations + 1) {
    spin.operations = current_->operations();
    spin.sees_time = spin.slept = true;
  }
}

/// A loop that does nothing but read the clock would never end, because time passes only where
/// nobody can go.
runtime::TimePoint Scheduler::read_clock_again() {
  const Quiet quiet;
  if (stopping_ || current_ == nullptr) {
    const auto more = std::max<std::int64_t>(++last_clock_reads_ - kClockReads, 0);
    return now() + std::chrono::hours(more);
  }
  see_time();
  SimTask& me = *current_;
  if (me.spinning != nullptr) {
    me.spinning->sees_time = true;
  }
  if (me.clock_read_at != me.operations()) {
    me.clock_read_at = me.operations();
    me.clock_reads = 0;
  }
  if (++me.clock_reads > kClockReads && !unwinding()) {
    pause_at_clock();
  }
  return now();
}

void Scheduler::pause_at_clock() {
  SimTask& me = *current_;
  Spinning& spin = spinning_of(me);
  if (me.clock_reads == kClockReads + 1) {
    spin.restart();
    spin.since = now();
  }
  spin.sees_time = true;
  spun_ = true;
  publish(OperationKind::Await, nullptr, runtime::Location(), Spinning::Waits);
  wait_for_change();
  me.clock_read_at = me.operations();
}

/// No task can go but those that spin: a loop with an end comes to it now, before time passes.
bool Scheduler::let_spinners_go() {
  bool any = false;
  for (SimTask* const task : spinners_) {
    Spinning& spin = *task->spinning;
    if (!spin.alone && !spin.sees_time) {
      spin.alone = any = true;
      task->pending_.extra = Spinning::GoesOn;
      enable(*task);
    }
  }
  return any;
}

/// Loops that see time look again after a while, as far as nothing comes before that. Where nothing
/// can come, and they have looked for long, nobody will ever do anything else.
bool Scheduler::pass_time_of_spinners() {
  const bool something_comes = clock_.has_deadline() || partner_ != nullptr;
  for (SimTask* const task : spinners_) {
    const runtime::Duration spun = now() - task->spinning->since;
    if (task->spinning->sees_time && (something_comes || spun < kPatience)) {
      clock_.arm(task->deadline, now() + spin_pause(spun), true);
    }
  }
  if (!clock_.has_deadline() && !has_partner_to_ask()) {
    if (root_ended()) {
      report_stuck();
    } else {
      fail("livelock", describe_livelock(*this));
    }
    return false;
  }
  if (clock_.has_deadline() && tasks_.has_leak_at(clock_.earliest())) {
    report_stuck();
    return false;
  }
  jump();
  for (SimTask* const task : spinners_) {
    clock_.disarm(task->deadline);
  }
  return true;
}

std::size_t Scheduler::first_look() const { return steps_before_fairness(limits_.steps_max); }

/// If someone could go and did not, those who did are not offered until the next look, where anyone
/// else can go.
void Scheduler::look_at_progress() {
  if (steps() > limits_.steps_max) {
    run_too_long();
    return;
  }
  next_look_ = std::min(limits_.steps_max, steps() + kLookEvery);
  report_stuck_tasks();
  left_out_.clear();
  bool starves = false;
  ready_.visit_ready([&](Actor& actor) {
    if (actor.operations_ == actor.operations_then_) {
      starves = true;
    } else {
      left_out_.insert(actor.slot_);
    }
    actor.operations_then_ = actor.operations_;
  });
  if (!starves) {
    left_out_.clear();
  } else if (!left_out_.empty()) {
    made_fair_ = true;
    default_only_ = false;
  }
}

Actor* Scheduler::pick_fairly(SimTask& at) {
  Actor* place = &at;
  for (;;) {
    if ((ready_.empty() || clock_.asks()) && !pass_time(at)) {
      return nullptr;
    }
    const bool some_are_left_out = !left_out_.empty() && ready_.leave_out(left_out_, all_ready_);
    ready_.set_default(at);
    Actor* next = &ready_.option(0);
    if (choices_.asks_for_single_actor() || ready_.has_several()) {
      next = choices_.choose_actor(ready_, *place);
    }
    if (some_are_left_out) {
      ready_.restore(all_ready_);
    }
    if (next == nullptr) {
      abandon();
    }
    if (next == nullptr || next->is_task_) {
      return next;
    }
    fire(*next);
    if (stopping_) {
      return nullptr;
    }
    place = next;
  }
}

}  // namespace watchlab::sim
