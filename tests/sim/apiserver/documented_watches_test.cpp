// What a WATCH sends, row by row of the document (docs/apiserver_rules.md W).
#include <boost/test/unit_test.hpp>
#include <optional>
#include <vector>

#include "tests/sim/apiserver/documented_cluster.hpp"
#include "tests/sim/apiserver/small_cluster.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace std::chrono_literals;
using Texts = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(documented_watches_test)

namespace {

struct Row {
  std::optional<bool> initial_events;
  std::string revision;
  std::size_t server;
  Texts at_once;
  Texts within_three_seconds;
  Texts of_a_write;  ///< of c, which gets the revision 5, at a server that has caught up by then
};

const Texts kNothing{};
const Texts kAddedC{"ADDED c rv=5"};
const Texts kAB{"ADDED a rv=3", "ADDED b rv=4"};
const Texts kABEnd{"ADDED a rv=3", "ADDED b rv=4", "BOOKMARK rv=4 end"};
const Texts kAEnd{"ADDED a rv=3", "BOOKMARK rv=3 end"};
const Texts kTooLarge{"ERROR 504", "(failed)"};

const std::vector<Row> kTable{
    // unset, "": as true and NotOlderThan where streamed lists are known, so it must reach the
    // store; by an old server as "0".
    {std::nullopt, "", kUpToDate, kABEnd, kNothing, kAddedC},
    {std::nullopt, "", kTwoSecondsBehind, kNothing, kABEnd, kNothing},
    {std::nullopt, "", kAnHourBehind, kNothing, kTooLarge, kNothing},
    {std::nullopt, "", kOldAndAnHourBehind, {"ADDED a rv=3"}, kNothing, kNothing},
    // unset, "0": what is cached, and then what comes.
    {std::nullopt, "0", kUpToDate, kABEnd, kNothing, kAddedC},
    {std::nullopt, "0", kAnHourBehind, kAEnd, kNothing, kNothing},
    {std::nullopt, "0", kOldAndAnHourBehind, {"ADDED a rv=3"}, kNothing, kNothing},
    // unset, N: what came after it; of a revision that is to come, silence up to it.
    {std::nullopt, "3", kUpToDate, {"ADDED b rv=4"}, kNothing, kAddedC},
    {std::nullopt, "4", kUpToDate, kNothing, kNothing, kAddedC},
    {std::nullopt, "9", kUpToDate, kNothing, kNothing, kNothing},
    {std::nullopt, "3", kTwoSecondsBehind, kNothing, {"ADDED b rv=4"}, kNothing},
    {std::nullopt, "3", kOldAndAnHourBehind, kNothing, kNothing, kNothing},
    // true: all there is once the revision is reached, and a mark behind it. Never a 410.
    {true, "", kUpToDate, kABEnd, kNothing, kAddedC},
    {true, "", kTwoSecondsBehind, kNothing, kABEnd, kNothing},
    {true, "", kAnHourBehind, kNothing, kTooLarge, kNothing},
    {true, "0", kAnHourBehind, kAEnd, kNothing, kNothing},
    {true, "1", kUpToDate, kABEnd, kNothing, kAddedC},
    {true, "4", kTwoSecondsBehind, kNothing, kABEnd, kNothing},
    {true, "4", kAnHourBehind, kNothing, kTooLarge, kNothing},
    {true, "9", kAnHourBehind, kNothing, kTooLarge, kNothing},
    // false: from now on, or as unset from N on.
    {false, "", kUpToDate, kNothing, kNothing, kAddedC},
    {false, "0", kUpToDate, kNothing, kNothing, kAddedC},
    {false, "3", kUpToDate, {"ADDED b rv=4"}, kNothing, kAddedC},
    {false, "9", kUpToDate, kNothing, kNothing, kNothing},
};

api::ListOptions options_of(const Row& row) {
  return {.resource_version = row.revision,
          .resource_version_match = row.initial_events ? kNotOlderThan : kUnset,
          .allow_watch_bookmarks = true,
          .send_initial_events = row.initial_events};
}

/// What comes during three seconds.
Texts within_three_seconds(DocumentedCluster& cluster, WatchId watch) {
  Texts all;
  for (int i = 0; i < 6; ++i) {
    cluster.now += 500ms;
    cluster.plane.change(cluster.now, [] {});
    const Texts some = cluster.drain(watch);
    all.insert(all.end(), some.begin(), some.end());
    if (!some.empty() && some.back().front() == '(') {
      break;
    }
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_row_of_watch_sends_what_is_written) {
  for (const Row& row : kTable) {
    DocumentedCluster cluster;
    const WatchId watch = cluster.watch(options_of(row), row.server);
    BOOST_TEST_CONTEXT("initial events "
                       << (row.initial_events ? *row.initial_events ? "true" : "false" : "unset")
                       << ", rv=\"" << row.revision << "\", server " << row.server) {
      BOOST_TEST(cluster.drain(watch) == row.at_once, boost::test_tools::per_element());
      BOOST_TEST(within_three_seconds(cluster, watch) == row.within_three_seconds,
                 boost::test_tools::per_element());
      if (row.server == kUpToDate) {
        (void)cluster.create("c");
        BOOST_TEST(cluster.drain(watch) == row.of_a_write, boost::test_tools::per_element());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_revision_before_the_window_gets_200_and_one_error_event) {
  for (const std::optional<bool> initial_events : {std::optional<bool>(), std::optional(false)}) {
    DocumentedCluster cluster;
    (void)cluster.create("c");
    cluster.plane.server(kUpToDate).expire_all_below(5);
    const WatchId watch =
        cluster.watch(options_of({initial_events, "3", kUpToDate, {}, {}, {}}), kUpToDate);
    BOOST_TEST(cluster.drain(watch) == (Texts{"ERROR 410", "(failed)"}),
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(the_oldest_revision_that_can_be_served_is_one_before_the_window) {
  DocumentedCluster cluster;
  (void)cluster.create("c");
  cluster.plane.server(kUpToDate).expire_all_below(5);
  const WatchId watch = cluster.watch({.resource_version = "4"}, kUpToDate);
  BOOST_TEST(cluster.drain(watch) == kAddedC, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_compaction_of_the_store_is_no_business_of_a_cached_watch) {
  DocumentedCluster cluster;
  (void)cluster.create("c");
  cluster.plane.compact(5);
  const WatchId watch = cluster.watch({.resource_version = "3"}, kUpToDate);
  BOOST_TEST(cluster.drain(watch) == (Texts{"ADDED b rv=4", "ADDED c rv=5"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_bookmark_is_an_empty_object_of_the_kind) {
  DocumentedCluster cluster;
  const WatchId watch = cluster.watch(options_of({true, "", kUpToDate, {}, {}, {}}), kUpToDate);
  WatchPoll poll;
  for (std::size_t i = 0; i < kABEnd.size(); ++i) {
    poll = cluster.plane.poll(watch, cluster.now);
  }
  api::Object expected{.api_version = "v1", .kind = "ConfigMap"};
  expected.metadata.resource_version = "4";
  expected.metadata.annotations["k8s.io/initial-events-end"] = "true";
  BOOST_TEST((*poll.frame.value().event.object == expected));
}

BOOST_AUTO_TEST_CASE(a_bookmark_needs_a_revision_beyond_the_start) {
  DocumentedCluster cluster;
  const WatchId watch = cluster.watch(
      {.resource_version = "4", .timeout_seconds = 600, .allow_watch_bookmarks = true}, kUpToDate);
  cluster.now += 60s;
  BOOST_TEST(cluster.drain(watch) == kNothing, boost::test_tools::per_element());
  (void)cluster.create("c");
  cluster.now += 60s;
  BOOST_TEST(cluster.drain(watch) == (Texts{"ADDED c rv=5", "BOOKMARK rv=5"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(without_bookmarks_no_mark_ends_the_first_state) {
  DocumentedCluster cluster;
  const WatchId watch = cluster.watch(
      {.resource_version_match = kNotOlderThan, .send_initial_events = true}, kUpToDate);
  BOOST_TEST(cluster.drain(watch) == kAB, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
