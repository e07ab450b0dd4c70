// What GET and LIST are answered, row by row of the document (docs/apiserver_rules.md G and L).
#include <boost/test/unit_test.hpp>
#include <vector>

#include "sim/apiserver/list_page.hpp"
#include "tests/sim/apiserver/documented_cluster.hpp"
#include "tests/sim/apiserver/small_cluster.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(documented_answers_test)

namespace {

const std::string kNoNumber =  // E1
    "resourceVersion: Invalid value: \"seven\": strconv.ParseUint: parsing \"seven\": invalid "
    "syntax";

struct GetRow {
  std::string revision;
  std::size_t server;
  std::string name;
  std::string answer;
  runtime::Duration waited;
};

const std::vector<GetRow> kGets{
    // "": the newest, from the store, however late the server is.
    {"", kAnHourBehind, "b", "200 b rv=4", 0s},
    // "0": anything cached, and nothing else.
    {"0", kAnHourBehind, "a", "200 a rv=3", 0s},
    {"0", kAnHourBehind, "b", "404 configmaps \"b\" not found", 0s},
    // N: the newest cached once the cache is there, or a refusal after three seconds.
    {"3", kAnHourBehind, "a", "200 a rv=3", 0s},
    {"4", kTwoSecondsBehind, "b", "200 b rv=4", 2s},
    {"4", kAnHourBehind, "b", "504 Timeout: Too large resource version: 4, current: 3", 3s},
    {"9223372036854775807", kUpToDate, "a",
     "504 Timeout: Too large resource version: 9223372036854775807, current: 4", 3s},
    {"seven", kUpToDate, "a", "500 " + kNoNumber, 0s},
    {"3", kOldAndAnHourBehind, "a", "200 a rv=3", 0s},
    {"4", kOldAndAnHourBehind, "b", "504 Timeout: Too large resource version: 4, current: 3", 3s},
    {"", kUpToDate, "c", "404 configmaps \"c\" not found", 0s},
};

struct ListRow {
  api::ResourceVersionMatch match;
  std::string revision;
  std::int64_t limit;
  std::size_t server;
  std::string answer;
  runtime::Duration waited;
};

const std::vector<ListRow> kLists{
    // unset, "": the newest; a cache that does not get there in three seconds is passed over.
    {kUnset, "", 0, kUpToDate, "200 a b rv=4", 0s},
    {kUnset, "", 1, kUpToDate, "200 a and more rv=4", 0s},
    {kUnset, "", 0, kTwoSecondsBehind, "200 a b rv=4", 2s},
    {kUnset, "", 0, kAnHourBehind, "200 a b rv=4", 3s},
    {kUnset, "", 1, kAnHourBehind, "200 a and more rv=4", 3s},
    {kUnset, "", 0, kOldAndAnHourBehind, "200 a b rv=4", 0s},
    {kUnset, "", 1, kOldAndAnHourBehind, "200 a and more rv=4", 0s},
    // unset, "0": any, whole, at once.
    {kUnset, "0", 0, kAnHourBehind, "200 a rv=3", 0s},
    {kUnset, "0", 1, kUpToDate, "200 a b rv=4", 0s},
    {kUnset, "0", 1, kOldAndAnHourBehind, "200 a rv=3", 0s},
    // unset, N without a limit: not older than.
    {kUnset, "3", 0, kUpToDate, "200 a b rv=4", 0s},
    {kUnset, "3", 0, kAnHourBehind, "200 a rv=3", 0s},
    {kUnset, "4", 0, kTwoSecondsBehind, "200 a b rv=4", 2s},
    {kUnset, "4", 0, kAnHourBehind, "504 Timeout: Too large resource version: 4, current: 3", 3s},
    // unset, N with a limit: exact, the legacy rule.
    {kUnset, "3", 1, kUpToDate, "200 a rv=3", 0s},
    {kUnset, "4", 1, kAnHourBehind, "200 a and more rv=4", 0s},
    {kUnset, "9", 1, kAnHourBehind, "504 Timeout: Too large resource version: 9, current: 4", 0s},
    {kUnset, "9223372036854775807", 0, kUpToDate,
     "504 Timeout: Too large resource version: 9223372036854775807, current: 4", 3s},
    // NotOlderThan, "0": any.
    {kNotOlderThan, "0", 0, kAnHourBehind, "200 a rv=3", 0s},
    {kNotOlderThan, "0", 1, kUpToDate, "200 a b rv=4", 0s},
    // NotOlderThan, N: with the limit honoured; by an old server from the store.
    {kNotOlderThan, "4", 0, kTwoSecondsBehind, "200 a b rv=4", 2s},
    {kNotOlderThan, "4", 1, kTwoSecondsBehind, "200 a and more rv=4", 2s},
    {kNotOlderThan, "4", 1, kOldAndAnHourBehind, "200 a and more rv=4", 0s},
    {kNotOlderThan, "4", 0, kAnHourBehind, "504 Timeout: Too large resource version: 4, current: 3",
     3s},
    // Exact, N: from snapshots or the store, so without waiting.
    {kExact, "3", 0, kUpToDate, "200 a rv=3", 0s},
    {kExact, "4", 0, kAnHourBehind, "200 a b rv=4", 0s},
    {kExact, "4", 1, kAnHourBehind, "200 a and more rv=4", 0s},
    {kExact, "9", 0, kUpToDate, "504 Timeout: Too large resource version: 9, current: 4", 0s},
    {kUnset, "seven", 0, kUpToDate, "400 invalid resource version: " + kNoNumber, 0s},
};

const std::string kAfterA("default/a\0", 10);

}  // namespace

