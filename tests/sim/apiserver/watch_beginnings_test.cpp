// How watches begin and what they send from then on, object by object. Pins what the shared storage
// tests RunWatchSemantics, RunWatchSemanticInitialEventsExtended, RunWatchListMatchSingle,
// RunTestWatchFromZero, RunTestWatchFromNonZero, RunTestWatcherTimeout and those of bookmarks pin.
#include <boost/test/unit_test.hpp>
#include <optional>
#include <vector>

#include "tests/sim/apiserver/small_cluster.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace std::chrono_literals;
using Texts = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(watch_beginnings_test)

namespace {

const api::GroupVersionResource kEvents{"events.k8s.io", "v1", "events"};

/// What a watch has sent, with whole objects.
using Events = std::vector<std::pair<watch::EventType, api::Object>>;

struct SpacedCluster : SmallCluster {
  explicit SpacedCluster(ApiServerOptions server = {})
      : SmallCluster({.servers = {std::move(server)}, .namespaces = {"x", "y"}}) {}

  /// Creates the pod of that name.
  api::Object write(const std::string& space, const std::string& name) {
    return write(Verb::Create, kPods, space, object(name, "{}"));
  }
  api::Object write(Verb verb, const api::GroupVersionResource& resource, const std::string& space,
                    api::ObjectPtr object) {
    return object_in(send(
        {.verb = verb, .resource = resource, .namespace_ = space, .object = std::move(object)}));
  }
  WatchId watch_of(const api::GroupVersionResource& resource, const std::string& space,
                   api::ListOptions options) {
    return std::get<WatchOpened>(send({.verb = Verb::Watch,
                                       .resource = resource,
                                       .namespace_ = space,
                                       .options = std::move(options)})
                                     .answer)
        .watch;
  }
  /// What the watch sends now; an ERROR as an object whose name is its code.
  Events sent(WatchId watch) {
    Events events;
    for (WatchPoll poll = plane.poll(watch, now); poll.frame; poll = plane.poll(watch, now)) {
      const watch::Event& event = poll.frame->event;
      events.emplace_back(
          event.type, event.object
                          ? *event.object
                          : api::Object{.metadata = {.name = std::to_string(event.status->code)}});
    }
    return events;
  }
};

api::Object marked_bookmark(const std::string& revision) {
  api::Object object{.api_version = "v1", .kind = "Pod"};
  object.metadata.resource_version = revision;
  object.metadata.annotations["k8s.io/initial-events-end"] = "true";
  return object;
}

api::ListOptions streamed(const std::string& revision, std::optional<bool> initial_events,
                          bool bookmarks) {
  return {.resource_version = revision,
          .resource_version_match = initial_events ? kNotOlderThan : kUnset,
          .allow_watch_bookmarks = bookmarks,
          .send_initial_events = initial_events};
}

void check(const Events& found, const Events& expected) {
  BOOST_REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    BOOST_TEST((found[i].first == expected[i].first));
    BOOST_TEST((found[i].second == expected[i].second));
  }
}

