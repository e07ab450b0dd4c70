// Classes that are written for the standard library, explored as they are: the classes of this
// folder, and the same with a mistake in each. Outside of a world they run on threads.
#include <boost/test/unit_test.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "sim/explain/explain.hpp"
#include "sim/explore/explore.hpp"
#include "sim/kernel/schedule.hpp"
#include "sim/std/atomic.hpp"
#include "sim/std/condition_variable.hpp"
#include "sim/std/future.hpp"
#include "sim/std/mutex.hpp"
#include "sim/std/thread.hpp"

namespace wild {
namespace std = ::watchlab::stdx;
}
namespace planted {
namespace std = ::watchlab::stdx;
}

#include "tests/sim/std/bounded_queue.hpp"
#include "tests/sim/std/planted_bounded_queue.hpp"
#include "tests/sim/std/planted_rcu_cell.hpp"
#include "tests/sim/std/planted_thread_pool.hpp"
#include "tests/sim/std/rcu_cell.hpp"
#include "tests/sim/std/thread_pool.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(wild_classes_test)

namespace {

using Body = std::function<void(runtime::Runtime&)>;

/// Two put in and two take out, through one place.
template <typename Queue>
void hand_over() {
  Queue queue(2);
  stdx::atomic<int> sum{0};
  std::vector<stdx::thread> threads;
  for (int i = 1; i <= 2; ++i) {
    threads.emplace_back([&] { sum += *queue.pop(); });
  }
  for (int i = 1; i <= 2; ++i) {
    threads.emplace_back([&queue, i] { queue.push(i); });
  }
  for (stdx::thread& thread : threads) {
    thread.join();
  }
  queue.close();
  runtime::ensure(sum == 3 && !queue.pop(), "all that was put in is taken out, once");
}

template <typename Pool>
void do_two_tasks() {
  stdx::future<int> result;
  stdx::watched<int> sum{0};
  {
    Pool pool(2);
    result = pool.submit([] { return 40; });
    pool.submit([&sum] { sum = 2; });
  }
  runtime::ensure(result.get() + sum.get() == 42, "the pool has done its tasks when it goes");
}

template <typename Cell>
void replace_twice() {
  Cell cell(stdx::watched<int>(0));
  stdx::thread reader([&cell] {
    int last = 0;
    for (int i = 0; i < 2; ++i) {
      cell.read([&last](const stdx::watched<int>& value) {
        runtime::ensure(value >= last, "a reader never sees an older value");
        last = value;
      });
    }
  });
  cell.update(stdx::watched<int>(1));
  cell.update(stdx::watched<int>(2));
  reader.join();
}

using IntQueue = wild::BoundedQueue<int>;
using PlantedQueue = planted::BoundedQueue<int>;
using IntCell = wild::RcuCell<stdx::watched<int>>;
using PlantedCell = planted::RcuCell<stdx::watched<int>>;

Body in_world(void (*use)()) {
  return [use](runtime::Runtime&) { use(); };
}

/// No schedule of a few thousand finds anything, whoever chooses them.
void check_held(void (*use)()) {
  for (const char* const strategy : {"random", "pct", "pos"}) {
    const ExploreResult result =
        explore({.strategy = strategy, .schedules_max = 1000}, in_world(use));
    BOOST_TEST(!result.failure, strategy << ": " << result.failure.value_or(Failure{}).sentence);
  }
}

/// The mistake is found, becomes short, and is explained.
void check_found(void (*use)(), const std::string& kind, const std::string& explanation) {
  const ExploreResult result =
      explore({.strategy = "random", .schedules_max = 20'000}, in_world(use));
  BOOST_REQUIRE(result.failure);
  BOOST_TEST(result.failure->kind == kind);
  const Failure shortest = shrink(*result.failure, in_world(use));
  BOOST_TEST(Schedule::parse(shortest.schedule).deviations.size() <= 3U);
  const std::optional<Explanation> explained = explain(shortest.schedule, in_world(use));
  BOOST_REQUIRE(explained);
  const std::string text = explained->to_string();
  BOOST_TEST_MESSAGE(shortest.sentence << '\n' << text);
  BOOST_TEST(text.find(explanation) != std::string::npos, text);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_bounded_queue_hands_over_all) { check_held(hand_over<IntQueue>); }
BOOST_AUTO_TEST_CASE(a_thread_pool_does_all) { check_held(do_two_tasks<wild::ThreadPool>); }
BOOST_AUTO_TEST_CASE(a_replaced_value_is_freed_behind_its_readers) {
  check_held(replace_twice<IntCell>);
}

BOOST_AUTO_TEST_CASE(a_push_that_wakes_too_rarely_is_found) {
  check_found(hand_over<PlantedQueue>, "deadlock", "planted_bounded_queue.hpp");
}
BOOST_AUTO_TEST_CASE(an_end_that_is_announced_without_the_lock_is_found) {
  check_found(do_two_tasks<planted::ThreadPool>, "deadlock", "planted_thread_pool.hpp");
}
BOOST_AUTO_TEST_CASE(a_reader_that_is_not_waited_for_is_found) {
  check_found(replace_twice<PlantedCell>, "data race", "planted_rcu_cell.hpp");
}

BOOST_AUTO_TEST_CASE(outside_of_a_world_they_run_on_threads) {
  for (int i = 0; i < 50; ++i) {
    hand_over<IntQueue>();
    do_two_tasks<wild::ThreadPool>();
    replace_twice<IntCell>();
  }
  BOOST_TEST(stdx::world_here() == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
