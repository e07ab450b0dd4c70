// What sampling strategies promise of the shares in which they draw (by chi-square, with fixed
// seeds), and that none of them starves a task that others wait for.
#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <tuple>

#include "core/runtime/atomic.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/wait_group.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/random_strategy.hpp"
#include "sim/explore/strategy_catalogue.hpp"
#include "sim/explore/strategy_decorator.hpp"
#include "sim/explore/urw_strategy.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(uniformity_test)

namespace {

using runtime::Atomic;
using runtime::Runtime;
using runtime::Task;
using Shares = std::map<std::string, std::size_t>;
using Body = std::function<std::string(Runtime&)>;

constexpr std::size_t kRuns = 20'000;

/// How often each outcome came, after the runs that a strategy learns from.
Shares shares(Strategy& strategy, const Body& body) {
  World world;
  Shares counts;
  for (std::size_t run = 0; run < kRuns + kCalibrationRuns; ++run) {
    BOOST_REQUIRE(strategy.prepare(run));
    std::string outcome;
    const RunResult result =
        world.run(strategy, [&](Runtime& runtime) { outcome = body(runtime); });
    BOOST_REQUIRE(!result.failure.has_value());
    if (run >= kCalibrationRuns) {
      ++counts[outcome];
    }
  }
  return counts;
}

/// By how many standard deviations of chi-square the shares are off those of `classes` outcomes
/// that are equally likely. Beyond 4 it is no chance.
double excess(const Shares& counts, std::size_t classes) {
  const double expected = static_cast<double>(kRuns) / static_cast<double>(classes);
  double sum = static_cast<double>(classes - counts.size()) * expected;
  for (const auto& [outcome, count] : counts) {
    const double off = static_cast<double>(count) - expected;
    sum += off * off / expected;
  }
  const double degrees = static_cast<double>(classes - 1);
  return (sum - degrees) / std::sqrt(2 * degrees);
}

/// Three tasks of two, one and three events; the third is started by the first, after an event.
std::string three_tasks(Runtime& runtime, int noise) {
  Atomic<int> place(runtime, 0, "place");
  Atomic<int> other(runtime, 0, "other");
  std::string order;
  const auto work = [&](char name, int events) {
    for (int i = 0; i < events; ++i) {
      for (int n = 0; n < noise; ++n) {
        std::ignore = other.load();
      }
      place.fetch_add(1);
      order += name;
    }
  };
  const Task a = spawn(runtime, "a", [&] {
    work('a', 1);
    const Task c = spawn(runtime, "c", [&] { work('c', 3); });
    work('a', 1);
    c.join();
  });
  const Task b = spawn(runtime, "b", [&] { work('b', 1); });
  a.join();
  b.join();
  return order;
}

/// An `a` first among the a and c, then any order of one a and three c; a b anywhere.
constexpr std::size_t kThreeTasks = 4 * 6;

/// Of a task that works alone for long and one that has a single event.
std::string long_and_short(Runtime& runtime) {
  Atomic<int> place(runtime, 0, "place");
  int before = 0;
  const Task long_one = spawn(runtime, "long", [&] {
    for (int i = 0; i < 19; ++i) {
      place.fetch_add(1);
    }
  });
  const Task short_one = spawn(runtime, "short", [&] { before = place.fetch_add(1); });
  long_one.join();
  short_one.join();
  return std::to_string(before);
}

/// Counts which alternatives of decisions among so many a strategy takes.
class Alternatives final : public StrategyDecorator {
 public:
  Alternatives(Strategy& inner, std::uint32_t options)
      : StrategyDecorator(inner), options_(options) {}

  [[nodiscard]] std::uint32_t choose(const Choice& choice) override {
    const std::uint32_t index = StrategyDecorator::choose(choice);
    if (choice.options == options_ && total_ < kRuns) {
      ++total_;
      ++counts_[std::to_string(index)];
    }
    return index;
  }
  [[nodiscard]] const Shares& counts() const { return counts_; }
  [[nodiscard]] std::size_t total() const { return total_; }

