// Each Status body that a server answers reads with, field by field, asked for from outside
// (docs/apiserver_rules.md E). Those of writes are in write_refusals_test.cpp.
#include "sim/apiserver/status_bodies.hpp"

#include <boost/test/unit_test.hpp>
#include <functional>
#include <vector>

#include "sim/apiserver/list_page.hpp"
#include "tests/sim/apiserver/documented_cluster.hpp"
#include "tests/sim/apiserver/same_status.hpp"
#include "tests/sim/apiserver/small_cluster.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace std::chrono_literals;
using api::Status;
using api::StatusReason;

BOOST_AUTO_TEST_SUITE(status_bodies_test)

namespace {

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
      {.verb = Verb::List, .resource = kConfigMaps, .options = std::move(options)}, kAnHourBehind);
}

Response watch(DocumentedCluster& cluster, api::ListOptions options,
               std::size_t server = kUpToDate) {
  return cluster.settle(
      {.verb = Verb::Watch, .resource = kConfigMaps, .options = std::move(options)}, server);
}

Response get(DocumentedCluster& cluster, const std::string& revision,
             const api::GroupVersionResource& resource = kConfigMaps) {
  return cluster.settle({.verb = Verb::Get,
                         .resource = resource,
                         .namespace_ = "default",
                         .name = "c",
                         .options = {.resource_version = revision}},
                        kAnHourBehind);
}

Status bad(const std::string& message) {
  return {.reason = StatusReason::BadRequest, .code = 400, .message = message};
}

Status bad_token(const std::string& why) {
  return bad("invalid continue token: continue key is not valid" + why);
}

/// E1: without a reason.
Status no_number(const std::string& text) {
  return {.code = 500,
          .message = "resourceVersion: Invalid value: \"" + text +
                     "\": strconv.ParseUint: parsing \"" + text + "\": invalid syntax"};
}

Status too_large(const std::string& asked, const std::string& current) {
  return {.reason = StatusReason::Timeout,
          .code = 504,
          .message = "Timeout: Too large resource version: " + asked + ", current: " + current,
          .details = {.causes = {{"ResourceVersionTooLarge", "Too large resource version", ""}},
                      .retry_after_seconds = 1}};
}

const std::string kAfterA("default/a\0", 10);

std::vector<Row> rows_of_gets() {
  return {
      {"what is not there",
       [](DocumentedCluster& cluster) { return get(cluster, ""); },
       {.reason = StatusReason::NotFound,
        .code = 404,
        .message = "configmaps \"c\" not found",
        .details = {.name = "c", .kind = "configmaps"}}},
      {"what the cache has not got",
       [](DocumentedCluster& cluster) { return get(cluster, "0"); },
       {.reason = StatusReason::NotFound,
        .code = 404,
        .message = "configmaps \"c\" not found",
        .details = {.name = "c", .kind = "configmaps"}}},
      {"what is not there, of a group",
       [](DocumentedCluster& cluster) {
         return get(cluster, "", {"apps", "v1", "deployments"});
       },
       {.reason = StatusReason::NotFound,
        .code = 404,
        .message = "deployments.apps \"c\" not found",
        .details = {.name = "c", .group = "apps", .kind = "deployments"}}},
      {"a revision that is to come", [](DocumentedCluster& cluster) { return get(cluster, "9"); },
       too_large("9", "3")},
      {"a revision that is none", [](DocumentedCluster& cluster) { return get(cluster, "seven"); },
       no_number("seven")},
      {"a collection that is not served",
       [](DocumentedCluster& cluster) {
         return get(cluster, "", {"", "v1", "gadgets"});
       },
       {.reason = StatusReason::NotFound,
        .code = 404,
        .message = "the server could not find the requested resource"}},
  };
}

const std::string kForbidden = "FieldValueForbidden";

std::function<Response(DocumentedCluster&)> list_with(api::ListOptions options) {
  return [options](DocumentedCluster& cluster) { return list(cluster, options); };
}

std::function<Response(DocumentedCluster&)> watch_with(api::ListOptions options) {
  return [options](DocumentedCluster& cluster) { return watch(cluster, options); };
}

