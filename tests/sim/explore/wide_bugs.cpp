#include <deque>
#include <string>

#include "core/runtime/atomic.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "tests/sim/explore/planted.hpp"

namespace watchlab::tests {
namespace {

using runtime::Atomic;
using runtime::Channel;
using runtime::CondVar;
using runtime::ensure;
using runtime::Lock;
using runtime::Mutex;
using runtime::Runtime;
using runtime::Task;

/// The tasks of a program, which the root joins in the order in which it has started them.
class Crew {
 public:
  explicit Crew(Runtime& runtime) : runtime_(runtime) {}

  void add(const std::string& name, std::function<void()> body) {
    tasks_.push_back(spawn(runtime_, name, std::move(body)));
  }
  void join() {
    for (const Task& task : tasks_) {
      task.join();
    }
  }

 private:
  Runtime& runtime_;
  std::deque<Task> tasks_;
};

std::string numbered(const char* name, int i) { return name + std::to_string(i); }

void philosophers(Runtime& runtime, int seats) {
  std::deque<Mutex> forks;
  for (int i = 0; i < seats; ++i) {
    forks.emplace_back(runtime, numbered("fork", i));
  }
  Crew crew(runtime);
  for (int i = 0; i < seats; ++i) {
    crew.add(numbered("philosopher", i), [&forks, i, seats] {
      const Lock left(forks[static_cast<std::size_t>(i)]);
      const Lock right(forks[static_cast<std::size_t>((i + 1) % seats)]);
    });
  }
  crew.join();
}

/// The checker must see both writes of a setter or none.
void reorder(Runtime& runtime, int setters) {
  Atomic<int> first(runtime, 0, "first");
  Atomic<int> second(runtime, 0, "second");
  Crew crew(runtime);
  for (int i = 0; i < setters; ++i) {
    crew.add(numbered("setter", i), [&] {
      first.store(1);
      second.store(-1);
    });
  }
  crew.add("checker", [&] {
    const int one = first.load();
    const int other = second.load();
    ensure((one == 0 && other == 0) || (one == 1 && other == -1), "half of a change was seen");
  });
  crew.join();
}

/// Two values under a lock each; the second stage comes after the first lock was let go.
void twostage(Runtime& runtime, int tasks) {
  Mutex first_lock(runtime, "first_lock");
  Mutex second_lock(runtime, "second_lock");
  int first = 0;
  int second = 0;
  Crew crew(runtime);
  for (int i = 0; i + 1 < tasks; ++i) {
    crew.add(numbered("stage", i), [&] {
      {
        const Lock lock(first_lock);
        first = 1;
      }
      const Lock lock(second_lock);
      second = first + 1;
    });
  }
  crew.add("reader", [&] {
    int seen = 0;
    {
      const Lock lock(first_lock);
      seen = first;
    }
    if (seen != 0) {
      const Lock lock(second_lock);
      ensure(second == seen + 1, "the second stage was not there yet");
    }
  });
  crew.join();
}

/// Twelve tasks, three locks, and each task takes two of them in the order of a ring.
void ring_of_three_locks(Runtime& runtime, int tasks) {
  std::deque<Mutex> locks;
  for (int i = 0; i < 3; ++i) {
    locks.emplace_back(runtime, numbered("lock", i));
  }
  Atomic<int> done(runtime, 0, "done");
  Crew crew(runtime);
  for (int i = 0; i < tasks; ++i) {
    crew.add(numbered("task", i), [&locks, &done, i] {
      done.fetch_add(1);
      const Lock outer(locks[static_cast<std::size_t>(i % 3)]);
      const Lock inner(locks[static_cast<std::size_t>((i + 1) % 3)]);
    });
  }
  crew.join();
}

/// Each waiter looks without the lock under which the flag changes.
void lost_notification(Runtime& runtime, int waiters) {
  Mutex mutex(runtime, "mutex");
  CondVar opened(runtime, "opened");
  Atomic<bool> is_open(runtime, false, "is_open");
  Crew crew(runtime);
  for (int i = 0; i < waiters; ++i) {
    crew.add(numbered("waiter", i), [&] {
      if (!is_open.load()) {
        Lock lock(mutex);
        opened.wait(lock);
      }
    });
  }
  crew.add("opener", [&] {
    is_open.store(true);
    const Lock lock(mutex);
    opened.notify_all();
  });
  crew.join();
}

/// The worker that finds itself the last closes the channel, but two of them may count as one.
void no_task_closes(Runtime& runtime, int workers) {
  Channel<int> results(runtime, static_cast<std::size_t>(workers), "results");
  Atomic<int> left(runtime, workers, "left");
  Crew crew(runtime);
  for (int i = 0; i < workers; ++i) {
    crew.add(numbered("worker", i), [&left, &results, i] {
      results.send(i);
      const int now = left.load() - 1;
      left.store(now);
      if (now == 0) {
        results.close();
      }
    });
  }
  crew.add("collector", [&results] {
    while (results.receive()) {
    }
  });
  crew.join();
}

/// Senders on a channel without a buffer give up when they see the stop, the receiver does not.
void a_sender_that_gave_up(Runtime& runtime, int senders) {
  const Channel<int> work(runtime, 0, "work");
  Atomic<bool> stopped(runtime, false, "stopped");
  Atomic<int> promised(runtime, 0, "promised");
  Crew crew(runtime);
  for (int i = 0; i < senders; ++i) {
    crew.add(numbered("sender", i), [&, i] {
      promised.fetch_add(1);
      if (!stopped.load()) {
        work.send(i);
      }
    });
  }
  crew.add("receiver", [&] {
    for (int received = 0; received < senders; ++received) {
      if (stopped.load() && promised.load() == received) {
        return;
      }
      work.receive();
    }
  });
  crew.add("stopper", [&] {
    if (promised.load() == senders - 1) {
      stopped.store(true);
    }
  });
  crew.join();
}

/// The reader sees a counter grow twice, so it has to be interrupted twice.
void grows_twice(Runtime& runtime, int writers) {
  Atomic<int> counter(runtime, 0, "counter");
  Crew crew(runtime);
  crew.add("reader", [&] {
    const int one = counter.load();
    const int two = counter.load();
    const int three = counter.load();
    ensure(one == two || two == three, "the counter grew twice");
  });
  for (int i = 0; i < writers; ++i) {
    crew.add(numbered("writer", i), [&] { counter.fetch_add(1); });
  }
  crew.join();
}

/// A program of so many tasks, which takes no noise.
auto of(void (*program)(Runtime&, int), int tasks) {
  return [program, tasks](Runtime& runtime, int /*noise*/) { program(runtime, tasks); };
}

}  // namespace

const std::vector<Planted>& wide_bugs() {
  static const std::vector<Planted> kBugs{
      {"five philosophers", "deadlock", "in a circle", 1, of(philosophers, 5)},
      {"eight philosophers", "deadlock", "in a circle", 1, of(philosophers, 8)},
      {"reorder with 10 setters", "violation", "half of a change", 1, of(reorder, 10)},
      {"reorder with 30 setters", "violation", "half of a change", 1, of(reorder, 30)},
      {"twostage with 20 tasks", "violation", "not there yet", 1, of(twostage, 20)},
      {"a ring of three locks", "deadlock", "in a circle", 1, of(ring_of_three_locks, 12)},
      {"a notification that 15 may lose", "deadlock", "condition 'opened'", 1,
       of(lost_notification, 15)},
      {"nobody closes the channel", "deadlock", "channel 'results'", 1, of(no_task_closes, 10)},
      {"a sender that gave up", "deadlock", "channel 'work'", 0, of(a_sender_that_gave_up, 8)},
      {"a counter that grows twice", "violation", "grew twice", 2, of(grows_twice, 12)},
  };
  return kBugs;
}

}  // namespace watchlab::tests
