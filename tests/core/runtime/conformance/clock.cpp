#include <algorithm>
#include <numeric>

#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/order.hpp"
#include "core/runtime/random.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/wait_group.hpp"
#include "tests/core/runtime/conformance/conformance.hpp"

namespace watchlab::conformance {
namespace {

using namespace runtime;
using namespace std::chrono_literals;

void time_never_goes_back(Runtime& runtime) {
  TimePoint last = runtime.now();
  for (int i = 0; i < 20; ++i) {
    const TimePoint now = runtime.now();
    ensure(now >= last, "time went back");
    last = now;
    runtime.yield(Location::current());
  }
}

void time_never_reads_as_unset(Runtime& runtime) {
  ensure(runtime.now() > TimePoint() + 1h, "the first moment looks like the zero time");
}

void a_sleep_is_not_shorter_than_asked(Runtime& runtime) {
  for (const Duration delay : {Duration(1), Duration(1ms), Duration(3ms)}) {
    const TimePoint deadline = runtime.now() + delay;
    sleep_for(runtime, delay);
    ensure(runtime.now() >= deadline, "a sleep ended early");
  }
}

void sleeping_until_the_past_comes_back(Runtime& runtime) {
  runtime.sleep_until(runtime.now() - 1h, Location::current());
  runtime.sleep_until(TimePoint(), Location::current());
  sleep_for(runtime, Duration::zero());
}

void sleepers_wake_in_order_of_their_deadlines(Runtime& runtime) {
  const TimePoint start = runtime.now();
  Mutex mutex(runtime);
  Shared<std::string> order(runtime, "");
  WaitGroup group(runtime);
  for (const char* name : {"3", "1", "2"}) {
    group.start(name, [&, name] {
      const TimePoint deadline = start + (*name - '0') * 10ms;
      runtime.sleep_until(deadline, Location::current());
      ensure(runtime.now() == deadline, "virtual time jumped past a deadline");
      const Lock lock(mutex);
      order.write() += name;
    });
  }
  group.wait();
  ensure(order.read() == "123", "sleepers woke out of order");
}

void time_stands_still_while_a_task_runs(Runtime& runtime) {
  const TimePoint start = runtime.now();
  Mutex mutex(runtime);
  for (int i = 0; i < 10; ++i) {
    const Lock lock(mutex);
  }
  ensure(runtime.now() == start, "time moved while a task was ready");
}

void an_order_visits_everything_once(Runtime& runtime) {
  for (const std::size_t size : {0, 1, 2, 7}) {
    const Order order = runtime.order(size, "things");
    ensure(order.size() == size, "an order of the wrong size");
    std::vector<std::size_t> things(size);
    std::iota(things.begin(), things.end(), 0);
    order.arrange(things);
    for (std::size_t place = 0; place < size; ++place) {
      ensure(order[place] == things[place], "an order that arranges otherwise than it says");
    }
    std::ranges::sort(things);
    for (std::size_t place = 0; place < size; ++place) {
      ensure(things[place] == place, "an order that leaves something out");
    }
  }
}

void a_choice_is_one_of_the_alternatives(Runtime& runtime) {
  ensure(runtime.choose(1, "only one") == 0, "a choice among one");
  for (int i = 0; i < 10; ++i) {
    ensure(runtime.choose(3, "one of three") < 3, "a choice that does not exist");
  }
}

void random_streams_differ(Runtime& runtime) {
  Random jitter(runtime, "jitter");
  Random again(runtime, "jitter");
  Random faults(runtime, "faults");
  const std::uint64_t first = jitter.below(1'000'000'007);
  const std::uint64_t second = again.below(1'000'000'007);
  const std::uint64_t third = faults.below(1'000'000'007);
  ensure(first != second && first != third, "two streams are the same");
  const double fraction = jitter.fraction();
  ensure(fraction >= 0 && fraction < 1, "a fraction out of range");
}

}  // namespace

Group clocks() {
  return {
      .name = "clock",
      .claims = {{"time_never_goes_back", time_never_goes_back},
                 {"time_never_reads_as_unset", time_never_reads_as_unset},
                 {"a_sleep_is_not_shorter_than_asked", a_sleep_is_not_shorter_than_asked},
                 {"sleeping_until_the_past_comes_back", sleeping_until_the_past_comes_back},
                 {"an_order_visits_everything_once", an_order_visits_everything_once},
                 {"a_choice_is_one_of_the_alternatives", a_choice_is_one_of_the_alternatives},
                 {"random_streams_differ", random_streams_differ}},
      .exact = {{"sleepers_wake_in_order_of_their_deadlines",
                 sleepers_wake_in_order_of_their_deadlines},
                {"time_stands_still_while_a_task_runs", time_stands_still_while_a_task_runs}},
  };
}

}  // namespace watchlab::conformance
