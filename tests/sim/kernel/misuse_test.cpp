// What a program does to its world that nothing inside of it could end or see: each gets a message.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/kernel/watchdog.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(misuse_test)

namespace {

using namespace std::chrono_literals;
using runtime::Runtime;
using Body = std::function<void(Runtime&)>;

RunResult play(const Body& body) {
  World world;
  FifoStrategy fifo;
  return world.run(fifo, body);
}

struct Ended {
  int status = 0;
  std::string errors;
};

/// How a child process ends that plays `body` with a small limit, and what it writes. Not used
/// where ThreadSanitizer is.
[[maybe_unused]] Ended play_in_child(const Body& body) {
  std::array<int, 2> ends{};
  BOOST_REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    Watch::set_limit(100ms);
    (void)play(body);
    _exit(0);
  }
  close(ends[1]);
  Ended ended;
  std::array<char, 512> part{};
  for (ssize_t size = 0; (size = read(ends[0], part.data(), part.size())) > 0;) {
    ended.errors.append(part.data(), static_cast<std::size_t>(size));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ended;
}

void check_says(const std::string& text, const std::string& words) {
  BOOST_TEST(text.find(words) != std::string::npos, "'" << words << "' is not in: " << text);
}

}  // namespace

// ThreadSanitizer lets no signal through to a loop, and to others it comes late.
#if !defined(WATCHLAB_TSAN)
BOOST_AUTO_TEST_CASE(a_loop_without_an_operation_ends_with_the_name_of_its_task) {
  const Ended ended = play_in_child([](Runtime& runtime) {
    const runtime::Task spinner = runtime::spawn(runtime, "spinner", [] {
      for (volatile bool forever = true; forever;) {
      }
    });
    spinner.join();
  });
  BOOST_TEST(ended.status == 1);
  check_says(ended.errors,
             "task main/spinner has done no operation for 100 ms of processor time, after step ");
  check_says(ended.errors, "It loops without an operation");
  check_says(ended.errors, "misuse_test.cpp:");
}

BOOST_AUTO_TEST_CASE(a_std_mutex_held_across_an_operation_ends_with_the_name_of_who_waits_for_it) {
  const Ended ended = play_in_child([](Runtime& runtime) {
    std::mutex foreign;
    runtime::spawn(runtime, "holder", [&] {
      const std::lock_guard lock(foreign);
      runtime::sleep_for(runtime, 1h);
    });
    runtime::spawn(runtime, "waiter", [&] { const std::lock_guard lock(foreign); }).join();
  });
  BOOST_TEST(ended.status == 1);
  check_says(ended.errors, "task main/waiter has done no operation for 1000 ms of real time");
  check_says(ended.errors, "a std::mutex that another task holds");
}

/// Each piece has the length of the limit, as one has that computes less on a busy machine.
BOOST_AUTO_TEST_CASE(a_run_that_moves_or_that_has_no_processor_is_left_alone) {
  const Ended ended = play_in_child([](Runtime& runtime) {
    for (int i = 0; i < 12; ++i) {
      std::this_thread::sleep_for(150ms);
      runtime.yield(runtime::Location::current());
    }
  });
  BOOST_TEST(ended.status == 0);
  BOOST_TEST(ended.errors == "");
}
#endif

BOOST_AUTO_TEST_CASE(a_call_from_a_foreign_thread_panics_with_the_name_of_the_task) {
  std::string said;
  const RunResult result = play([&](Runtime& runtime) {
    runtime::Mutex mutex(runtime, "mutex");
    std::thread foreign([&] {
      try {
        mutex.lock();
      } catch (const runtime::Panic& panic) {
        said = panic.what();
      }
    });
    foreign.join();
    mutex.lock();
    mutex.unlock();
  });
  BOOST_TEST(!result.failure.has_value());
  check_says(said, "is called from an OS thread that is not its own; there task main runs");
}

BOOST_AUTO_TEST_CASE(a_mutex_that_is_destroyed_while_it_is_locked_is_a_violation) {
  const RunResult result = play([](Runtime& runtime) {
    auto mutex = std::make_unique<runtime::Mutex>(runtime, "store");
    const runtime::Task holder = runtime::spawn(runtime, "holder", [&] { mutex->lock(); });
    holder.join();
    mutex.reset();
  });
  BOOST_REQUIRE(result.failure.has_value());
  BOOST_TEST(result.failure->kind == "violation");
  check_says(result.failure->sentence, "mutex 'store' is destroyed while it is locked");
  check_says(result.failure->sentence, "which main/holder holds since step");
  check_says(result.failure->sentence, "by task main");
}

BOOST_AUTO_TEST_CASE(a_shared_mutex_that_is_destroyed_while_it_is_locked_is_a_violation) {
  const auto destroyed_by = [](void (runtime::SharedMutex::*lock)(runtime::Location)) {
    return play([lock](Runtime& runtime) {
      auto mutex = std::make_unique<runtime::SharedMutex>(runtime, "store");
      const runtime::Task holder = runtime::spawn(
          runtime, "holder", [&] { ((*mutex).*lock)(runtime::Location::current()); });
      holder.join();
      mutex.reset();
    });
  };
  for (const auto& [lock, word] : {std::pair(&runtime::SharedMutex::lock, "writer"),
                                   std::pair(&runtime::SharedMutex::lock_shared, "reader")}) {
    const RunResult result = destroyed_by(lock);
    BOOST_TEST_REQUIRE(result.failure.has_value());
    BOOST_TEST(result.failure->kind == "violation");
    check_says(result.failure->sentence,
               std::string("shared mutex 'store' is destroyed while it is locked, which the ") +
                   word + " main/holder holds since step 3 (misuse_test.cpp:");
  }
}

BOOST_AUTO_TEST_CASE(a_mutex_that_goes_with_an_exception_hides_nothing) {
  const RunResult result = play([](Runtime& runtime) {
    runtime::Mutex mutex(runtime, "store");
    mutex.lock();
    throw std::runtime_error("out of luck");
  });
  BOOST_REQUIRE(result.failure.has_value());
  BOOST_TEST(result.failure->kind == "exception");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
