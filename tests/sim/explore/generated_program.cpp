#include "tests/sim/explore/generated_program.hpp"

#include <array>
#include <chrono>
#include <memory>
#include <optional>

#include "core/runtime/atomic.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/timer.hpp"
#include "core/runtime/wait_group.hpp"

namespace watchlab::sim {
namespace {

using namespace std::chrono_literals;
using runtime::Lock;
using runtime::Runtime;

/// What the tasks of a program share.
struct Shared {
  Shared(Runtime& made_by, Outcome& written_to)
      : runtime(made_by), outcome(written_to), changed(made_by, "changed"), group(made_by) {
    for (const char* const name : {"m0", "m1"}) {
      mutexes.push_back(std::make_unique<runtime::Mutex>(runtime, name));
      cells.push_back(std::make_shared<runtime::Atomic<int>>(runtime, 0, name));
    }
    for (const std::size_t capacity : {0, 1, 0, 2}) {
      channels.emplace_back(runtime, capacity, "channel");
    }
  }

  Runtime& runtime;
  Outcome& outcome;
  std::vector<std::unique_ptr<runtime::Mutex>> mutexes;
  std::vector<std::shared_ptr<runtime::Atomic<int>>> cells;
  std::vector<runtime::Channel<int>> channels;
  runtime::Channel<int> done{runtime, 0, "done"};
  runtime::SharedMutex table{runtime, "table"};
  runtime::CondVar changed;
  runtime::WaitGroup group;
  std::array<int, 4> values{};
  bool flag = false;
};

/// Carries out the instructions of one task.
class Player {
 public:
  Player(Shared& shared, std::string task, int number)
      : shared_(shared), task_(std::move(task)), number_(number) {}

  void play(const Instruction& instruction) {
    which_ = instruction.which;
    if (instruction.op < Op::Send) {
      play_locks(instruction.op);
    } else if (instruction.op < Op::Load) {
      play_channels(instruction.op);
    } else {
      play_others(instruction.op);
    }
  }

 private:
  void saw(int value) { shared_.outcome.add(shared_.runtime, task_, std::to_string(value)); }
  void saw(const std::optional<int>& value) { saw(value.value_or(-1)); }
  runtime::Mutex& mutex() { return *shared_.mutexes[which_ % 2]; }
  runtime::Atomic<int>& cell() { return *shared_.cells[which_ % 2]; }
  runtime::Channel<int>& channel(std::uint32_t offset = 0) {
    return shared_.channels[(which_ + offset) % 4];
  }

  void play_locks(Op op);
  void play_waits(Op op);
  void play_channels(Op op);
  void play_selects(Op op);
  void play_others(Op op);
  void play_time(Op op);
  void play_tables(Op op);
  void play_tasks(Op op);

