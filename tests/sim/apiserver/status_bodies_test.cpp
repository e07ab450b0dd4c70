// Each Status body that a server answers with, field by field, asked for from outside
// (research/apiserver.md 2.2 to 2.4 and 2.6).
#include "sim/apiserver/status_bodies.hpp"

#include <boost/test/unit_test.hpp>
#include <functional>
#include <vector>

#include "sim/apiserver/continue_token.hpp"
#include "tests/sim/apiserver/documented_cluster.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace std::chrono_literals;
using api::Status;
using api::StatusReason;

BOOST_AUTO_TEST_SUITE(status_bodies_test)

namespace {

constexpr auto kExact = api::ResourceVersionMatch::Exact;

void check_same(const Status& found, const Status& expected) {
  BOOST_TEST(found.status == expected.status);
  BOOST_TEST(name_of(found.reason) == name_of(expected.reason));
  BOOST_TEST(found.code == expected.code);
  BOOST_TEST(found.message == expected.message);
  BOOST_TEST(found.continue_token == expected.continue_token);
  BOOST_TEST(found.details.name == expected.details.name);
  BOOST_TEST(found.details.group == expected.details.group);
  BOOST_TEST(found.details.kind == expected.details.kind);
  BOOST_TEST(found.details.uid == expected.details.uid);
  BOOST_TEST(found.details.retry_after_seconds == expected.details.retry_after_seconds);
  BOOST_REQUIRE_EQUAL(found.details.causes.size(), expected.details.causes.size());
  for (std::size_t i = 0; i < expected.details.causes.size(); ++i) {
    BOOST_TEST(found.details.causes[i].reason == expected.details.causes[i].reason);
    BOOST_TEST(found.details.causes[i].message == expected.details.causes[i].message);
    BOOST_TEST(found.details.causes[i].field == expected.details.causes[i].field);
  }
}

struct Row {
  std::string situation;
  std::function<Response(DocumentedCluster&)> ask;
  Status answer;
};

Status of_options(const std::string& reason, const std::string& message, const std::string& field) {
  return {.reason = StatusReason::Invalid,
          .code = 422,
          .message = "ListOptions.meta.k8s.io \"\" is invalid: " + field + ": " + message,
          .details = {
              .group = "meta.k8s.io", .kind = "ListOptions", .causes = {{reason, message, field}}}};
}

Response list(DocumentedCluster& cluster, api::ListOptions options) {
  return cluster.settle(
      {.verb = Verb::List, .resource = kConfigMaps, .options = std::move(options)}, an_hour_behind);
}

Response watch(DocumentedCluster& cluster, api::ListOptions options) {
  return cluster.settle(
      {.verb = Verb::Watch, .resource = kConfigMaps, .options = std::move(options)}, up_to_date);
}

const std::string kAfterA("default/a\0", 10);

std::vector<Row> rows_of_reads() {
  return {
      {"GET of what is not there",
       [](DocumentedCluster& cluster) {
         return cluster.settle(
             {.verb = Verb::Get, .resource = kConfigMaps, .namespace_ = "default", .name = "c"},
             up_to_date);
       },
       {.reason = StatusReason::NotFound,
        .code = 404,
        .message = "configmaps \"c\" not found",
        .details = {.name = "c", .kind = "configmaps"}}},
      {"a collection that is not served",
       [](DocumentedCluster& cluster) {
         return cluster.settle({.verb = Verb::List, .resource = {"", "v1", "gadgets"}}, up_to_date);
       },
       {.reason = StatusReason::NotFound,
        .code = 404,
        .message = "the server could not find the requested resource"}},
      {"a revision that is none",
       [](DocumentedCluster& cluster) { return list(cluster, {.resource_version = "-1"}); },
       {.reason = StatusReason::BadRequest,
        .code = 400,
        .message = "invalid resource version: \"-1\""}},
      {"a revision beside a token",
       [](DocumentedCluster& cluster) {
         return list(cluster, {.resource_version = "3", .continue_token = encode({3, kAfterA})});
       },
       {.reason = StatusReason::BadRequest,
        .code = 400,
        .message = "specifying resource version is not allowed when using continue"}},
      {"a revision that is to come",
       [](DocumentedCluster& cluster) { return list(cluster, {.resource_version = "9"}); },
       {.reason = StatusReason::Timeout,
        .code = 504,
        .message = "Timeout: Too large resource version: 9, current: 3",
        .details = {.causes = {{"ResourceVersionTooLarge", "Too large resource version", ""}},
                    .retry_after_seconds = 1}}},
  };
}

std::vector<Row> rows_of_compaction() {
  return {
      {"an exact list of what was compacted",
       [](DocumentedCluster& cluster) {
         cluster.plane.compact(4);
         return list(cluster, {.resource_version = "3", .resource_version_match = kExact});
       },
       {.reason = StatusReason::Expired,
        .code = 410,
        .message = "The resourceVersion for the provided list is too old."}},
      {"a token of what was compacted",
       [](DocumentedCluster& cluster) {
         cluster.plane.compact(4);
         return list(cluster, {.continue_token = encode({3, kAfterA})});
       },
       {.reason = StatusReason::Expired,
        .code = 410,
        .message =
            "The provided continue parameter is too old to display a consistent list result. You "
            "can start a new list without the continue parameter, or use the continue token in "
            "this response to retrieve the remainder of the results. Continuing with the provided "
            "token results in an inconsistent list - objects that were created, modified, or "
            "deleted between the time the first chunk was returned and now may show up in the "
            "list.",
        .continue_token = encode({-1, kAfterA})}},
  };
}

std::vector<Row> rows_of_validation() {
  const auto list_with = [](api::ListOptions options) {
    return [options](DocumentedCluster& cluster) { return list(cluster, options); };
  };
  const auto watch_with = [](api::ListOptions options) {
    return [options](DocumentedCluster& cluster) { return watch(cluster, options); };
  };
  const std::string forbidden = "FieldValueForbidden";
  return {
      {"match without a revision", list_with({.resource_version_match = kExact}),
       of_options(forbidden,
                  "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
                  "resourceVersionMatch")},
      {"match beside a token",
       list_with({.resource_version = "3",
                  .resource_version_match = kExact,
                  .continue_token = encode({3, kAfterA})}),
       of_options(forbidden,
                  "Forbidden: resourceVersionMatch is forbidden when continue is provided",
                  "resourceVersionMatch")},
      {"exactly any", list_with({.resource_version = "0", .resource_version_match = kExact}),
       of_options(
           forbidden,
           "Forbidden: resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"",
           "resourceVersionMatch")},
      {"initial events of a list", list_with({.send_initial_events = true}),
       of_options(forbidden, "Forbidden: sendInitialEvents is forbidden for list",
                  "sendInitialEvents")},
      {"match of a plain watch",
       watch_with({.resource_version = "3",
                   .resource_version_match = api::ResourceVersionMatch::NotOlderThan}),
       of_options(forbidden,
                  "Forbidden: resourceVersionMatch is forbidden for watch unless "
                  "sendInitialEvents is provided",
                  "resourceVersionMatch")},
      {"initial events without a match", watch_with({.send_initial_events = true}),
       of_options(forbidden,
                  "Forbidden: sendInitialEvents requires setting resourceVersionMatch to "
                  "NotOlderThan",
                  "resourceVersionMatch")},
      {"initial events of an exact state",
       watch_with({.resource_version_match = kExact, .send_initial_events = true}),
       of_options("FieldValueNotSupported",
                  "Unsupported value: \"Exact\": supported values: \"NotOlderThan\"",
                  "resourceVersionMatch")},
  };
}

std::vector<Row> rows_of_writes() {
  return {
      {"a create of what exists",
       [](DocumentedCluster& cluster) { return cluster.create("a"); },
       {.reason = StatusReason::AlreadyExists,
        .code = 409,
        .message = "configmaps \"a\" already exists",
        .details = {.name = "a", .kind = "configmaps"}}},
      {"an update from an old revision",
       [](DocumentedCluster& cluster) {
         api::Object old = *SmallCluster::object("a");
         old.metadata.resource_version = "1";
         return cluster.update(old);
       },
       {.reason = StatusReason::Conflict,
        .code = 409,
        .message = "Operation cannot be fulfilled on configmaps \"a\": the object has been "
                   "modified; please apply your changes to the latest version and try again",
        .details = {.name = "a", .kind = "configmaps"}}},
      {"an update of what is not there",
       [](DocumentedCluster& cluster) { return cluster.update("c", "{}"); },
       {.reason = StatusReason::NotFound,
        .code = 404,
        .message = "configmaps \"c\" not found",
        .details = {.name = "c", .kind = "configmaps"}}},
  };
}

void check_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    DocumentedCluster cluster;
    BOOST_TEST_CONTEXT(row.situation) {
      const Response response = row.ask(cluster);
      BOOST_TEST(response.code == row.answer.code);
      BOOST_REQUIRE(std::holds_alternative<Status>(response.answer));
      check_same(status_in(response), row.answer);
    }
  }
}

