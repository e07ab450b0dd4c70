#include <boost/test/unit_test.hpp>

#include "core/port/watchers.hpp"
#include "tests/core/watch/events.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(empty_watch_test)

// Mirrors TestEmpty.
BOOST_AUTO_TEST_CASE(it_is_over_before_it_began) {
  holds_everywhere([](runtime::Runtime& runtime) {
    const std::shared_ptr<watch::Watcher> watcher = watch::make_empty_watch(runtime);
    expect_equal(next(*watcher), "closed");
    watcher->stop();
    expect_equal(next(*watcher), "closed");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
