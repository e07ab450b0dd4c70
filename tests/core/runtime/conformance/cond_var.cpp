#include "core/runtime/cond_var.hpp"

#include "core/runtime/atomic.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "core/runtime/wait_group.hpp"
#include "tests/core/runtime/conformance/conformance.hpp"

namespace watchlab::conformance {
namespace {

using namespace runtime;
using namespace std::chrono_literals;

/// Tasks that each wait once, and have begun to in the order of their names. They count themselves
/// under the mutex before they wait, so a task that holds it and reads the count knows that they
/// wait.
class Waiters {
 public:
  Waiters(Runtime& runtime, const std::vector<std::string>& names)
      : mutex_(runtime),
        changed_(runtime, "changed"),
        progress_(runtime, "progress"),
        woken_(runtime, {}),
        group_(runtime) {
    for (const std::string& name : names) {
      Lock lock(mutex_);
      const std::size_t before = waiting_;
      group_.start(name, [this, name] { wait_once(name); });
      while (waiting_ == before) {
        progress_.wait(lock);
      }
    }
  }

  CondVar& changed() { return changed_; }
  void join() { group_.wait(); }
  std::vector<std::string> woken_at_least(std::size_t count) {
    Lock lock(mutex_);
    while (woken_.read().size() < count) {
      progress_.wait(lock);
    }
    return woken_.read();
  }

 private:
  void wait_once(const std::string& name) {
    Lock lock(mutex_);
    ++waiting_;
    progress_.notify_all();
    changed_.wait(lock);
    woken_.write().push_back(name);
    progress_.notify_all();
  }

  Mutex mutex_;
  CondVar changed_;
  CondVar progress_;
  std::size_t waiting_ = 0;
  Shared<std::vector<std::string>> woken_;
  WaitGroup group_;
};

void notify_one_wakes_exactly_one(Runtime& runtime) {
  Waiters waiters(runtime, {"a", "b", "c"});
  waiters.changed().notify_one();
  waiters.woken_at_least(1);
  settle(runtime);
  ensure(waiters.woken_at_least(1).size() == 1, "notify_one woke more than one");
  waiters.changed().notify_one();
  waiters.changed().notify_one();
  waiters.join();
}

void notify_all_wakes_all(Runtime& runtime) {
  Waiters waiters(runtime, {"a", "b", "c"});
  waiters.changed().notify_all();
  waiters.join();
  ensure(waiters.woken_at_least(3).size() == 3, "notify_all did not wake all");
}

void no_task_wakes_for_nothing(Runtime& runtime) {
  Waiters waiters(runtime, {"a", "b"});
  settle(runtime);
  ensure(waiters.woken_at_least(0).empty(), "a waiter woke without a notification");
  waiters.changed().notify_all();
  waiters.join();
}

void a_deadline_ends_the_wait(Runtime& runtime) {
  Mutex mutex(runtime);
  CondVar changed(runtime);
  Lock lock(mutex);
  const TimePoint deadline = runtime.now() + 3ms;
  ensure(!changed.wait_until(lock, deadline), "a wait that timed out said it was notified");
  ensure(runtime.now() >= deadline, "a wait ended before its deadline");
  ensure(!mutex.try_lock(), "the mutex is free after a wait that timed out");
}

void a_deadline_that_has_passed_ends_the_wait_at_once(Runtime& runtime) {
  Mutex mutex(runtime);
  CondVar changed(runtime);
  Lock lock(mutex);
  const TimePoint now = runtime.now();
  ensure(!changed.wait_until(lock, now - 1s), "a late wait said it was notified");
  ensure(!changed.wait_until(lock, now), "a late wait said it was notified");
}

void a_notification_beats_a_far_deadline(Runtime& runtime) {
  Mutex mutex(runtime);
  CondVar changed(runtime);
  bool set = false;
  Lock lock(mutex);
  const Task setter = spawn(runtime, "setter", [&] {
    const Lock inner(mutex);
    set = true;
    changed.notify_one();
  });
  const TimePoint deadline = runtime.now() + 1h;
  while (!set) {
    ensure(changed.wait_until(lock, deadline), "a wait of an hour timed out");
  }
  ensure(runtime.now() < deadline, "a notified wait lasted until its deadline");
  lock.unlock();
  setter.join();
}

void a_timed_out_waiter_takes_no_notification(Runtime& runtime) {
  Waiters waiters(runtime, {"patient"});
  Mutex mutex(runtime);
  Lock lock(mutex);
  ensure(!waiters.changed().wait_until(lock, runtime.now() + 1ms), "notified by no task");
  waiters.changed().notify_one();
  waiters.join();
}

void a_notification_is_not_kept(Runtime& runtime) {
  Mutex mutex(runtime);
  CondVar changed(runtime);
  changed.notify_one();
  changed.notify_all();
  Lock lock(mutex);
  ensure(!changed.wait_until(lock, runtime.now() + 1ms), "an old notification woke a waiter");
}

void no_notification_under_the_lock_is_lost(Runtime& runtime) {
  Mutex mutex(runtime);
  CondVar changed(runtime);
  Shared<int> stock(runtime, 0);
  WaitGroup group(runtime);
  for (int task = 0; task < 2; ++task) {
    group.start("taker", [&] {
      for (int i = 0; i < 3; ++i) {
        Lock lock(mutex);
        while (stock.read() == 0) {
          changed.wait(lock);
        }
        --stock.write();
      }
    });
    group.start("giver", [&] {
      for (int i = 0; i < 3; ++i) {
        const Lock lock(mutex);
        ++stock.write();
        changed.notify_one();
      }
    });
  }
  group.wait();
  ensure(stock.read() == 0, "something was taken twice or not at all");
}

void waiting_without_the_mutex_panics(Runtime& runtime) {
  Mutex mutex(runtime);
  CondVar changed(runtime);
  Lock lock(mutex);
  lock.unlock();
  ensure(panics([&] { changed.wait(lock); }), "a wait without the mutex went through");
}

/// A table under a readers-writer lock, whose readers and writers wait for changes of it.
struct Table {
  explicit Table(Runtime& runtime) : mutex(runtime), changed(runtime), rows(runtime, 0) {}

