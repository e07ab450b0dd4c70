#include "core/runtime/mutex.hpp"

#include "core/runtime/ensure.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/wait_group.hpp"
#include "tests/core/runtime/conformance/conformance.hpp"

namespace watchlab::conformance {
namespace {

using namespace runtime;

void one_task_at_a_time_is_inside(Runtime& runtime) {
  Mutex mutex(runtime);
  Shared<int> count(runtime, 0);
  WaitGroup group(runtime);
  for (int task = 0; task < 3; ++task) {
    group.start("counter", [&] {
      for (int i = 0; i < 4; ++i) {
        const Lock lock(mutex);
        const int before = count.read();
        runtime.yield(Location::current());
        count.write() = before + 1;
      }
    });
  }
  group.wait();
  ensure(count.read() == 12, "an increment under the mutex was lost");
}

void every_waiter_gets_it(Runtime& runtime) {
  Mutex mutex(runtime);
  Shared<int> count(runtime, 0);
  WaitGroup group(runtime);
  mutex.lock();
  for (int task = 0; task < 3; ++task) {
    group.start("waiter", [&] {
      const Lock lock(mutex);
      ++count.write();
    });
  }
  settle(runtime);
  ensure(count.read() == 0, "a task entered a mutex that was held");
  mutex.unlock();
  group.wait();
  ensure(count.read() == 3, "a waiter never got the mutex");
}

void try_lock_takes_only_a_free_mutex(Runtime& runtime) {
  Mutex mutex(runtime);
  ensure(mutex.try_lock(), "try_lock refused a free mutex");
  ensure(!mutex.try_lock(), "try_lock took a held mutex");
  mutex.unlock();
  ensure(mutex.try_lock(), "try_lock refused a mutex that was freed");
  mutex.unlock();
}

void unlock_of_an_unlocked_mutex_panics(Runtime& runtime) {
  Mutex mutex(runtime);
  ensure(panics([&] { mutex.unlock(); }), "unlock of a new mutex went through");
  mutex.lock();
  mutex.unlock();
  ensure(panics([&] { mutex.unlock(); }), "a second unlock went through");
  ensure(mutex.try_lock(), "the mutex is broken after a panic");
  mutex.unlock();
}

void another_task_may_unlock(Runtime& runtime) {
  Mutex mutex(runtime);
  mutex.lock();
  const Task other = spawn(runtime, "unlocker", [&] { mutex.unlock(); });
  mutex.lock();
  mutex.unlock();
  other.join();
}

void a_lock_can_be_released_early_and_taken_again(Runtime& runtime) {
  Mutex mutex(runtime);
  {
    Lock lock(mutex);
    lock.unlock();
    ensure(mutex.try_lock(), "an early unlock left the mutex held");
    mutex.unlock();
    lock.lock();
    ensure(!mutex.try_lock(), "a lock taken again does not hold");
  }
  ensure(mutex.try_lock(), "the end of the scope left the mutex held");
  mutex.unlock();
}

std::string who_gets_it_first_is_open(Runtime& runtime) {
  Mutex mutex(runtime);
  Shared<std::string> order(runtime, "");
  WaitGroup group(runtime);
  mutex.lock();
  for (const char* name : {"a", "b"}) {
    group.start(name, [&, name] {
      const Lock lock(mutex);
      order.write() += name;
    });
  }
  settle(runtime);
  mutex.unlock();
  group.wait();
  return order.read();
}

void a_mutex_is_not_recursive(Runtime& runtime) {
  Mutex mutex(runtime);
  mutex.lock();
  mutex.lock();
}

void two_mutexes_in_opposite_order(Runtime& runtime) {
  Mutex left(runtime, "left");
  Mutex right(runtime, "right");
  WaitGroup group(runtime);
  group.start("left first", [&] {
    const Lock first(left);
    const Lock second(right);
  });
  group.start("right first", [&] {
    const Lock first(right);
    const Lock second(left);
  });
  group.wait();
}

}  // namespace

Group mutexes() {
  return {
      .name = "mutex",
      .claims = {{"one_task_at_a_time_is_inside", one_task_at_a_time_is_inside},
                 {"every_waiter_gets_it", every_waiter_gets_it},
                 {"try_lock_takes_only_a_free_mutex", try_lock_takes_only_a_free_mutex},
                 {"unlock_of_an_unlocked_mutex_panics", unlock_of_an_unlocked_mutex_panics},
                 {"another_task_may_unlock", another_task_may_unlock},
                 {"a_lock_can_be_released_early_and_taken_again",
                  a_lock_can_be_released_early_and_taken_again}},
      .choices = {{"who_gets_it_first_is_open", who_gets_it_first_is_open, {"ab", "ba"}}},
      .deadlocks = {{"a_mutex_is_not_recursive", a_mutex_is_not_recursive},
                    {"two_mutexes_in_opposite_order", two_mutexes_in_opposite_order}},
  };
}

}  // namespace watchlab::conformance