BOOST_AUTO_TEST_CASE(every_row_of_get_is_answered_as_written) {
  for (const GetRow& row : kGets) {
    DocumentedCluster cluster;
    const Response response = cluster.settle({.verb = Verb::Get,
                                              .resource = kConfigMaps,
                                              .namespace_ = "default",
                                              .name = row.name,
                                              .options = {.resource_version = row.revision}},
                                             row.server);
    BOOST_TEST_CONTEXT("rv=\"" << row.revision << "\" of " << row.name << ", server "
                               << row.server) {
      BOOST_TEST(answer_text(response) == row.answer);
      BOOST_TEST((cluster.waited == row.waited));
    }
  }
}

// Pins what the shared storage test RunTestGet pins of an object that was changed.
BOOST_AUTO_TEST_CASE(a_get_of_a_former_revision_shows_the_object_as_it_is_now) {
  DocumentedCluster cluster;
  const api::Object changed = object_in(cluster.update("a", R"({"data":{"k":"v"}})"));
  (void)cluster.create("c");
  for (const char* revision : {"", "0", "3", "5", "6"}) {
    const Response response = cluster.settle({.verb = Verb::Get,
                                              .resource = kConfigMaps,
                                              .namespace_ = "default",
                                              .name = "a",
                                              .options = {.resource_version = revision}},
                                             kUpToDate);
    BOOST_TEST_CONTEXT("rv=\"" << revision << "\"") {
      BOOST_TEST((object_in(response) == changed));
      BOOST_TEST((cluster.waited == 0s));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_get_from_a_cache_may_show_what_is_gone) {
  DocumentedCluster cluster;
  (void)cluster.remove("a");
  const auto ask = [&cluster](const std::string& revision) {
    return answer_text(cluster.settle({.verb = Verb::Get,
                                       .resource = kConfigMaps,
                                       .namespace_ = "default",
                                       .name = "a",
                                       .options = {.resource_version = revision}},
                                      kAnHourBehind));
  };
  BOOST_TEST(ask("0") == "200 a rv=3");
  BOOST_TEST(ask("") == "404 configmaps \"a\" not found");
}

BOOST_AUTO_TEST_CASE(while_caches_are_filled_the_store_answers) {
  DocumentedCluster cluster;
  const auto ask = [&cluster](Verb verb, const std::string& revision) {
    return answer_text(cluster.settle({.verb = verb,
                                       .resource = kConfigMaps,
                                       .namespace_ = "default",
                                       .name = verb == Verb::Get ? "b" : "",
                                       .options = {.resource_version = revision}},
                                      kAnHourBehind));
  };
  cluster.plane.server(kAnHourBehind).set_filling(true);
  BOOST_TEST(ask(Verb::Get, "0") == "200 b rv=4");
  BOOST_TEST(ask(Verb::Get, "4") == "200 b rv=4");
  BOOST_TEST((cluster.waited == 0s));
  BOOST_TEST(ask(Verb::Get, "9") == "504 Timeout: Too large resource version: 9, current: 4");
  BOOST_TEST(ask(Verb::List, "0") == "200 a b rv=4");
  cluster.plane.server(kAnHourBehind).set_filling(false);
  BOOST_TEST(ask(Verb::Get, "0") == "200 b rv=4");
  BOOST_TEST(ask(Verb::List, "0") == "200 a b rv=4");
}

BOOST_AUTO_TEST_CASE(every_row_of_list_is_answered_as_written) {
  for (const ListRow& row : kLists) {
    DocumentedCluster cluster;
    const Response response = cluster.settle({.verb = Verb::List,
                                              .resource = kConfigMaps,
                                              .options = {.resource_version = row.revision,
                                                          .resource_version_match = row.match,
                                                          .limit = row.limit}},
                                             row.server);
    BOOST_TEST_CONTEXT("match=" << static_cast<int>(row.match) << " rv=\"" << row.revision
                                << "\" limit=" << row.limit << ", server " << row.server) {
      BOOST_TEST(answer_text(response) == row.answer);
      BOOST_TEST((cluster.waited == row.waited));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_token_is_answered_from_its_revision_or_from_now) {
  for (const char* revision : {"", "0"}) {
    for (const std::int64_t limit : {0, 1}) {
      DocumentedCluster cluster;
      (void)cluster.create("c");
      const auto ask = [&](Revision token) {
        return answer_text(cluster.settle({.verb = Verb::List,
                                           .resource = kConfigMaps,
                                           .options = {.resource_version = revision,
                                                       .limit = limit,
                                                       .continue_token = encode({token, kAfterA})}},
                                          kAnHourBehind));
      };
      BOOST_TEST_CONTEXT("rv=\"" << revision << "\" limit=" << limit) {
        BOOST_TEST(ask(4) == "200 b rv=4");
        const bool whole = limit == 0 || std::string(revision) == "0";  // L16, L17
        BOOST_TEST(ask(-1) == (whole ? "200 b c rv=5" : "200 b and more rv=5"));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(what_was_compacted_is_answered_with_410_by_exact_lists_and_tokens_only) {
  DocumentedCluster cluster;
  (void)cluster.create("c");
  cluster.plane.compact(5);
  BOOST_TEST(cluster.list({.resource_version = "4", .resource_version_match = kExact}).code == 410);
  BOOST_TEST(cluster.list({.resource_version = "4", .limit = 1}).code == 410);
  BOOST_TEST(cluster.list({.continue_token = encode({4, kAfterA})}).code == 410);
  BOOST_TEST(answer_text(cluster.list({.continue_token = encode({-1, kAfterA})})) ==
             "200 b c rv=5");
  BOOST_TEST(answer_text(cluster.list({.resource_version = "4"})) == "200 a b c rv=5");
  BOOST_TEST(answer_text(cluster.list({.resource_version = "0"})) == "200 a b c rv=5");
}

BOOST_AUTO_TEST_CASE(a_page_of_a_selection_may_be_empty_and_the_last) {
  SmallCluster cluster;
  (void)cluster.create("a", "", {{"colour", "red"}});
  (void)cluster.create("b", "", {{"colour", "blue"}});
  const Response first = cluster.list({.resource_version = "4",
                                       .resource_version_match = kNotOlderThan,
                                       .limit = 1,
                                       .label_selector = "colour=red"});
  BOOST_TEST(names_in(first) == "a");
  BOOST_REQUIRE(!list_in(first).continue_token.empty());
  const Response last = cluster.list({.limit = 1,
                                      .continue_token = list_in(first).continue_token,
                                      .label_selector = "colour=red"});
  BOOST_TEST(names_in(last) == "");
  BOOST_TEST(list_in(last).continue_token == "");
  BOOST_TEST(!list_in(first).remaining_item_count.has_value());
  BOOST_TEST(list_in(last).resource_version == list_in(first).resource_version);
}

// Pins what the shared storage test RunTestListPaginationRareObject pins.
BOOST_AUTO_TEST_CASE(the_only_object_of_a_selection_fills_the_first_page_however_late_it_stands) {
  SmallCluster cluster;
  api::Object last;
  for (int i = 100; i < 200; ++i) {
    last =
        object_in(cluster.create(std::to_string(i), "", {{"colour", i == 199 ? "red" : "blue"}}));
  }
  for (const char* fields : {"", "metadata.name=199"}) {
    const Response page = cluster.list(
        {.limit = 1, .label_selector = *fields == 0 ? "colour=red" : "", .field_selector = fields});
    BOOST_REQUIRE(list_in(page).items.size() == 1U);
    BOOST_TEST((*list_in(page).items[0] == last));
    BOOST_TEST(list_in(page).continue_token == "");
    BOOST_TEST(!list_in(page).remaining_item_count.has_value());
  }
}

BOOST_AUTO_TEST_CASE(a_list_is_in_the_order_of_namespaces_and_then_of_names) {
  SmallCluster cluster({.namespaces = {"default", "apple"}});
  const auto create = [&](const std::string& space, const std::string& name) {
    (void)cluster.send({.verb = Verb::Create,
                        .resource = kConfigMaps,
                        .namespace_ = space,
                        .object = SmallCluster::object(name)});
  };
  create("default", "a");
  create("apple", "z");
  create("default", "B");
  BOOST_TEST(names_in(cluster.list({})) == "z B a");
}

BOOST_AUTO_TEST_SUITE_END()
