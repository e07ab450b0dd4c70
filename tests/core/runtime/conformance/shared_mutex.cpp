#include "core/runtime/shared_mutex.hpp"

#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/wait_group.hpp"
#include "tests/core/runtime/conformance/conformance.hpp"

namespace watchlab::conformance {
namespace {

using namespace runtime;

/// Who got in when, for cases that pin an order.
class Entries {
 public:
  explicit Entries(Runtime& runtime) : mutex_(runtime), text_(runtime, "") {}

  void add(const char* name) {
    const Lock lock(mutex_);
    text_.write() += name;
  }
  std::string text() {
    const Lock lock(mutex_);
    return text_.read();
  }

 private:
  Mutex mutex_;
  Shared<std::string> text_;
};

void readers_are_inside_together(Runtime& runtime) {
  SharedMutex mutex(runtime);
  WaitGroup inside(runtime);
  inside.add(2);
  WaitGroup group(runtime);
  for (int task = 0; task < 2; ++task) {
    group.start("reader", [&] {
      const ReadLock lock(mutex);
      inside.done();
      inside.wait();
    });
  }
  group.wait();
}

void a_writer_is_alone(Runtime& runtime) {
  SharedMutex mutex(runtime);
  Shared<int> left(runtime, 0);
  Shared<int> right(runtime, 0);
  WaitGroup group(runtime);
  for (int task = 0; task < 2; ++task) {
    group.start("writer", [&] {
      for (int i = 0; i < 3; ++i) {
        const WriteLock lock(mutex);
        ++left.write();
        runtime.yield(Location::current());
        ++right.write();
      }
    });
    group.start("reader", [&] {
      for (int i = 0; i < 3; ++i) {
        const ReadLock lock(mutex);
        ensure(left.read() == right.read(), "a reader saw half of a write");
      }
    });
  }
  group.wait();
  ensure(left.read() == 6, "an increment under the write lock was lost");
}

void a_new_reader_waits_behind_a_pending_writer(Runtime& runtime) {
  SharedMutex mutex(runtime);
  Entries entries(runtime);
  WaitGroup group(runtime);
  WaitGroup writer_comes(runtime);
  WaitGroup reader_comes(runtime);
  writer_comes.add();
  reader_comes.add();
  mutex.lock_shared();
  group.start("writer", [&] {
    writer_comes.done();
    const WriteLock lock(mutex);
    entries.add("w");
  });
  writer_comes.wait();
  settle(runtime);
  group.start("reader", [&] {
    reader_comes.done();
    const ReadLock lock(mutex);
    entries.add("r");
  });
  reader_comes.wait();
  settle(runtime);
  ensure(entries.text().empty(), "a task entered beside a reader and a pending writer");
  mutex.unlock_shared();
  group.wait();
  ensure(entries.text() == "wr", "a new reader went before a pending writer");
}

void waiting_readers_go_before_the_next_writer(Runtime& runtime) {
  SharedMutex mutex(runtime);
  Entries entries(runtime);
  WaitGroup group(runtime);
  WaitGroup all_come(runtime);
  all_come.add(3);
  mutex.lock();
  group.start("next writer", [&] {
    all_come.done();
    const WriteLock lock(mutex);
    entries.add("w");
  });
  for (int task = 0; task < 2; ++task) {
    group.start("reader", [&] {
      all_come.done();
      const ReadLock lock(mutex);
      entries.add("r");
    });
  }
  all_come.wait();
  settle(runtime);
  ensure(entries.text().empty(), "a task entered beside a writer");
  mutex.unlock();
  group.wait();
  ensure(entries.text() == "rrw", "the next writer went before a waiting reader");
}

void waiting_readers_are_let_in_together(Runtime& runtime) {
  SharedMutex mutex(runtime);
  WaitGroup inside(runtime);
  inside.add(3);
  WaitGroup group(runtime);
  mutex.lock();
  for (int task = 0; task < 3; ++task) {
    group.start("reader", [&] {
      const ReadLock lock(mutex);
      inside.done();
      inside.wait();
    });
  }
  settle(runtime);
  mutex.unlock();
  group.wait();
}

void a_read_lock_is_recursive_while_no_writer_waits(Runtime& runtime) {
  SharedMutex mutex(runtime);
  {
    const ReadLock outer(mutex);
    const ReadLock inner(mutex);
  }
  const WriteLock lock(mutex);
}

void unlocking_what_is_not_held_panics(Runtime& runtime) {
  SharedMutex mutex(runtime);
  ensure(panics([&] { mutex.unlock(); }), "unlock of a new shared mutex went through");
  ensure(panics([&] { mutex.unlock_shared(); }), "unlock_shared without a reader went through");
  mutex.lock_shared();
  ensure(panics([&] { mutex.unlock(); }), "unlock with only a reader inside went through");
  mutex.unlock_shared();
  mutex.lock();
  ensure(panics([&] { mutex.unlock_shared(); }), "unlock_shared beside a writer went through");
  mutex.unlock();
  const WriteLock lock(mutex);
}

std::string reader_or_writer_first_is_open(Runtime& runtime) {
  SharedMutex mutex(runtime);
  Entries entries(runtime);
  WaitGroup group(runtime);
  group.start("reader", [&] {
    const ReadLock lock(mutex);
    entries.add("r");
  });
  group.start("writer", [&] {
    const WriteLock lock(mutex);
    entries.add("w");
  });
  group.wait();
  return entries.text();
}

void reading_twice_deadlocks_behind_a_writer_between(Runtime& runtime) {
  SharedMutex mutex(runtime);
  WaitGroup group(runtime);
  group.start("reader", [&] {
    const ReadLock outer(mutex);
    const ReadLock inner(mutex);
  });
  group.start("writer", [&] { const WriteLock lock(mutex); });
  group.wait();
}

}  // namespace

Group shared_mutexes() {
  return {
      .name = "shared_mutex",
      .claims = {{"readers_are_inside_together", readers_are_inside_together},
                 {"a_writer_is_alone", a_writer_is_alone},
                 {"a_new_reader_waits_behind_a_pending_writer",
                  a_new_reader_waits_behind_a_pending_writer},
                 {"waiting_readers_go_before_the_next_writer",
                  waiting_readers_go_before_the_next_writer},
                 {"waiting_readers_are_let_in_together", waiting_readers_are_let_in_together},
                 {"a_read_lock_is_recursive_while_no_writer_waits",
                  a_read_lock_is_recursive_while_no_writer_waits},
                 {"unlocking_what_is_not_held_panics", unlocking_what_is_not_held_panics}},
      .choices = {{"reader_or_writer_first_is_open", reader_or_writer_first_is_open, {"rw", "wr"}}},
      .deadlocks = {{"reading_twice_deadlocks_behind_a_writer_between",
                     reading_twice_deadlocks_behind_a_writer_between}},
  };
}

}  // namespace watchlab::conformance
