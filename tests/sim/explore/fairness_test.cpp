// Only a fair schedule shows a livelock: a loop that changes nothing lets others go, under every
// strategy, and one that nobody can end is found at once.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/runtime/atomic.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/time.hpp"
#include "sim/explore/dpor_strategy.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/strategy_catalogue.hpp"
#include "sim/kernel/schedule.hpp"
#include "sim/std/atomic.hpp"
#include "sim/std/future.hpp"
#include "sim/std/mutex.hpp"
#include "sim/std/semaphore.hpp"
#include "sim/std/thread.hpp"
#include "tests/sim/explore/enumeration.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(fairness_test)

namespace {

using namespace std::chrono_literals;
using runtime::Atomic;
using runtime::Channel;
using runtime::Lock;
using runtime::Mutex;
using runtime::Runtime;
using runtime::Select;
using runtime::spawn;
using runtime::Task;

using Body = std::function<void(Runtime&)>;

struct Program {
  std::string name;
  Body body;
};

/// A task that loops until the end of the other half of the program lets it.
Program beside(std::string name, const std::function<void(Runtime&, Atomic<int>&)>& loop) {
  return {std::move(name), [loop](Runtime& runtime) {
            Atomic<int> flag(runtime, 0, "flag");
            const Task task = spawn(runtime, "loop", [&] { loop(runtime, flag); });
            flag.store(1);
            task.join();
          }};
}

bool is_polled(Runtime& runtime, const Channel<int>& channel) {
  Select select(runtime);
  return select.receive(channel).poll().has_value();
}

void send_by_polls(Runtime& runtime, const std::function<void()>& between) {
  Channel<int> channel(runtime, 0, "channel");
  const Task task = spawn(runtime, "loop", [&] {
    for (bool sent = false; !sent; between()) {
      Select select(runtime);
      sent = select.send(channel, 1).poll().has_value();
    }
  });
  (void)channel.receive();
  task.join();
}

/// Correct programs with loops that change nothing until another task does.
std::vector<Program> loops_on_flags() {
  return {
      beside("load",
             [](Runtime&, Atomic<int>& flag) {
               while (flag.load() == 0) {
               }
             }),
      beside("exchange",
             [](Runtime&, Atomic<int>& flag) {
               for (int expected = 1; !flag.compare_exchange(expected, 2);) {
                 expected = 1;
               }
             }),
      beside("work first",
             [](Runtime& runtime, Atomic<int>& flag) {
               Atomic<int> work(runtime, 0, "work");
               for (int i = 0; i < 5; ++i) {
                 work.fetch_add(1);
               }
               while (flag.load() == 0) {
                 runtime.yield(runtime::Location::current());
               }
             }),
      beside("clock and flag",
             [](Runtime& runtime, Atomic<int>& flag) {
               const auto end = runtime.now() + 1s;
               while (flag.load() == 0 && runtime.now() < end) {
               }
             }),
      beside("clock alone",
             [](Runtime& runtime, Atomic<int>&) {
               const auto end = runtime.now() + 1s;
               while (runtime.now() < end) {
               }
             }),
      {"two spinners",
       [](Runtime& runtime) {
         Atomic<int> ping(runtime, 0, "ping");
         Atomic<int> pong(runtime, 0, "pong");
         const Task task = spawn(runtime, "other", [&] {
           while (ping.load() == 0) {
           }
           pong.store(1);
         });
         ping.store(1);
         while (pong.load() == 0) {
         }
         task.join();
       }},
      {"beside a sleeper",
       [](Runtime& runtime) {
         Atomic<int> flag(runtime, 0, "flag");
         const Task task = spawn(runtime, "loop", [&] {
           while (flag.load() == 0) {
           }
         });
         runtime.sleep_until(runtime.now() + 1h, runtime::Location::current());
         flag.store(1);
         task.join();
       }},
  };
}

std::vector<Program> loops_on_channels() {
  return {
      {"poll",
       [](Runtime& runtime) {
         Channel<int> stop(runtime, 0, "stop");
         const Task task = spawn(runtime, "loop", [&] {
           while (!is_polled(runtime, stop)) {
           }
         });
         stop.close();
         task.join();
       }},
      {"poll of two",
       [](Runtime& runtime) {
         Channel<int> one(runtime, 0, "one");
         Channel<int> two(runtime, 1, "two");
         const Task task = spawn(runtime, "loop", [&] {
           for (bool found = false; !found;) {
             Select select(runtime);
             found = select.receive(one).receive(two).poll().has_value();
           }
         });
         two.send(1);
         task.join();
       }},
      {"poll to send", [](Runtime& runtime) { send_by_polls(runtime, [] {}); }},
      {"poll to send, and yield",
       [](Runtime& runtime) {
         send_by_polls(runtime, [&] { runtime.yield(runtime::Location::current()); });
       }},
  };
}

std::vector<Program> loops_on_locks_and_sizes() {
  return {
      {"try_lock",
       [](Runtime& runtime) {
         Mutex mutex(runtime, "mutex");
         mutex.lock();
         const Task task = spawn(runtime, "loop", [&] {
           while (!mutex.try_lock()) {
           }
           mutex.unlock();
         });
         mutex.unlock();
         task.join();
       }},
      {"size",
       [](Runtime& runtime) {
         Channel<int> channel(runtime, 1, "channel");
         const Task task = spawn(runtime, "loop", [&] {
           while (channel.size() == 0) {
           }
         });
         channel.send(1);
         task.join();
       }},
      {"done",
       [](Runtime& runtime) {
         const Task task = spawn(runtime, "task", [] {});
         while (!task.done()) {
         }
         task.join();
       }},
  };
}

std::vector<Program> loops_of_std() {
  return {
      {"private objects",
       [](Runtime&) {
         stdx::atomic<int> a(0);
         stdx::atomic<int> b(0);
         stdx::thread other([&] { b.store(1); });
         for (int known = a.load(); known == b.load(); known = a.load()) {
         }
         other.join();
       }},
      {"spin lock",
       [](Runtime&) {
         stdx::atomic_flag held;
         int count = 0;
         const auto work = [&] {
           while (held.test_and_set()) {
           }
           ++count;
           held.clear();
         };
         stdx::thread other(work);
         work();
         other.join();
         runtime::ensure(count == 2, "both count");
       }},
      {"try_acquire",
       [](Runtime&) {
         stdx::counting_semaphore<1> free(0);
         stdx::thread other([&] { free.release(); });
         while (!free.try_acquire()) {
         }
         other.join();
       }},
      {"wait_for nothing",
       [](Runtime&) {
         stdx::promise<int> promise;
         stdx::future<int> future = promise.get_future();
         stdx::thread other([&] { promise.set_value(1); });
         while (future.wait_for(0s) != std::future_status::ready) {
         }
         runtime::ensure(future.get() == 1, "the value is there");
         other.join();
       }},
  };
}

const std::string kClause = "a loop that changes nothing lets others go after 2 turns";

ExploreResult explored(const std::string& strategy, const Body& body, bool exhaustible = true) {
  const bool searches = exhaustible && (strategy == "dfs" || strategy == "dpor");
  const std::size_t runs = searches ? 5'000 : 100;
  return explore({.strategy = strategy, .schedules_max = runs}, body);
}

void check_under_all(const Program& program, bool exhaustible) {
  for (const StrategyEntry& entry : strategy_catalogue()) {
    const std::string strategy(entry.name);
    const ExploreResult result = explored(strategy, program.body, exhaustible);
    BOOST_TEST(!result.failure.has_value(), strategy
                                                << " of " << program.name << ": "
                                                << result.failure.value_or(Failure{}).sentence);
    if (exhaustible && (strategy == "dfs" || strategy == "dpor")) {
      BOOST_TEST(result.exhausted, strategy << " of " << program.name);
      const auto& clauses = result.relative_to;
      BOOST_TEST(std::count(clauses.begin(), clauses.end(), kClause) == 1, verdict(result));
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_loop_that_changes_nothing_lets_others_go) {
  for (const auto& programs :
       {loops_on_flags(), loops_on_channels(), loops_on_locks_and_sizes(), loops_of_std()}) {
    for (const Program& program : programs) {
      check_under_all(program, true);
    }
  }
}

// That it changes nothing cannot be seen: after many steps everybody else comes to go.
BOOST_AUTO_TEST_CASE(a_loop_that_locks_lets_others_go_after_a_while) {
  check_under_all({"lock",
                   [](Runtime& runtime) {
                     Mutex mutex(runtime, "mutex");
                     bool stopped = false;
                     const Task task = spawn(runtime, "loop", [&] {
                       for (bool seen = false; !seen;) {
                         const Lock lock(mutex);
                         seen = stopped;
                       }
                     });
                     {
                       const Lock lock(mutex);
                       stopped = true;
                     }
                     task.join();
                   }},
                  false);
}

BOOST_AUTO_TEST_CASE(a_loop_that_nobody_can_end_is_found_at_once_and_named) {
  const std::vector<Program> programs{
      {"main repeats: read cell 'flag' (fairness_test.cpp:",
       [](Runtime& runtime) {
         Atomic<int> flag(runtime, 0, "flag");
         const Task task = spawn(runtime, "other", [&] {
           while (flag.load() == 0) {
           }
         });
         while (flag.load() == 0) {
         }
       }},
      {"main repeats: try to lock mutex 'mutex'",
       [](Runtime& runtime) {
         Mutex mutex(runtime, "mutex");
         const Task task = spawn(runtime, "ends", [&] { mutex.lock(); });
         task.join();
         while (!mutex.try_lock()) {
           runtime.yield(runtime::Location::current());
         }
       }},
      {"main repeats: poll channel 'never'",
       [](Runtime& runtime) {
         Channel<int> never(runtime, 0, "never");
         while (!is_polled(runtime, never)) {
         }
       }},
      {"main repeats: read cell 'flag'",
       [](Runtime& runtime) {
         Atomic<int> flag(runtime, 0, "flag");
         const auto begin = runtime.now();
         while (flag.load() == 0 && runtime.now() >= begin) {
         }
       }},
  };
  for (const Program& program : programs) {
    for (const StrategyEntry& entry : strategy_catalogue()) {
      const ExploreResult result = explored(std::string(entry.name), program.body);
      BOOST_REQUIRE(result.failure.has_value());
      BOOST_TEST(result.failure->kind == "livelock");
      BOOST_TEST(result.failure->steps < 5'000U);
      BOOST_TEST(result.failure->sentence.find(program.name) != std::string::npos,
                 entry.name << ": " << result.failure->sentence);
      const auto again = replay(result.failure->schedule, program.body);
      BOOST_REQUIRE(again.has_value());
      BOOST_TEST(again->sentence == result.failure->sentence);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_run_that_always_changes_something_has_no_end_and_is_no_livelock) {
  for (const StrategyEntry& entry : strategy_catalogue()) {
    const ExploreResult result =
        explore({.strategy = std::string(entry.name), .schedules_max = 10, .steps_max = 20'000},
                [](Runtime& runtime) {
                  Atomic<int> count(runtime, 0, "count");
                  for (;;) {
                    count.fetch_add(1);
                  }
                });
    BOOST_REQUIRE(result.failure.has_value());
    BOOST_TEST(result.failure->kind == "no end");
    BOOST_TEST(result.failure->sentence.starts_with("no end within 20000 steps"));
  }
}

// What a loop does when it gives up is seen too, before and after others go.
BOOST_AUTO_TEST_CASE(a_loop_with_an_end_may_come_to_it_first) {
  for (const char* const strategy : {"dfs", "dpor"}) {
    std::set<std::string> outcomes;
    std::string outcome;
    ExploreOptions options{.strategy = strategy, .schedules_max = 10'000};
    options.completed = [&](const CompletedRun&) { outcomes.insert(outcome); };
    const ExploreResult result = explore(options, [&](Runtime& runtime) {
      Mutex mutex(runtime, "mutex");
      Atomic<int> given_up(runtime, 0, "given_up");
      mutex.lock();
      const Task task = spawn(runtime, "tries", [&] {
        for (int i = 0; i < 5; ++i) {
          if (mutex.try_lock()) {
            mutex.unlock();
            return;
          }
        }
        given_up.store(1);
      });
      outcome = given_up.load() == 1 ? "first" : "";
      mutex.unlock();
      task.join();
      outcome += given_up.load() == 1 ? " given up" : " locked";
    });
    BOOST_TEST(result.exhausted);
    BOOST_TEST((outcomes == std::set<std::string>{"first given up", " given up", " locked"}));
  }
}

namespace {

/// What four looks at what another task writes have seen, as digits.
int looks_at_a_write(Runtime& runtime) {
  Atomic<int> flag(runtime, 0, "flag");
  const Task task = spawn(runtime, "writer", [&] { flag.store(1); });
  int seen = 0;
  for (int i = 0; i < 4; ++i) {
    seen = 10 * seen + flag.load();
  }
  task.join();
  return seen;
}

}  // namespace

// After two equal turns it is asked whether the loop goes on, and when it then ends by itself, the
// search begins anew and lets it look so often.
BOOST_AUTO_TEST_CASE(a_loop_with_an_end_is_looked_at_turn_by_turn) {
  for (const std::string strategy : {"dfs", "dpor"}) {
    std::set<int> all;
    int seen = 0;
    const auto body = [&](Runtime& runtime) { seen = looks_at_a_write(runtime); };
    const auto completed = [&](const CompletedRun&) { all.insert(seen); };
    const ExploreResult result = explore({.strategy = strategy, .completed = completed}, body);
    BOOST_TEST((all == std::set<int>{0, 1, 11, 111, 1111}));
    BOOST_TEST(verdict(result) == "exhausted");
    BOOST_TEST(result.restarts == 1U);
  }
}

BOOST_AUTO_TEST_CASE(what_a_loop_with_an_end_finds_replays) {
  for (const std::string strategy : {"dfs", "dpor", "random"}) {
    const auto body = [](Runtime& runtime) {
      runtime::ensure(looks_at_a_write(runtime) != 1, "it is not written before the last look");
    };
    const ExploreResult result = explore({.strategy = strategy}, body);
    BOOST_REQUIRE(result.failure.has_value());
    const Schedule schedule = Schedule::parse(result.failure->schedule);
    BOOST_TEST(schedule.equal_turns > kEqualTurns);
    BOOST_TEST(schedule.to_string() == result.failure->schedule);
    const std::optional<Failure> again = replay(result.failure->schedule, body);
    BOOST_REQUIRE(again.has_value());
    BOOST_TEST(again->sentence == result.failure->sentence);
  }
}

namespace {

std::set<std::string> outcomes(std::optional<DporStrategy::Mode> mode) {
  std::set<std::string> all;
  std::string outcome;
  ExploreOptions options{.strategy = mode ? "dpor" : "dfs", .schedules_max = 100'000};
  if (mode) {
    options.instead = [mode] { return std::make_unique<DporStrategy>(*mode); };
  }
  options.completed = [&](const CompletedRun&) { all.insert(outcome); };
  const ExploreResult result = explore(options, [&](Runtime& runtime) {
    Atomic<int> one(runtime, 0, "one");
    Atomic<int> two(runtime, 0, "two");
    const Task first = spawn(runtime, "first", [&] { one.store(1); });
    const Task second = spawn(runtime, "second", [&] { two.store(1); });
    int left = 0;
    int right = 0;
    do {
      left = one.load();
      right = two.load();
    } while (left + right == 0);
    outcome = std::to_string(left) + std::to_string(right);
    first.join();
    second.join();
  });
  BOOST_TEST(result.exhausted);
  return all;
}

}  // namespace

namespace {

struct Counted {
  sim::Program program;
  std::size_t classes;
};

void wait_for_either(const Atomic<int>& first, const Atomic<int>& second) {
  int one = 0;
  int other = 0;
  do {
    one = first.load();
    other = second.load();
  } while (one + other == 0);
}

std::vector<Counted> loops_beside_writes(Outcome& outcome) {
  const auto beside_writer = [](Runtime& runtime, const auto& loop, const auto& write) {
    Atomic<int> one(runtime, 0, "one");
    Atomic<int> two(runtime, 0, "two");
    const Task looks = spawn(runtime, "looks", [&] { loop(one, two); });
    const Task writes = spawn(runtime, "writes", [&] { write(one, two); });
    looks.join();
    writes.join();
  };
  return {{{"a loop that one write releases",
            [=](Runtime& runtime) {
              beside_writer(
                  runtime,
                  [](auto& one, auto&) {
                    (void)one.load();
                    while (one.load() == 0) {
                    }
                    (void)one.load();
                  },
                  [](auto& one, auto& two) {
                    one.store(1);
                    wait_for_either(one, two);
                  });
            },
            &outcome},
           6},
          {{"a loop that either of two releases",
            [=](Runtime& runtime) {
              beside_writer(
                  runtime,
                  [](auto& one, auto& two) {
                    wait_for_either(two, one);
                    one.store(1);
                  },
                  [](auto& /*one*/, auto& two) {
                    two.store(1);
                    two.store(2);
                    while (two.load() == 0) {
                    }
                  });
            },
            &outcome},
           13}};
}

}  // namespace

// What a task that waits has looked at is what its step depends on, and on several changes less.
BOOST_AUTO_TEST_CASE(dpor_plays_as_many_runs_of_loops_as_there_are_classes) {
  Outcome outcome;
  for (const Counted& each : loops_beside_writes(outcome)) {
    for (const auto mode : {DporStrategy::Mode::SourceSets, DporStrategy::Mode::WakeupTrees}) {
      DporStrategy strategy(mode);
      const Enumeration found = enumerate(strategy, each.program);
      BOOST_TEST(found.exhausted);
      BOOST_TEST(found.executions == each.classes, each.program.name << found.executions);
    }
  }
}

// Each of two writes may be the one that lets the loop go on; the other comes before or after.
BOOST_AUTO_TEST_CASE(dpor_sees_a_loop_released_by_either_of_two) {
  const std::set<std::string> expected{"01", "10", "11"};
  BOOST_TEST((outcomes(std::nullopt) == expected));
  BOOST_TEST((outcomes(DporStrategy::Mode::SourceSets) == expected));
  BOOST_TEST((outcomes(DporStrategy::Mode::WakeupTrees) == expected));
}

// This one failed: the third attempt passed for one more of the first two.
BOOST_AUTO_TEST_CASE(an_attempt_to_read_lock_is_no_turn_of_attempts_to_write_lock) {
  const auto body = [](Runtime&) {
    stdx::shared_mutex mutex;
    mutex.lock_shared();
    stdx::thread other([&] {
      const auto attempt = [&](bool reads) {
        return reads ? mutex.try_lock_shared() : mutex.try_lock();
      };
      runtime::ensure(!attempt(false) && !attempt(false), "there is a reader");
      runtime::ensure(attempt(true), "there may be another");
      mutex.unlock_shared();
    });
    other.join();
    mutex.unlock_shared();
  };
  for (const char* const strategy : {"dfs", "dpor", "random"}) {
    BOOST_TEST(!explore({.strategy = strategy, .schedules_max = 100}, body).failure.has_value());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
