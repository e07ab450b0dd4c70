#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "tests/sim/apiserver/small_cluster.hpp"

// How the watch of a client that reads nothing ends: docs/apiserver_rules.md W26. The channel to
// the client holds two frames in each case, and as many live events wait for a place in it.

using namespace watchlab;
using namespace watchlab::sim;
using namespace std::chrono_literals;
using Texts = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(slow_watches_test)

namespace {

struct CrampedCluster : SmallCluster {
  explicit CrampedCluster(bool marks_at_once) : SmallCluster(options(marks_at_once)) {}

  static ControlPlaneOptions options(bool marks_at_once) {
    ControlPlaneOptions options;
    options.servers[0].profile.marks_at_once = marks_at_once;
    options.servers[0].watch_queue_max = 2;
    return options;
  }

  void create_all(const Texts& names) {
    for (const std::string& name : names) {
      (void)create(name);
    }
  }
  WatchId streamed_list() {
    return watch({.resource_version_match = kNotOlderThan,
                  .allow_watch_bookmarks = true,
                  .send_initial_events = true});
  }
  /// What is sent once the server has waited for the client long enough.
  Texts sent_too_late(WatchId watch) {
    now += 100ms;
    return drain(watch);
  }
};

void check(const Texts& found, const Texts& expected) {
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

}  // namespace

// Mirrors TestCacheWatcherDraining and TestCacheWatcherDrainingNoBookmarkAfterResourceVersionSent.
BOOST_AUTO_TEST_CASE(a_mark_that_waits_is_sent_and_what_has_found_room_behind_it) {
  for (const bool at_once : {false, true}) {
    CrampedCluster cluster(at_once);
    cluster.create_all({"a", "b", "c"});
    const WatchId watch = cluster.streamed_list();
    cluster.now += 1s;
    cluster.create_all({"d", "e", "f"});
    Texts expected{"ADDED a rv=3", "ADDED b rv=4", "ADDED c rv=5", "BOOKMARK rv=5 end",
                   "ADDED d rv=6", "ADDED e rv=7", "(slow client)"};
    if (!at_once) {
      expected.erase(expected.end() - 2);  // the mark has its place
    }
    BOOST_TEST_CONTEXT("marks at once: " << at_once) {
      check(cluster.sent_too_late(watch), expected);
    }
  }
}

// Mirrors TestCacheWatcherDrainingRequestedButNotDrained.
BOOST_AUTO_TEST_CASE(who_goes_away_while_the_mark_waits_is_forgotten) {
  CrampedCluster cluster(true);
  cluster.create_all({"a", "b", "c"});
  const WatchId watch = cluster.streamed_list();
  cluster.now += 1s;
  cluster.create_all({"d", "e", "f"});
  cluster.now += 100ms;
  BOOST_TEST(cluster.plane.poll(watch, cluster.now).frame.has_value());
  cluster.plane.server(0).close(watch);
  BOOST_TEST(cluster.plane.server(0).watches_open() == 0U);
  check(cluster.drain(watch), {"(cancelled)"});
}

// Mirrors TestCacheWatcherDrainingNoBookmarkAfterResourceVersionReceived.
BOOST_AUTO_TEST_CASE(a_watch_that_has_received_no_bookmark_ends_behind_its_channel) {
  for (const bool at_once : {false, true}) {
    CrampedCluster cluster(at_once);
    cluster.create_all({"a", "b", "c"});
    const WatchId watch = cluster.streamed_list();
    cluster.now += 999ms;
    cluster.create_all({"d", "e", "f"});
    BOOST_TEST_CONTEXT("marks at once: " << at_once) {
      check(cluster.sent_too_late(watch), {"ADDED a rv=3", "ADDED b rv=4", "(slow client)"});
    }
  }
}

BOOST_AUTO_TEST_CASE(a_watch_whose_mark_was_sent_ends_behind_its_channel) {
  CrampedCluster cluster(true);
  cluster.create_all({"a"});
  const WatchId watch = cluster.streamed_list();
  cluster.now += 1s;
  cluster.create_all({"b", "c", "d"});
  check(cluster.sent_too_late(watch), {"ADDED a rv=3", "BOOKMARK rv=3 end", "(slow client)"});
}

BOOST_AUTO_TEST_CASE(a_watch_of_changes_ends_behind_its_channel) {
  CrampedCluster cluster(true);
  cluster.create_all({"a", "b", "c"});
  const WatchId watch = cluster.watch({.resource_version = "2", .allow_watch_bookmarks = true});
  cluster.now += 1s;
  cluster.create_all({"d", "e", "f"});
  check(cluster.sent_too_late(watch), {"ADDED a rv=3", "ADDED b rv=4", "(slow client)"});
}

BOOST_AUTO_TEST_CASE(a_mark_that_finds_no_room_is_offered_again_a_second_later) {
  CrampedCluster cluster(false);
  const WatchId watch = cluster.streamed_list();
  cluster.create_all({"a", "b"});
  cluster.now += 1s;
  check(cluster.drain(watch), {"ADDED a rv=3", "ADDED b rv=4"});
  cluster.now += 999ms;
  check(cluster.drain(watch), {});
  cluster.now += 1ms;
  check(cluster.drain(watch), {"BOOKMARK rv=4 end"});
}

BOOST_AUTO_TEST_SUITE_END()
