// Each planted bug is explained: the right lock, condition and lines, as texts that read well.
#include "sim/explain/explain.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/runtime/atomic.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/explore/shrink.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/world.hpp"
#include "sim/std/atomic.hpp"
#include "sim/std/thread.hpp"
#include "tests/sim/explore/planted.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(explain_test)

namespace {

using runtime::Runtime;
using tests::Planted;
using Body = std::function<void(Runtime&)>;

/// Checks that a text is the one that is checked in as tests/sim/explain/golden/NAME.txt. With
/// WATCHLAB_REFRESH=1 in the environment it writes the text there instead: read it before you check
/// it in.
void check_golden(std::string_view name, const std::string& text) {
  const std::string path = "tests/sim/explain/golden/" + std::string(name) + ".txt";
  if (std::getenv("WATCHLAB_REFRESH") != nullptr) {
    std::ofstream(path) << text << '\n';
    return;
  }
  std::ifstream file(path);
  std::stringstream expected;
  expected << file.rdbuf();
  BOOST_TEST(text + "\n" == expected.str(),
             path << " says otherwise; this came out (WATCHLAB_REFRESH=1 writes it there):\n"
                  << text);
}

/// The shortest failing schedule of a planted bug.
Failure shortest_failure(const Body& body, std::string_view kind) {
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    const ExploreResult result =
        explore({.strategy = "random", .seed = seed, .schedules_max = 10'000}, body);
    BOOST_REQUIRE(result.failure.has_value());
    if (result.failure->kind == kind) {
      return shrink(*result.failure, ShrinkOptions{}, body).failure;
    }
  }
  BOOST_FAIL("nothing of kind " << kind);
  return {};
}

/// A writer that is told to stop between its two changes leaves the version odd; the reader tries
/// until it is even, for ever.
void odd_version(Runtime& runtime) {
  runtime::Atomic<int> version(runtime, 0, "version");
  runtime::Atomic<bool> stopped(runtime, false, "stopped");
  const runtime::Task writer = runtime::spawn(runtime, "writer", [&] {
    version.fetch_add(1);
    if (!stopped.load()) {
      version.fetch_add(1);
    }
  });
  const runtime::Task reader = runtime::spawn(runtime, "reader", [&] {
    while (version.load() % 2 != 0) {
      runtime.yield(runtime::Location::current());
    }
  });
  stopped.store(true);
  writer.join();
  reader.join();
}

/// What is said of the first failure that is found.
std::string explained(const Body& body) {
  const ExploreResult result = explore({.strategy = "random", .schedules_max = 1000}, body);
  BOOST_REQUIRE(result.failure.has_value());
  const std::optional<Explanation> found = explain(result.failure->schedule, body);
  BOOST_REQUIRE(found.has_value());
  return found->to_string();
}

/// Two tasks that touch a number, each under the lock that it is given, if it is given one.
Body racing(bool first_locks, bool second_locks) {
  return [=](Runtime& runtime) {
    runtime::Mutex one(runtime, "one");
    runtime::Mutex other(runtime, "other");
    runtime::Shared<int> count(runtime, 0, "count");
    const runtime::Task writer = runtime::spawn(runtime, "writer", [&] {
      const runtime::Lock lock(first_locks ? one : other);
      const Quiet quiet;  // ThreadSanitizer sees it, too, and is not asked
      ++count.write();
    });
    const runtime::Task reader = runtime::spawn(runtime, "reader", [&] {
      if (second_locks) {
        one.lock();
      }
      (void)count.read();
      if (second_locks) {
        one.unlock();
      }
    });
    writer.join();
    reader.join();
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_planted_bug_is_explained_in_a_text_that_is_checked_in) {
  for (const Planted& planted : tests::planted_bugs()) {
    const Body body = [&](Runtime& runtime) { planted.body(runtime, 2); };
    const Failure failure = shortest_failure(body, planted.kind);
    const std::optional<Explanation> found = explain(failure.schedule, body);
    BOOST_REQUIRE(found.has_value());
    check_golden(planted.name, found->to_string());
  }
}

BOOST_AUTO_TEST_CASE(the_other_side_of_each_critical_pair_really_passes) {
  for (const Planted& planted : tests::planted_bugs()) {
    const Body body = [&](Runtime& runtime) { planted.body(runtime, 2); };
    const Failure failure = shortest_failure(body, planted.kind);
    const std::optional<Explanation> found =
        explain(failure.schedule, body, {.likelihood = {.endings = 0}});
    BOOST_REQUIRE(found.has_value());
    BOOST_TEST(found->pair.has_value(), planted.name << " has no critical pair");
    if (found->pair) {
      BOOST_TEST(!replay(found->pair->passing_schedule, body).has_value(), planted.name);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_livelock_is_explained_in_a_text_that_is_checked_in) {
  const ExploreResult result = explore({.strategy = "random", .steps_max = 60}, odd_version);
  BOOST_REQUIRE(result.failure.has_value());
  BOOST_TEST(result.failure->kind == "livelock");
  const Failure failure = shrink(*result.failure, ShrinkOptions{}, odd_version).failure;
  const std::optional<Explanation> found = explain(failure.schedule, odd_version);
  BOOST_REQUIRE(found.has_value());
  check_golden("a_version_that_stays_odd", found->to_string());
}

BOOST_AUTO_TEST_CASE(who_waits_for_a_consumer_that_never_comes_has_lost_no_wake_up) {
  const Body body = [](Runtime& runtime) {
    runtime::Mutex mutex(runtime, "mutex");
    runtime::CondVar changed(runtime, "changed");
    int items = 0;
    const runtime::Task consumer = runtime::spawn(runtime, "consumer", [&] {
      runtime::Lock lock(mutex);
      while (items == 0) {
        changed.wait(lock);
      }
      --items;
      changed.notify_all();  // nobody waits for room yet
    });
    for (int i = 0; i < 2; ++i) {
      runtime::Lock lock(mutex);
      while (items == 1) {
        changed.wait(lock);
      }
      ++items;
      changed.notify_all();
    }
    runtime::Lock lock(mutex);
    while (items == 1) {  // one more consumer would be needed
      changed.wait(lock);
    }
  };
  const std::string text = explained(body);
  BOOST_TEST(text.find("lost wake-up") == std::string::npos, text);
  BOOST_TEST(text.find("main waits on condition 'changed'") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(an_operation_on_a_channel_without_a_name_is_shown_whole) {
  const Body unnamed = [](Runtime& runtime) {
    const runtime::Channel<int> channel(runtime, 0, "");
    channel.receive();
  };
  std::string text = explained(unnamed);
  BOOST_TEST(text.find("receive from the channel of explain_test.cpp:") != std::string::npos, text);
  const Body nil = [](Runtime& runtime) { runtime::Channel<int>::nil(runtime).receive(); };
  text = explained(nil);
  BOOST_TEST(text.find("main waits to receive from a nil channel (") != std::string::npos, text);
  BOOST_TEST(text.find("receive from a nil channel") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(what_is_still_pending_at_the_failure_makes_the_difference) {
  const Body body = [](Runtime& runtime) {
    runtime::Atomic<int> ready(runtime, 0, "ready");
    const runtime::Task writer = runtime::spawn(runtime, "writer", [&] { ready.store(1); });
    runtime.yield(runtime::Location::current());
    runtime::ensure(ready.load() == 1, "the writer was late");
    writer.join();
  };
  const std::string text = explained(body);
  BOOST_TEST(text.find("not yet: main/writer writes atomic 'ready'") != std::string::npos, text);
  BOOST_TEST(text.find("The other way round") != std::string::npos, text);
  BOOST_TEST(text.find("main: the writer was late") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(a_lock_whose_holder_has_ended_is_shown_so) {
  const Body body = [](Runtime& runtime) {
    runtime::Mutex mutex(runtime, "mutex");
    runtime::spawn(runtime, "forgetful", [&] { mutex.lock(); }).join();
    mutex.lock();
  };
  const std::string text = explained(body);
  BOOST_TEST(text.find("which main/forgetful holds since step") != std::string::npos, text);
  BOOST_TEST(text.find("and that task has ended without unlocking it") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(a_data_race_is_shown_by_its_accesses_and_what_each_task_held) {
  const std::string text = explained(racing(true, false));
  for (const char* const words :
       {"The data race:\n  after step ", ": main/writer writes cell 'count' (explain_test.cpp:",
        "; it holds mutex 'one' (explain_test.cpp:", ": main/reader reads cell 'count' (",
        "; it holds no lock.", "If main/reader held mutex 'one', too, that would order them; so",
        "  race  ", "write 'count'", "read 'count'"}) {
    BOOST_TEST(text.find(words) != std::string::npos, words << " is not in\n" << text);
  }
  BOOST_TEST(text.find("No single change") == std::string::npos, text);
  const std::string apart = explained(racing(false, true));
  BOOST_TEST(apart.find("it holds mutex 'other' (") != std::string::npos, apart);
  BOOST_TEST(apart.find("it holds mutex 'one' (") != std::string::npos, apart);
  BOOST_TEST(apart.find("They hold different locks") != std::string::npos, apart);
}

BOOST_AUTO_TEST_CASE(of_a_data_race_what_both_do_in_between_is_shown) {
  const std::string text = explained([](Runtime&) {
    stdx::watched<int> data{0};
    stdx::atomic<bool> flag{false};
    stdx::thread other([&] {
      data.set(1);
      flag.store(true, std::memory_order_relaxed);
    });
    while (!flag.load(std::memory_order_relaxed)) {
    }
    (void)data.get();
    other.join();
  });
  BOOST_TEST(text.find("In between main/thread writes the atomic of explain_test.cpp:") !=
                 std::string::npos,
             text);
  BOOST_TEST(text.find("and then main reads the atomic of explain_test.cpp:") != std::string::npos,
             text);
  BOOST_TEST(text.find("A lock that is held at both lines would order them") != std::string::npos,
             text);
}

/// Whoever stops it is told what was known by then, and not that there is no more.
BOOST_AUTO_TEST_CASE(a_search_that_is_stopped_says_so_and_what_it_knows) {
  const Planted& planted = tests::planted_bugs().front();
  const Body body = [&](Runtime& runtime) { planted.body(runtime, 2); };
  const Failure failure = shortest_failure(body, planted.kind);
  const auto whole = explain(failure.schedule, body);
  BOOST_TEST_REQUIRE(whole.has_value());
  BOOST_TEST(!whole->interrupted);
  for (const std::size_t runs : {0U, 1U, 60U}) {
    std::size_t asked = 0;
    const auto stopped =
        explain(failure.schedule, body, {.keep_going = [&] { return asked++ < runs; }});
    BOOST_TEST_REQUIRE(stopped.has_value());
    BOOST_TEST(stopped->interrupted);
    BOOST_TEST(asked == runs + 1);
    BOOST_TEST(stopped->likelihood.size() < whole->likelihood.size());
    const std::string text = stopped->to_string();
    BOOST_TEST(text.find("No single change") == std::string::npos, text);
    BOOST_TEST(text.find("What went wrong:") != std::string::npos, text);
  }
}

BOOST_AUTO_TEST_CASE(a_run_that_holds_has_no_explanation) {
  const Body body = [](Runtime&) {};
  World world({.record = true});
  FifoStrategy fifo;
  const RunResult result = world.run(fifo, body);
  BOOST_TEST(!explain(result.schedule, body).has_value());
  BOOST_TEST(explain_in_short(result.schedule, body).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
