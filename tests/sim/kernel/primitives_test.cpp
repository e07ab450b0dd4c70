// States in which the invariants of the primitives say something: several waiters, deadlines of
// those who were notified, readers beside writers, full buffers.
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <tuple>

#include "core/runtime/cond_var.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/timer.hpp"
#include "core/runtime/wait_group.hpp"
#include "sim/explore/explore.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(primitives_test)

namespace {

using namespace std::chrono_literals;
using runtime::ensure;
using runtime::Lock;
using runtime::Runtime;
using runtime::Task;

void hold_in_many_orders(const std::function<void(Runtime&)>& body) {
  const ExploreResult result = explore({.strategy = "random", .schedules_max = 200}, body);
  BOOST_TEST(!result.failure.has_value(), (result.failure ? result.failure->sentence : ""));
}

}  // namespace

BOOST_AUTO_TEST_CASE(notify_one_wakes_one_of_two_and_a_deadline_the_other) {
  hold_in_many_orders([](Runtime& runtime) {
    runtime::Mutex mutex(runtime);
    runtime::CondVar changed(runtime);
    int notified = 0;
    std::vector<Task> tasks;
    for (int i = 0; i < 2; ++i) {
      tasks.push_back(spawn(runtime, "waiter", [&] {
        Lock lock(mutex);
        notified += changed.wait_until(lock, runtime.now() + 1s) ? 1 : 0;
      }));
    }
    sleep_for(runtime, 1ms);
    changed.notify_one();
    for (const Task& task : tasks) {
      task.join();
    }
    ensure(notified == 1, "notify_one woke another number of waiters than one");
  });
}

BOOST_AUTO_TEST_CASE(the_deadline_of_a_notified_waiter_does_not_come) {
  hold_in_many_orders([](Runtime& runtime) {
    runtime::Mutex mutex(runtime);
    runtime::CondVar changed(runtime);
    Task waiter = spawn(runtime, "waiter", [&] {
      Lock lock(mutex);
      ensure(changed.wait_until(lock, runtime.now() + 1s), "a notified waiter timed out");
      changed.wait(lock);
    });
    sleep_for(runtime, 1ms);
    mutex.lock();
    changed.notify_one();
    sleep_for(runtime, 2s);  // the waiter wants its mutex while its deadline passes
    mutex.unlock();
    sleep_for(runtime, 2s);
    ensure(!waiter.done(), "a waiter without a deadline was woken by an old one");
    changed.notify_one();
    waiter.join();
  });
}

BOOST_AUTO_TEST_CASE(a_waiter_that_timed_out_takes_no_notification) {
  hold_in_many_orders([](Runtime& runtime) {
    runtime::Mutex mutex(runtime);
    runtime::CondVar changed(runtime);
    const Task early = spawn(runtime, "early", [&] {
      Lock lock(mutex);
      ensure(!changed.wait_until(lock, runtime.now() + 1ms), "a wait without a notification");
    });
    early.join();
    const Task late = spawn(runtime, "late", [&] {
      Lock lock(mutex);
      changed.wait(lock);
    });
    sleep_for(runtime, 1ms);
    changed.notify_one();
    late.join();
  });
}

BOOST_AUTO_TEST_CASE(a_writer_is_alone_beside_readers_and_other_writers) {
  hold_in_many_orders([](Runtime& runtime) {
    runtime::SharedMutex mutex(runtime);
    std::atomic<int> readers = 0;  // two may hold the lock; to ThreadSanitizer tasks are threads
    std::atomic<int> writers = 0;
    std::vector<Task> tasks;
    for (int i = 0; i < 2; ++i) {
      tasks.push_back(spawn(runtime, "reader", [&] {
        const runtime::ReadLock lock(mutex);
        ++readers;
        runtime.yield(runtime::Location::current());
        ensure(writers == 0, "a writer is beside a reader");
        --readers;
      }));
      tasks.push_back(spawn(runtime, "writer", [&] {
        const runtime::WriteLock lock(mutex);
        ++writers;
        runtime.yield(runtime::Location::current());
        ensure(writers == 1 && readers == 0, "a writer is not alone");
        --writers;
      }));
    }
    for (const Task& task : tasks) {
      task.join();
    }
  });
}

BOOST_AUTO_TEST_CASE(a_group_lets_all_go_who_wait_for_it) {
  hold_in_many_orders([](Runtime& runtime) {
    runtime::WaitGroup group(runtime);
    group.add(2);
    std::vector<Task> tasks;
    for (int i = 0; i < 3; ++i) {
      tasks.push_back(spawn(runtime, "waiter", [&] { group.wait(); }));
    }
    sleep_for(runtime, 1ms);
    group.done();
    group.done();
    for (const Task& task : tasks) {
      task.join();
    }
  });
}

BOOST_AUTO_TEST_CASE(a_tick_into_a_full_channel_is_dropped) {
  hold_in_many_orders([](Runtime& runtime) {
    runtime::Ticker ticker(runtime, 1ms);
    sleep_for(runtime, 10ms);
    ensure(ticker.channel().size() == 1, "a ticker keeps more than one tick");
    ticker.stop();
    std::ignore = ticker.channel().receive();
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
