#include "tests/sim/explore/oracle/model.hpp"

#include <algorithm>
#include <bit>

#include "tests/sim/explore/oracle/observations.hpp"

namespace watchlab::sim::oracle {
namespace {

void put(std::string& key, int number) {
  key += static_cast<char>(number & 0xff);
  key += static_cast<char>((number >> 8) & 0xff);
}

void put_all(std::string& key, const std::vector<int>& numbers) {
  put(key, static_cast<int>(numbers.size()));
  for (const int number : numbers) {
    put(key, number);
  }
}

}  // namespace

int Picks::pick(Pick kind, std::size_t options) {
  if (options <= 1) {
    return 0;
  }
  if (next_ == answers_.size()) {
    answers_.push_back({.kind = kind, .options = static_cast<int>(options), .value = 0});
  }
  return answers_[next_++].value;
}

bool Picks::advance() {
  next_ = 0;
  while (!answers_.empty()) {
    if (++answers_.back().value < answers_.back().options) {
      return true;
    }
    answers_.pop_back();
  }
  return false;
}

std::string Picks::to_string() const {
  std::string text;
  for (const Answer& answer : answers_) {
    text += static_cast<char>(answer.kind);
    text += static_cast<char>('0' + answer.value);
  }
  return text;
}

std::string State::key() const {
  std::string key;
  put(key, now);
  for (const TaskState& task : tasks) {
    key += static_cast<char>(task.phase);
    key += static_cast<char>(task.place);
    key +=
        static_cast<char>((task.reads ? 1 : 0) | (task.writes ? 2 : 0) | (task.notified ? 4 : 0));
    put(key, static_cast<int>(task.held));
    put(key, static_cast<int>(task.started));
    put(key, task.deadline);
    put(key, task.arm);
    put(key, task.value);
    put_all(key, task.seen);
  }
  put_all(key, cells);
  put_all(key, data);
  put(key, static_cast<int>(locked));
  put(key, turn_taken ? 1 : 0);
  put(key, static_cast<int>(readers));
  for (const ChannelState& channel : channels) {
    put(key, channel.closed ? 1 : 0);
    put_all(key, channel.buffer);
  }
  put(key, group);
  for (const TimerState& timer : timers) {
    put(key, timer.deadline);
    put(key, timer.due ? 1 : 0);
  }
  return key;
}

Model::Model(const Listing& listing)
    : listing_(listing.released()),
      cells_(listing.count(Verb::Load, Verb::Cas)),
      mutexes_(listing.count(Verb::Lock, Verb::Touch)) {
  for (std::size_t i = 0; i < listing_.tasks.size(); ++i) {
    spawned_.push_back(listing_.is_spawned(i));
  }
}

int Model::actors() const { return static_cast<int>(listing_.tasks.size()) + kTimers; }

State Model::initial() const {
  State state;
  state.tasks.resize(listing_.tasks.size());
  for (std::size_t i = 0; i < listing_.tasks.size(); ++i) {
    state.tasks[i].phase = spawned_[i] ? Phase::Unborn : Phase::Begin;
  }
  state.cells.resize(static_cast<std::size_t>(cells_));
  state.data.resize(static_cast<std::size_t>(mutexes_));
  state.channels.resize(kChannels);
  state.group = listing_.group_count();
  for (const int delay : listing_.timers) {
    state.timers.push_back({.deadline = delay > 0 ? delay : -1});
  }
  pass_time(state);
  return state;
}

bool Model::has_ended(const State& state) const {
  return std::ranges::all_of(state.tasks, [](const TaskState& task) {
    return task.phase == Phase::Gone || task.phase == Phase::Unborn;
  });
}

std::string Model::outcome(const State& state) {
  std::string text;
  for (const TaskState& task : state.tasks) {
    text += describe(task.seen) + "| ";
  }
  return text;
}

const Instruction* Model::present(const State& state, int task) const {
  const auto i = static_cast<std::size_t>(task);
  const auto place = static_cast<std::size_t>(state.tasks[i].place);
  return place < listing_.tasks[i].size() ? &listing_.tasks[i][place] : nullptr;
}

bool Model::yields(const State& state, int actor) const {
  const auto& task = state.tasks[static_cast<std::size_t>(actor)];
  return task.phase == Phase::Pending && present(state, actor)->verb == Verb::Yield;
}

bool Model::can_step(const State& state, int actor) const {
  const auto i = static_cast<std::size_t>(actor);
  if (i >= state.tasks.size()) {
    return state.timers[i - state.tasks.size()].due;
  }
  switch (state.tasks[i].phase) {
    case Phase::Begin:
    case Phase::Released:
    case Phase::Completed:
      return true;
    case Phase::Relocking:
      return (state.locked & bit(present(state, actor)->number)) == 0;
    case Phase::Parked:
      if (present(state, actor)->verb == Verb::WriteLock) {
        return state.readers == 0;
      }
      return present(state, actor)->verb == Verb::ReadLock && (state.readers & bit(actor)) != 0;
    case Phase::Pending:
      return pending_can_step(state, actor);
    default:
      return false;
  }
}

bool Model::pending_can_step(const State& state, int task) const {
  const Instruction& instruction = *present(state, task);
  switch (instruction.verb) {
    case Verb::Lock:
      return (state.locked & bit(instruction.object)) == 0;
    case Verb::WriteLock:
      return !state.turn_taken;
    case Verb::Join:
      return state.tasks[static_cast<std::size_t>(instruction.object)].phase == Phase::Gone;
    case Verb::Send:
    case Verb::Receive:
    case Verb::Select:
      return is_ready(state, task);
    default:
      return true;
  }
}

bool Model::is_skipped(const TaskState& me, const Instruction& instruction) const {
  const auto holds = [&](int mutex) { return (me.held & bit(mutex)) != 0; };
  switch (instruction.verb) {
    case Verb::Lock:
    case Verb::TryLock:
      return holds(instruction.object);
    case Verb::Unlock:
      return !holds(instruction.object);
    case Verb::Wait:
    case Verb::WaitFor:
      return !holds(instruction.number);
    case Verb::ReadLock:
    case Verb::WriteLock:
      return me.reads || me.writes;
    case Verb::ReadUnlock:
      return !me.reads;
    case Verb::WriteUnlock:
      return !me.writes;
    case Verb::Join:
    case Verb::Ended:
      return (me.started & bit(instruction.object)) == 0;
    default:
      return false;
  }
}

/// Runs the task up to its next visible operation, which it publishes. Says what was picked.
std::string Model::arrive(State& state, int task, Picks& picks) const {
  TaskState& me = state.tasks[static_cast<std::size_t>(task)];
  std::string label;
  while (present(state, task) != nullptr && does_locally(state, task, picks, label)) {
    ++me.place;
  }
  publish(state, task);
  return label;
}

/// Carries out the present instruction if it takes no step of its own.
bool Model::does_locally(State& state, int task, Picks& picks, std::string& label) const {
  TaskState& me = state.tasks[static_cast<std::size_t>(task)];
  const Instruction& instruction = *present(state, task);
  const auto object = static_cast<std::size_t>(instruction.object);
  switch (instruction.verb) {
    case Verb::Touch:
      if ((me.held & bit(instruction.object)) != 0) {
        me.seen.push_back(state.data[object]++);
      }
      return true;
    case Verb::Spawn:
      if ((me.started & bit(instruction.object)) == 0) {
        me.started |= static_cast<std::uint32_t>(bit(instruction.object));
        state.tasks[object].phase = Phase::Begin;
      }
      return true;
    case Verb::Choose:
    case Verb::Order: {
      const bool orders = instruction.verb == Verb::Order;
      me.seen.push_back(picks.pick(Pick::Value, orders ? 2 : object));
      label += std::to_string(me.seen.back());
      return true;
    }
    case Verb::Size:
      if (instruction.object == kNilChannel) {
        me.seen.push_back(0);
      }
      return instruction.object == kNilChannel;
    default:
      return is_skipped(me, instruction);
  }
}

void Model::publish(State& state, int task) const {
  TaskState& me = state.tasks[static_cast<std::size_t>(task)];
  const Instruction* const next = present(state, task);
  if (next == nullptr) {
    me.phase = Phase::Gone;
    me.seen.push_back(kEnd);
    return;
  }
  me.phase = Phase::Pending;
  if (next->verb == Verb::GroupWait && state.group > 0) {
    me.phase = Phase::Parked;
  } else if (next->verb == Verb::Sleep && next->delay > 0) {
    me.phase = Phase::Parked;
    me.deadline = state.now + next->delay;
  }
}

/// Once no task can count the group up again, it makes no difference whether a task came to wait
/// before or after the count was zero.
void Model::forget_difference(State& state) const {
  for (std::size_t i = 0; i < state.tasks.size(); ++i) {
    const auto& instructions = listing_.tasks[i];
    const auto left = instructions.begin() +
                      std::min<std::ptrdiff_t>(state.tasks[i].place, std::ssize(instructions));
    if (std::find_if(left, instructions.end(), [](const Instruction& instruction) {
          return instruction.verb == Verb::GroupAdd;
        }) != instructions.end()) {
      return;
    }
  }
  for (int task = 0; task < static_cast<int>(state.tasks.size()) && state.group <= 0; ++task) {
    TaskState& me = state.tasks[static_cast<std::size_t>(task)];
    if (me.phase == Phase::Pending && present(state, task)->verb == Verb::GroupWait) {
      me.phase = Phase::Released;
    }
  }
}

/// While no actor can take a step, the next deadline comes.
void Model::pass_time(State& state) const {
  for (int actor = 0; actor < actors(); ++actor) {
    if (can_step(state, actor)) {
      return;
    }
  }
  int next = -1;
  const auto look = [&](int deadline) {
    next = deadline >= 0 && (next < 0 || deadline < next) ? deadline : next;
  };
  for (const TaskState& task : state.tasks) {
    look(task.deadline);
  }
  for (const TimerState& timer : state.timers) {
    look(timer.deadline);
  }
  if (next < 0 || has_ended(state)) {
    return;
  }
  state.now = std::max(state.now, next);
  for (TaskState& task : state.tasks) {
    if (task.deadline >= 0 && task.deadline <= state.now) {
      task.deadline = -1;
      task.phase = Phase::Released;
    }
  }
  for (TimerState& timer : state.timers) {
    if (timer.deadline >= 0 && timer.deadline <= state.now) {
      timer = {.deadline = -1, .due = true};
    }
  }
}

void Model::fire(State& state, int timer) const {
  state.timers[static_cast<std::size_t>(timer)].due = false;
  ChannelState& channel = state.channels[static_cast<std::size_t>(kFirstTimerChannel + timer)];
  if (channel.buffer.empty()) {
    channel.buffer.push_back(state.now);
  }
}

Step Model::step(State& state, int actor, Picks& picks) const {
  picks.rewind();
  Step step{.actor = actor};
  const int tasks = static_cast<int>(state.tasks.size());
  if (actor >= tasks) {
    fire(state, actor - tasks);
  } else {
    TaskState& me = state.tasks[static_cast<std::size_t>(actor)];
    step.completed = me.phase == Phase::Completed;
    step.label = static_cast<char>('a' + static_cast<int>(me.phase));
    if (me.phase == Phase::Begin || carry_out(state, actor, {picks, step})) {
      me.place += me.phase == Phase::Begin ? 0 : 1;
      me.deadline = -1;
      me.notified = false;
      me.arm = me.value = 0;
      step.label += arrive(state, actor, picks);
    }
  }
  pass_time(state);
  forget_difference(state);
  step.picks = picks.to_string();
  return step;
}

}  // namespace watchlab::sim::oracle