/// The Status in the one event of a watch that failed.
Status sent_by(DocumentedCluster& cluster, api::ListOptions options, std::size_t server) {
  const WatchId watch = cluster.watch(std::move(options), server);
  cluster.now += 3s;
  return *cluster.plane.server(server).poll(watch, cluster.now).frame.value().event.status;
}

}  // namespace

BOOST_AUTO_TEST_CASE(reads_are_refused_with_these) { check_rows(rows_of_reads()); }

BOOST_AUTO_TEST_CASE(what_was_compacted_is_refused_with_these) { check_rows(rows_of_compaction()); }

BOOST_AUTO_TEST_CASE(contradictions_are_refused_with_these) { check_rows(rows_of_validation()); }

BOOST_AUTO_TEST_CASE(writes_are_refused_with_these) { check_rows(rows_of_writes()); }

BOOST_AUTO_TEST_CASE(a_watch_from_before_the_window_is_sent_this) {
  DocumentedCluster cluster;
  cluster.plane.server(up_to_date).expire_all_below(5);
  check_same(
      sent_by(cluster, {.resource_version = "2"}, up_to_date),
      {.reason = StatusReason::Expired, .code = 410, .message = "too old resource version: 2 (4)"});
}

BOOST_AUTO_TEST_CASE(a_streamed_list_of_what_is_to_come_is_sent_this) {
  DocumentedCluster cluster;
  check_same(sent_by(cluster,
                     {.resource_version = "9",
                      .resource_version_match = api::ResourceVersionMatch::NotOlderThan,
                      .send_initial_events = true},
                     up_to_date),
             {.reason = StatusReason::Timeout,
              .code = 504,
              .message = "Timeout: Too large resource version: 9, current: 4",
              .details = {.causes = {{"ResourceVersionTooLarge", "Too large resource version", ""}},
                          .retry_after_seconds = 1}});
}