std::vector<Row> rows_of_lists() {
  return {
      {"a revision that is none", list_with({.resource_version = "-1"}),
       bad("invalid resource version: " + no_number("-1").message)},
      {"a revision beside a token",
       list_with({.resource_version = "3", .continue_token = encode({3, kAfterA})}),
       bad("specifying resource version is not allowed when using continue")},
      {"a token that is none", list_with({.continue_token = "%%%"}),
       bad_token(": illegal base64 data at input byte 0")},
      {"a token of no revision", list_with({.continue_token = encode({0, kAfterA})}),
       bad_token(": incorrect encoded start resourceVersion (version meta.k8s.io/v1)")},
      {"a token that begins nowhere", list_with({.continue_token = encode({3, ""})}),
       bad_token(": encoded start key empty (version meta.k8s.io/v1)")},
      {"a token that climbs out", list_with({.continue_token = encode({3, "../secrets"})}),
       bad_token(": ../secrets")},
      {"a revision that is to come", list_with({.resource_version = "9"}), too_large("9", "3")},
      {"exactly a revision that is to come",
       list_with({.resource_version = "9", .resource_version_match = kExact}), too_large("9", "4")},
      {"a page not older than what is to come",
       list_with({.resource_version = "9", .resource_version_match = kNotOlderThan, .limit = 1}),
       too_large("9", "3")},
      {"a field that nobody offers", list_with({.field_selector = "data.k=v"}),
       bad("\"data.k\" is not a known field selector: only \"metadata.name\", "
           "\"metadata.namespace\"")},
      {"no field selector", list_with({.field_selector = "metadata.name"}),
       bad("unable to parse field selector: metadata.name")},
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

std::vector<Row> rows_of_matches() {
  return {
      {"match without a revision", list_with({.resource_version_match = kExact}),
       of_options(kForbidden,
                  "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
                  "resourceVersionMatch")},
      {"match beside a token",
       list_with({.resource_version = "3",
                  .resource_version_match = kExact,
                  .continue_token = encode({3, kAfterA})}),
       of_options(kForbidden,
                  "Forbidden: resourceVersionMatch is forbidden when continue is provided",
                  "resourceVersionMatch")},
      {"exactly any", list_with({.resource_version = "0", .resource_version_match = kExact}),
       of_options(
           kForbidden,
           "Forbidden: resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"",
           "resourceVersionMatch")},
      {"initial events of a list", list_with({.send_initial_events = true}),
       of_options(kForbidden, "Forbidden: sendInitialEvents is forbidden for list",
                  "sendInitialEvents")},
      {"match of a plain watch",
       watch_with({.resource_version = "3", .resource_version_match = kNotOlderThan}),
       of_options(kForbidden,
                  "Forbidden: resourceVersionMatch is forbidden for watch unless "
                  "sendInitialEvents is provided",
                  "resourceVersionMatch")},
      {"initial events without a match", watch_with({.send_initial_events = true}),
       of_options(kForbidden,
                  "Forbidden: sendInitialEvents requires setting resourceVersionMatch to "
                  "NotOlderThan",
                  "resourceVersionMatch")},
      {"initial events declined without a match", watch_with({.send_initial_events = false}),
       of_options(kForbidden,
                  "Forbidden: sendInitialEvents requires setting resourceVersionMatch to "
                  "NotOlderThan",
                  "resourceVersionMatch")},
  };
}

std::vector<Row> rows_of_initial_events() {
  const std::string unmatched =
      "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
  const std::string unsupported =
      "Unsupported value: \"Exact\": supported values: \"NotOlderThan\"";
  return {
      {"initial events of an old server",
       [](DocumentedCluster& cluster) {
         return watch(cluster,
                      {.resource_version_match = kNotOlderThan, .send_initial_events = true},
                      kOldAndAnHourBehind);
       },
       of_options(kForbidden,
                  "Forbidden: sendInitialEvents is forbidden for watch unless the WatchList "
                  "feature gate is enabled",
                  "sendInitialEvents")},
      {"a watch from a revision that is none", watch_with({.resource_version = "soon"}),
       no_number("soon")},
      {"a watch of a field that nobody offers", watch_with({.field_selector = "data.k=v"}),
       bad("\"data.k\" is not a known field selector: only \"metadata.name\", "
           "\"metadata.namespace\"")},
      {"initial events of an exact state",
       watch_with({.resource_version_match = kExact, .send_initial_events = true}),
       {.reason = StatusReason::Invalid,
        .code = 422,
        .message = "ListOptions.meta.k8s.io \"\" is invalid: [resourceVersionMatch: Forbidden: " +
                   unmatched + ", resourceVersionMatch: " + unsupported + "]",
        .details = {.group = "meta.k8s.io",
                    .kind = "ListOptions",
                    .causes = {{kForbidden, "Forbidden: " + unmatched, "resourceVersionMatch"},
                               {"FieldValueNotSupported", unsupported, "resourceVersionMatch"}}}}},
      {"initial events beside a token", watch_with({.continue_token = encode({3, kAfterA})}),
       of_options(kForbidden,
                  "Forbidden: resourceVersionMatch is forbidden when continue is provided",
                  "resourceVersionMatch")},
  };
}

void check_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    DocumentedCluster cluster;
    BOOST_TEST_CONTEXT(row.situation) { check_refused(row.ask(cluster), row.answer); }
  }
}

