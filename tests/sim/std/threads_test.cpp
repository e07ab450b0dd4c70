// Threads, stop tokens, futures and clocks in a world, and all of it on threads of the system.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <unordered_map>

#include "core/runtime/ensure.hpp"
#include "sim/std/condition_variable.hpp"
#include "sim/std/future.hpp"
#include "sim/std/semaphore.hpp"
#include "sim/std/thread.hpp"
#include "tests/sim/std/whole_search.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(std_threads_test)

namespace {

using namespace std::chrono_literals;
using runtime::ensure;

/// In all orders of a world, and once on threads.
void check_held_and_play(const PlainBody& body) {
  check_held(body);
  body();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_thread_takes_what_can_only_be_moved_and_is_known_by_its_id) {
  check_held_and_play([] {
    int seen = 0;
    stdx::thread::id id;
    stdx::thread other(
        [&](std::unique_ptr<int> given) {
          seen = *given;
          id = stdx::this_thread::get_id();
        },
        std::make_unique<int>(7));
    const stdx::thread::id from_outside = other.get_id();
    other.join();
    ensure(seen == 7 && id == from_outside, "it has got its argument, and one id");
    ensure(id != stdx::this_thread::get_id() && !other.joinable(), "its id is its own");
    const std::unordered_map<stdx::thread::id, int> places{{id, 1}};
    ensure(places.contains(from_outside), "an id can be hashed");
  });
}

BOOST_AUTO_TEST_CASE(a_jthread_is_stopped_and_joined_when_it_goes) {
  check_held_and_play([] {
    stdx::mutex mutex;
    stdx::condition_variable_any changed;
    bool stopped = false;
    {
      const stdx::jthread waiting([&](stdx::stop_token token) {
        stdx::unique_lock lock(mutex);
        stopped = !changed.wait(lock, token, [] { return false; });
      });
    }
    ensure(stopped, "the wait has ended by the request");
  });
}

BOOST_AUTO_TEST_CASE(a_callback_is_called_once_and_not_after_it_is_gone) {
  check_held_and_play([] {
    stdx::stop_source source;
    stdx::atomic<int> calls{0};
    stdx::thread other([&] { source.request_stop(); });
    {
      const stdx::stop_callback callback(source.get_token(), [&] { ++calls; });
    }
    const int called = calls;
    other.join();
    ensure(called == calls && called <= 1, "none comes late");
    const stdx::stop_callback late(source.get_token(), [&] { calls = 5; });
    ensure(calls == 5, "one that comes late is called at once");
  });
}

BOOST_AUTO_TEST_CASE(a_future_brings_a_value_an_exception_or_the_end_of_the_promise) {
  check_held_and_play([] {
    stdx::future<int> result = stdx::async([](int x) { return x + 1; }, 1);
    ensure(result.get() == 2 && !result.valid(), "it brings the result, once");
  });
  check_held_and_play([] {
    int done = 0;
    {
      const stdx::future<void> left = stdx::async([&done] { done = 1; });
    }
    ensure(done == 1, "a future of async waits when it goes");
  });
  check_found(
      [] {
        stdx::promise<void> promise;
        const stdx::future<void> result = promise.get_future();
        stdx::thread other([&] { promise.set_value(); });
        const auto state = result.wait_for(0s);
        other.join();
        ensure(state == stdx::future_status::ready, "a look waits");
      },
      "a look waits");
  check_held_and_play([] {
    stdx::packaged_task<void()> task([] { throw std::runtime_error("no"); });
    stdx::future<void> result = task.get_future();
    stdx::thread other(std::move(task));
    std::string said;
    try {
      result.get();
    } catch (const std::runtime_error& error) {
      said = error.what();
    }
    other.join();
    ensure(said == "no", "it brings the exception");
  });
  check_held_and_play([] {
    stdx::future<int> result;
    {
      stdx::promise<int> promise;
      result = promise.get_future();
    }
    bool broken = false;
    try {
      (void)result.get();
    } catch (const std::future_error& error) {
      broken = error.code() == std::future_errc::broken_promise;
    }
    ensure(broken, "a promise that goes says so");
  });
  check_found(
      [] {
        stdx::promise<int> promise;
        (void)promise.get_future().get();
      },
      "deadlock");
}

BOOST_AUTO_TEST_CASE(time_is_the_worlds) {
  const PlainBody sleeps = [] {
    const auto before = stdx::chrono::steady_clock::now();
    const auto day = stdx::chrono::system_clock::now();
    stdx::this_thread::sleep_for(1h);
    stdx::this_thread::sleep_until(before + 2h);
    ensure(stdx::chrono::steady_clock::now() - before == 2h, "two hours have passed");
    ensure(stdx::chrono::system_clock::now() - day == 2h, "by the other clock, too");
  };
  BOOST_TEST(outcome(sleeps, "dfs") == "held");
}

BOOST_AUTO_TEST_CASE(code_that_joins_in_a_destructor_ends_with_a_world_that_fails) {
  struct Pool {
    stdx::binary_semaphore never{0};
    stdx::thread worker{[this] { never.acquire(); }};
    ~Pool() { worker.join(); }
  };
  check_found([] { const Pool pool; }, "deadlock");
  check_found([] { const stdx::jthread waits([] { stdx::binary_semaphore(0).acquire(); }); },
              "deadlock");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
