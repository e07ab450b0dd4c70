// What reports say: who holds what and since when, which arm of a select waits for what, and of a
// misuse both lines.
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <optional>
#include <string>

#include "core/runtime/channel.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/once.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/time.hpp"
#include "core/runtime/wait_group.hpp"
#include "sim/explain/explain.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/explore/signature.hpp"
#include "sim/kernel/world.hpp"
#include "sim/std/mutex.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(reports_test)

namespace {

using namespace std::chrono_literals;
using runtime::Location;
using runtime::Runtime;
using Body = std::function<void(Runtime&)>;

/// What is said of the failure of the default schedule, played twice.
Failure failure_of(const Body& body) {
  World world;
  FifoStrategy fifo;
  const RunResult first = world.run(fifo, body);
  const RunResult second = world.run(fifo, body);
  BOOST_TEST(first.digest == second.digest);
  BOOST_REQUIRE(first.failure.has_value());
  BOOST_TEST(first.failure->sentence == second.failure->sentence);
  return *first.failure;
}

/// The headline of a task that waits for what it holds.
const std::string kAlone = "main waits for itself";

/// "reports_test.cpp:12" of the line on which it is called.
std::string this_line(Location here = Location::current()) {
  return "reports_test.cpp:" + std::to_string(here.line());
}

void check_says(const std::string& text, const std::string& words) {
  BOOST_TEST(text.find(words) != std::string::npos, "'" << words << "' is not in: " << text);
}

void check_failure(const Body& body, std::string_view kind, const std::vector<std::string>& words) {
  const Failure failure = failure_of(body);
  BOOST_TEST(failure.kind == kind, failure.kind << ": " << failure.sentence);
  for (const std::string& each : words) {
    check_says(failure.sentence, each);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_blocked_select_says_which_arm_waits_for_what) {
  std::string place;
  const Body body = [&](Runtime& runtime) {
    const runtime::Channel<int> stop(runtime, 0, "stop");
    const runtime::Channel<int> work(runtime, 0, "work");
    const runtime::Channel<int> nil = runtime::Channel<int>::nil(runtime);
    runtime::Select select(runtime);
    select.receive(stop).send(work, 1).receive(nil);
    place = this_line(), select.wait();
  };
  check_failure(body, "deadlock", {});
  const Failure failure = failure_of(body);
  check_says(failure.sentence,
             "main waits in select at " + place +
                 " to receive from 'stop' or send to 'work' or receive from a nil channel, and no "
                 "task is left that would make one of them possible");
  check_says(explain(failure.schedule, body)->to_string(),
             "STUCK: select to receive from 'stop' or send to 'work'");
}

BOOST_AUTO_TEST_CASE(a_wait_for_nil_channels_alone_blocks_forever) {
  check_failure(
      [](Runtime& runtime) {
        const auto nil = runtime::Channel<int>::nil(runtime);
        runtime::Select(runtime).receive(nil).send(nil, 1).wait();
      },
      "deadlock", {"to receive from a nil channel or send to a nil channel, which blocks forever"});
  check_failure([](Runtime& runtime) { runtime::Channel<int>::nil(runtime).send(1); }, "deadlock",
                {"main waits to send on a nil channel (", "which blocks forever"});
  check_failure([](Runtime& runtime) { runtime::Select(runtime).wait(); }, "deadlock",
                {"main waits in select at ", "without an arm, which blocks forever"});
}

BOOST_AUTO_TEST_CASE(selects_that_wait_at_other_places_are_different_failures) {
  const auto stuck_in = [](bool first) {
    return failure_of([first](Runtime& runtime) {
      const runtime::Channel<int> one(runtime, 0, "one");
      const runtime::Channel<int> two(runtime, 0, "two");
      if (first) {
        runtime::Select(runtime).receive(one).receive(two).wait();
      } else {
        runtime::Select(runtime).receive(one).receive(two).wait();
      }
    });
  };
  std::vector<DistinctFailure> known;
  add_failure(known, {.first = stuck_in(true), .count = 1});
  BOOST_TEST(find_failure(known, stuck_in(true)) != nullptr);
  BOOST_TEST(find_failure(known, stuck_in(false)) == nullptr);
}

BOOST_AUTO_TEST_CASE(who_continues_after_a_meeting_says_where_it_met) {
  const Body body = [](Runtime& runtime) {
    const runtime::Channel<int> work(runtime, 0, "work");
    const runtime::Task sender = runtime::spawn(runtime, "sender", [work] { work.send(1); });
    runtime.yield(Location::current());
    (void)work.receive();
    sender.join();
    throw Violation("for the explanation");
  };
  check_says(explain(failure_of(body).schedule, body)->to_string(),
             "continue after meeting at 'work'");
}

BOOST_AUTO_TEST_CASE(a_lock_that_is_taken_twice_names_its_holder) {
  std::string first;
  using Lock = void (runtime::SharedMutex::*)(Location);
  const auto twice = [&](Lock one, Lock other) {
    return [&first, one, other](Runtime& runtime) {
      runtime::SharedMutex mutex(runtime, "m");
      first = this_line(), (mutex.*one)(Location::current());
      (mutex.*other)(Location::current());
    };
  };
  const Lock write = &runtime::SharedMutex::lock;
  const Lock read = &runtime::SharedMutex::lock_shared;
  for (const auto& [body, wait, role] :
       {std::tuple(twice(write, write), "waits for", "writer"),
        std::tuple(twice(write, read), "waits to read-lock", "writer"),
        std::tuple(twice(read, write), "waits for the readers to leave", "reader")}) {
    const Failure failure = failure_of(body);
    check_says(failure.sentence, kAlone);
    check_says(failure.sentence, std::string("main ") + wait + " shared mutex 'm'");
    check_says(failure.sentence, std::string("which the ") + role + " main holds since step");
    check_says(failure.sentence, "(" + first + ")");
  }
}

BOOST_AUTO_TEST_CASE(a_mutex_that_is_taken_twice_names_its_holder) {
  check_failure(
      [](Runtime& runtime) {
        runtime::Mutex mutex(runtime, "m");
        mutex.lock();
        mutex.lock();
      },
      "deadlock", {kAlone, "main waits for mutex 'm'", "which main holds since"});
}

BOOST_AUTO_TEST_CASE(locks_of_the_standard_that_are_taken_twice_name_their_holder) {
  check_failure(
      [](Runtime&) {
        stdx::shared_timed_mutex mutex;
        mutex.lock();
        mutex.lock();
      },
      "deadlock", {kAlone, "which main holds since step"});
  check_failure(
      [](Runtime&) {
        stdx::shared_timed_mutex mutex;
        mutex.lock_shared();
        mutex.lock();
      },
      "deadlock", {kAlone, "which main holds since step"});
  check_failure(
      [](Runtime&) {
        stdx::shared_timed_mutex mutex;
        mutex.lock();
        mutex.lock_shared();
      },
      "deadlock", {kAlone, "which main holds since step"});
}

BOOST_AUTO_TEST_CASE(a_writer_behind_several_readers_names_them_and_finds_the_circle) {
  check_failure(
      [](Runtime& runtime) {
        runtime::SharedMutex mutex(runtime, "m");
        runtime::Channel<int> nobody(runtime, 0, "nobody");
        const runtime::Task other = runtime::spawn(runtime, "other", [&] {
          const runtime::ReadLock lock(mutex);
          (void)nobody.receive();
        });
        runtime::sleep_for(runtime, 1ms);
        const runtime::ReadLock lock(mutex);
        mutex.lock();
      },
      "deadlock", {kAlone, "which the reader main holds since step", " and main/other since"});
}

BOOST_AUTO_TEST_CASE(a_reader_that_has_ended_is_named) {
  check_failure(
      [](Runtime& runtime) {
        runtime::SharedMutex mutex(runtime, "m");
        runtime::spawn(runtime, "forgetful", [&] { mutex.lock_shared(); }).join();
        mutex.lock();
      },
      "deadlock",
      {"which the reader main/forgetful holds since step",
       "and that task has ended without unlocking it"});
}

BOOST_AUTO_TEST_CASE(a_leak_states_its_circle) {
  check_failure(
      [](Runtime& runtime) {
        const auto one = std::make_shared<runtime::Mutex>(runtime, "one");
        const auto two = std::make_shared<runtime::Mutex>(runtime, "two");
        const auto take = [&runtime](const auto& outer, const auto& inner) {
          return [&runtime, outer, inner] {
            const runtime::Lock lock(*outer);
            runtime::sleep_for(runtime, 1ms);
            const runtime::Lock nested(*inner);
          };
        };
        runtime::spawn(runtime, "a", take(one, two));
        runtime::spawn(runtime, "b", take(two, one));
      },
      "leak", {"main/a -> main/b -> main/a wait for each other in a circle"});
}

BOOST_AUTO_TEST_CASE(tasks_are_called_as_they_were_named) {
  check_failure(
      [](Runtime& runtime) {
        runtime::Mutex mutex(runtime, "m");
        const auto hold = [&] { mutex.lock(); };
        runtime::spawn(runtime, "state.start", hold).join();
        runtime::spawn(runtime, "watch informer", hold).join();
      },
      "deadlock",
      {"main/watch informer waits for mutex 'm'", "which main/state.start holds since step"});
  check_failure(
      [](Runtime& runtime) {
        runtime::spawn(runtime, "state.start", [] { throw std::runtime_error("so"); }).join();
      },
      "exception", {"task main/state.start died of an exception: so"});
  check_failure(
      [](Runtime& runtime) {
        runtime::Shared<int> cell(runtime, 0, "cell");
        const auto task = runtime::spawn(runtime, "state.start", [&] { cell.write() = 1; });
        cell.write() = 2;
        task.join();
      },
      "data race", {"main/state.start writes it"});
}

BOOST_AUTO_TEST_CASE(failures_of_tasks_with_blanks_in_their_names_have_the_places_of_the_circle) {
  const Failure failure = failure_of([](Runtime& runtime) {
    runtime::Mutex mutex(runtime, "m");
    runtime::spawn(runtime, "watch informer", [&] {
      mutex.lock();
      mutex.lock();
    }).join();
  });
  check_says(signature_of(failure), "main/watch informer waits for mutex 'm'");
  BOOST_TEST(signature_of(failure).find("|main waits") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_notification_that_reached_nobody_is_the_one_that_was_lost) {
  std::string lost;
  const Body body = [&](Runtime& runtime) {
    runtime::Mutex mutex(runtime, "m");
    runtime::CondVar changed(runtime, "changed");
    std::atomic<bool> ready = false;  // a plain one would be a data race to ThreadSanitizer
    const runtime::Task waiter = runtime::spawn(runtime, "waiter", [&] {
      runtime::Lock lock(mutex);
      while (!ready) {
        changed.wait(lock);
      }
    });
    const runtime::Task notifier = runtime::spawn(runtime, "notifier", [&] {
      ready = true;  // not under the lock
      lost = this_line(), changed.notify_one();
    });
    notifier.join();
    const runtime::Task other = runtime::spawn(runtime, "other", [&] {
      runtime::Lock lock(mutex);
      changed.wait(lock);
    });
    runtime::sleep_for(runtime, 1ms);
    changed.notify_one();
    other.join();
    waiter.join();
  };
  const ExploreResult result =
      explore({.strategy = "dfs", .schedules_max = 100'000, .continues = true}, body);
  bool seen = false;
  for (const DistinctFailure& failure : result.failures) {
    const Failure& first = failure.first;
    if (first.kind == "deadlock" &&
        first.sentence.find(", a lost wake-up: main/notifier") != std::string::npos) {
      seen = true;
      check_says(first.sentence, "(" + lost + ")");
      const std::string text = explain(first.schedule, body)->in_short();
      if (text.find("The lost wake-up:") != std::string::npos) {
        check_says(text, "main/notifier notifies one of condition 'changed' (" + lost + ")");
      }
    }
  }
  BOOST_TEST(seen);
}

BOOST_AUTO_TEST_CASE(nobody_loses_a_wake_up_of_its_own) {
  const Failure failure = failure_of([](Runtime& runtime) {
    runtime::Mutex mutex(runtime, "m");
    runtime::CondVar changed(runtime, "changed");
    runtime::Lock lock(mutex);
    changed.notify_all();
    changed.wait(lock);
  });
  BOOST_TEST(failure.sentence.find("wake-up") == std::string::npos, failure.sentence);
}

BOOST_AUTO_TEST_CASE(a_use_of_a_closed_channel_names_who_closed_it) {
  std::string closed;
  std::string used;
  const auto after_close = [&](const std::function<void(runtime::Channel<int>&)>& use) {
    return [&closed, use](Runtime& runtime) {
      runtime::Channel<int> work(runtime, 1, "work");
      runtime::spawn(runtime, "closer", [&] { closed = this_line(), work.close(); }).join();
      use(work);
    };
  };
  const auto both = [&](const Body& body, const std::string& does) {
    const Failure failure = failure_of(body);
    BOOST_TEST(failure.kind == "exception");
    check_says(failure.sentence, does + " channel 'work', which is closed, at " + used +
                                     "; main/closer closed it at step");
    check_says(failure.sentence, "(" + closed + ")");
  };
  both(after_close([&](auto& work) { used = this_line(), work.close(); }), "close of");
  both(after_close([&](auto& work) { used = this_line(), work.send(1); }), "send on");
}

BOOST_AUTO_TEST_CASE(a_close_of_a_nil_channel_names_its_line) {
  std::string place;
  const Failure failure = failure_of([&](Runtime& runtime) {
    auto nil = runtime::Channel<int>::nil(runtime);
    place = this_line(), nil.close();
  });
  check_says(failure.sentence, "close of a nil channel at " + place);
}

BOOST_AUTO_TEST_CASE(an_unlock_of_what_is_not_locked_names_the_last_one) {
  std::string before;
  check_failure(
      [&](Runtime& runtime) {
        runtime::Mutex mutex(runtime, "m");
        mutex.lock();
        const auto task = runtime::spawn(runtime, "other", [&] {
          before = this_line(), mutex.unlock();
          runtime::sleep_for(runtime, 1s);
        });
        runtime::sleep_for(runtime, 1ms);
        mutex.unlock();
      },
      "exception",
      {"unlock of mutex 'm', which is not locked, at ", "; main/other unlocked it at"});
  check_failure([](Runtime& runtime) { runtime::Mutex(runtime, "m").unlock(); }, "exception",
                {"unlock of mutex 'm', which is not locked", "; no task has locked it"});
  check_failure(
      [](Runtime& runtime) {
        runtime::SharedMutex mutex(runtime, "m");
        mutex.lock_shared();
        mutex.unlock();
      },
      "exception",
      {"unlock of shared mutex 'm', which is not locked for writing",
       "; the reader main has held it since step"});
  check_failure(
      [](Runtime& runtime) {
        runtime::SharedMutex mutex(runtime, "m");
        mutex.lock();
        mutex.unlock_shared();
      },
      "exception",
      {"read-unlock of shared mutex 'm', which no reader holds",
       "; the writer main has held it since step"});
}

BOOST_AUTO_TEST_CASE(a_once_whose_body_calls_it_waits_for_itself) {
  check_failure(
      [](Runtime& runtime) {
        runtime::Once once(runtime, "init");
        once.call([&] { once.call([] {}); });
      },
      "deadlock", {kAlone, "main waits for once 'init' (", "whose body main runs since step"});
  std::string outer;
  std::string inner;
  const Failure failure = failure_of([&](Runtime&) {
    stdx::once_flag flag;
    const auto nested = [&] { inner = this_line(), stdx::call_once(flag, [] {}); };
    outer = this_line(), stdx::call_once(flag, nested);
  });
  check_says(failure.sentence, kAlone);
  check_says(failure.sentence, "main waits for the once flag of reports_test.cpp:");
  check_says(failure.sentence, "(" + inner + "), which main holds since step");
  check_says(failure.sentence, "(" + outer + ")");
}

BOOST_AUTO_TEST_CASE(an_unlock_by_another_task_names_the_holder_of_locks_of_the_standard) {
  const auto unlocked_elsewhere = [](auto& mutex) {
    return [&mutex](Runtime& runtime) {
      const auto holder = runtime::spawn(runtime, "holder", [&] {
        mutex.lock();
        runtime::sleep_for(runtime, 1s);
        mutex.unlock();
      });
      runtime::sleep_for(runtime, 1ms);
      mutex.unlock();
    };
  };
  stdx::mutex plain;
  stdx::recursive_mutex again;
  stdx::timed_mutex timed;
  stdx::shared_timed_mutex shared;
  for (const Body& body : {Body(unlocked_elsewhere(plain)), Body(unlocked_elsewhere(again)),
                           Body(unlocked_elsewhere(timed)), Body(unlocked_elsewhere(shared))}) {
    check_failure(body, "violation",
                  {"task main unlocks the ", "which it does not hold (reports_test.cpp:",
                   "); main/holder has held it since step"});
  }
}

BOOST_AUTO_TEST_CASE(a_negative_counter_names_who_counted_last) {
  check_failure(
      [](Runtime& runtime) {
        runtime::WaitGroup group(runtime, "g");
        group.add();
        group.done();
        group.done();
      },
      "exception", {"negative counter of wait group 'g' at", "; main counted it last, down to 0"});
}

namespace {

/// Explores and returns the failure of the first run that can have it.
std::optional<Failure> first_failure(std::string_view strategy, const Body& body) {
  return explore({.strategy = std::string(strategy), .schedules_max = 200}, body).failure;
}

}  // namespace

BOOST_AUTO_TEST_CASE(counting_up_from_zero_beside_a_wait_is_a_violation_in_either_order) {
  std::string counts;
  std::string waits;
  for (const std::string_view strategy : {"random", "pct", "dfs", "dpor"}) {
    for (const bool late : {false, true}) {
      const auto failure = first_failure(strategy, [&](Runtime& runtime) {
        runtime::WaitGroup group(runtime, "g");
        const auto task = runtime::spawn(runtime, "t", [&] {
          if (late) {
            runtime::sleep_for(runtime, 1ms);
          }
          counts = this_line(), group.add();
          group.done();
        });
        waits = this_line(), group.wait();
        task.join();
      });
      BOOST_TEST_CONTEXT(strategy) {
        BOOST_REQUIRE(failure.has_value());
        BOOST_TEST(failure->kind == "violation");
        check_says(failure->sentence, "misuse of wait group 'g': main/t counts it up from zero (" +
                                          counts + ") beside the wait of main (" + waits + ")");
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_group_that_is_used_again_before_all_have_returned_is_a_violation) {
  const auto failure = first_failure("random", [](Runtime& runtime) {
    runtime::WaitGroup group(runtime, "g");
    group.add();
    const auto one = runtime::spawn(runtime, "one", [&] {
      group.wait();
      group.add();  // the other wait may not have returned
      group.done();
    });
    const auto two = runtime::spawn(runtime, "two", [&] { group.wait(); });
    group.done();
    one.join();
    two.join();
  });
  BOOST_REQUIRE(failure.has_value());
  check_says(failure->sentence, "misuse of wait group 'g': main/one counts it up from zero");
  check_says(failure->sentence, "beside the wait of main/two");
}

BOOST_AUTO_TEST_CASE(ordered_uses_of_a_group_are_none) {
  const ExploreResult result = explore({.strategy = "dfs"}, [](Runtime& runtime) {
    runtime::WaitGroup group(runtime, "g");
    runtime::Mutex mutex(runtime, "m");
    bool closing = false;
    // Each round is counted up behind the wait of the one before.
    group.start("first", [] {});
    group.wait();
    // Counted up under the lock under which a task says that it is about to wait.
    const auto late = runtime::spawn(runtime, "late", [&] {
      const runtime::Lock lock(mutex);
      if (!closing) {
        group.add();
        group.done();
      }
    });
    {
      const runtime::Lock lock(mutex);
      closing = true;
    }
    group.wait();
    late.join();
  });
  BOOST_TEST(!result.failure.has_value(), (result.failure ? result.failure->sentence : ""));
  BOOST_TEST(result.exhausted);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
