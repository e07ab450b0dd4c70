// Wake-ups of idle workers: each goes to one of them, also when a busy worker finds it first.
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <future>
#include <thread>

#include "core/runtime/fibers/fiber_runtime.hpp"
#include "core/runtime/task.hpp"

BOOST_AUTO_TEST_SUITE(fiber_wake_ups_test)

using namespace watchlab::runtime;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(an_idle_worker_is_woken_again_after_a_busy_one_has_found_its_wake_up) {
  FiberRuntime fibers({.threads = 2});
  boost::asio::io_context& loop = fibers.event_loop();  // from now on busy workers look into it
  for (int phase = 0; phase < 5; ++phase) {
    std::atomic<bool> is_over = false;
    const Task busy = spawn(fibers, "busy", [&] {
      while (!is_over) {
        fibers.yield(Location::current());
      }
    });
    for (int i = 0; i < 150; ++i) {
      spawn(fibers, "short", [] {}).join();
    }
    is_over = true;
    busy.join();
    // Now both workers are idle, and only a wake-up lets the next task run.
    std::this_thread::sleep_for(10ms);
    std::promise<void> ran;
    const Task last = spawn(fibers, "last", [&ran] { ran.set_value(); });
    const bool in_time = ran.get_future().wait_for(20s) == std::future_status::ready;
    boost::asio::post(loop, [] {});  // so that a failure ends, and each worker has come back once
    boost::asio::post(loop, [] {});
    last.join();
    BOOST_TEST_REQUIRE(in_time);
  }
}

BOOST_AUTO_TEST_SUITE_END()