 private:
  std::uint32_t options_;
  std::size_t total_ = 0;
  Shares counts_;
};

/// Takes the first alternative one time in twenty where the other would have taken another.
class Biased final : public StrategyDecorator {
 public:
  using StrategyDecorator::StrategyDecorator;

  [[nodiscard]] std::uint32_t choose(const Choice& choice) override {
    const std::uint32_t index = StrategyDecorator::choose(choice);
    return choice.kind == ChoiceKind::Actor && numbers_.below(20) == 0 ? 0 : index;
  }

 private:
  RandomNumbers numbers_{99};
};

// Correct programs that poll politely. Each ends under every fair schedule.

void spin_for_one_that_works(Runtime& runtime) {
  Atomic<int> work(runtime, 0, "work");
  Atomic<bool> done(runtime, false, "done");
  const Task worker = spawn(runtime, "worker", [&] {
    for (int i = 0; i < 5; ++i) {
      work.fetch_add(1);
    }
    done.store(true);
  });
  while (!done.load()) {
    runtime.yield(runtime::Location::current());
  }
  worker.join();
}

void spin_in_a_chain(Runtime& runtime) {
  Atomic<int> turn(runtime, 0, "turn");
  Atomic<int> shared(runtime, 0, "shared");
  runtime::WaitGroup group(runtime);
  for (const int mine : {2, 1, 0}) {
    group.start("link", [&, mine] {
      while (turn.load() != mine) {
        runtime.yield(runtime::Location::current());
      }
      shared.fetch_add(1);
      shared.fetch_add(1);
      turn.store(mine + 1);
    });
  }
  group.wait();
}

/// Whoever is held back on one object lets two others spin on another, who use the first one later.
void spin_across_two_objects(Runtime& runtime) {
  Atomic<int> first(runtime, 0, "first");
  Atomic<bool> open(runtime, false, "open");
  runtime::WaitGroup group(runtime);
  for (int i = 0; i < 2; ++i) {
    group.start("spinner", [&] {
      while (!open.load()) {
        runtime.yield(runtime::Location::current());
      }
      for (int n = 0; n < 10; ++n) {
        first.fetch_add(1);
      }
    });
  }
  first.fetch_add(1);
  first.fetch_add(1);
  open.store(true);
  group.wait();
}

void a_spin_lock(Runtime& runtime) {
  Atomic<bool> locked(runtime, false, "locked");
  Atomic<int> count(runtime, 0, "count");
  runtime::WaitGroup group(runtime);
  for (int task = 0; task < 3; ++task) {
    group.start("task", [&] {
      while (locked.exchange(true)) {
        runtime.yield(runtime::Location::current());
      }
      const int seen = count.load();
      count.store(seen + 1);
      locked.store(false);
    });
  }
  group.wait();
  runtime::ensure(count.load() == 3, "the spin lock does not lock");
}

void polls_of_a_mutex_a_channel_and_a_task(Runtime& runtime) {
  runtime::Mutex mutex(runtime, "mutex");
  const runtime::Channel<int> values(runtime, 0, "values");
  const Task sender = spawn(runtime, "sender", [&] {
    mutex.lock();
    while (!values.try_send(1)) {
      runtime.yield(runtime::Location::current());
    }
    mutex.unlock();
  });
  values.receive();
  while (!mutex.try_lock()) {
    runtime.yield(runtime::Location::current());
  }
  mutex.unlock();
  while (!sender.done()) {
    runtime.yield(runtime::Location::current());
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_takes_every_alternative_equally_often) {
  for (const std::uint32_t options : {2U, 3U}) {
    RandomStrategy random(3);
    Alternatives counted(random, options);
    World world;
    for (std::size_t run = 0; counted.total() < kRuns; ++run) {
      BOOST_REQUIRE(counted.prepare(run));
      (void)world.run(counted, [](Runtime& runtime) { (void)three_tasks(runtime, 0); });
    }
    BOOST_TEST(excess(counted.counts(), options) < 4, "among " << options);
  }
}

BOOST_AUTO_TEST_CASE(urw_draws_every_interleaving_of_events_equally_often) {
  UrwStrategy urw(3);
  BOOST_TEST(excess(shares(urw, [](Runtime& runtime) { return three_tasks(runtime, 0); }),
                    kThreeTasks) < 4);
  UrwStrategy again(4);
  BOOST_TEST(excess(shares(again, long_and_short), 20) < 4);
}

BOOST_AUTO_TEST_CASE(surw_draws_every_interleaving_on_its_object_equally_often) {
  for (const int noise : {0, 2}) {
    SurwStrategy surw(3);
    const Shares counts = shares(surw, [&](Runtime& runtime) {
      // Only one object that several tasks use: the other one's reads are each task's own.
      return three_tasks(runtime, noise);
    });
    if (noise == 0) {
      BOOST_TEST(excess(counts, kThreeTasks) < 4);
    } else {
      BOOST_TEST(counts.size() == kThreeTasks);  // half of the runs are uniform on the other object
    }
  }
  SurwStrategy again(4);
  BOOST_TEST(excess(shares(again, long_and_short), 20) < 4);
}

BOOST_AUTO_TEST_CASE(a_small_bias_would_be_seen) {
  const Body body = [](Runtime& runtime) { return three_tasks(runtime, 0); };
  UrwStrategy urw(3);
  Biased biased_urw(urw);
  BOOST_TEST(excess(shares(biased_urw, body), kThreeTasks) > 8);
  SurwStrategy surw(3);
  Biased biased_surw(surw);
  BOOST_TEST(excess(shares(biased_surw, body), kThreeTasks) > 8);
  RandomStrategy random(3);
  Biased biased_random(random);
  Alternatives counted(biased_random, 2);
  World world;
  for (std::size_t run = 0; counted.total() < kRuns; ++run) {
    BOOST_REQUIRE(counted.prepare(run));
    (void)world.run(counted, [&](Runtime& runtime) { (void)body(runtime); });
  }
  BOOST_TEST(excess(counted.counts(), 2) > 8);
}

BOOST_AUTO_TEST_CASE(the_start_of_a_task_comes_at_any_moment_before_its_first_event) {
  UrwStrategy urw(3);
  const Shares counts = shares(urw, [](Runtime& runtime) {
    Atomic<int> place(runtime, 0, "place");
    std::string order;
    const Task child = spawn(runtime, "child", [&] {
      order += 's';
      place.fetch_add(1);
      order += 'c';
    });
    for (int i = 0; i < 2; ++i) {
      place.fetch_add(1);
      order += 'm';
    }
    child.join();
    return order;
  });
  BOOST_TEST(counts.size() == 6U);  // an s somewhere before the c, two m
}

BOOST_AUTO_TEST_CASE(no_sampling_strategy_calls_a_polite_loop_a_livelock) {
  const std::map<std::string, std::function<void(Runtime&)>> programs{
      {"worker", spin_for_one_that_works},
      {"chain", spin_in_a_chain},
      {"two objects", spin_across_two_objects},
      {"spin lock", a_spin_lock},
      {"polls", polls_of_a_mutex_a_channel_and_a_task}};
  for (const StrategyEntry& entry : strategy_catalogue()) {
    if (entry.sampling == Sampling::No && entry.name != "fifo") {
      continue;  // dfs and dpor show unfair schedules too, and say so
    }
    for (const auto& [name, body] : programs) {
      for (const std::uint64_t seed : {1U, 2U, 3U}) {
        for (const bool reduce : {false, true}) {
          const ExploreResult result = explore({.strategy = std::string(entry.name),
                                                .seed = seed,
                                                .schedules_max = 1'000,
                                                .steps_max = 4'000,
                                                .reduce = reduce},
                                               body);
          BOOST_TEST(!result.failure.has_value(),
                     entry.name << " on " << name << " with seed " << seed << " after "
                                << result.executions << ": "
                                << result.failure.value_or(Failure{}).sentence);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
