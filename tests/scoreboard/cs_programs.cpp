#include "tests/scoreboard/cs_programs.hpp"

#include <array>
#include <cstddef>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "sim/std/atomic.hpp"
#include "sim/std/condition_variable.hpp"
#include "sim/std/mutex.hpp"
#include "tests/scoreboard/crew.hpp"

namespace watchlab::scoreboard::cs {
namespace {

using runtime::ensure;
using stdx::atomic;
using stdx::mutex;
using Lock = stdx::lock_guard<mutex>;

/// One place between a producer and a consumer, as sync01, sync02 and arithmetic_prog have it.
class Place {
 public:
  explicit Place(int filled) : filled_(filled) {}

  void put() {
    {
      stdx::unique_lock lock(mutex_);
      emptied_.wait(lock, [this] { return filled_ == 0; });
      ++filled_;
    }
    filled_up_.notify_one();
  }
  /// Takes one out; or, if it `leaves` it there, only says so.
  void take(bool leaves = false) {
    {
      stdx::unique_lock lock(mutex_);
      filled_up_.wait(lock, [this] { return filled_ != 0; });
      filled_ -= leaves ? 0 : 1;
    }
    emptied_.notify_one();
  }

 private:
  mutex mutex_;
  stdx::condition_variable emptied_;
  stdx::condition_variable filled_up_;
  int filled_;
};

}  // namespace

/// A deposit is added, which the check forgets.
void account() {
  mutex guard;
  int balance = 1;
  bool deposited = false;
  bool withdrawn = false;
  Crew crew;
  crew.start([&] {
    const Lock lock(guard);
    ensure(!deposited || !withdrawn || balance == 1 - 2 - 4,
           "the balance is what the check expects");
  });
  crew.start([&] {
    const Lock lock(guard);
    balance += 2;
    deposited = true;
  });
  crew.start([&] {
    const Lock lock(guard);
    balance -= 4;
    withdrawn = true;
  });
  crew.join();
}

/// The consumer's sum is what the check says it never is, in all schedules.
void arithmetic_prog() {
  constexpr int kRounds = 3;
  Place place(0);
  int total = 0;
  Crew crew;
  crew.start([&] {
    for (int i = 0; i < kRounds; ++i) {
      place.put();
    }
  });
  crew.start([&] {
    for (int i = 0; i < kRounds; ++i) {
      place.take();
      total += i;
    }
    total += kRounds;
  });
  crew.join();
  ensure(total != kRounds * (kRounds + 1) / 2, "the sum is another one");
}

/// A driver stops although a request has just been let in: it looks at the flag and counts itself
/// one after the other.
void bluetooth_driver() {
  atomic<int> pending{1};
  atomic<bool> stopping{false};
  atomic<bool> drained{false};
  atomic<bool> stopped{false};
  const auto leave = [&] {
    if (pending.fetch_sub(1) == 1) {
      drained.store(true);
    }
  };
  Crew crew;
  crew.start([&] {
    stopping.store(true);
    leave();
    if (drained.load()) {
      stopped.store(true);
    }
  });
  if (!stopping.load()) {
    pending.fetch_add(1);
    ensure(!stopped.load(), "a request runs in a driver that has not stopped");
  }
  leave();
  crew.join();
}

/// Two groups share a lock that the first of a group takes while it holds the one of the counters:
/// the holder then cannot come to give it back.
void carter01() {
  mutex counters;
  mutex shared;
  int first = 0;
  int second = 0;
  const auto use = [&](int& count) {
    counters.lock();
    if (++count == 1) {
      shared.lock();
    }
    counters.unlock();
    counters.lock();
    if (--count == 0) {
      shared.unlock();
    }
    counters.unlock();
  };
  Crew crew;
  crew.start([&] { use(first); });
  crew.start([&] { use(second); });
  crew.start([] {}, 2);
  crew.join();
}

/// The reader counts rounds in which it has read nothing.
void circular_buffer() {
  constexpr int kRounds = 7;
  std::array<int, 10> buffer{};
  std::size_t read = 0;
  std::size_t written = 0;
  bool may_send = true;
  mutex guard;
  Crew crew;
  crew.start([&] {
    for (int i = 0; i < kRounds; ++i) {
      const Lock lock(guard);
      if (may_send) {
        buffer.at(written++) = i;
        may_send = false;
      }
    }
  });
  crew.start([&] {
    for (int i = 0; i < kRounds; ++i) {
      const Lock lock(guard);
      if (written > read) {
        ensure(buffer.at(read++) == i, "the reader's round is the element's number");
        may_send = true;
      }
    }
  });
  crew.join();
}

void deadlock01() {
  mutex one;
  mutex two;
  const auto take = [](mutex& before, mutex& after) {
    const Lock outer(before);
    const Lock inner(after);
  };
  Crew crew;
  crew.start([&] { take(one, two); });
  crew.start([&] { take(two, one); });
  crew.join();
}

/// All eat, which the check says cannot be; or none does.
void dine(int philosophers) {
  std::vector<mutex> forks(static_cast<std::size_t>(philosophers));
  atomic<int> eaten{0};
  Crew crew;
  for (int id = 0; id < philosophers; ++id) {
    crew.start([&, id] {
      {
        const Lock right(forks[static_cast<std::size_t>((id + 1) % philosophers)]);
        const Lock left(forks[static_cast<std::size_t>(id)]);
      }
      eaten.store(eaten.load() + 1);
      ensure(eaten.load() != philosophers, "one of them stays hungry");
    });
  }
  crew.join();
}

/// A file system of 26 nodes and blocks, and 27 threads: the last one's node does not exist.
void fsbench() {
  constexpr std::size_t kBlocks = 26;
  std::array<mutex, kBlocks> node_locks;
  std::array<mutex, kBlocks> block_locks;
  std::array<bool, kBlocks> busy{};
  std::array<std::size_t, kBlocks> nodes{};
  const auto use = [&](std::size_t node) {
    ensure(node < kBlocks, "the node exists");
    const Lock lock(node_locks[node]);
    for (std::size_t i = 0; nodes[node] == 0 && i < kBlocks / 2; ++i) {
      const std::size_t block = (node * 2 + i) % kBlocks;
      const Lock inner(block_locks[block]);
      if (!busy[block]) {
        busy[block] = true;
        nodes[node] = block + 1;
      }
    }
  };
  Crew crew;
  for (std::size_t id = 0; id <= kBlocks; ++id) {
    crew.start([&, id] { use(id); });
  }
  crew.join();
}

/// The check comes before one of two others, its author thought.
void lazy01() {
  mutex guard;
  int sum = 0;
  Crew crew;
  for (const int each : {1, 2}) {
    crew.start([&, each] {
      const Lock lock(guard);
      sum += each;
    });
  }
  crew.start([&] {
    const Lock lock(guard);
    ensure(sum < 3, "one of the two is late");
  });
  crew.join();
}

/// Each of two takes a lock for the second time and keeps it, in all schedules.
void phase01() {
  mutex kept;
  mutex other;
  const auto pass = [&] {
    kept.lock();
    kept.unlock();
    kept.lock();
    for (int i = 0; i < 2; ++i) {
      other.lock();
      other.unlock();
    }
  };
  Crew crew;
  crew.start(pass, 2);
  crew.join();
}

/// A queue whose first element comes without the flag that the others pass to and fro, so that the
/// reader compares the elements of different rounds.
void queue() {
  constexpr std::size_t kSize = 20;
  std::vector<int> elements;
  std::array<int, kSize> stored{};
  std::size_t head = 0;
  bool may_put = true;
  mutex guard;
  Crew crew;
  crew.start([&] {
    {
      const Lock lock(guard);
      elements.push_back(0);
      stored[0] = 0;
    }
    int value = 0;
    for (std::size_t i = 1; i < kSize; ++i) {
      const Lock lock(guard);
      if (may_put) {
        elements.push_back(++value);
        stored[i] = value;
        may_put = false;
      }
    }
  });
  crew.start([&] {
    for (std::size_t i = 0; i < kSize; ++i) {
      const Lock lock(guard);
      if (!may_put) {
        ensure(elements.at(head++) == stored[i], "what comes out is what this round has stored");
        may_put = true;
      }
    }
  });
  crew.join();
}

void reorder(int setters, int checkers) {
  atomic<int> a{0};
  atomic<int> b{0};
  Crew crew;
  crew.start(
      [&] {
        a.store(1);
        b.store(-1);
      },
      setters);
  crew.start(
      [&] {
        ensure((a.load() == 0 && b.load() == 0) || (a.load() == 1 && b.load() == -1),
               "both are set, or none is");
      },
      checkers);
  crew.join();
}

/// A flag that is never lowered says that there is something to pop.
void stack() {
  constexpr int kSize = 10;
  int top = 0;
  bool flag = false;
  mutex guard;
  Crew crew;
  crew.start([&] {
    for (int i = 0; i < kSize; ++i) {
      const Lock lock(guard);
      ++top;
      flag = true;
    }
  });
  crew.start([&] {
    for (int i = 0; i < kSize; ++i) {
      const Lock lock(guard);
      if (flag) {
        ensure(top-- > 0, "there is something to pop");
      }
    }
  });
  crew.join();
}

/// The place is full, and who waits at the other end takes nothing out: in all schedules.
void sync01() {
  Place place(1);
  Crew crew;
  crew.start([&] { place.put(); });
  crew.start([&] { place.take(true); });
  crew.join();
}

/// Two are there at first, so one is left over, for which a producer waits: in all schedules.
void sync02() {
  Place place(2);
  Crew crew;
  crew.start([&] {
    place.put();
    place.put();
  });
  crew.start([&] {
    place.take();
    place.take();
  });
  crew.join();
}

/// Three copy from each other, and the fourth expects that all have the same.
void token_ring() {
  std::array<atomic<int>, 3> values{1, 2, 1};
  std::array<atomic<bool>, 3> done{false, false, false};
  Crew crew;
  for (const std::size_t id : {0U, 1U, 2U}) {
    crew.start([&, id] {
      const int before = values.at((id + 2) % 3).load();
      values.at(id).store(id == 0 ? (before + 1) % 4 : before);
      done.at(id).store(true);
    });
  }
  const auto alike = [&](std::size_t one, std::size_t other) {
    const int value = values.at(one).load();
    return values.at(other).load() == value;
  };
  crew.start([&] {
    if (done[0].load() && done[1].load() && done[2].load()) {
      ensure(alike(0, 1) && alike(1, 2), "the token has gone round");
    }
  });
  crew.join();
}

void twostage(int writers, int readers) {
  mutex first_guard;
  mutex second_guard;
  atomic<int> first{0};  // the second stage reads it under the other lock
  atomic<int> second{0};
  Crew crew;
  crew.start(
      [&] {
        {
          const Lock lock(first_guard);
          first.store(1);
        }
        const Lock lock(second_guard);
        second.store(first.load() + 1);
      },
      writers);
  crew.start(
      [&] {
        int value = 0;
        {
          const Lock lock(first_guard);
          value = first.load();
        }
        if (value == 0) {
          return;
        }
        const Lock lock(second_guard);
        ensure(second.load() == value + 1, "the second stage follows the first");
      },
      readers);
  crew.join();
}

void wronglock(int wrong) {
  mutex right_guard;
  mutex wrong_guard;
  atomic<int> value{0};
  Crew crew;
  crew.start([&] {
    const Lock lock(right_guard);
    const int before = value.load();
    value.store(value.load() + 1);
    ensure(value.load() == before + 1, "nobody else has written");
  });
  crew.start(
      [&] {
        const Lock lock(wrong_guard);
        value.store(value.load() + 1);
      },
      wrong);
  crew.join();
}

}  // namespace watchlab::scoreboard::cs