BOOST_AUTO_TEST_CASE(a_cache_that_is_not_ready_asks_for_more_and_more_patience) {
  for (const auto& [down, seconds] : {std::pair{0s, 1}, {30s, 6}, {40s, 11}, {100s, 30}}) {
    check_same(status_bodies::cache_not_ready(down), {.reason = StatusReason::TooManyRequests,
                                                      .code = 429,
                                                      .message = "storage is (re)initializing",
                                                      .details = {.retry_after_seconds = seconds}});
  }
}

BOOST_AUTO_TEST_CASE(a_watch_of_an_uncached_collection_is_refused_with_a_message_of_its_own) {
  check_same(status_bodies::uncached_watch_too_old(),
             {.reason = StatusReason::Expired,
              .code = 410,
              .message = "The resourceVersion for the provided watch is too old."});
}

BOOST_AUTO_TEST_CASE(a_delete_is_answered_with_success_and_what_is_gone) {
  DocumentedCluster cluster;
  const std::string uid = cluster.plane.store().get(kConfigMaps, "default/a")->metadata.uid;
  check_same(status_in(cluster.remove("a")),
             {.status = "Success",
              .code = 200,
              .details = {.name = "a", .kind = "configmaps", .uid = uid}});
}

BOOST_AUTO_TEST_SUITE_END()
