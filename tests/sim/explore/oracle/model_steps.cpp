// What each instruction does to the state.
#include <algorithm>
#include <bit>

#include "tests/sim/explore/oracle/model.hpp"
#include "tests/sim/explore/oracle/observations.hpp"

namespace watchlab::sim::oracle {
namespace {

bool is_select(Verb verb) { return verb >= Verb::Send && verb <= Verb::Poll; }

bool polls(Verb verb) {
  return verb == Verb::TrySend || verb == Verb::TryReceive || verb == Verb::Poll;
}

bool blocks(Verb verb) {
  return verb == Verb::Send || verb == Verb::Receive || verb == Verb::Select;
}

}  // namespace

/// The first or a later step of the task's present instruction; whether that ends with it.
bool Model::carry_out(State& state, int task, const Doing& doing) const {
  const Instruction& instruction = *present(state, task);
  TaskState& me = state.tasks[static_cast<std::size_t>(task)];
  const Verb verb = instruction.verb;
  if (verb <= Verb::Cas) {
    use_cell(state, task, instruction);
  } else if (verb <= Verb::TryLock) {
    use_mutex(state, task, instruction);
  } else if (verb <= Verb::WriteUnlock) {
    return use_table(state, task, instruction);
  } else if (verb <= Verb::WaitFor) {
    return wait(state, task, instruction);
  } else if (verb <= Verb::NotifyAll) {
    doing.step.label += notify(state, instruction, doing.picks);
  } else if (verb == Verb::Close) {
    close(state, task, instruction);
  } else if (verb == Verb::Size) {
    me.seen.push_back(static_cast<int>(
        state.channels[static_cast<std::size_t>(instruction.object)].buffer.size()));
  } else if (is_select(verb)) {
    doing.step.label += select(state, task, doing);
  } else if (verb == Verb::GroupWait) {
    const bool ends = me.phase == Phase::Released || state.group <= 0;
    me.phase = ends ? me.phase : Phase::Parked;
    return ends;
  } else {
    use_time(state, task, instruction);
  }
  return true;
}

void Model::use_cell(State& state, int task, const Instruction& instruction) const {
  TaskState& me = state.tasks[static_cast<std::size_t>(task)];
  int& cell = state.cells[static_cast<std::size_t>(instruction.object)];
  const int found = cell;
  const int mine = value_at(static_cast<std::size_t>(task), static_cast<std::size_t>(me.place));
  if (instruction.verb != Verb::Store) {
    me.seen.push_back(found);
  }
  if (instruction.verb == Verb::Add) {
    cell = found + 1;
  } else if (instruction.verb == Verb::Store || instruction.verb == Verb::Exchange ||
             (instruction.verb == Verb::Cas && found == instruction.number)) {
    cell = mine;
  }
}

void Model::use_mutex(State& state, int task, const Instruction& instruction) const {
  TaskState& me = state.tasks[static_cast<std::size_t>(task)];
  const std::uint64_t mutex = bit(instruction.object);
  if (instruction.verb == Verb::Unlock) {
    state.locked &= ~mutex;
    me.held &= ~mutex;
    return;
  }
  const bool free = (state.locked & mutex) == 0;
  if (instruction.verb == Verb::TryLock) {
    me.seen.push_back(free ? 1 : 0);
  }
  if (free) {
    state.locked |= mutex;
    me.held |= mutex;
  }
}

/// A new reader waits behind a writer who has come; readers who wait when a writer leaves go before
/// the next writer.
bool Model::use_table(State& state, int task, const Instruction& instruction) const {
  TaskState& me = state.tasks[static_cast<std::size_t>(task)];
  switch (instruction.verb) {
    case Verb::ReadLock:
      if (me.phase == Phase::Pending && state.turn_taken) {
        me.phase = Phase::Parked;
        return false;
      }
      state.readers |= static_cast<std::uint32_t>(bit(task));
      me.reads = true;
      return true;
    case Verb::ReadUnlock:
      state.readers &= ~static_cast<std::uint32_t>(bit(task));
      me.reads = false;
      return true;
    case Verb::WriteLock:
      state.turn_taken = true;
      if (me.phase == Phase::Pending && state.readers != 0) {
        me.phase = Phase::Parked;
        return false;
      }
      me.writes = true;
      return true;
    default:
      state.turn_taken = me.writes = false;
      for (int other = 0; other < static_cast<int>(state.tasks.size()); ++other) {
        if (state.tasks[static_cast<std::size_t>(other)].phase == Phase::Parked &&
            present(state, other)->verb == Verb::ReadLock) {
          state.readers |= static_cast<std::uint32_t>(bit(other));
        }
      }
      return true;
  }
}

bool Model::wait(State& state, int task, const Instruction& instruction) const {
  TaskState& me = state.tasks[static_cast<std::size_t>(task)];
  const std::uint64_t mutex = bit(instruction.number);
  switch (me.phase) {
    case Phase::Pending:
      state.locked &= ~mutex;
      me.held &= ~mutex;
      me.phase = Phase::Parked;
      me.deadline = instruction.verb == Verb::WaitFor ? state.now + instruction.delay : -1;
      return false;
    case Phase::Released:  // the deadline has passed
      me.phase = Phase::Relocking;
      return false;
    default:
      state.locked |= mutex;
      me.held |= mutex;
      if (instruction.verb == Verb::WaitFor) {
        me.seen.push_back(me.notified ? 1 : 0);
      }
      return true;
  }
}

std::string Model::notify(State& state, const Instruction& instruction, Picks& picks) const {
  std::vector<int> waiters;
  for (int other = 0; other < static_cast<int>(state.tasks.size()); ++other) {
    const Phase phase = state.tasks[static_cast<std::size_t>(other)].phase;
    if (phase != Phase::Parked && phase != Phase::Released) {
      continue;
    }
    const Instruction& theirs = *present(state, other);
    if ((theirs.verb == Verb::Wait || theirs.verb == Verb::WaitFor) &&
        theirs.object == instruction.object) {
      waiters.push_back(other);
    }
  }
  if (instruction.verb == Verb::NotifyOne && !waiters.empty()) {
    const int picked = picks.pick(Pick::Waiter, waiters.size());
    waiters = {waiters[static_cast<std::size_t>(picked)]};
  }
  std::string label;
  for (const int waiter : waiters) {
    TaskState& woken = state.tasks[static_cast<std::size_t>(waiter)];
    woken.phase = Phase::Relocking;
    woken.notified = true;
    woken.deadline = -1;
    label += static_cast<char>('0' + waiter);
  }
  return label;
}

void Model::use_time(State& state, int task, const Instruction& instruction) const {
  TaskState& me = state.tasks[static_cast<std::size_t>(task)];
  if (instruction.verb == Verb::Ended) {
    const auto other = static_cast<std::size_t>(instruction.object);
    me.seen.push_back(state.tasks[other].phase == Phase::Gone ? 1 : 0);
  } else if (instruction.verb == Verb::GroupAdd || instruction.verb == Verb::GroupDone) {
    state.group += instruction.verb == Verb::GroupAdd ? instruction.object : -1;
    for (int other = 0; state.group == 0 && other < static_cast<int>(state.tasks.size()); ++other) {
      TaskState& them = state.tasks[static_cast<std::size_t>(other)];
      if (them.phase == Phase::Parked && present(state, other)->verb == Verb::GroupWait) {
        them.phase = Phase::Released;
      }
    }
  } else if (instruction.verb == Verb::TimerStop || instruction.verb == Verb::TimerReset) {
    TimerState& timer = state.timers[static_cast<std::size_t>(instruction.object)];
    me.seen.push_back(timer.due || timer.deadline >= 0 ? 1 : 0);
    const bool armed = instruction.verb == Verb::TimerReset;
    const bool at_once = armed && instruction.delay == 0;
    timer = {.deadline = armed && !at_once ? state.now + instruction.delay : -1, .due = at_once};
  }
}

void Model::close(State& state, int task, const Instruction& instruction) const {
  ChannelState& channel = state.channels[static_cast<std::size_t>(instruction.object)];
  if (channel.closed) {
    state.tasks[static_cast<std::size_t>(task)].seen.push_back(kPanic);
  }
  channel.closed = true;
}

const std::vector<Arm>& Model::arms(const Instruction& instruction) const {
  if (instruction.verb == Verb::Select || instruction.verb == Verb::Poll) {
    return instruction.arms;
  }
  static const std::vector<std::vector<Arm>> kSingle = [] {
    std::vector<std::vector<Arm>> single;
    for (int channel = 0; channel < kChannels; ++channel) {
      single.push_back({{.sends = true, .channel = channel}});
      single.push_back({{.sends = false, .channel = channel}});
    }
    return single;
  }();
  const bool sends = instruction.verb == Verb::Send || instruction.verb == Verb::TrySend;
  return kSingle[static_cast<std::size_t>(2 * instruction.object + (sends ? 0 : 1))];
}

bool Model::open_alone(const State& state, const Arm& arm) const {
  if (arm.channel == kNilChannel) {
    return false;
  }
  const ChannelState& channel = state.channels[static_cast<std::size_t>(arm.channel)];
  const auto capacity = static_cast<std::size_t>(capacity_of(arm.channel));
  return channel.closed || (arm.sends ? channel.buffer.size() < capacity : !channel.buffer.empty());
}

/// Who waits with the other half of a rendezvous. One who polls meets only those who sleep in
/// theirs: who has an arm that is open by itself would not.
std::vector<Model::Partner> Model::partners(const State& state, int task, const Arm& arm,
                                            bool polls) const {
  std::vector<Partner> partners;
  if (arm.channel == kNilChannel || capacity_of(arm.channel) > 0) {
    return partners;
  }
  for (int other = 0; other < static_cast<int>(state.tasks.size()); ++other) {
    if (other == task || state.tasks[static_cast<std::size_t>(other)].phase != Phase::Pending ||
        !blocks(present(state, other)->verb)) {
      continue;
    }
    const std::vector<Arm>& theirs = arms(*present(state, other));
    const auto opens = [&](const Arm& their) { return open_alone(state, their); };
    if (polls && std::ranges::any_of(theirs, opens)) {
      continue;
    }
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      if (theirs[i].channel == arm.channel && theirs[i].sends != arm.sends) {
        partners.push_back({.task = other, .arm = static_cast<int>(i)});
      }
    }
  }
  return partners;
}

