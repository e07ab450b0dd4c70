#include "sim/apiserver/api_server.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/sim/apiserver/small_cluster.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace std::chrono_literals;
using Texts = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(api_server_test)

BOOST_AUTO_TEST_CASE(every_write_takes_the_next_revision) {
  SmallCluster cluster;
  const Revision before = cluster.revision();
  BOOST_TEST(object_in(cluster.create("a")).metadata.resource_version == revision_text(before + 1));
  BOOST_TEST(object_in(cluster.update("a", R"({"data":{"k":"v"}})")).metadata.resource_version ==
             revision_text(before + 2));
  (void)cluster.remove("a");
  BOOST_TEST(cluster.revision() == before + 3);
}

BOOST_AUTO_TEST_CASE(a_list_names_the_revision_of_the_store_and_its_kind) {
  SmallCluster cluster;
  (void)cluster.create("b");
  (void)cluster.create("a");
  const Response response = cluster.list({});
  BOOST_TEST(response.code == 200);
  BOOST_TEST(names_in(response) == "a b");
  BOOST_TEST(list_in(response).kind == "ConfigMapList");
  BOOST_TEST(list_in(response).resource_version == "4");
}

BOOST_AUTO_TEST_CASE(an_exact_list_shows_the_past) {
  SmallCluster cluster;
  (void)cluster.create("a");
  (void)cluster.create("b");
  (void)cluster.remove("a");
  BOOST_TEST(names_in(cluster.list({.resource_version = "4", .resource_version_match = kExact})) ==
             "a b");
  BOOST_TEST(names_in(cluster.list({.resource_version = "5", .resource_version_match = kExact})) ==
             "b");
}

BOOST_AUTO_TEST_CASE(an_exact_list_of_a_compacted_state_expires) {
  SmallCluster cluster;
  (void)cluster.create("a");
  (void)cluster.create("b");
  const auto list_at = [&cluster](const std::string& revision) {
    return cluster.list({.resource_version = revision, .resource_version_match = kExact});
  };
  BOOST_TEST(names_in(list_at("3")) == "a");
  cluster.plane.compact(4);
  BOOST_TEST(names_in(list_at("4")) == "a b", "the compacted revision itself can be read");
  const Response response = list_at("3");
  BOOST_TEST(response.code == 410);
  BOOST_TEST((status_in(response).reason == api::StatusReason::Expired));
  BOOST_TEST(status_in(response).message ==
             "The resourceVersion for the provided list is too old.");
}

BOOST_AUTO_TEST_CASE(pages_show_one_state_however_late_they_are_asked_for) {
  SmallCluster cluster;
  for (const char* name : {"a", "b", "c"}) {
    (void)cluster.create(name);
  }
  const Response first = cluster.list({.limit = 2});
  BOOST_TEST(names_in(first) == "a b");
  BOOST_TEST(list_in(first).remaining_item_count.value() == 1);
  (void)cluster.remove("c");
  const Response second =
      cluster.list({.limit = 2, .continue_token = list_in(first).continue_token});
  BOOST_TEST(names_in(second) == "c");
  BOOST_TEST(list_in(second).resource_version == list_in(first).resource_version);
  BOOST_TEST(list_in(second).continue_token == "");
}

