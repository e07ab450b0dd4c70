// What the runtimes of real time add to the claims of the conformance suite, which is played on
// them too. Each case holds on both.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/mp11/list.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <set>
#include <thread>

#include "core/runtime/channel.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/fibers/fiber_runtime.hpp"
#include "core/runtime/order.hpp"
#include "core/runtime/random.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/thread_runtime.hpp"
#include "core/runtime/wait_group.hpp"

BOOST_AUTO_TEST_SUITE(real_runtimes)

namespace {

using namespace watchlab::runtime;
using namespace std::chrono_literals;

struct OnThreads {
  using Runtime = ThreadRuntime;
  using Options = ThreadRuntimeOptions;
};
struct OnFibers {
  using Runtime = FiberRuntime;
  using Options = FiberRuntimeOptions;
};
using Both = boost::mp11::mp_list<OnThreads, OnFibers>;

/// Plays a program in a process of its own and returns what it wrote to stderr.
std::string stderr_of(const std::function<void()>& program, int& status) {
  int ends[2] = {};
  BOOST_REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    signal(SIGABRT, SIG_DFL);
    program();
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char part[256];
  for (ssize_t size = 0; (size = read(ends[0], part, sizeof part)) > 0;) {
    text.append(part, static_cast<std::size_t>(size));
  }
  close(ends[0]);
  BOOST_REQUIRE(waitpid(child, &status, 0) == child);
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(a_crash_without_handler_ends_the_process_with_the_reason, On, Both) {
  int status = 0;
  const std::string text = stderr_of(
      [] {
        typename On::Runtime real;
        spawn(real, "worker", [] { throw std::runtime_error("out of cheese"); });
      },
      status);
  BOOST_TEST(text.find("panic in task worker: out of cheese") != std::string::npos, text);
  BOOST_TEST(WIFSIGNALED(status));
}

/// For ever is longer than a test: what crashes or comes back does so at once.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_channel_that_was_not_made_blocks_its_thread, On, Both) {
  for (const bool sends : {true, false}) {
    const pid_t child = fork();
    if (child == 0) {
      signal(SIGABRT, SIG_DFL);
      typename On::Runtime real;
      real.run([sends](Runtime& runtime) {
        const Task other =
            spawn(runtime, "other", [sends] { sends ? Channel<int>().send(1) : void(); });
        other.join();
        Channel<int>().receive();
      });
      _exit(0);
    }
    std::this_thread::sleep_for(200ms);
    int status = 0;
    BOOST_TEST(waitpid(child, &status, WNOHANG) == 0);
    kill(child, SIGKILL);
    BOOST_TEST(waitpid(child, &status, 0) == child);
  }
}

BOOST_AUTO_TEST_CASE(a_channel_that_was_not_made_cannot_be_waited_for_outside_of_a_task) {
  BOOST_CHECK_THROW(Channel<int>().receive(), EnsureFailed);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_crash_goes_to_the_handler, On, Both) {
  std::mutex mutex;
  std::vector<TaskCrash> crashes;
  {
    typename On::Runtime real(typename On::Options{.on_crash = [&](const TaskCrash& crash) {
      const std::lock_guard lock(mutex);
      crashes.push_back(crash);
    }});
    spawn(real, "worker", [] { throw std::runtime_error("out of cheese"); }).join();
    spawn(real, "healthy", [] {}).join();
  }
  BOOST_REQUIRE(crashes.size() == 1U);
  BOOST_TEST(crashes[0].task == "worker");
  BOOST_TEST(crashes[0].message == "out of cheese");
  BOOST_CHECK_THROW(std::rethrow_exception(crashes[0].exception), std::runtime_error);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(run_throws_what_its_body_throws, On, Both) {
  typename On::Runtime real;
  BOOST_CHECK_THROW(real.run([](Runtime&) { throw std::domain_error("root"); }), std::domain_error);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(run_waits_for_tasks_that_no_task_joined, On, Both) {
  typename On::Runtime real;
  bool ended = false;
  real.run([&](Runtime& runtime) {
    spawn(runtime, "outer", [&] {
      spawn(runtime, "inner", [&] {
        sleep_for(runtime, 5ms);
        ended = true;
      });
    });
  });
  BOOST_TEST(ended);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_end_of_a_runtime_waits_for_its_tasks, On, Both) {
  bool ended = false;
  {
    typename On::Runtime real;
    spawn(real, "slow", [&] {
      sleep_for(real, 5ms);
      ended = true;
    });
  }
  BOOST_TEST(ended);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(thousands_of_tasks_come_and_go, On, Both) {
  typename On::Runtime real;
  Channel<int> results(real, 0);
  int sum = 0;
  for (int task = 0; task < 2000; ++task) {
    spawn(real, "short", [&results] { results.send(1); });
    sum += results.receive().value();
  }
  BOOST_TEST(sum == 2000);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_same_seed_gives_the_same_streams, On, Both) {
  typename On::Runtime one(typename On::Options{.seed = 7});
  typename On::Runtime two(typename On::Options{.seed = 7});
  typename On::Runtime other(typename On::Options{.seed = 8});
  BOOST_TEST(one.seed_for("jitter") == two.seed_for("jitter"));
  // The order in which other streams were asked for does not matter.
  const std::uint64_t faults = two.seed_for("faults");
  const std::uint64_t jitter = two.seed_for("jitter");
  BOOST_TEST(one.seed_for("jitter") == jitter);
  BOOST_TEST(one.seed_for("faults") == faults);
  BOOST_TEST(other.seed_for("faults") != faults);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_order_begins_anywhere_and_leaves_nothing_out, On, Both) {
  typename On::Runtime real;
  std::set<std::size_t> firsts;
  for (int i = 0; i < 5; ++i) {
    const Order order = real.order(20, "keys");
    firsts.insert(order[0]);
    BOOST_TEST(order.size() == 20U);
    for (std::size_t place = 0; place < 20; ++place) {
      BOOST_TEST(order[place] == (order[0] + place) % 20);
    }
  }
  BOOST_TEST(firsts.size() > 1U);
  BOOST_TEST(real.order(0, "keys").size() == 0U);
  BOOST_TEST(real.choose(5, "anything") == 0U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(log_lines_reach_the_sink, On, Both) {
  std::string lines;
  typename On::Runtime real(typename On::Options{.log = [&](LogLevel level, std::string_view text) {
    lines += level == LogLevel::Warning ? "W " : "? ";
    lines += text;
  }});
  real.log(LogLevel::Warning, "watch closed");
  BOOST_TEST(lines == "W watch closed");
  typename On::Runtime silent;
  silent.log(LogLevel::Error, "no log takes it");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(checks_are_off_unless_asked_for, On, Both) {
  BOOST_TEST(!typename On::Runtime().checks());
  BOOST_TEST(typename On::Runtime(typename On::Options{.checks = true}).checks());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_deadline_at_the_end_of_time_is_no_deadline_in_the_past, On, Both) {
  typename On::Runtime real;
  const auto channel = real.make_channel(1, "timer", Location::current());
  const auto timer = real.make_timer(channel, Duration::max(), std::nullopt, Location::current());
  sleep_for(real, 5ms);
  BOOST_TEST(channel->size(Location::current()) == 0U);
  BOOST_TEST(timer->stop(Location::current()));
}

namespace {

std::size_t threads_of_this_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(reserved_threads_run_all_tasks_until_there_are_more) {
  ThreadRuntime real;
  real.reserve(3);
  const std::size_t reserved = threads_of_this_process();
  for (int round = 0; round < 3; ++round) {
    WaitGroup running(real);
    WaitGroup stop(real);
    std::vector<Task> tasks;
    stop.add(1);
    running.add(3);
    for (int i = 0; i < 3; ++i) {
      tasks.push_back(spawn(real, "reserved", [&] {
        running.done();
        stop.wait();
      }));
    }
    running.wait();
    BOOST_TEST(threads_of_this_process() == reserved);
    if (round == 0) {
      tasks.push_back(spawn(real, "one more", [] {}));
      tasks.back().join();
    }
    stop.done();
    for (const Task& each : tasks) {
      each.join();
    }
    real.run([](Runtime&) {});  // returns when no task is left, though threads are
  }
  real.release();
  BOOST_TEST(threads_of_this_process() == reserved - 3);
  spawn(real, "after that", [] {}).join();  // on a thread of its own
}

BOOST_AUTO_TEST_SUITE_END()
