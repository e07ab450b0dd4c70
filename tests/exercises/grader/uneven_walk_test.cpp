#include "exercises/toolkit/uneven_walk.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/explore.hpp"

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(uneven_walk_test)

namespace {

constexpr std::size_t kRuns = 4000;

/// What a call does with the lock of its library, and what is told of it meanwhile.
using Library = std::function<void(runtime::Mutex& mutex, CallListener* listener)>;

/// Locks so many times.
Library locks(int times) {
  return [times](runtime::Mutex& mutex, CallListener*) {
    for (int i = 0; i < times; ++i) {
      const runtime::Lock lock(mutex);
    }
  };
}

void call(runtime::Mutex& mutex, runtime::CellBackend& last_step, CallListener* listener,
          const Library& library) {
  if (listener != nullptr) {
    listener->begins();
  }
  library(mutex, listener);
  if (listener != nullptr) {
    listener->closes();
  }
  last_step.atomic_access(runtime::AccessKind::Read, runtime::Location::current());
  if (listener != nullptr) {
    listener->ends();
  }
}

using Body = std::function<void(runtime::Runtime& runtime, CallListener* listener)>;

/// Plays `body` on the walk of that secret. With secret 0 every way to go on is equally likely.
void walk(std::uint64_t secret, const Body& body) {
  CallListener* listener = nullptr;
  sim::ExploreOptions options{.strategy = "random", .schedules_max = kRuns};
  if (secret != 0) {
    options.instead = [&] {
      auto walk = std::make_unique<UnevenWalk>(secret);
      listener = walk.get();
      return walk;
    };
  }
  const auto result =
      sim::explore(options, [&](runtime::Runtime& runtime) { body(runtime, listener); });
  BOOST_TEST_REQUIRE(!result.failure);
}

/// Plays a task that calls `library` beside one that counts its own runs. `done(runs, runtime)` is
/// called after the call.
void play(const Library& library, std::uint64_t secret,
          const std::function<void(int runs, runtime::Runtime& runtime)>& done) {
  walk(secret, [&](runtime::Runtime& runtime, CallListener* listener) {
    runtime::Mutex mutex(runtime, "library");
    const auto last_step = runtime.make_cell("last step", runtime::Location::current());
    bool is_called = false;
    bool is_over = false;
    int runs = 0;
    const auto other = runtime::spawn(runtime, "other", [&] {
      call(mutex, *last_step, listener, locks(1));  // what one task alone uses is no choice
      while (!is_over) {
        runs += is_called ? 1 : 0;
        runtime.yield(runtime::Location::current());
      }
      const runtime::Lock lock(mutex);
    });
    is_called = true;
    call(mutex, *last_step, listener, library);
    is_called = false;
    done(runs, runtime);
    is_over = true;
    other.join();
  });
}

double runs_during(const Library& library, std::uint64_t secret) {
  int sum = 0;
  play(library, secret, [&](int runs, runtime::Runtime&) { sum += runs; });
  return static_cast<double>(sum) / kRuns;
}

/// Two tasks, of which the spawned one calls `spawned` and the other one `own`; how often, of all
/// runs, they have met as `has_met` says.
double share_met(std::uint64_t secret, const Library& spawned, const Library& own,
                 const std::function<bool()>& has_met) {
  int met = 0;
  walk(secret, [&](runtime::Runtime& runtime, CallListener* listener) {
    runtime::Mutex mutex(runtime, "library");
    const auto last_step = runtime.make_cell("last step", runtime::Location::current());
    const auto other =
        runtime::spawn(runtime, "other", [&] { call(mutex, *last_step, listener, spawned); });
    call(mutex, *last_step, listener, own);
    other.join();
    met += has_met() ? 1 : 0;
  });
  return static_cast<double>(met) / kRuns;
}

/// How often a call that locks once runs between the last two locks of another.
double share_between_locks(std::uint64_t secret, int locks_before, bool reader_is_spawned) {
  bool is_half_done = false;
  bool is_seen = false;
  const Library writer = [&](runtime::Mutex& mutex, CallListener*) {
    locks(locks_before)(mutex, nullptr);
    {
      const runtime::Lock lock(mutex);
      is_half_done = true;
    }
    const runtime::Lock lock(mutex);
    is_half_done = false;
  };
  const Library reader = [&](runtime::Mutex& mutex, CallListener*) {
    const runtime::Lock lock(mutex);
    is_seen = is_seen || is_half_done;
  };
  return share_met(secret, reader_is_spawned ? reader : writer, reader_is_spawned ? writer : reader,
                   [&] { return std::exchange(is_seen, false); });
}

/// How often two calls that read with one lock and write with another lose one of two changes.
double share_of_lost_updates(std::uint64_t secret) {
  int value = 0;
  const Library add = [&](runtime::Mutex& mutex, CallListener*) {
    int read = 0;
    {
      const runtime::Lock lock(mutex);
      read = value;
    }
    const runtime::Lock lock(mutex);
    value = read + 1;
  };
  return share_met(secret, add, add, [&] { return std::exchange(value, 0) != 2; });
}

/// How often two calls in a row meet two tasks that wait, and none of these in between.
double share_of_lost_wakeups(std::uint64_t secret) {
  int met = 0;
  walk(secret, [&](runtime::Runtime& runtime, CallListener* listener) {
    runtime::Mutex mutex(runtime, "library");
    runtime::CondVar changed(runtime, "changed");
    const auto last_step = runtime.make_cell("last step", runtime::Location::current());
    int waiting = 0;
    int here = 0;
    bool is_lost = false;
    const auto pop = [&] {
      call(mutex, *last_step, listener, [&](runtime::Mutex&, CallListener*) {
        runtime::Lock lock(mutex);
        ++waiting;
        while (here == 0) {
          changed.wait(lock);
        }
        --waiting;
        --here;
      });
    };
    const auto one = runtime::spawn(runtime, "one", pop);
    const auto two = runtime::spawn(runtime, "two", pop);
    for (int i = 0; i < 2; ++i) {
      call(mutex, *last_step, listener, [&](runtime::Mutex&, CallListener*) {
        const runtime::Lock lock(mutex);
        is_lost = is_lost || (here > 0 && waiting == 2);
        ++here;
        changed.notify_all();
      });
    }
    one.join();
    two.join();
    met += is_lost ? 1 : 0;
  });
  return static_cast<double>(met) / kRuns;
}

}  // namespace

