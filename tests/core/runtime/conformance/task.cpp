#include "core/runtime/task.hpp"

#include "core/runtime/atomic.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/recover.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/wait_group.hpp"
#include "tests/core/runtime/conformance/conformance.hpp"

namespace watchlab::conformance {
namespace {

using namespace runtime;

void join_waits_for_the_end(Runtime& runtime) {
  int result = 0;
  const Task task = spawn(runtime, "worker", [&] {
    runtime.yield(Location::current());
    result = 5;
  });
  task.join();
  ensure(result == 5, "join came back before the end");
  ensure(task.done(), "an ended task does not say so");
  task.join();
}

void many_may_join_one_task(Runtime& runtime) {
  Channel<Unit> go(runtime, 0);
  const Task slow = spawn(runtime, "slow", [&] { go.receive(); });
  Atomic<int> joined(runtime, 0);
  WaitGroup group(runtime);
  for (int task = 0; task < 2; ++task) {
    group.start("joiner", [&, copy = slow] {
      copy.join();
      joined.fetch_add(1);
    });
  }
  settle(runtime);
  ensure(!slow.done(), "a waiting task says it is done");
  ensure(joined.load() == 0, "a join did not wait");
  go.close();
  group.wait();
}

void a_task_may_start_tasks(Runtime& runtime) {
  Atomic<int> ran(runtime, 0);
  spawn(runtime, "outer", [&] {
    spawn(runtime, "inner", [&] { ran.fetch_add(1); }).join();
    ran.fetch_add(1);
  }).join();
  ensure(ran.load() == 2, "a task did not run");
}

void what_a_task_holds_is_gone_when_it_is_joined(Runtime& runtime) {
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> trace = held;
  spawn(runtime, "holder", [kept = std::move(held)] { ensure(*kept == 1, "changed"); }).join();
  ensure(trace.expired(), "an ended task still holds what it was given");
}

void letting_go_of_the_handle_does_not_end_the_task(Runtime& runtime) {
  Channel<int> result(runtime, 1);
  {
    const Task dropped = spawn(runtime, "dropped", [&, result]() mutable { result.send(3); });
  }
  ensure(result.receive() == 3, "a task without handle did not continue");
  ensure(!Task().valid(), "an empty handle says it is a task");
}

/// Throws inside a task, lets others do the same while the exception is caught, throws it on.
void rethrow_own_exception(Runtime& runtime, WaitGroup& all_inside, const std::string& own) {
  try {
    throw std::runtime_error(own);
  } catch (const std::runtime_error& first) {
    all_inside.done();
    all_inside.wait();
    ensure(first.what() == own, "the caught exception changed");
    const std::optional<Recovered> again = recover([&] {
      runtime.yield(Location::current());
      throw;
    });
    ensure(again && again->message == own, "another task's exception came back");
  }
}

void exceptions_of_tasks_do_not_mix(Runtime& runtime) {
  WaitGroup all_inside(runtime);
  all_inside.add(3);
  WaitGroup group(runtime);
  for (const char* name : {"a", "b", "c"}) {
    group.start(name, [&, name] { rethrow_own_exception(runtime, all_inside, name); });
  }
  group.wait();
}

void recover_shows_what_was_thrown(Runtime&) {
  const std::optional<Recovered> nothing = recover([] {});
  ensure(!nothing, "recover caught something where nothing was thrown");
  const std::optional<Recovered> panic = recover([] { throw Panic("the reason"); });
  ensure(panic && panic->message == "the reason", "recover lost the message");
  ensure(panics([&] { std::rethrow_exception(panic->exception); }), "recover lost the type");
  ensure(recover([] { throw 7; }).has_value(), "recover let a number through");
}

void recover_lets_the_end_of_the_world_through(Runtime&) {
  bool ended = false;
  try {
    static_cast<void>(recover([] { throw TaskKilled(); }));
  } catch (const TaskKilled&) {
    ended = true;
  }
  ensure(ended, "recover swallowed the end of the world");
}

std::string the_order_of_starting_is_open(Runtime& runtime) {
  Mutex mutex(runtime);
  Shared<std::string> order(runtime, "");
  WaitGroup group(runtime);
  for (const char* name : {"a", "b"}) {
    group.start(name, [&, name] {
      const Lock lock(mutex);
      order.write() += name;
    });
  }
  group.wait();
  return order.read();
}

std::string the_starter_or_the_started_goes_first(Runtime& runtime) {
  Atomic<bool> started(runtime, false);
  const Task task = spawn(runtime, "started", [&] { started.store(true); });
  const bool task_first = started.load();
  task.join();
  return task_first ? "started" : "starter";
}

}  // namespace

Group tasks() {
  return {
      .name = "task",
      .claims = {{"join_waits_for_the_end", join_waits_for_the_end},
                 {"many_may_join_one_task", many_may_join_one_task},
                 {"a_task_may_start_tasks", a_task_may_start_tasks},
                 {"what_a_task_holds_is_gone_when_it_is_joined",
                  what_a_task_holds_is_gone_when_it_is_joined},
                 {"letting_go_of_the_handle_does_not_end_the_task",
                  letting_go_of_the_handle_does_not_end_the_task},
                 {"exceptions_of_tasks_do_not_mix", exceptions_of_tasks_do_not_mix},
                 {"recover_shows_what_was_thrown", recover_shows_what_was_thrown},
                 {"recover_lets_the_end_of_the_world_through",
                  recover_lets_the_end_of_the_world_through}},
      .choices = {{"the_order_of_starting_is_open", the_order_of_starting_is_open, {"ab", "ba"}},
                  {"the_starter_or_the_started_goes_first",
                   the_starter_or_the_started_goes_first,
                   {"started", "starter"}}},
  };
}

}  // namespace watchlab::conformance
