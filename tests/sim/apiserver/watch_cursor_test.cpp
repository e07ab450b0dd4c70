#include "sim/apiserver/watch_cursor.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/sim/apiserver/small_cluster.hpp"

// Event typing under selectors, streamed lists and bookmarks: docs/apiserver_rules.md W10 to W27.

using namespace watchlab;
using namespace watchlab::sim;
using namespace std::chrono_literals;
using Texts = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(watch_cursor_test)

namespace {

const api::Labels kIn{{"app", "demo"}};

api::ListOptions selecting(std::string revision) {
  return {.resource_version = std::move(revision), .label_selector = "app=demo"};
}

api::ListOptions streamed_list(std::string revision, bool bookmarks = true) {
  return {.resource_version = std::move(revision),
          .resource_version_match = kNotOlderThan,
          .allow_watch_bookmarks = bookmarks,
          .send_initial_events = true};
}

void check(const Texts& found, const Texts& expected) {
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_object_that_enters_the_selection_is_added) {
  SmallCluster cluster;
  (void)cluster.create("a");
  const WatchId watch = cluster.watch(selecting("3"));
  (void)cluster.update("a", "", kIn);
  check(cluster.drain(watch), {"ADDED a rv=4"});
}

BOOST_AUTO_TEST_CASE(an_object_that_stays_in_the_selection_is_modified) {
  SmallCluster cluster;
  (void)cluster.create("a", "", kIn);
  const WatchId watch = cluster.watch(selecting("3"));
  (void)cluster.update("a", R"({"data":{"k":"v"}})", kIn);
  check(cluster.drain(watch), {"MODIFIED a rv=4"});
}

BOOST_AUTO_TEST_CASE(an_object_that_leaves_the_selection_is_deleted_with_its_old_body) {
  SmallCluster cluster;
  (void)cluster.create("a", R"({"data":{"k":"old"}})", kIn);
  const WatchId watch = cluster.watch(selecting("3"));
  (void)cluster.update("a", R"({"data":{"k":"new"}})");
  const WatchPoll poll = cluster.plane.poll(watch, cluster.now);
  BOOST_TEST((poll.frame->event.type == watch::EventType::Deleted));
  BOOST_TEST(poll.frame->event.object->body == R"({"data":{"k":"old"}})");
  BOOST_TEST(poll.frame->event.object->metadata.resource_version == "4");
}

BOOST_AUTO_TEST_CASE(an_object_that_stays_outside_is_not_notified_of) {
  SmallCluster cluster;
  const WatchId watch = cluster.watch(selecting("2"));
  (void)cluster.create("a");
  (void)cluster.update("a", R"({"data":{"k":"v"}})");
  (void)cluster.remove("a");
  check(cluster.drain(watch), {});
}

BOOST_AUTO_TEST_CASE(a_deletion_carries_the_last_body_and_the_revision_of_the_deletion) {
  SmallCluster cluster;
  api::Object expected = object_in(cluster.create("a", R"({"data":{"k":"v"}})", kIn));
  const WatchId watch = cluster.watch(selecting("3"));
  (void)cluster.remove("a");
  expected.metadata.resource_version = "4";
  const WatchPoll poll = cluster.plane.poll(watch, cluster.now);
  BOOST_TEST((poll.frame.value().event.type == watch::EventType::Deleted));
  BOOST_TEST((*poll.frame->event.object == expected));
}

BOOST_AUTO_TEST_CASE(typing_is_the_same_for_events_from_the_window) {
  SmallCluster cluster;
  (void)cluster.create("a");
  (void)cluster.update("a", "", kIn);
  (void)cluster.update("a", R"({"data":{"k":"v"}})", kIn);
  (void)cluster.update("a", "");
  check(cluster.drain(cluster.watch(selecting("2"))),
        {"ADDED a rv=4", "MODIFIED a rv=5", "DELETED a rv=6"});
}

// Pins what the shared storage test RunTestWatch pins of one object, as a whole each time.
BOOST_AUTO_TEST_CASE(an_object_that_comes_and_goes_is_delivered_in_the_state_that_was_selected) {
  SmallCluster cluster;
  const WatchId watch = cluster.watch(selecting("2"));
  const api::Object first = object_in(cluster.create("a", R"({"data":{"k":"1"}})", kIn));
  (void)cluster.update("a", R"({"data":{"k":"2"}})");
  const api::Object third = object_in(cluster.update("a", R"({"data":{"k":"3"}})", kIn));
  const api::Object fourth = object_in(cluster.update("a", R"({"data":{"k":"4"}})", kIn));
  (void)cluster.remove("a");
  Texts texts;
  std::vector<api::Object> objects;
  for (WatchPoll poll = cluster.plane.poll(watch, cluster.now); poll.frame;
       poll = cluster.plane.poll(watch, cluster.now)) {
    texts.push_back(SmallCluster::text_of(poll.frame->event));
    objects.push_back(*poll.frame->event.object);
  }
  check(texts,
        {"ADDED a rv=3", "DELETED a rv=4", "ADDED a rv=5", "MODIFIED a rv=6", "DELETED a rv=7"});
  std::vector<api::Object> expected{first, first, third, fourth, fourth};
  expected[1].metadata.resource_version = "4";
  expected[4].metadata.resource_version = "7";
  BOOST_TEST((objects == expected));
}

BOOST_AUTO_TEST_CASE(a_watch_of_one_namespace_does_not_receive_others) {
  ControlPlaneOptions options;
  options.namespaces = {"default", "other"};
  SmallCluster cluster(options);
  const Response response = cluster.send({.verb = Verb::Watch,
                                          .resource = kConfigMaps,
                                          .namespace_ = "other",
                                          .options = {.resource_version = "3"}});
  (void)cluster.create("a");
  (void)cluster.send({.verb = Verb::Create,
                      .resource = kConfigMaps,
                      .namespace_ = "other",
                      .object = SmallCluster::object("a")});
  check(cluster.drain(std::get<WatchOpened>(response.answer).watch), {"ADDED a rv=5"});
}

BOOST_AUTO_TEST_CASE(a_streamed_list_ends_with_a_marked_bookmark) {
  SmallCluster cluster;
  (void)cluster.create("b");
  (void)cluster.create("a");
  for (const char* revision : {"", "0", "3"}) {
    BOOST_TEST_CONTEXT("rv=" << revision) {
      const WatchId watch = cluster.watch(streamed_list(revision));
      check(cluster.drain(watch), {"ADDED a rv=4", "ADDED b rv=3", "BOOKMARK rv=4 end"});
    }
  }
}

BOOST_AUTO_TEST_CASE(who_does_not_allow_bookmarks_gets_no_mark) {
  SmallCluster cluster;
  (void)cluster.create("a");
  check(cluster.drain(cluster.watch(streamed_list("", false))), {"ADDED a rv=3"});
}

BOOST_AUTO_TEST_CASE(the_old_form_of_a_watch_from_the_beginning_is_a_streamed_list_too) {
  SmallCluster cluster;
  (void)cluster.create("a");
  for (const char* revision : {"", "0"}) {
    check(
        cluster.drain(cluster.watch({.resource_version = revision, .allow_watch_bookmarks = true})),
        {"ADDED a rv=3", "BOOKMARK rv=3 end"});
  }
}

BOOST_AUTO_TEST_CASE(an_old_server_sends_the_objects_without_a_mark) {
  ControlPlaneOptions options;
  options.servers[0].profile = profile_of(ServerRelease::V1_30);
  SmallCluster cluster(options);
  (void)cluster.create("a");
  check(cluster.drain(cluster.watch({.resource_version = "0", .allow_watch_bookmarks = true})),
        {"ADDED a rv=3"});
}

// V4: the mark comes behind what has changed since, with the cache's revision of then.
BOOST_AUTO_TEST_CASE(a_server_of_1_31_marks_the_end_a_second_late) {
  ControlPlaneOptions options;
  options.servers[0].profile = profile_of(ServerRelease::V1_31);
  options.servers[0].profile.watch_list = true;
  SmallCluster cluster(options);
  (void)cluster.create("a");
  const WatchId watch = cluster.watch(streamed_list(""));
  check(cluster.drain(watch), {"ADDED a rv=3"});
  cluster.now += 500ms;
  (void)cluster.create("b");
  check(cluster.drain(watch), {"ADDED b rv=4"});
  cluster.now += 500ms;
  check(cluster.drain(watch), {"BOOKMARK rv=4 end"});
  (void)cluster.create("c");
  cluster.now += 30s;
  check(cluster.drain(watch), {"ADDED c rv=5"});
  check(cluster.drain(cluster.watch(streamed_list("", false))),
        {"ADDED a rv=3", "ADDED b rv=4", "ADDED c rv=5"});
}

BOOST_AUTO_TEST_CASE(a_streamed_list_from_an_old_revision_never_expires) {
  SmallCluster cluster;
  (void)cluster.create("a");
  (void)cluster.create("b");
  cluster.plane.server(0).expire_below(*cluster.plane.types().find(kConfigMaps), 5);
  check(cluster.drain(cluster.watch(streamed_list("1", false))), {"ADDED a rv=3", "ADDED b rv=4"});
}

BOOST_AUTO_TEST_CASE(a_streamed_list_of_the_future_fails_inside_the_stream) {
  SmallCluster cluster;
  const WatchId watch = cluster.watch(streamed_list("9"));
  cluster.now += 2s;
  check(cluster.drain(watch), {});
  cluster.now += 1s;
  check(cluster.drain(watch), {"ERROR 504", "(failed)"});
}

BOOST_AUTO_TEST_CASE(a_streamed_list_begins_when_its_revision_is_reached) {
  SmallCluster cluster;
  const WatchId watch = cluster.watch(streamed_list("4"));
  (void)cluster.create("a");
  check(cluster.drain(watch), {});
  (void)cluster.create("b");
  check(cluster.drain(watch), {"ADDED a rv=3", "ADDED b rv=4", "BOOKMARK rv=4 end"});
}

BOOST_AUTO_TEST_CASE(who_declines_initial_events_starts_now) {
  SmallCluster cluster;
  (void)cluster.create("a");
  for (const char* revision : {"", "0"}) {
    api::ListOptions options{.resource_version = revision};
    options.resource_version_match = kNotOlderThan;
    options.send_initial_events = false;
    check(cluster.drain(cluster.watch(options)), {});
  }
}

BOOST_AUTO_TEST_CASE(no_bookmark_comes_to_who_does_not_ask) {
  SmallCluster cluster;
  const WatchId watch = cluster.watch({.resource_version = "2", .timeout_seconds = 600});
  (void)cluster.create("a");
  (void)cluster.drain(watch);
  cluster.now += 599s;
  check(cluster.drain(watch), {});
}

BOOST_AUTO_TEST_CASE(a_quiet_collection_receives_nothing_without_progress_notifications) {
  ControlPlaneOptions options;
  options.servers[0].progress_notifications = false;
  SmallCluster cluster(options);
  const WatchId watch = cluster.watch(
      {.resource_version = "2", .timeout_seconds = 600, .allow_watch_bookmarks = true});
  (void)cluster.send({.verb = Verb::Create,
                      .resource = kPods,
                      .namespace_ = "default",
                      .object = SmallCluster::object("p")});
  cluster.now += 60s;
  check(cluster.drain(watch), {});
}

BOOST_AUTO_TEST_CASE(progress_notifications_that_begin_again_show_what_was_missed) {
  SmallCluster cluster;
  (void)cluster.create("a");
  ApiServer& server = cluster.plane.server(0);
  const WatchCache& cache = server.cache(*cluster.plane.types().find(kConfigMaps));
  server.set_progress_notifications(false);
  (void)cluster.send({.verb = Verb::Create,
                      .resource = kPods,
                      .namespace_ = "default",
                      .object = SmallCluster::object("p")});
  BOOST_TEST(cache.revision() == cluster.revision() - 1);
  server.set_progress_notifications(true);
  cluster.plane.change(cluster.now, [] {});
  BOOST_TEST(cache.revision() == cluster.revision());
}

BOOST_AUTO_TEST_CASE(an_uncached_collection_has_no_bookmarks_and_reaches_back_to_the_compaction) {
  SmallCluster cluster;
  const api::GroupVersionResource events{"events.k8s.io", "v1", "events"};
  for (int i = 0; i < 200; ++i) {
    (void)cluster.send({.verb = Verb::Create,
                        .resource = events,
                        .namespace_ = "default",
                        .object = SmallCluster::object(revision_text(i))});
    cluster.now += 1s;
  }
  const auto watch_from = [&](std::string revision) {
    const Response response = cluster.send({.verb = Verb::Watch,
                                            .resource = events,
                                            .options = {.resource_version = std::move(revision)}});
    return cluster.drain(std::get<WatchOpened>(response.answer).watch);
  };
  BOOST_TEST(watch_from("2").size() == 200U);
  cluster.plane.compact(100);
  check(watch_from("50"), {"ERROR 410", "(failed)"});
  BOOST_TEST(watch_from("100").size() == 102U);
}

BOOST_AUTO_TEST_CASE(a_restarted_server_ends_its_watches_and_forgets_its_history) {
  SmallCluster cluster;
  (void)cluster.create("a");
  (void)cluster.create("b");
  const WatchId watch = cluster.watch({.resource_version = "4"});
  cluster.plane.server(0).restart();
  check(cluster.drain(watch), {"(cache reset)"});
  check(cluster.drain(cluster.watch({.resource_version = "3"})), {"ERROR 410", "(failed)"});
  check(cluster.drain(cluster.watch({.resource_version = "4"})), {});
}

BOOST_AUTO_TEST_SUITE_END()
