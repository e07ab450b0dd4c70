// Which state a LIST shows: of several namespaces after one object was changed and one deleted, of
// one name, in pages, and again at the revision of an earlier list. Pins what the shared storage
// tests RunTestList, RunTestConsistentList, RunTestGetListNonRecursive,
// RunTestGetListRecursivePrefix, RunTestListPaging, RunTestListContinuationWithFilter and
// RunTestListResourceVersionMatch pin.
#include <boost/test/unit_test.hpp>
#include <optional>
#include <vector>

#include "sim/apiserver/list_page.hpp"
#include "tests/sim/apiserver/documented_cluster.hpp"
#include "tests/sim/apiserver/small_cluster.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(listed_states_test)

namespace {

const std::string kTooLarge = "9223372036854775807";

std::string keys_in(const Response& response) {
  std::string keys;
  for (const api::ObjectPtr& item : list_in(response).items) {
    keys += (keys.empty() ? "" : " ") + item->metadata.namespace_ + "/" + item->metadata.name;
  }
  return keys;
}

/// A cluster with some namespaces and two servers: one answers from its cache where it can, the old
/// one asks the store more often.
struct SpacedCluster : SmallCluster {
  explicit SpacedCluster(std::vector<std::string> namespaces)
      : SmallCluster({.servers = {{}, {.profile = profile_of(ServerRelease::V1_30)}},
                      .namespaces = std::move(namespaces),
                      .compaction_period = {}}) {}