  void wait_as_writer_for(int count) {
    WriteLock lock(mutex);
    while (rows.read() < count) {
      changed.wait(lock);
    }
    ++rows.write();
    changed.notify_all();
  }
  void wait_as_reader_for(int count) {
    ReadLock lock(mutex);
    while (rows.read() < count) {
      changed.wait(lock);
    }
  }
  void add() {
    const WriteLock lock(mutex);
    ++rows.write();
    changed.notify_all();
  }

  SharedMutex mutex;
  CondVar changed;
  Shared<int> rows;
};

void writers_and_readers_wait_under_a_shared_mutex(Runtime& runtime) {
  Table table(runtime);
  WaitGroup group(runtime);
  group.start("writer", [&] { table.wait_as_writer_for(1); });
  group.start("reader", [&] { table.wait_as_reader_for(2); });
  group.start("other reader", [&] { table.wait_as_reader_for(1); });
  table.add();
  group.wait();
  ensure(table.rows.read() == 2, "a writer did not write");
}

void a_wait_under_a_shared_mutex_gives_it_up(Runtime& runtime) {
  SharedMutex mutex(runtime);
  CondVar changed(runtime);
  for (const bool reads : {false, true}) {
    const TimePoint deadline = runtime.now() + 20ms;
    const Task other = spawn(runtime, "other", [&] { const WriteLock lock(mutex); });
    if (reads) {
      ReadLock lock(mutex);
      ensure(!changed.wait_until(lock, deadline), "notified by no task");
    } else {
      WriteLock lock(mutex);
      ensure(!changed.wait_until(lock, deadline), "notified by no task");
    }
    ensure(runtime.now() >= deadline, "a wait ended before its deadline");
    other.join();
  }
}

void readers_wait_together(Runtime& runtime) {
  Table table(runtime);
  WaitGroup group(runtime);
  Atomic<int> inside(runtime, 0);
  for (int reader = 0; reader < 2; ++reader) {
    group.start("reader", [&] {
      ReadLock lock(table.mutex);
      while (table.rows.read() == 0) {
        table.changed.wait(lock);
      }
      inside.fetch_add(1);
      while (inside.load() < 2) {  // both hold it at once
        sleep_for(runtime, 1ms);
      }
    });
  }
  table.add();
  group.wait();
}

void waiting_without_the_shared_mutex_panics(Runtime& runtime) {
  const Owned<SharedMutexBackend> mutex = runtime.make_shared_mutex("m", Location::current());
  const Owned<CondVarBackend> changed = runtime.make_cond_var("c", Location::current());
  for (const HeldLock::Side side : {HeldLock::Side::Write, HeldLock::Side::Read}) {
    ensure(panics([&] {
             changed->wait({*mutex, side}, std::nullopt, Location::current());
           }),
           "a wait without the lock went through");
  }
}

std::string which_waiter_is_woken_is_open(Runtime& runtime) {
  Waiters waiters(runtime, {"a", "b"});
  waiters.changed().notify_one();
  const std::string first = waiters.woken_at_least(1).front();
  waiters.changed().notify_one();
  waiters.join();
  return first;
}

void a_condition_changed_outside_the_lock_is_missed(Runtime& runtime) {
  Mutex mutex(runtime);
  CondVar changed(runtime);
  Atomic<bool> set(runtime, false);
  const Task setter = spawn(runtime, "setter", [&] {
    set.store(true);
    changed.notify_all();
  });
  {
    Lock lock(mutex);
    while (!set.load()) {
      changed.wait(lock);
    }
  }
  setter.join();
}

}  // namespace

Group cond_vars() {
  return {
      .name = "cond_var",
      .claims =
          {{"notify_one_wakes_exactly_one", notify_one_wakes_exactly_one},
           {"notify_all_wakes_all", notify_all_wakes_all},
           {"no_task_wakes_for_nothing", no_task_wakes_for_nothing},
           {"a_deadline_ends_the_wait", a_deadline_ends_the_wait},
           {"a_deadline_that_has_passed_ends_the_wait_at_once",
            a_deadline_that_has_passed_ends_the_wait_at_once},
           {"a_notification_beats_a_far_deadline", a_notification_beats_a_far_deadline},
           {"a_timed_out_waiter_takes_no_notification", a_timed_out_waiter_takes_no_notification},
           {"a_notification_is_not_kept", a_notification_is_not_kept},
           {"no_notification_under_the_lock_is_lost", no_notification_under_the_lock_is_lost},
           {"waiting_without_the_mutex_panics", waiting_without_the_mutex_panics},
           {"writers_and_readers_wait_under_a_shared_mutex",
            writers_and_readers_wait_under_a_shared_mutex},
           {"a_wait_under_a_shared_mutex_gives_it_up", a_wait_under_a_shared_mutex_gives_it_up},
           {"readers_wait_together", readers_wait_together},
           {"waiting_without_the_shared_mutex_panics", waiting_without_the_shared_mutex_panics}},
      .choices = {{"which_waiter_is_woken_is_open", which_waiter_is_woken_is_open, {"a", "b"}}},
      .deadlocks = {{"a_condition_changed_outside_the_lock_is_missed",
                     a_condition_changed_outside_the_lock_is_missed}},
  };
}

}  // namespace watchlab::conformance