/// A watch of three pods that are there, with the events of two more after its beginning.
void check_beginning(const std::string& asked, std::optional<bool> initial_events, bool bookmarks) {
  SpacedCluster cluster;
  const std::string before = revision_text(cluster.revision());
  Events initial;
  for (const char* name : {"p1", "p2", "p3"}) {
    initial.emplace_back(watch::EventType::Added, cluster.write("x", name));
  }
  const std::string current = revision_text(cluster.revision());
  const std::string revision = asked == "before" ? before : asked == "current" ? current : asked;
  if (!initial_events.value_or(true) && asked != "before") {
    initial.clear();
  }
  if (initial_events.value_or(false) && bookmarks) {
    initial.emplace_back(watch::EventType::Bookmark, marked_bookmark(current));
  }
  const WatchId watch = cluster.watch_of(kPods, "x", streamed(revision, initial_events, bookmarks));
  check(cluster.sent(watch), initial);
  Events live;
  for (const char* name : {"p4", "p5"}) {
    live.emplace_back(watch::EventType::Added, cluster.write("x", name));
  }
  check(cluster.sent(watch), live);
  check(cluster.sent(watch), {});
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_beginning_sends_its_first_state_and_then_each_change_once) {
  for (const char* revision : {"", "0", "before", "current"}) {
    for (const bool initial_events : {true, false}) {
      for (const bool bookmarks : {true, false}) {
        BOOST_TEST_CONTEXT("rv=\"" << revision << "\", initial events " << initial_events
                                   << ", bookmarks " << bookmarks) {
          check_beginning(revision, initial_events, bookmarks);
        }
      }
    }
  }
  for (const char* revision : {"", "0"}) {
    BOOST_TEST_CONTEXT("rv=\"" << revision << "\", the old form") {
      check_beginning(revision, std::nullopt, false);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_mark_has_the_revision_of_the_store_and_not_of_the_selection) {
  for (const char* fields : {"", "metadata.name=p1"}) {
    SpacedCluster cluster;
    Events expected{{watch::EventType::Added, cluster.write("x", "p1")}};
    const api::Object second = cluster.write("x", "p2");
    const api::Object other = cluster.write("y", "p2");
    if (*fields == 0) {
      expected.emplace_back(watch::EventType::Added, second);
    }
    expected.emplace_back(watch::EventType::Bookmark,
                          marked_bookmark(other.metadata.resource_version));
    api::ListOptions options = streamed("", true, true);
    options.field_selector = fields;
    const WatchId watch = cluster.watch_of(kPods, "x", options);
    BOOST_TEST_CONTEXT("fields \"" << fields << "\"") {
      check(cluster.sent(watch), expected);
      check(cluster.sent(watch), {});
    }
  }
}

BOOST_AUTO_TEST_CASE(a_watch_from_zero_begins_with_the_newest_state_whatever_was_forgotten) {
  for (const api::GroupVersionResource& resource : {kPods, kEvents}) {
    SpacedCluster cluster;
    const auto from = [&](const std::string& revision) {
      return cluster.watch_of(resource, "x", {.resource_version = revision});
    };
    const api::Object first = cluster.write(Verb::Create, resource, "x", SmallCluster::object("a"));
    const WatchId watch = from("0");
    check(cluster.sent(watch), {{watch::EventType::Added, first}});
    const api::Object second =
        cluster.write(Verb::Update, resource, "x", SmallCluster::object("a", R"({"note":"2"})"));
    check(cluster.sent(watch), {{watch::EventType::Modified, second}});
    check(cluster.sent(from("0")), {{watch::EventType::Added, second}});
    check(cluster.sent(from(first.metadata.resource_version)),
          {{watch::EventType::Modified, second}});
    const api::Object third =
        cluster.write(Verb::Update, resource, "x", SmallCluster::object("a", R"({"note":"3"})"));
    (void)cluster.write(Verb::Create, resource, "y", SmallCluster::object("b"));
    cluster.plane.compact(cluster.revision());
    cluster.plane.server(0).expire_all_below(cluster.revision());
    check(cluster.sent(from("0")), {{watch::EventType::Added, third}});
    check(cluster.sent(from(second.metadata.resource_version)),
          {{watch::EventType::Error, api::Object{.metadata = {.name = "410"}}}});
  }
}

BOOST_AUTO_TEST_CASE(clients_that_read_nothing_hold_no_other_up) {
  SpacedCluster cluster({.watch_queue_max = 10});
  const auto open = [&] { return cluster.watch_of(kPods, "x", {.resource_version = "3"}); };
  std::vector<WatchId> unread;
  for (int i = 0; i < 50; ++i) {
    unread.push_back(open());
  }
  const WatchId read = open();
  for (int i = 0; i < 22; ++i) {
    const api::Object made = cluster.write("x", "p" + std::to_string(i));
    check(cluster.sent(read), {{watch::EventType::Added, made}});
  }
  cluster.now += 100ms;
  for (const WatchId watch : unread) {
    const Texts texts = cluster.drain(watch);
    BOOST_REQUIRE(texts.size() == 11U);
    BOOST_TEST(texts.front() == "ADDED p0 rv=4");
    BOOST_TEST(texts[9] == "ADDED p9 rv=13");
    BOOST_TEST(texts.back() == "(slow client)");
  }
  BOOST_TEST(cluster.plane.server(0).watches_open() == 1U);
  const api::Object last = cluster.write("x", "last");
  check(cluster.sent(read), {{watch::EventType::Added, last}});
}

BOOST_AUTO_TEST_CASE(a_bookmark_is_sent_for_what_others_wrote_to_those_who_allow_it) {
  for (const bool bookmarks : {false, true}) {
    SpacedCluster cluster;
    const api::Object own = cluster.write("x", "p");
    const WatchId watch = cluster.watch_of(kPods, "x",
                                           {.resource_version = own.metadata.resource_version,
                                            .timeout_seconds = 600,
                                            .allow_watch_bookmarks = bookmarks,
                                            .field_selector = "metadata.name=p"});
    const api::Object other = cluster.write("y", "p");
    cluster.now += 60s;
    api::Object expected{.api_version = "v1", .kind = "Pod"};
    expected.metadata.resource_version = other.metadata.resource_version;
    check(cluster.sent(watch),
          bookmarks ? Events{{watch::EventType::Bookmark, expected}} : Events{});
  }
}

BOOST_AUTO_TEST_CASE(revisions_never_go_back_on_a_stream_with_bookmarks) {
  SpacedCluster cluster({.bookmark_period = 1s});
  const WatchId watch = cluster.watch_of(
      kPods, "x", {.resource_version = "3", .timeout_seconds = 600, .allow_watch_bookmarks = true});
  Revision last = 3;
  int bookmarks = 0;
  int events = 0;
  for (int i = 0; i < 100; ++i) {
    (void)cluster.write(i % 3 == 0 ? "y" : "x", "p" + std::to_string(i));
    cluster.now += 300ms;
    for (const auto& [type, object] : cluster.sent(watch)) {
      const Revision revision = *parse_revision(object.metadata.resource_version);
      const bool bookmark = type == watch::EventType::Bookmark;
      BOOST_TEST((bookmark ? revision >= last : revision > last));
      last = revision;
      ++(bookmark ? bookmarks : events);
    }
  }
  BOOST_TEST(events == 66);
  BOOST_TEST(bookmarks == 25);
}

BOOST_AUTO_TEST_SUITE_END()
