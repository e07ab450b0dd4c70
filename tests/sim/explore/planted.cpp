#include "tests/sim/explore/planted.hpp"

#include "core/runtime/atomic.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/runtime/task.hpp"

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

/// Work on a counter that everybody shares.
class Noise {
 public:
  Noise(Runtime& runtime, int operations)
      : counter_(runtime, 0, "noise"), operations_(operations) {}

  void make() {
    for (int i = 0; i < operations_; ++i) {
      counter_.fetch_add(1);
    }
  }

 private:
  Atomic<int> counter_;
  int operations_;
};

void two_lock_orders(Runtime& runtime, int operations) {
  Noise noise(runtime, operations);
  Mutex store(runtime, "store");
  Mutex queue(runtime, "queue");
  const Task one = spawn(runtime, "one", [&] {
    noise.make();
    const Lock first(store);
    const Lock second(queue);
  });
  noise.make();
  {
    const Lock first(queue);
    const Lock second(store);
  }
  one.join();
}

void lost_update(Runtime& runtime, int operations) {
  Noise noise(runtime, operations);
  Atomic<int> value(runtime, 0, "value");
  const auto increment = [&] {
    noise.make();
    const int seen = value.load();
    value.store(seen + 1);
  };
  const Task one = spawn(runtime, "one", increment);
  const Task two = spawn(runtime, "two", increment);
  one.join();
  two.join();
  ensure(value.load() == 2, "an update was lost");
}

void check_then_wait(Runtime& runtime, int operations) {
  Noise noise(runtime, operations);
  Mutex mutex(runtime, "mutex");
  CondVar closed(runtime, "closed");
  Atomic<bool> is_closed(runtime, false, "is_closed");
  const Task popper = spawn(runtime, "popper", [&] {
    noise.make();
    Lock lock(mutex);
    while (!is_closed.load()) {
      closed.wait(lock);
    }
  });
  noise.make();
  is_closed.store(true);  // without the lock: the popper may be between its check and its wait
  closed.notify_all();
  popper.join();
}

void send_after_close(Runtime& runtime, int operations) {
  Noise noise(runtime, operations);
  Channel<int> events(runtime, 4, "events");
  Atomic<bool> stopped(runtime, false, "stopped");
  const Task sender = spawn(runtime, "sender", [&] {
    noise.make();
    if (!stopped.load()) {
      events.send(1);
    }
  });
  noise.make();
  stopped.store(true);
  events.close();
  sender.join();
}

void double_close(Runtime& runtime, int operations) {
  Noise noise(runtime, operations);
  Channel<int> done(runtime, 0, "done");
  Atomic<bool> closed(runtime, false, "closed");
  const auto stop = [&] {
    noise.make();
    if (!closed.load()) {
      closed.store(true);
      done.close();
    }
  };
  const Task other = spawn(runtime, "other", stop);
  stop();
  other.join();
}

void read_lock_twice(Runtime& runtime, int operations) {
  Noise noise(runtime, operations);
  runtime::SharedMutex mutex(runtime, "indexer");
  const Task writer = spawn(runtime, "writer", [&] {
    noise.make();
    const runtime::WriteLock lock(mutex);
  });
  noise.make();
  {
    const runtime::ReadLock outer(mutex);
    const runtime::ReadLock inner(mutex);
  }
  writer.join();
}

void three_philosophers(Runtime& runtime, int operations) {
  Noise noise(runtime, operations);
  Mutex a(runtime, "a");
  Mutex b(runtime, "b");
  Mutex c(runtime, "c");
  const auto eat = [&](Mutex& left, Mutex& right) {
    noise.make();
    const Lock first(left);
    const Lock second(right);
  };
  const Task one = spawn(runtime, "one", [&] { eat(a, b); });
  const Task two = spawn(runtime, "two", [&] { eat(b, c); });
  const Task three = spawn(runtime, "three", [&] { eat(c, a); });
  one.join();
  two.join();
  three.join();
}

void notify_the_wrong_one(Runtime& runtime, int operations) {
  Noise noise(runtime, operations);
  Mutex mutex(runtime, "mutex");
  CondVar changed(runtime, "changed");
  int items = 0;
  bool stop = false;
  const Task consumer = spawn(runtime, "consumer", [&] {
    noise.make();
    Lock lock(mutex);
    while (items == 0) {
      changed.wait(lock);
    }
  });
  const Task stopper = spawn(runtime, "stopper", [&] {
    noise.make();
    Lock lock(mutex);
    while (!stop) {
      changed.wait(lock);
    }
  });
  noise.make();
  {
    const Lock lock(mutex);
    items = 1;
  }
  changed.notify_one();  // may wake the one who waits for something else
  consumer.join();
  {
    const Lock lock(mutex);
    stop = true;
  }
  changed.notify_all();
  stopper.join();
}

void a_select_that_prefers_work(Runtime& runtime, int operations) {
  Noise noise(runtime, operations);
  const Channel<int> work(runtime, 1, "work");
  runtime::StopSource source(runtime);
  const runtime::StopToken token = source.token();
  Atomic<int> done(runtime, 0, "done");
  const Task worker = spawn(runtime, "worker", [&] {
    noise.make();
    const Channel<runtime::Unit> stop = token.done(runtime);
    std::optional<int> item;
    runtime::Select choice(runtime);
    choice.receive(stop);
    choice.receive(work, item);
    done.fetch_add(static_cast<int>(choice.wait()));
  });
  noise.make();
  work.send(1);
  source.stop();
  worker.join();
  ensure(done.load() == 1, "an item was dropped at the stop");
}

void a_receiver_left_behind(Runtime& runtime, int operations) {
  const auto noise = std::make_shared<Noise>(runtime, operations);
  const auto reads = std::make_shared<Atomic<int>>(runtime, 0, "reads");
  Channel<int> events(runtime, 1, "events");
  spawn(runtime, "reader", [=] {
    noise->make();
    reads->fetch_add(1);
    events.receive();
  });
  noise->make();
  if (reads->load() == 0) {  // the reader has not begun, so it is thought not to need anything
    return;
  }
  events.close();
}

}  // namespace

const std::vector<Planted>& planted_bugs() {
  static const std::vector<Planted> kBugs{
      {"two_lock_orders", "deadlock", "wait for each other in a circle", 1, two_lock_orders},
      {"lost_update", "violation", "an update was lost", 1, lost_update},
      {"check_then_wait", "deadlock", "a lost wake-up", 2, check_then_wait},
      {"send_after_close", "exception", "send on channel 'events', which is closed", 2,
       send_after_close},
      {"double_close", "exception", "close of channel 'done', which is closed", 2, double_close},
      {"read_lock_twice", "deadlock", "waits to read-lock shared mutex 'indexer'", 1,
       read_lock_twice},
      {"three_philosophers", "deadlock", "wait for each other in a circle", 1, three_philosophers},
      {"notify_the_wrong_one", "deadlock", "waits on condition 'changed'", 1, notify_the_wrong_one},
      {"a_select_that_prefers_work", "violation", "an item was dropped at the stop", 0,
       a_select_that_prefers_work},
      {"a_receiver_left_behind", "leak", "main/reader", 0, a_receiver_left_behind},
  };
  return kBugs;
}

}  // namespace watchlab::tests
