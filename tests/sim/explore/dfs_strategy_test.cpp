// The depth-first search: it plays every run, none twice, and bounds what it says it bounds.
#include "sim/explore/dfs_strategy.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

#include "core/runtime/atomic.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/explore.hpp"
#include "sim/kernel/scheduler.hpp"
#include "tests/sim/explore/enumeration.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(dfs_strategy_test)

namespace {

using runtime::Runtime;

/// `tasks` tasks of `steps` atomic steps each, and nobody who waits for them.
Program walkers(Outcome& outcome, int tasks, int steps) {
  return {"walkers",
          [&outcome, tasks, steps](Runtime& runtime) {
            outcome.clear();
            const auto shared = std::make_shared<runtime::Atomic<int>>(runtime, 0, "shared");
            for (int i = 0; i < tasks; ++i) {
              const std::string name = "walker" + std::to_string(i);
              spawn(runtime, name, [&outcome, &runtime, shared, name, steps] {
                for (int step = 0; step < steps; ++step) {
                  outcome.add(runtime, name, std::to_string(shared->fetch_add(1)));
                }
              });
            }
          },
          &outcome};
}

void two_locks_in_two_orders(Runtime& runtime) {
  runtime::Mutex store(runtime, "store");
  runtime::Mutex queue(runtime, "queue");
  const runtime::Task reader = spawn(runtime, "reader", [&] {
    const runtime::Lock first(store);
    const runtime::Lock second(queue);
  });
  const runtime::Task writer = spawn(runtime, "writer", [&] {
    const runtime::Lock first(queue);
    const runtime::Lock second(store);
  });
  reader.join();
  writer.join();
}

/// Counts preemptions and delays from what really happens, and leaves the choosing to another.
class Counting final : public Strategy {
 public:
  explicit Counting(Strategy& inner) : inner_(inner) {}

  bool prepare(std::size_t run) override { return inner_.prepare(run); }
  void begin(const Scheduler& scheduler) override {
    scheduler_ = &scheduler;
    last_ = nullptr;
    preemptions_ = delays_ = 0;
    inner_.begin(scheduler);
  }
  std::uint32_t choose(const Choice& choice) override {
    const std::uint32_t index = inner_.choose(choice);
    if (choice.kind == ChoiceKind::Actor) {
      delays_ += static_cast<int>(index);
      const bool can_continue = last_ != nullptr && last_->pending().kind != OperationKind::Yield &&
                                last_->slot() != Actor::kNoSlot && scheduler_->is_ready(*last_);
      preemptions_ += can_continue && &scheduler_->option(index) != last_ ? 1 : 0;
    }
    return index;
  }
  bool observes() const override { return true; }
  void executed(const Actor& actor) override {
    last_ = actor.pending().kind == OperationKind::Exit || !actor.is_task() ? nullptr : &actor;
  }
  void end(const RunResult& result) override {
    inner_.end(result);
    if (!inner_.repeated()) {
      by_preemptions[preemptions_].insert(result.digest);
      by_delays[delays_].insert(result.digest);
    }
  }
  bool repeated() const override { return inner_.repeated(); }

  std::map<int, std::multiset<std::uint64_t>> by_preemptions;
  std::map<int, std::multiset<std::uint64_t>> by_delays;