  Shared& shared_;
  std::string task_;
  int number_;
  std::uint32_t which_ = 0;
};

void Player::play_locks(Op op) {
  if (op == Op::Section) {
    const Lock lock(mutex());
    saw(shared_.values[which_ % 2]++);
  } else if (op == Op::Nested) {
    const Lock first(mutex());
    const Lock second(*shared_.mutexes[(which_ + 1) % 2]);
    saw(shared_.values[0]++);
  } else if (op == Op::TryLock) {
    const bool locked = mutex().try_lock();
    saw(locked ? 1 : 0);
    if (locked) {
      mutex().unlock();
    }
  } else {
    play_waits(op);
  }
}

void Player::play_waits(Op op) {
  if (op == Op::NotifyOne) {
    return shared_.changed.notify_one();
  }
  if (op == Op::NotifyAll) {
    return shared_.changed.notify_all();
  }
  Lock lock(*shared_.mutexes[0]);
  if (op == Op::Wait) {
    shared_.changed.wait(lock);
  } else if (op == Op::WaitWhile) {
    while (!shared_.flag) {
      shared_.changed.wait(lock);
    }
  } else if (op == Op::WaitFor) {
    const auto deadline = shared_.runtime.now() + (1 + which_ % 2) * 1ms;
    saw(shared_.changed.wait_until(lock, deadline) ? 1 : 0);
  } else {
    shared_.flag = true;
    shared_.changed.notify_one();
  }
  saw(shared_.values[2]++);
}

void Player::play_channels(Op op) {
  switch (op) {
    case Op::Send:
      return channel().send(number_);
    case Op::Receive:
      return saw(channel().receive());
    case Op::TrySend:
      return saw(channel().try_send(number_) ? 1 : 0);
    case Op::TryReceive: {
      std::optional<int> value;
      const bool received = channel().try_receive(value);
      saw(received ? 1 : 0);
      return saw(value);
    }
    case Op::Size:
      return saw(static_cast<int>(channel().size()));
    case Op::CloseDone:
      return shared_.done.close();
    case Op::ReceiveDone:
      return saw(shared_.done.receive());
    default:
      play_selects(op);
  }
}

void Player::play_selects(Op op) {
  std::optional<int> value;
  runtime::Select select(shared_.runtime);
  select.receive(channel(), value);
  if (op == Op::SelectReceive) {
    select.receive(channel(1), value).receive(shared_.done, value);
  } else {
    select.send(channel(1 + which_ / 4), number_);
  }
  if (op == Op::PollMixed) {
    saw(static_cast<int>(select.poll().value_or(9)));
  } else {
    saw(static_cast<int>(select.wait()));
  }
  saw(value);
}

void Player::play_others(Op op) {
  switch (op) {
    case Op::Load:
      return saw(cell().load());
    case Op::Store:
      return cell().store(number_);
    case Op::Add:
      return saw(cell().fetch_add(1));
    case Op::Sleep:
    case Op::TimerOrReceive:
    case Op::TimerStop:
    case Op::TimerDrain:
      return play_time(op);
    case Op::ReadSection:
    case Op::WriteSection:
    case Op::GroupDone:
    case Op::GroupWait:
      return play_tables(op);
    default:
      play_tasks(op);
  }
}

void Player::play_time(Op op) {
  const auto delay = (1 + which_ % 2) * 1ms;
  if (op == Op::Sleep) {
    return runtime::sleep_for(shared_.runtime, delay);
  }
  runtime::Timer timer(shared_.runtime, delay);
  if (op == Op::TimerOrReceive) {
    std::optional<int> value;
    runtime::Select select(shared_.runtime);
    saw(static_cast<int>(select.receive(timer.channel()).receive(channel(), value).wait()));
    return saw(value);
  }
  runtime::sleep_for(shared_.runtime, 1ms);
  const bool stopped = timer.stop();
  if (op == Op::TimerDrain) {
    std::optional<runtime::TimePoint> value;
    return saw(stopped || timer.channel().try_receive(value) ? 1 : 0);
  }
  saw(stopped ? 1 : 0);
  saw(static_cast<int>(timer.channel().size()));
}

void Player::play_tables(Op op) {
  if (op == Op::ReadSection) {
    const runtime::ReadLock lock(shared_.table);
    saw(shared_.values[3]);
  } else if (op == Op::WriteSection) {
    const runtime::WriteLock lock(shared_.table);
    shared_.values[3] = 10 * shared_.values[3] + number_;
  } else if (op == Op::GroupDone) {
    shared_.group.done();
  } else {
    shared_.group.wait();
    saw(0);
  }
}

void Player::play_tasks(Op op) {
  if (op == Op::Yield) {
    return shared_.runtime.yield(runtime::Location::current());
  }
  if (op == Op::Choose) {
    return saw(static_cast<int>(shared_.runtime.choose(2, "either")));
  }
  const runtime::Task child =
      spawn(shared_.runtime, "child", [kept = shared_.cells[which_ % 2]] { kept->store(7); });
  if (op == Op::SpawnJoin) {
    child.join();
  } else {
    saw(child.done() ? 1 : 0);
  }
}

}  // namespace

Program generated_program(std::uint64_t seed, Outcome& outcome) {
  return program_from(list_program(seed), "seed " + std::to_string(seed), outcome);
}

Program program_from(const Listing& listing, std::string title, Outcome& outcome) {
  return {std::move(title),
          [listing, &outcome](Runtime& runtime) {
            outcome.clear();
            const auto shared = std::make_shared<Shared>(runtime, outcome);
            if (listing.group_count > 0) {
              shared->group.add(listing.group_count);
            }
            for (std::size_t i = 0; i < listing.tasks.size(); ++i) {
              const std::string name = "t" + std::to_string(i);
              spawn(runtime, name, [shared, name, i, instructions = listing.tasks[i]] {
                Player player(*shared, name, static_cast<int>(i) + 1);
                for (const Instruction& instruction : instructions) {
                  player.play(instruction);
                }
              });
            }
          },
          &outcome};
}

}  // namespace watchlab::sim