// Pins what the shared storage test RunTestListContinuation pins.
BOOST_AUTO_TEST_CASE(one_token_leads_to_the_whole_rest_or_to_its_next_page) {
  SmallCluster cluster;
  for (const char* name : {"a", "b", "c"}) {
    (void)cluster.create(name, R"({"data":{"name":")" + std::string(name) + R"("}})");
  }
  const auto page = [&cluster](std::int64_t limit, const std::string& token) {
    const Response response = cluster.list({.limit = limit, .continue_token = token});
    BOOST_TEST(list_in(response).resource_version == "5");
    for (const api::ObjectPtr& item : list_in(response).items) {
      BOOST_TEST((*item == *cluster.plane.store().get(kConfigMaps, api::key_of(item->metadata))));
    }
    return response;
  };
  const Response first = page(1, "");
  BOOST_TEST(names_in(first) == "a");
  BOOST_TEST(list_in(first).remaining_item_count.value() == 2);
  const std::string token = list_in(first).continue_token;
  const Response rest = page(0, token);
  BOOST_TEST(names_in(rest) == "b c");
  BOOST_TEST(list_in(rest).continue_token == "");
  BOOST_TEST(!list_in(rest).remaining_item_count.has_value());
  const Response second = page(1, token);
  BOOST_TEST(names_in(second) == "b");
  BOOST_TEST(list_in(second).remaining_item_count.value() == 1);
  const Response third = page(1, list_in(second).continue_token);
  BOOST_TEST(names_in(third) == "c");
  BOOST_TEST(list_in(third).continue_token == "");
  BOOST_TEST(!list_in(third).remaining_item_count.has_value());
}

// Pins what the shared storage test RunTestListInconsistentContinuation pins.
BOOST_AUTO_TEST_CASE(the_rest_behind_an_expired_token_comes_in_pages_of_one_state) {
  SmallCluster cluster;
  for (const char* name : {"a", "b", "c"}) {
    (void)cluster.create(name);
  }
  const Response first = cluster.list({.limit = 1});
  BOOST_TEST(names_in(first) == "a");
  BOOST_TEST(list_in(first).resource_version == "5");
  const api::Object changed = object_in(cluster.update("c", R"({"data":{"state":"new"}})"));
  cluster.plane.compact(cluster.revision());
  const Response expired = cluster.list({.continue_token = list_in(first).continue_token});
  BOOST_TEST(expired.code == 410);
  BOOST_TEST(status_in(expired).message.starts_with("The provided continue parameter is too old "));
  BOOST_TEST(status_in(expired).continue_token != "");
  BOOST_TEST(status_in(expired).continue_token != list_in(first).continue_token);
  const Response second =
      cluster.list({.limit = 1, .continue_token = status_in(expired).continue_token});
  BOOST_TEST(names_in(second) == "b");
  BOOST_TEST(list_in(second).items.at(0)->metadata.resource_version == "4");
  BOOST_TEST(list_in(second).continue_token != "");
  BOOST_TEST(list_in(second).resource_version == "6");
  (void)cluster.create("d");
  const Response third =
      cluster.list({.limit = 1, .continue_token = list_in(second).continue_token});
  BOOST_REQUIRE(list_in(third).items.size() == 1U);
  BOOST_TEST((*list_in(third).items[0] == changed));
  BOOST_TEST(list_in(third).resource_version == "6");
  BOOST_TEST(list_in(third).continue_token == "");
}

BOOST_AUTO_TEST_CASE(an_expired_token_comes_back_as_one_for_the_rest_as_it_is_now) {
  SmallCluster cluster;
  for (const char* name : {"a", "b", "c"}) {
    (void)cluster.create(name);
  }
  const Response first = cluster.list({.limit = 1});
  (void)cluster.remove("b");
  cluster.plane.compact(cluster.revision());
  const Response second =
      cluster.list({.limit = 1, .continue_token = list_in(first).continue_token});
  BOOST_TEST(second.code == 410);
  BOOST_TEST((status_in(second).reason == api::StatusReason::Expired));
  const Response rest = cluster.list({.continue_token = status_in(second).continue_token});
  BOOST_TEST(names_in(rest) == "c");
  BOOST_TEST(list_in(rest).resource_version == revision_text(cluster.revision()));
}

