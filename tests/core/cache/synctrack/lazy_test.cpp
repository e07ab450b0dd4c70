#include "core/cache/synctrack/lazy.hpp"

#include <boost/test/unit_test.hpp>

#include "core/runtime/atomic.hpp"
#include "core/runtime/task.hpp"
#include "tests/support/everywhere.hpp"

namespace watchlab::tests {
BOOST_AUTO_TEST_SUITE(lazy_test)

namespace {

using cache::synctrack::Lazy;

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
    const auto early = runtime::spawn(runtime, "early", [&] { (void)lazy.get(); });
    for (int i = 1; i <= 3; ++i) {
      state.store(i);
      lazy.notify();
      expect(*lazy.get() >= i, "the computation began after the notify");
    }
    early.join();
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
    expect(!lazy.get().ok(), "the first try fails");
    expect_equal(*lazy.get(), 2);
    expect_equal(*lazy.get(), 2);
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace watchlab::tests