bool Model::is_ready(const State& state, int task) const {
  return std::ranges::any_of(arms(*present(state, task)), [&](const Arm& arm) {
    return open_alone(state, arm) || !partners(state, task, arm, false).empty();
  });
}

std::string Model::select(State& state, int task, const Doing& doing) const {
  TaskState& me = state.tasks[static_cast<std::size_t>(task)];
  const Instruction& instruction = *present(state, task);
  if (me.phase == Phase::Completed) {
    show_select(state, task, me.arm, me.value);
    return "";
  }
  const bool asks = polls(instruction.verb);
  const std::vector<Arm>& mine = arms(instruction);
  std::vector<int> ready;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const bool alone = open_alone(state, mine[i]);
    if (!alone && partners(state, task, mine[i], asks).empty()) {
      continue;
    }
    // Whether the partner had got to sleep when the poll looked is open.
    if (asks && !alone && doing.picks.pick(Pick::Parked, 2) == 1) {
      continue;
    }
    ready.push_back(static_cast<int>(i));
  }
  if (ready.empty()) {
    show_select(state, task, kDefault, 0);
    return "-";
  }
  const int arm = ready[static_cast<std::size_t>(doing.picks.pick(Pick::Case, ready.size()))];
  return std::to_string(arm) + carry_out_arm(state, task, arm, doing);
}