/// The Status in the one event of a watch that failed.
Status sent_by(DocumentedCluster& cluster, api::ListOptions options, std::size_t server) {
  const WatchId watch = cluster.watch(std::move(options), server);
  cluster.now += 3s;
  return *cluster.plane.poll(watch, cluster.now).frame.value().event.status;
}

}  // namespace

BOOST_AUTO_TEST_CASE(gets_are_refused_with_these) { check_rows(rows_of_gets()); }

BOOST_AUTO_TEST_CASE(lists_are_refused_with_these) { check_rows(rows_of_lists()); }

BOOST_AUTO_TEST_CASE(what_was_compacted_is_refused_with_these) { check_rows(rows_of_compaction()); }

BOOST_AUTO_TEST_CASE(contradictions_are_refused_with_these) {
  check_rows(rows_of_matches());
  check_rows(rows_of_initial_events());
}

BOOST_AUTO_TEST_CASE(a_watch_from_before_the_window_is_sent_this) {
  DocumentedCluster cluster;
  cluster.plane.server(kUpToDate).expire_all_below(5);
  check_same(
      sent_by(cluster, {.resource_version = "2"}, kUpToDate),
      {.reason = StatusReason::Expired, .code = 410, .message = "too old resource version: 2 (4)"});
}

BOOST_AUTO_TEST_CASE(a_streamed_list_of_what_is_to_come_is_sent_this) {
  DocumentedCluster cluster;
  check_same(sent_by(cluster,
                     {.resource_version = "9",
                      .resource_version_match = kNotOlderThan,
                      .send_initial_events = true},
                     kUpToDate),
             too_large("9", "4"));
}

BOOST_AUTO_TEST_CASE(a_streamed_list_of_a_cache_that_stays_behind_is_sent_this) {
  DocumentedCluster cluster;
  check_same(
      sent_by(cluster, {.resource_version_match = kNotOlderThan, .send_initial_events = true},
              kAnHourBehind),
      too_large("4", "3"));
}

BOOST_AUTO_TEST_CASE(a_cache_that_is_not_ready_asks_for_longer_and_longer_waits) {
  for (const auto& [down, seconds] : {std::pair{0s, 1}, {30s, 6}, {40s, 11}, {100s, 30}}) {
    check_same(status_bodies::cache_not_ready(down), {.reason = StatusReason::TooManyRequests,
                                                      .code = 429,
                                                      .message = "storage is (re)initializing",
                                                      .details = {.retry_after_seconds = seconds}});
  }
}

BOOST_AUTO_TEST_CASE(a_watch_of_an_uncached_collection_from_before_the_compaction_is_sent_this) {
  DocumentedCluster cluster;
  cluster.plane.compact(4);
  const Response response = cluster.send({.verb = Verb::Watch,
                                          .resource = {"", "v1", "events"},
                                          .options = {.resource_version = "2"}});
  BOOST_TEST(response.code == 200);
  const WatchId watch = std::get<WatchOpened>(response.answer).watch;
  const WatchPoll poll = cluster.plane.poll(watch, cluster.now);
  check_same(*poll.frame.value().event.status,
             {.reason = StatusReason::Expired,
              .code = 410,
              .message = "The resourceVersion for the provided watch is too old."});
}

BOOST_AUTO_TEST_SUITE_END()
