#include "exercises/toolkit/uneven_walk.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/explore.hpp"

namespace watchlab::course {
BOOST_AUTO_TEST_SUITE(uneven_walk_test)

namespace {

constexpr std::size_t kRuns = 400;

/// How often another task runs, on average, during a call that locks so many times. Without a lot
/// every way to go on is equally likely.
double runs_during(int locks, std::uint64_t lot) {
  int runs = 0;
  CallListener* listener = nullptr;
  sim::ExploreOptions options{.strategy = "random", .schedules_max = kRuns};
  if (lot != 0) {
    options.instead = [&] {
      auto walk = std::make_unique<UnevenWalk>(1, lot);
      listener = walk.get();
      return walk;
    };
  }
  const auto result = sim::explore(options, [&](runtime::Runtime& runtime) {
    runtime::Mutex mutex(runtime, "library");
    bool is_called = false;
    bool is_over = false;
    const auto other = runtime::spawn(runtime, "other", [&] {
      { const runtime::Lock lock(mutex); }  // what one task alone uses is no choice
      while (!is_over) {
        runs += is_called ? 1 : 0;
        runtime.yield(runtime::Location::current());
      }
      const runtime::Lock lock(mutex);
    });
    is_called = true;
    if (listener != nullptr) {
      listener->begins(7);
    }
    for (int i = 0; i < locks; ++i) {
      const runtime::Lock lock(mutex);
    }
    if (listener != nullptr) {
      listener->ends();
    }
    is_called = false;
    is_over = true;
    other.join();
  });
  BOOST_TEST_REQUIRE(!result.failure);
  return static_cast<double>(runs) / kRuns;
}

}  // namespace

BOOST_AUTO_TEST_CASE(other_tasks_tell_how_many_operations_a_call_has_where_nothing_is_drawn) {
  BOOST_TEST(runs_during(2, 0) > 1.5 * runs_during(1, 0));
}

BOOST_AUTO_TEST_CASE(other_tasks_do_not_tell_how_many_operations_a_call_has) {
  double most_of_one = 0;
  double least_of_two = std::numeric_limits<double>::max();
  for (std::uint64_t lot = 1; lot <= 20; ++lot) {
    most_of_one = std::max(most_of_one, runs_during(1, lot));
    least_of_two = std::min(least_of_two, runs_during(2, lot));
  }
  BOOST_TEST(most_of_one > 1.5 * least_of_two);
}

BOOST_AUTO_TEST_CASE(one_lot_draws_the_same_every_time) {
  BOOST_TEST(runs_during(2, 5) == runs_during(2, 5));
  BOOST_TEST(runs_during(2, 5) != runs_during(2, 6));
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::course