std::string Model::carry_out_arm(State& state, int task, int arm, const Doing& doing) const {
  const Instruction& instruction = *present(state, task);
  const Arm& mine = arms(instruction)[static_cast<std::size_t>(arm)];
  ChannelState& channel = state.channels[static_cast<std::size_t>(mine.channel)];
  const int place = state.tasks[static_cast<std::size_t>(task)].place;
  const int value = value_at(static_cast<std::size_t>(task), static_cast<std::size_t>(place));
  if (mine.sends && channel.closed) {
    state.tasks[static_cast<std::size_t>(task)].seen.push_back(kPanic);
    return "!";
  }
  if (open_alone(state, mine)) {
    int received = kClosed;
    if (mine.sends) {
      channel.buffer.push_back(value);
    } else if (!channel.buffer.empty()) {
      received = channel.buffer.front();
      channel.buffer.erase(channel.buffer.begin());
    }
    show_select(state, task, arm, received);
    return "";
  }
  const std::vector<Partner> all = partners(state, task, mine, polls(instruction.verb));
  const Partner met = all[static_cast<std::size_t>(doing.picks.pick(Pick::Partner, all.size()))];
  TaskState& them = state.tasks[static_cast<std::size_t>(met.task)];
  const int theirs =
      value_at(static_cast<std::size_t>(met.task), static_cast<std::size_t>(them.place));
  them.phase = Phase::Completed;
  them.arm = met.arm;
  them.value = mine.sends ? value : 0;
  show_select(state, task, arm, mine.sends ? 0 : theirs);
  doing.step.partner = met.task;
  return "+" + std::to_string(met.task);
}

/// What the task writes down: the arm of a select, whether a poll of one arm succeeded, and what
/// was received.
void Model::show_select(State& state, int task, int arm, int value) const {
  TaskState& me = state.tasks[static_cast<std::size_t>(task)];
  const Instruction& instruction = *present(state, task);
  if (instruction.verb == Verb::Select || instruction.verb == Verb::Poll) {
    me.seen.push_back(arm);
  } else if (polls(instruction.verb)) {
    me.seen.push_back(arm == kDefault ? 0 : 1);
  }
  if (arm != kDefault && !arms(instruction)[static_cast<std::size_t>(arm)].sends) {
    me.seen.push_back(value);
  }
}

}  // namespace watchlab::sim::oracle
