#include "tests/sim/explore/oracle/player.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <set>

#include "core/runtime/atomic.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/order.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "core/runtime/task.hpp"
#include "sim/kernel/primitives/sim_wait_group.hpp"
#include "sim/kernel/world.hpp"
#include "tests/sim/explore/oracle/observations.hpp"

namespace watchlab::sim::oracle {

using runtime::Channel;
using runtime::Runtime;
using runtime::TimePoint;

namespace {

template <typename T, typename... Arguments>
std::vector<std::unique_ptr<T>> make_several(Runtime& runtime, int count, Arguments... arguments) {
  std::vector<std::unique_ptr<T>> made;
  for (int i = 0; i < count; ++i) {
    made.push_back(std::make_unique<T>(runtime, arguments...));
  }
  return made;
}

runtime::Location here() { return runtime::Location::current(); }

}  // namespace

/// What the tasks of a listing share.
struct Shared {
  Shared(Runtime& made_by, const Listing& played, Observations& written_to)
      : runtime(made_by),
        listing(played),
        observations(written_to),
        cells(make_several<runtime::Atomic<int>>(made_by, listing.count(Verb::Load, Verb::Cas), 0)),
        mutexes(make_several<runtime::Mutex>(made_by, listing.count(Verb::Lock, Verb::Touch))),
        data(make_several<runtime::Shared<int>>(made_by, static_cast<int>(mutexes.size()), 0)),
        table(made_by),
        group(made_by.make_wait_group("wait_group", here())) {
    // What the groups of generated programs do to each other is what is compared.
    static_cast<SimWaitGroup&>(*group).tolerate_unordered_adds();
    for (int i = listing.count(Verb::Wait, Verb::NotifyAll); i > 0; --i) {
      conditions.push_back(made_by.make_cond_var("condition", here()));
    }
    for (int channel = 0; channel < kFirstTimerChannel; ++channel) {
      channels.push_back(channel == kNilChannel ? Channel<int>::nil(made_by)
                                                : Channel<int>(made_by, static_cast<std::size_t>(
                                                                            capacity_of(channel))));
    }
    for (const int delay : listing.timers) {
      ticks.emplace_back(made_by, 1);
      timers.push_back(made_by.make_timer(
          ticks.back().backend(),
          delay > 0 ? std::optional<runtime::Duration>(std::chrono::milliseconds(delay))
                    : std::nullopt,
          std::nullopt, here()));
    }
  }

  Runtime& runtime;
  const Listing& listing;
  Observations& observations;
  std::vector<std::unique_ptr<runtime::Atomic<int>>> cells;
  std::vector<std::unique_ptr<runtime::Mutex>> mutexes;
  std::vector<std::unique_ptr<runtime::Shared<int>>> data;
  std::vector<runtime::Owned<runtime::CondVarBackend>> conditions;
  runtime::SharedMutex table;
  runtime::Owned<runtime::WaitGroupBackend> group;
  std::vector<Channel<int>> channels;
  std::vector<Channel<TimePoint>> ticks;
  std::vector<runtime::Owned<runtime::TimerBackend>> timers;
  std::size_t live = 0;  ///< tasks
};

namespace {

runtime::Task start(std::unique_ptr<Shared>& stage, std::size_t task);

/// Carries out the instructions of one task.
class Player {
 public:
  Player(std::unique_ptr<Shared>& stage, std::size_t task) : shared_(stage), task_(task) {}

  void play() {
    const std::vector<Instruction>& instructions = shared_->listing.tasks[task_];
    for (place_ = 0; place_ < instructions.size(); ++place_) {
      play(instructions[place_]);
    }
    saw(kEnd);
  }

 private:
  void play(const Instruction& instruction);
  void use_cell(const Instruction& instruction);
  void use_mutex(const Instruction& instruction);
  void use_table(Verb verb);
  void use_condition(const Instruction& instruction);
  void use_channel(const Instruction& instruction);
  void use_group(const Instruction& instruction);
  void use_time(const Instruction& instruction);
  void use_task(const Instruction& instruction);
  void select(const Instruction& instruction);
  template <typename T>
  void use_channel_of(Channel<T> channel, Verb verb, T value);

  void saw(int value) {
    if (!dynamic_cast<World&>(shared_->runtime).scheduler().stopping()) {
      shared_->observations[task_].push_back(value);
    }
  }
  void saw(const std::optional<int>& value) { saw(value.value_or(kClosed)); }
  void saw(const std::optional<TimePoint>& value) {
    saw(value ? static_cast<int>((*value - Scheduler::start_time()) / std::chrono::milliseconds(1))
              : kClosed);
  }
  [[nodiscard]] int value() const { return value_at(task_, place_); }
  template <typename T>
  [[nodiscard]] static T& at(std::vector<T>& things, int number) {
    return things[static_cast<std::size_t>(number)];
  }

