#include "sim/apiserver/watch_cache.hpp"

#include <boost/test/unit_test.hpp>

using namespace watchlab;
using namespace watchlab::sim;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(watch_cache_test)

namespace {

/// Feeds a cache with changes of one object, one a step of time.
struct Feed {
  explicit Feed(WatchWindowOptions options) : cache(options) { cache.relist({}, 1); }

  void changes(int count, runtime::Duration apart) {
    for (int i = 0; i < count; ++i) {
      now += apart;
      api::Object object{.metadata = {.name = "a"}};
      Change change{.revision = ++revision, .at = now, .key = "a"};
      change.object = std::make_shared<const api::Object>(object);
      cache.apply(change, now);
    }
  }

  WatchCache cache;
  runtime::TimePoint now{};
  Revision revision = 1;
};

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_older_than_the_list_can_be_served) {
  Feed feed({});
  BOOST_TEST(feed.cache.oldest() == 2);
}

BOOST_AUTO_TEST_CASE(a_window_that_is_not_full_serves_from_the_list_on) {
  Feed feed({});
  feed.changes(100, 1s);
  BOOST_TEST(feed.cache.oldest() == 2);
  BOOST_TEST(feed.cache.window_size() == 100U);
}

BOOST_AUTO_TEST_CASE(a_full_window_of_young_changes_doubles) {
  Feed feed({});
  feed.changes(101, 100ms);
  BOOST_TEST(feed.cache.capacity() == 200U);
  BOOST_TEST(feed.cache.oldest() == 2);
}

BOOST_AUTO_TEST_CASE(a_full_window_of_old_changes_pushes_the_oldest_out) {
  Feed feed({});
  feed.changes(101, 1s);
  BOOST_TEST(feed.cache.capacity() == 100U);
  BOOST_TEST(feed.cache.oldest() == 3);
}

BOOST_AUTO_TEST_CASE(a_full_window_whose_newest_quarter_is_old_halves) {
  Feed feed({});
  feed.changes(101, 100ms);
  feed.changes(100, 2s);
  BOOST_TEST(feed.cache.capacity() == 100U);
}

BOOST_AUTO_TEST_CASE(a_window_never_grows_beyond_its_maximum) {
  Feed feed({.capacity_min = 2, .capacity_max = 4});
  feed.changes(20, 1ms);
  BOOST_TEST(feed.cache.capacity() == 4U);
  BOOST_TEST(feed.cache.window_size() == 4U);
  BOOST_TEST(feed.cache.oldest() == 18);
}

BOOST_AUTO_TEST_CASE(a_window_of_one_still_serves_the_last_change) {
  Feed feed({.capacity_min = 1, .capacity_max = 1});
  feed.changes(5, 1ms);
  BOOST_TEST(feed.cache.oldest() == 6);
  BOOST_TEST(feed.cache.changes_after(5).size() == 1U);
}

BOOST_AUTO_TEST_CASE(expired_changes_are_gone_but_the_objects_stay) {
  Feed feed({});
  feed.changes(5, 1s);
  feed.cache.expire_below(7);
  BOOST_TEST(feed.cache.oldest() == 7);
  BOOST_TEST(feed.cache.window_size() == 0U);
  BOOST_TEST(feed.cache.objects().size() == 1U);
}

BOOST_AUTO_TEST_CASE(expiry_cannot_reach_into_the_future) {
  Feed feed({});
  feed.changes(5, 1s);
  feed.cache.expire_below(1000);
  BOOST_TEST(feed.cache.oldest() == 7);
}

BOOST_AUTO_TEST_CASE(a_relist_forgets_the_window) {
  Feed feed({});
  feed.changes(5, 1s);
  feed.cache.relist({}, 6);
  BOOST_TEST(feed.cache.oldest() == 7);
  BOOST_TEST(feed.cache.objects().empty());
}

BOOST_AUTO_TEST_SUITE_END()