  /// Writes the pod with the key "namespace/name".
  api::Object write(Verb verb, const std::string& key, const std::string& body = "{}",
                    const api::Labels& labels = {}) {
    const std::size_t slash = key.find('/');
    return object_in(send({.verb = verb,
                           .resource = kPods,
                           .namespace_ = key.substr(0, slash),
                           .object = object(key.substr(slash + 1), body, labels)}));
  }
  Response list_pods(const std::string& space, const api::ListOptions& options,
                     std::size_t server = 0) {
    return send({.verb = Verb::List, .resource = kPods, .namespace_ = space, .options = options},
                server);
  }
};

/// Five pods of three namespaces with the revisions 5 to 9. A sixth came and went, the first was
/// put on a node, and at last the revision moved on without a change of any pod.
struct PodStates : SpacedCluster {
  PodStates() : SpacedCluster({"first", "second", "third"}) {
    for (const char* key :
         {"first/bar", "second/bar", "second/foo", "third/barfoo", "third/foo", "second/baz"}) {
      (void)write(Verb::Create, key);
    }
    (void)write(Verb::Update, "first/bar", R"({"spec":{"nodeName":"n1"}})");
    (void)send({.verb = Verb::Delete, .resource = kPods, .namespace_ = "second", .name = "baz"});
    (void)send({.verb = Verb::Create,
                .resource = kConfigMaps,
                .namespace_ = "first",
                .object = object("other")});
  }
};

const std::string kBefore = "4";  ///< before the first pod
const std::string kLast = "12";   ///< of the last change of a pod
const std::string kNow = "13";

struct Row {
  std::string space;
  api::ListOptions options;
  std::string keys;
  std::string revision = kNow;
  bool more = false;  ///< there is a token for the next page
  std::optional<std::int64_t> remaining = std::nullopt;
};

api::ListOptions at(const std::string& revision, api::ResourceVersionMatch match = kUnset,
                    std::int64_t limit = 0) {
  return {.resource_version = revision, .resource_version_match = match, .limit = limit};
}

api::ListOptions with_token(const std::string& start, std::int64_t limit,
                            const std::string& fields = "", const std::string& revision = "") {
  return {.resource_version = revision,
          .limit = limit,
          .continue_token = encode({12, start}),
          .field_selector = fields};
}

const std::string kAll = "first/bar second/bar second/foo third/barfoo third/foo";

std::vector<Row> rows_of_namespaces() {
  return {
      {"first", at(""), "first/bar"},
      {"first", at("0"), "first/bar"},
      {"first", at(kBefore, kExact), "", kBefore},
      {"first", at("0", kNotOlderThan), "first/bar"},
      {"first", at(kBefore, kNotOlderThan), "first/bar"},
      {"first", at(kLast), "first/bar"},
      {"first", at(kLast, kExact), "first/bar", kLast},
      {"first", at(kLast, kNotOlderThan), "first/bar"},
      {"absent", at(""), ""},
      {"absent", at("0"), ""},
      {"first", {.field_selector = "metadata.name!=bar"}, ""},
      {"second", at(""), "second/bar second/foo"},
      {"second", at(kLast, kNotOlderThan), "second/bar second/foo"},
      {"", at(""), kAll},
      {"", at(kLast, kNotOlderThan), kAll},
  };
}

std::vector<Row> rows_of_pages() {
  return {
      {"second", at("", kUnset, 1), "second/bar", kNow, true, 1},
      {"second", at(kLast, kUnset, 1), "second/bar", kLast, true, 1},
      {"second", at(kLast, kExact, 1), "second/bar", kLast, true, 1},
      {"second", at(kLast, kNotOlderThan, 1), "second/bar", kNow, true, 1},
      // A watch cache gives whole lists to those who ask for any state.
      {"second", at("0", kUnset, 1), "second/bar second/foo"},
      {"second", at("0", kNotOlderThan, 1), "second/bar second/foo"},
      {"second", at(kBefore, kExact, 1), "", kBefore},
      {"second", with_token("foo", 1), "second/foo", kLast},  // L21
      {"second", with_token("foo", 1, "", "0"), "second/foo", kLast},
      {"", with_token("third/barfoo", 2, "metadata.name=foo"), "third/foo", kLast},
      {"", with_token("third/barfoo", 1, "metadata.name=foo"), "third/foo", kLast},
  };
}

/// What fields select, asked for without a revision and with the last one.
std::vector<Row> rows_of_selections() {
  std::vector<Row> rows;
  for (const bool newest : {true, false}) {
    const auto add = [&](const std::string& fields, std::int64_t limit, const std::string& keys,
                         bool more) {
      api::ListOptions options = newest ? at("", kUnset, limit) : at(kLast, kNotOlderThan, limit);
      options.field_selector = fields;
      rows.push_back({"", options, keys, kNow, more});
    };
    add("metadata.name=barfoo", 1, "third/barfoo", true);
    add("metadata.name=barfoo", 2, "third/barfoo", false);
    add("metadata.name=barfoo", 5, "third/barfoo", false);
    add("metadata.name=bar", 2, "first/bar second/bar", true);
    add("metadata.name=foo", 2, "second/foo third/foo", false);
    add("metadata.name=foo", 5, "second/foo third/foo", false);
    add("spec.nodeName=n1", 5, "first/bar", false);
    add("metadata.name=baz", 5, "", false);
  }
  rows.push_back({"",
                  {.resource_version = "0", .limit = 2, .field_selector = "metadata.name=barfoo"},
                  "third/barfoo"});
  return rows;
}

void check(PodStates& cluster, const Row& row, std::size_t server) {
  const Response response = cluster.list_pods(row.space, row.options, server);
  const api::ObjectList& list = list_in(response);
  BOOST_TEST(keys_in(response) == row.keys);
  BOOST_TEST(list.resource_version == row.revision);
  BOOST_TEST(!list.continue_token.empty() == row.more);
  BOOST_TEST(list.remaining_item_count.value_or(-1) == row.remaining.value_or(-1));
  for (const api::ObjectPtr& item : list.items) {
    BOOST_TEST((*item == *cluster.plane.store().get(kPods, api::key_of(item->metadata))));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(lists_of_every_kind_show_their_state_from_cache_and_store) {
  for (const auto& rows : {rows_of_namespaces(), rows_of_pages(), rows_of_selections()}) {
    for (const Row& row : rows) {
      for (const std::size_t server : {0, 1}) {
        PodStates cluster;
        BOOST_TEST_CONTEXT("namespace \"" << row.space << "\", rv=\""
                                          << row.options.resource_version << "\", limit "
                                          << row.options.limit << ", fields \""
                                          << row.options.field_selector << "\", keys \"" << row.keys
                                          << "\", server " << server) {
          check(cluster, row, server);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_token_goes_with_no_revision_but_zero) {
  PodStates cluster;
  const Response response = cluster.list_pods("second", with_token("second/foo", 1, "", "1"));
  BOOST_TEST(response.code == 400);
  BOOST_TEST((status_in(response).reason == api::StatusReason::BadRequest));
}

BOOST_AUTO_TEST_CASE(a_list_of_one_name_shows_the_object_as_it_was_at_the_revision) {
  for (const std::size_t server : {0, 1}) {
    SpacedCluster cluster({"default"});
    const api::Object first = cluster.write(Verb::Create, "default/a", R"({"spec":{"n":1}})");
    const api::Object second = cluster.write(Verb::Update, "default/a", R"({"spec":{"n":2}})");
    (void)cluster.create("other");
    const auto check_one = [&](api::ListOptions options, const api::Object& expected) {
      options.field_selector = "metadata.name=a";
      const Response response = cluster.list_pods("default", options, server);
      BOOST_REQUIRE(list_in(response).items.size() == 1U);
      BOOST_TEST((*list_in(response).items[0] == expected));
      BOOST_TEST(list_in(response).resource_version != "");
      options.field_selector = "metadata.name!=a";
      BOOST_TEST(keys_in(cluster.list_pods("default", options, server)) == "");
      options.field_selector = "metadata.name=absent";
      BOOST_TEST(keys_in(cluster.list_pods("default", options, server)) == "");
    };
    for (const char* revision : {"", "0", "4"}) {
      check_one(at(revision), second);
    }
    for (const char* revision : {"0", "3", "4"}) {
      check_one(at(revision, kNotOlderThan), second);
    }
    check_one(at("4", kExact), second);
    check_one(at("3", kExact), first);
    Request late{.verb = Verb::List, .resource = kPods, .namespace_ = "default"};
    late.options = {.resource_version = kTooLarge, .field_selector = "metadata.name=a"};
    late.arrived = cluster.now;
    const Response refused = cluster.plane.handle(server, late, cluster.now + 3s);
    BOOST_TEST(status_in(refused).message.starts_with("Timeout: Too large resource version: "));
  }
}

BOOST_AUTO_TEST_CASE(neither_names_nor_namespaces_are_selected_by_their_beginning) {
  for (const std::size_t server : {0, 1}) {
    SpacedCluster cluster({"test", "test2"});
    const WatchId watch = std::get<WatchOpened>(cluster
                                                    .send({.verb = Verb::Watch,
                                                           .resource = kPods,
                                                           .namespace_ = "test",
                                                           .options = at("3")},
                                                          server)
                                                    .answer)
                              .watch;
    for (const char* key : {"test/foo", "test/foobar", "test2/baz"}) {
      (void)cluster.write(Verb::Create, key);
    }
    for (api::ListOptions options : {at("6", kExact), at(""), at("0", kNotOlderThan)}) {
      const auto keys = [&](const std::string& space) {
        return keys_in(cluster.list_pods(space, options, server));
      };
      const auto page = [&](std::int64_t limit) {
        api::ListOptions limited = options;
        limited.limit = limit;
        return cluster.list_pods("test", limited, server);
      };
      const bool whole = options.resource_version == "0";  // no limit is honoured
      BOOST_TEST_CONTEXT("rv=\"" << options.resource_version << "\", server " << server) {
        BOOST_TEST(keys("") == "test/foo test/foobar test2/baz");
        BOOST_TEST(keys("test") == "test/foo test/foobar");
        BOOST_TEST(keys("tes") == "");
        BOOST_TEST(list_in(page(1)).remaining_item_count.value_or(-1) == (whole ? -1 : 1));
        BOOST_TEST(list_in(page(2)).continue_token == "");
        options.field_selector = "metadata.name=foo";
        BOOST_TEST(keys("test") == "test/foo");
        options.field_selector = "metadata.name=foobar";
        BOOST_TEST(keys("") == "test/foobar");
        options.field_selector = "metadata.namespace=test";
        BOOST_TEST(keys("") == "test/foo test/foobar");
      }
    }
    const std::vector<std::string> expected{"ADDED foo rv=4", "ADDED foobar rv=5"};
    BOOST_TEST(cluster.drain(watch) == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_consistent_list_brings_the_cache_forward_for_all_later_lists) {
  DocumentedCluster cluster;
  const auto move_on = [&cluster](const std::string& pod) {
    (void)cluster.send({.verb = Verb::Create,
                        .resource = kPods,
                        .namespace_ = "default",
                        .object = SmallCluster::object(pod)});
  };
  const auto ask = [&cluster](const api::ListOptions& options) {
    return answer_text(cluster.settle(
        {.verb = Verb::List, .resource = kConfigMaps, .options = options}, kTwoSecondsBehind));
  };
  move_on("one");
  BOOST_TEST(ask(at("0")) == "200 a rv=3");
  BOOST_TEST(ask(at("")) == "200 a b rv=5");
  BOOST_TEST(ask(at("0")) == "200 a b rv=5");
  move_on("two");
  BOOST_TEST(ask(at("0")) == "200 a b rv=5");
  const std::string behind_a("default/a\0", 10);
  BOOST_TEST(ask({.continue_token = encode({-1, behind_a})}) == "200 b rv=6");
}

BOOST_AUTO_TEST_CASE(a_page_is_filled_from_behind_what_is_not_selected) {
  for (const std::size_t server : {0, 1}) {
    SpacedCluster cluster({"n1", "n2", "n3", "n4"});
    const api::Object first = cluster.write(Verb::Create, "n1/foo");
    (void)cluster.write(Verb::Create, "n2/bar");
    const api::Object third = cluster.write(Verb::Create, "n3/foo");
    const api::Object fourth = cluster.write(Verb::Create, "n4/foo");
    const auto page = [&](const std::string& token) {
      const Response response = cluster.list_pods(
          "", {.limit = 2, .continue_token = token, .field_selector = "metadata.name!=bar"},
          server);
      BOOST_TEST(list_in(response).resource_version == fourth.metadata.resource_version);
      return list_in(response);
    };
    const api::ObjectList full = page("");
    BOOST_REQUIRE(full.items.size() == 2U);
    BOOST_TEST((*full.items[0] == first));
    BOOST_TEST((*full.items[1] == third));
    BOOST_REQUIRE(full.continue_token != "");
    const api::ObjectList last = page(full.continue_token);
    BOOST_REQUIRE(last.items.size() == 1U);
    BOOST_TEST((*last.items[0] == fourth));
    BOOST_TEST(last.continue_token == "");
  }
}

BOOST_AUTO_TEST_CASE(what_is_created_between_two_pages_is_on_none_of_them) {
  SpacedCluster cluster({"default"});
  for (const char* key : {"default/a", "default/b", "default/c", "default/d"}) {
    (void)cluster.write(Verb::Create, key);
  }
  std::string keys;
  std::string token;
  int calls = 0;
  do {
    const Response page = cluster.list_pods("", {.limit = 1, .continue_token = token});
    keys += keys_in(page) + " ";
    token = list_in(page).continue_token;
    if (++calls == 2) {
      (void)cluster.write(Verb::Create, "default/bb");
      (void)cluster.write(Verb::Create, "default/e");
    }
  } while (!token.empty());
  BOOST_TEST(calls == 4);
  BOOST_TEST(keys == "default/a default/b default/c default/d ");
}

BOOST_AUTO_TEST_CASE(a_list_can_be_had_again_at_its_revision_whatever_was_written_since) {
  SpacedCluster cluster({"default"});
  int written = 0;
  const auto write = [&] {
    (void)cluster.write(Verb::Create, "default/pod-" + std::to_string(written), "{}",
                        {{"even", written % 2 == 0 ? "true" : "false"}});
    ++written;
  };
  const auto ask = [&](const std::string& revision, api::ResourceVersionMatch match) {
    api::ListOptions options = at(revision, match, 2);
    options.label_selector = "even=true";
    const Response response = cluster.list_pods("", options);
    write();
    return list_in(response);
  };
  const auto check_same_list = [](const api::ObjectList& found, const api::ObjectList& expected) {
    BOOST_TEST(found.resource_version == expected.resource_version);
    BOOST_TEST(found.continue_token == expected.continue_token);
    BOOST_TEST(found.items == expected.items, boost::test_tools::per_element());
  };
  for (int i = 0; i < 5; ++i) {
    write();
  }
  const api::ObjectList newest = ask("", kUnset);
  BOOST_TEST(newest.items.size() == 2U);
  check_same_list(ask(newest.resource_version, kExact), newest);
  const api::ObjectList newer = ask(newest.resource_version, kNotOlderThan);
  BOOST_TEST(newer.resource_version != newest.resource_version);
  check_same_list(ask(newer.resource_version, kExact), newer);
}

BOOST_AUTO_TEST_CASE(a_selection_of_one_name_has_no_pages_and_no_legacy_revision) {  // L25
  PodStates pods;
  const api::ListOptions one{
      .resource_version = "6", .limit = 1, .field_selector = "metadata.name=bar"};
  const Response in_its_place = pods.list_pods("second", one);
  BOOST_TEST(keys_in(in_its_place) == "second/bar");
  BOOST_TEST(list_in(in_its_place).continue_token == "");
  BOOST_TEST(list_in(in_its_place).resource_version != "6");
  const Response everywhere = pods.list_pods("", one);
  BOOST_TEST(keys_in(everywhere) == "first/bar");
  BOOST_TEST(list_in(everywhere).resource_version == "6");
}

BOOST_AUTO_TEST_SUITE_END()