BOOST_AUTO_TEST_CASE(other_tasks_show_how_many_operations_a_call_has_where_nothing_is_drawn) {
  BOOST_TEST(runs_during(locks(2), 0) > 1.3 * runs_during(locks(1), 0));
}

BOOST_AUTO_TEST_CASE(other_tasks_do_not_show_how_many_operations_a_call_has) {
  for (std::uint64_t secret = 1; secret <= 3; ++secret) {
    const double none = runs_during(locks(0), secret);
    BOOST_TEST(none > 0.5);
    for (const int times : {1, 2, 5, 20}) {
      const double some = runs_during(locks(times), secret);
      BOOST_TEST(std::abs(some - none) < 0.1 * none,
                 some << " with " << times << " locks, and " << none << " with none");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_call_is_left_after_each_of_its_operations) {
  std::set<int> left_after;
  int done = 0;
  int of_other = 0;
  const Library library = [&](runtime::Mutex& mutex, CallListener*) {
    for (done = 0; done < 5; ++done) {
      const int before = of_other;
      const runtime::Lock lock(mutex);
      if (of_other != before) {
        left_after.insert(done);
      }
    }
  };
  walk(3, [&](runtime::Runtime& runtime, CallListener* listener) {
    runtime::Mutex mutex(runtime, "library");
    const auto last_step = runtime.make_cell("last step", runtime::Location::current());
    bool is_over = false;
    const auto other = runtime::spawn(runtime, "other", [&] {
      { const runtime::Lock lock(mutex); }
      while (!is_over) {
        ++of_other;
        runtime.yield(runtime::Location::current());
      }
    });
    call(mutex, *last_step, listener, library);
    is_over = true;
    other.join();
  });
  BOOST_TEST(left_after.size() == 5U);
}

BOOST_AUTO_TEST_CASE(what_tests_draw_does_not_show_how_many_operations_a_call_has) {
  const auto drawn_after = [](const Library& library, std::uint64_t secret) {
    std::vector<std::size_t> drawn;
    play(library, secret, [&](int, runtime::Runtime& runtime) {
      drawn.push_back(runtime.choose(1U << 30U, "a number, of the tests"));
    });
    return drawn;
  };
  BOOST_TEST((drawn_after(locks(1), 5) == drawn_after(locks(4), 5)));
  BOOST_TEST((drawn_after(locks(1), 5) != drawn_after(locks(1), 6)));
}

BOOST_AUTO_TEST_CASE(what_tests_draw_does_not_show_how_often_the_library_has_drawn) {
  const auto drawn_after = [](int of_library) {
    std::vector<std::size_t> drawn;
    walk(5, [&](runtime::Runtime& runtime, CallListener*) {
      for (int i = 0; i < of_library; ++i) {
        (void)runtime.choose(3, "list");
      }
      drawn.push_back(runtime.choose(1U << 30U, "a number, of the tests"));
    });
    return drawn;
  };
  BOOST_TEST((drawn_after(0) == drawn_after(2)));
}

BOOST_AUTO_TEST_CASE(calls_may_be_nested) {
  const Library nested = [](runtime::Mutex& mutex, CallListener* listener) {
    locks(1)(mutex, listener);
    if (listener != nullptr) {
      listener->begins();
      locks(3)(mutex, listener);
      listener->ends();
    }
    locks(1)(mutex, listener);
  };
  BOOST_TEST(runs_during(nested, 2) > 0.5);
}

BOOST_AUTO_TEST_CASE(one_secret_draws_the_same_every_time) {
  BOOST_TEST(runs_during(locks(2), 5) == runs_during(locks(2), 5));
  BOOST_TEST(runs_during(locks(2), 5) != runs_during(locks(2), 6));
}

BOOST_AUTO_TEST_CASE(
    races_within_calls_are_met_at_least_a_fifth_as_often_as_where_each_step_is_drawn) {
  for (const int locks_before : {0, 1, 3}) {
    for (const bool reader_is_spawned : {true, false}) {
      const double drawn = share_between_locks(0, locks_before, reader_is_spawned);
      const double uneven = share_between_locks(11, locks_before, reader_is_spawned);
      BOOST_TEST(drawn > 0.01);
      BOOST_TEST(uneven > drawn / 5, locks_before << " locks before: " << uneven << ", " << drawn);
    }
  }
  BOOST_TEST(share_of_lost_wakeups(11) > share_of_lost_wakeups(0));
  BOOST_TEST(share_of_lost_updates(11) > share_of_lost_updates(0) / 5);
  BOOST_TEST(share_between_locks(11, 8, true) > share_between_locks(0, 8, true));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