BOOST_AUTO_TEST_CASE(a_list_of_the_future_waits_three_seconds_and_is_too_large) {
  SmallCluster cluster;
  (void)cluster.create("a");
  Request request{.verb = Verb::List, .resource = kConfigMaps, .arrived = cluster.now};
  request.options.resource_version = "9";
  const Response first = cluster.plane.handle(0, request, cluster.now);
  BOOST_TEST((std::get<Pending>(first.answer).deadline == cluster.now + 3s));
  const Response second = cluster.plane.handle(0, request, cluster.now + 3s);
  const api::Status& status = status_in(second);
  BOOST_TEST(status.code == 504);
  BOOST_TEST((status.reason == api::StatusReason::Timeout));
  BOOST_TEST(status.message == "Timeout: Too large resource version: 9, current: 3");
  BOOST_TEST(status.details.retry_after_seconds == 1);
  BOOST_REQUIRE(status.details.causes.size() == 1U);
  BOOST_TEST(status.details.causes[0].reason == "ResourceVersionTooLarge");
  BOOST_TEST(status.details.causes[0].message == "Too large resource version");
}

BOOST_AUTO_TEST_CASE(a_watch_sends_what_happened_since_its_revision_and_what_happens_then) {
  SmallCluster cluster;
  (void)cluster.create("a");
  (void)cluster.create("b");
  const WatchId watch = cluster.watch({.resource_version = "3"});
  (void)cluster.update("a", R"({"data":{"k":"v"}})");
  (void)cluster.remove("b");
  BOOST_TEST(cluster.drain(watch) == (Texts{"ADDED b rv=4", "MODIFIED a rv=5", "DELETED b rv=6"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_watch_from_before_the_window_gets_its_410_inside_the_stream) {
  SmallCluster cluster;
  (void)cluster.create("a");
  (void)cluster.create("b");
  cluster.plane.server(0).expire_below(*cluster.plane.types().find(kConfigMaps), 5);
  BOOST_TEST(
      cluster.drain(cluster.watch({.resource_version = "3"})) == (Texts{"ERROR 410", "(failed)"}),
      boost::test_tools::per_element());
  BOOST_TEST(cluster.drain(cluster.watch({.resource_version = "4"})).empty());
}

BOOST_AUTO_TEST_CASE(a_watch_from_the_beginning_gets_all_objects_in_key_order) {
  SmallCluster cluster;
  (void)cluster.create("b");
  (void)cluster.create("a");
  const WatchId watch = cluster.watch({.resource_version = "0"});
  (void)cluster.create("c");
  BOOST_TEST(cluster.drain(watch) == (Texts{"ADDED a rv=4", "ADDED b rv=3", "ADDED c rv=5"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_watch_from_the_future_swallows_what_comes_before_it) {
  SmallCluster cluster;
  const WatchId watch = cluster.watch({.resource_version = "4"});
  for (const char* name : {"a", "b", "c"}) {
    (void)cluster.create(name);
  }
  BOOST_TEST(cluster.drain(watch) == (Texts{"ADDED c rv=5"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(bookmarks_come_each_minute_and_before_the_end_if_something_has_moved) {
  SmallCluster cluster;
  const WatchId watch = cluster.watch(
      {.resource_version = "2", .timeout_seconds = 130, .allow_watch_bookmarks = true});
  cluster.now += 60s;
  BOOST_TEST(cluster.drain(watch).empty());
  (void)cluster.send({.verb = Verb::Create,
                      .resource = kPods,
                      .namespace_ = "default",
                      .object = SmallCluster::object("p")});
  cluster.now += 60s;
  BOOST_TEST(cluster.drain(watch) == (Texts{"BOOKMARK rv=3"}), boost::test_tools::per_element());
  cluster.now += 8s;
  BOOST_TEST(cluster.drain(watch) == (Texts{"BOOKMARK rv=3"}), boost::test_tools::per_element());
  cluster.now += 2s;
  BOOST_TEST(cluster.drain(watch) == (Texts{"(timeout)"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_watch_without_a_timeout_lives_half_an_hour_to_an_hour) {
  SmallCluster cluster;
  const WatchId watch = cluster.watch({});
  const runtime::TimePoint end = *cluster.plane.poll(watch, cluster.now).wake_at;
  BOOST_TEST((end - cluster.now >= 30min));
  BOOST_TEST((end - cluster.now < 60min));
}

BOOST_AUTO_TEST_CASE(who_does_not_take_its_events_is_cut_off_without_a_word) {
  ControlPlaneOptions options;
  options.servers[0].watch_queue_max = 2;
  SmallCluster cluster(options);
  const WatchId watch = cluster.watch({.resource_version = "2"});
  for (const char* name : {"a", "b", "c"}) {
    (void)cluster.create(name);
  }
  cluster.now += 100ms;
  BOOST_TEST(cluster.drain(watch) == (Texts{"ADDED a rv=3", "ADDED b rv=4", "(slow client)"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_unknown_collection_is_not_found) {
  SmallCluster cluster;
  const Response response =
      cluster.send({.verb = Verb::List, .resource = {"example.com", "v1", "widgets"}});
  BOOST_TEST(response.code == 404);
  BOOST_TEST(status_in(response).message == "the server could not find the requested resource");
}

BOOST_AUTO_TEST_CASE(a_page_of_one_namespace_does_not_count_the_next) {
  ControlPlaneOptions options;
  options.namespaces = {"default", "other"};
  SmallCluster cluster(options);
  (void)cluster.create("a");
  Request other{.verb = Verb::Create,
                .resource = kConfigMaps,
                .namespace_ = "other",
                .object = SmallCluster::object("b")};
  BOOST_TEST(cluster.send(other).code == 201);
  const Response page =
      cluster.send({.verb = Verb::List,
                    .resource = kConfigMaps,
                    .namespace_ = "default",
                    .options = {.resource_version = revision_text(cluster.revision()),
                                .resource_version_match = kExact,
                                .limit = 1}});
  BOOST_TEST(names_in(page) == "a");
  BOOST_TEST(list_in(page).continue_token == "");
  BOOST_TEST(!list_in(page).remaining_item_count.has_value());
}

BOOST_AUTO_TEST_CASE(what_is_left_of_a_selection_is_not_counted) {
  SmallCluster cluster;
  for (const char* name : {"a", "b", "c"}) {
    (void)cluster.create(name, "", {{"app", "web"}});
  }
  const Response page = cluster.list({.limit = 2, .label_selector = "app=web"});
  BOOST_TEST(names_in(page) == "a b");
  BOOST_TEST(list_in(page).continue_token != "");
  BOOST_TEST(!list_in(page).remaining_item_count.has_value());
}

BOOST_AUTO_TEST_CASE(an_empty_map_of_a_config_map_is_none) {  // U4
  SmallCluster cluster;
  const api::Object made = object_in(cluster.create("a", R"({"data":{}})"));
  BOOST_TEST(made.body.find("data") == std::string::npos);
  const Revision before = cluster.revision();
  const auto merged = [&](const std::string& patch) {
    return cluster
        .send({.verb = Verb::Patch,
               .resource = kConfigMaps,
               .namespace_ = "default",
               .name = "a",
               .patch = patch})
        .code;
  };
  BOOST_TEST(merged(R"({"data":{}})") == 200);
  BOOST_TEST(merged(R"({"data":null})") == 200);
  BOOST_TEST(cluster.revision() == before);
}

BOOST_AUTO_TEST_CASE(a_revision_of_0_is_none) {  // U3
  SmallCluster cluster;
  api::Object object{.metadata = {.name = "a", .resource_version = "0"}};
  const auto create = [&] {
    return cluster.send({.verb = Verb::Create,
                         .resource = kConfigMaps,
                         .namespace_ = "default",
                         .object = std::make_shared<const api::Object>(object)});
  };
  BOOST_TEST(create().code == 201);
  object.body = R"({"data":{"a":"b"}})";
  BOOST_TEST(cluster.update(object).code == 200);
}

BOOST_AUTO_TEST_SUITE_END()
