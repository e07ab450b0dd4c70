#include <boost/test/unit_test.hpp>

#include "core/port/synctrack.hpp"
#include "core/runtime/atomic.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/task.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(lazy_test)

namespace {

using namespace std::chrono_literals;
using cache::synctrack::Lazy;

/// Two computations that a test lets come back in an order of its own.
struct TwoComputations {
  explicit TwoComputations(runtime::Runtime& runtime)
      : started(runtime, 2),
        release_first(runtime, 1),
        release_second(runtime, 1),
        lazy(runtime, [this] {
          const int number = ++computed;
          started.send(number);
          (number == 1 ? release_first : release_second).receive();
          return api::Result<int>(number);
        }) {}

  int computed = 0;
  runtime::Channel<int> started;
  runtime::Channel<runtime::Unit> release_first;
  runtime::Channel<runtime::Unit> release_second;
  Lazy<int> lazy;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_value_is_computed_once_until_it_is_said_to_have_changed) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    int computed = 0;
    Lazy<int> lazy(runtime, [&] { return api::Result<int>(++computed); });
    expect_equal(computed, 0);
    expect_equal(*lazy.get(), 1);
    expect_equal(*lazy.get(), 1);
    lazy.notify();
    lazy.notify();
    expect_equal(*lazy.get(), 2);
  });
}

BOOST_AUTO_TEST_CASE(those_who_ask_at_the_same_time_compute_once) {
  holds_everywhere([](runtime::Runtime& runtime) {
    runtime::Atomic<int> computed(runtime, 0);
    Lazy<int> lazy(runtime, [&] { return api::Result<int>(computed.fetch_add(1) + 1); });
    const auto other = runtime::spawn(runtime, "other", [&] { expect_equal(*lazy.get(), 1); });
    expect_equal(*lazy.get(), 1);
    other.join();
    expect_equal(computed.load(), 1);
  });
}

BOOST_AUTO_TEST_CASE(who_asks_after_a_notify_gets_no_older_value) {
  holds_everywhere([](runtime::Runtime& runtime) {
    runtime::Atomic<int> state(runtime, 0);
    Lazy<int> lazy(runtime, [&] {
      const int seen = state.load();
      runtime.yield(runtime::Location::current());
      return api::Result<int>(seen);
    });
    std::vector<runtime::Task> others;
    for (int i = 0; i < 2; ++i) {
      others.push_back(runtime::spawn(runtime, "other", [&] {
        const int set = state.fetch_add(1) + 1;
        lazy.notify();
        expect(*lazy.get() >= set, "the computation began after the notify");
      }));
    }
    for (int i = 1; i <= 3; ++i) {
      const int set = state.fetch_add(1) + 1;
      lazy.notify();
      expect(*lazy.get() >= set, "the computation began after the notify");
    }
    for (const runtime::Task& other : others) {
      other.join();
    }
  });
}

// Mirrors TestLazySlowEval and TestLazySlowEval2.
BOOST_AUTO_TEST_CASE(an_old_value_that_comes_late_or_early_is_for_who_asked_for_it_alone) {
  for (const bool old_comes_late : {true, false}) {
    holds_in_every_world([old_comes_late](runtime::Runtime& runtime) {
      TwoComputations two(runtime);
      const auto ask = [&](int expected) {
        return runtime::spawn(runtime, "asks",
                              [&two, expected] { expect_equal(*two.lazy.get(), expected); });
      };
      const runtime::Task before = ask(1);
      expect_equal(*two.started.receive(), 1);
      two.lazy.notify();
      const runtime::Task after = ask(2);
      expect_equal(*two.started.receive(), 2);
      (old_comes_late ? two.release_second : two.release_first).send({});
      (old_comes_late ? after : before).join();
      (old_comes_late ? two.release_first : two.release_second).send({});
      (old_comes_late ? before : after).join();
      expect_equal(*two.lazy.get(), 2);
      expect_equal(two.computed, 2);
    });
  }
}

// Mirrors TestLazyOnlyOnce.
BOOST_AUTO_TEST_CASE(who_asks_during_a_computation_gets_its_value) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    TwoComputations one(runtime);
    one.lazy.notify();
    std::vector<runtime::Task> readers;
    for (int i = 0; i < 3; ++i) {
      readers.push_back(
          runtime::spawn(runtime, "asks", [&one] { expect_equal(*one.lazy.get(), 1); }));
    }
    one.started.receive();
    one.release_first.send({});
    for (const runtime::Task& reader : readers) {
      reader.join();
    }
    expect_equal(one.computed, 1);
  });
}

// Mirrors TestLazyThroughput.
BOOST_AUTO_TEST_CASE(who_asks_waits_for_two_computations_at_most) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Lazy<int> lazy(runtime, [&] {
      runtime::sleep_for(runtime, 11ms);
      return api::Result<int>(1);
    });
    std::vector<runtime::Task> readers;
    for (int i = 0; i < 20; ++i) {
      runtime::sleep_for(runtime, 10ms);
      lazy.notify();
      readers.push_back(runtime::spawn(runtime, "asks", [&] {
        const runtime::TimePoint start = runtime.now();
        (void)lazy.get();
        expect(runtime.now() - start <= 22ms, "it does not wait for all who came before");
      }));
    }
    for (const runtime::Task& reader : readers) {
      reader.join();
    }
  });
}

BOOST_AUTO_TEST_CASE(a_failure_is_reported_and_the_next_one_tries_again) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    int tries = 0;
    Lazy<int> lazy(runtime, [&]() -> api::Result<int> {
      if (++tries < 2) {
        return api::Error{.message = "not yet"};
      }
      return tries;
    });
    const api::Result<int> first = lazy.get();
    expect(!first && first.error().message == "not yet", "the first try fails");
    expect_equal(*lazy.get(), 2);
    expect_equal(*lazy.get(), 2);
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