 private:
  Strategy& inner_;
  const Scheduler* scheduler_ = nullptr;
  const Actor* last_ = nullptr;
  int preemptions_ = 0;
  int delays_ = 0;
};

std::multiset<std::uint64_t> up_to(const std::map<int, std::multiset<std::uint64_t>>& runs,
                                   int bound) {
  std::multiset<std::uint64_t> all;
  for (const auto& [spent, digests] : runs) {
    if (spent <= bound) {
      all.insert(digests.begin(), digests.end());
    }
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(plays_every_interleaving_once) {
  Outcome outcome;
  // Each task has one step more: its start.
  const Enumeration two = brute_force(walkers(outcome, 2, 2));
  BOOST_TEST(two.executions == 20U);
  BOOST_TEST(two.exhausted);
  const Enumeration three = brute_force(walkers(outcome, 3, 1));
  BOOST_TEST(three.executions == 90U);
  BOOST_TEST(std::set(three.digests.begin(), three.digests.end()).size() == 90U);
  BOOST_TEST(three.outcomes.size() == 6U);
}

BOOST_AUTO_TEST_CASE(plays_every_combination_of_choices) {
  Outcome outcome;
  const Program program{"choices",
                        [&outcome](Runtime& runtime) {
                          outcome.clear();
                          const std::size_t first = runtime.choose(3, "first");
                          outcome.add(runtime, "main", std::to_string(first));
                          if (first == 1) {
                            outcome.add(runtime, "main", std::to_string(runtime.choose(4, "then")));
                          }
                        },
                        &outcome};
  const Enumeration found = brute_force(program);
  BOOST_TEST(found.executions == 6U);
  BOOST_TEST(found.outcomes.size() == 6U);
}

BOOST_AUTO_TEST_CASE(a_bound_shows_exactly_the_runs_with_so_few_preemptions) {
  Outcome outcome;
  const Program program = walkers(outcome, 3, 2);
  DfsStrategy all({.iterative = false});
  Counting counted(all);
  const Enumeration whole = enumerate(counted, program);
  BOOST_TEST(whole.executions == 1680U);
  for (int bound = 0; bound < 4; ++bound) {
    DfsStrategy bounded({.preemptions_max = bound});
    const Enumeration found = enumerate(bounded, program);
    BOOST_TEST(found.exhausted);
    const bool same = found.digests == up_to(counted.by_preemptions, bound);
    BOOST_TEST(same, "with bound " << bound);
    const std::size_t again = bound == 0 ? 0 : up_to(counted.by_preemptions, bound - 1).size();
    BOOST_TEST(found.repeated >= again);
  }
}

BOOST_AUTO_TEST_CASE(a_bound_shows_exactly_the_runs_with_so_few_delays) {
  Outcome outcome;
  const Program program = walkers(outcome, 3, 2);
  DfsStrategy all({.iterative = false});
  Counting counted(all);
  BOOST_TEST(enumerate(counted, program).exhausted);
  for (int bound = 0; bound < 5; ++bound) {
    DfsStrategy bounded({.delays_max = bound});
    const bool same = enumerate(bounded, program).digests == up_to(counted.by_delays, bound);
    BOOST_TEST(same, "with bound " << bound);
  }
}

BOOST_AUTO_TEST_CASE(without_a_bound_every_run_counts_once) {
  Outcome outcome;
  const Program program = walkers(outcome, 3, 2);
  DfsStrategy stepwise({});
  const Enumeration found = enumerate(stepwise, program);
  const bool same = found.digests == brute_force(program).digests;
  BOOST_TEST(same);
  BOOST_TEST(found.repeated > 0U);
}

BOOST_AUTO_TEST_CASE(leaving_a_task_that_yields_is_free) {
  Outcome outcome;
  const Program program{"yields",
                        [&outcome](Runtime& runtime) {
                          outcome.clear();
                          for (const char* const name : {"a", "b"}) {
                            spawn(runtime, name, [&outcome, &runtime, name] {
                              runtime.yield(runtime::Location::current());
                              outcome.add(runtime, "order", name);
                            });
                          }
                        },
                        &outcome};
  DfsStrategy free({.preemptions_max = 0});
  BOOST_TEST(enumerate(free, program).outcomes.size() == 2U);
}

BOOST_AUTO_TEST_CASE(the_first_failure_has_the_fewest_preemptions) {
  const ExploreResult none =
      explore({.strategy = "dfs", .preemptions_max = 0}, two_locks_in_two_orders);
  BOOST_TEST(!none.failure.has_value());
  BOOST_TEST(none.exhausted);
  const ExploreResult one = explore({.strategy = "dfs"}, two_locks_in_two_orders);
  BOOST_REQUIRE(one.failure.has_value());
  BOOST_TEST(one.failure->kind == "deadlock");
  BOOST_TEST(explore({.strategy = "dfs", .preemptions_max = 1}, two_locks_in_two_orders)
                 .failure.has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