  std::unique_ptr<Shared>& shared_;
  std::size_t task_;
  std::size_t place_ = 0;
  std::set<int> held_;
  std::map<int, runtime::Task> started_;
  bool reads_ = false;
  bool writes_ = false;
};

void Player::play(const Instruction& instruction) {
  const Verb verb = instruction.verb;
  if (verb <= Verb::Cas) {
    use_cell(instruction);
  } else if (verb <= Verb::Touch) {
    use_mutex(instruction);
  } else if (verb <= Verb::WriteUnlock) {
    use_table(verb);
  } else if (verb <= Verb::NotifyAll) {
    use_condition(instruction);
  } else if (verb == Verb::Select || verb == Verb::Poll) {
    select(instruction);
  } else if (verb <= Verb::Size) {
    use_channel(instruction);
  } else if (verb <= Verb::GroupWait) {
    use_group(instruction);
  } else if (verb <= Verb::Order) {
    use_time(instruction);
  } else {
    use_task(instruction);
  }
}

void Player::use_cell(const Instruction& instruction) {
  runtime::Atomic<int>& cell = *at(shared_->cells, instruction.object);
  switch (instruction.verb) {
    case Verb::Load:
      return saw(cell.load());
    case Verb::Store:
      return cell.store(value());
    case Verb::Add:
      return saw(cell.fetch_add(1));
    case Verb::Exchange:
      return saw(cell.exchange(value()));
    default: {
      int expected = instruction.number;
      cell.compare_exchange(expected, value());
      return saw(expected);
    }
  }
}

void Player::use_mutex(const Instruction& instruction) {
  const int number = instruction.object;
  runtime::Mutex& mutex = *at(shared_->mutexes, number);
  const bool held = held_.contains(number);
  if (instruction.verb == Verb::Touch && held) {
    saw(at(shared_->data, number)->write()++);
  } else if (instruction.verb == Verb::Unlock && held) {
    held_.erase(number);
    mutex.unlock();
  } else if (instruction.verb == Verb::Lock && !held) {
    mutex.lock();
    held_.insert(number);
  } else if (instruction.verb == Verb::TryLock && !held) {
    const bool locked = mutex.try_lock();
    saw(locked ? 1 : 0);
    if (locked) {
      held_.insert(number);
    }
  }
}

void Player::use_table(Verb verb) {
  if (verb == Verb::ReadLock && !reads_ && !writes_) {
    shared_->table.lock_shared();
    reads_ = true;
  } else if (verb == Verb::WriteLock && !reads_ && !writes_) {
    shared_->table.lock();
    writes_ = true;
  } else if (verb == Verb::ReadUnlock && reads_) {
    reads_ = false;
    shared_->table.unlock_shared();
  } else if (verb == Verb::WriteUnlock && writes_) {
    writes_ = false;
    shared_->table.unlock();
  }
}

void Player::use_condition(const Instruction& instruction) {
  runtime::CondVarBackend& condition = *at(shared_->conditions, instruction.object);
  if (instruction.verb == Verb::NotifyOne) {
    return condition.notify_one(here());
  }
  if (instruction.verb == Verb::NotifyAll) {
    return condition.notify_all(here());
  }
  if (!held_.contains(instruction.number)) {
    return;
  }
  runtime::MutexBackend& mutex = at(shared_->mutexes, instruction.number)->backend();
  if (instruction.verb == Verb::Wait) {
    (void)condition.wait(mutex, std::nullopt, here());
  } else {
    const TimePoint deadline =
        shared_->runtime.now() + std::chrono::milliseconds(instruction.delay);
    saw(condition.wait(mutex, deadline, here()) ? 1 : 0);
  }
}

void Player::use_channel(const Instruction& instruction) {
  if (instruction.object >= kFirstTimerChannel) {
    const Channel<TimePoint>& channel = at(shared_->ticks, instruction.object - kFirstTimerChannel);
    return use_channel_of(channel, instruction.verb, TimePoint());
  }
  use_channel_of(at(shared_->channels, instruction.object), instruction.verb, value());
}

template <typename T>
void Player::use_channel_of(Channel<T> channel, Verb verb, T value) {
  std::optional<T> received;
  try {
    switch (verb) {
      case Verb::Send:
        return channel.send(value);
      case Verb::Receive:
        return saw(channel.receive());
      case Verb::TrySend:
        return saw(channel.try_send(value) ? 1 : 0);
      case Verb::TryReceive: {
        const bool got = channel.try_receive(received);
        saw(got ? 1 : 0);
        return got ? saw(received) : void();
      }
      case Verb::Close:
        return channel.close();
      default:
        return saw(static_cast<int>(channel.size()));
    }
  } catch (const runtime::Panic&) {
    saw(kPanic);
  }
}

void Player::select(const Instruction& instruction) {
  std::optional<int> value_received;
  std::optional<TimePoint> moment_received;
  runtime::Select select(shared_->runtime);
  for (const Arm& arm : instruction.arms) {
    if (arm.channel >= kFirstTimerChannel) {
      select.receive(at(shared_->ticks, arm.channel - kFirstTimerChannel), moment_received);
    } else if (arm.sends) {
      select.send(at(shared_->channels, arm.channel), value());
    } else {
      select.receive(at(shared_->channels, arm.channel), value_received);
    }
  }
  try {
    const std::optional<std::size_t> happened =
        instruction.verb == Verb::Poll ? select.poll() : std::optional(select.wait());
    saw(happened ? static_cast<int>(*happened) : kDefault);
    const Arm* const arm = happened ? &instruction.arms[*happened] : nullptr;
    if (arm != nullptr && arm->channel >= kFirstTimerChannel) {
      saw(moment_received);
    } else if (arm != nullptr && !arm->sends) {
      saw(value_received);
    }
  } catch (const runtime::Panic&) {
    saw(kPanic);
  }
}

void Player::use_group(const Instruction& instruction) {
  if (instruction.verb == Verb::GroupWait) {
    shared_->group->wait(here());
  } else if (instruction.verb == Verb::GroupDone) {
    shared_->group->add(-1, here());
  } else {
    shared_->group->add(instruction.object, here());
  }
}

void Player::use_time(const Instruction& instruction) {
  Runtime& runtime = shared_->runtime;
  const auto delay = std::chrono::milliseconds(instruction.delay);
  switch (instruction.verb) {
    case Verb::TimerStop:
      return saw(at(shared_->timers, instruction.object)->stop(here()) ? 1 : 0);
    case Verb::TimerReset:
      return saw(at(shared_->timers, instruction.object)->reset(delay, here()) ? 1 : 0);
    case Verb::Sleep:
      return runtime::sleep_for(runtime, delay);
    case Verb::Yield:
      return runtime.yield(here());
    case Verb::Choose:
      return saw(static_cast<int>(
          runtime.choose(static_cast<std::size_t>(instruction.object), "a value")));
    default:
      return saw(static_cast<int>(runtime.order(2, "an order")[0]));
  }
}

void Player::use_task(const Instruction& instruction) {
  const int number = instruction.object;
  const auto started = started_.find(number);
  if (instruction.verb == Verb::Spawn) {
    if (started == started_.end()) {
      started_.emplace(number, start(shared_, static_cast<std::size_t>(number)));
    }
  } else if (started != started_.end() && instruction.verb == Verb::Join) {
    started->second.join();
  } else if (started != started_.end()) {
    saw(started->second.done() ? 1 : 0);
  }
}

runtime::Task start(std::unique_ptr<Shared>& stage, std::size_t task) {
  ++stage->live;
  return runtime::spawn(stage->runtime, "t" + std::to_string(task), [&stage, task] {
    Player(stage, task).play();
    const bool stopping = dynamic_cast<World&>(stage->runtime).scheduler().stopping();
    if (!stopping && --stage->live == 0) {
      stage.reset();
    }
  });
}

}  // namespace

std::string describe_all(const Observations& observations) {
  std::string text;
  for (const std::vector<int>& seen : observations) {
    text += describe(seen) + "| ";
  }
  return text;
}

Stage::Stage() = default;
Stage::~Stage() = default;

void Stage::play(const Listing& listing, Runtime& runtime, Observations& observations) {
  observations.assign(listing.tasks.size(), {});
  shared_ = std::make_unique<Shared>(runtime, listing, observations);
  if (const int count = listing.group_count(); count > 0) {
    shared_->group->add(count, here());
  }
  for (std::size_t task = 0; task < listing.tasks.size(); ++task) {
    if (!listing.is_spawned(task)) {
      start(shared_, task);
    }
  }
}

void Stage::clear() { shared_.reset(); }

}  // namespace watchlab::sim::oracle
