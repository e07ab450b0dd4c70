#include <boost/test/unit_test.hpp>
#include <vector>

#include "sim/apiserver/list_page.hpp"
#include "sim/apiserver/read_rules.hpp"
#include "tests/sim/apiserver/small_cluster.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(list_rules_test)

namespace {

/// One row of the routing table of LIST.
struct Row {
  api::ResourceVersionMatch match;
  std::string revision;
  std::int64_t limit;
  ListState state;
  Revision at;
  std::int64_t limit_honoured;
  bool from_cache;      ///< by a server of v1.34
  bool old_from_cache;  ///< by a server of v1.30
};

// docs/apiserver_rules.md L, row by row.
const std::vector<Row> kTable{
    {kUnset, "", 0, ListState::MostRecent, 0, 0, true, false},
    {kUnset, "", 500, ListState::MostRecent, 0, 500, true, false},
    {kUnset, "0", 0, ListState::Any, 0, 0, true, true},
    {kUnset, "0", 500, ListState::Any, 0, 0, true, true},
    {kUnset, "7", 0, ListState::NotOlderThan, 7, 0, true, true},
    {kUnset, "7", 500, ListState::Exact, 7, 500, false, false},
    {kNotOlderThan, "0", 0, ListState::Any, 0, 0, true, true},
    {kNotOlderThan, "0", 500, ListState::Any, 0, 0, true, true},
    {kNotOlderThan, "7", 0, ListState::NotOlderThan, 7, 0, true, true},
    {kNotOlderThan, "7", 500, ListState::NotOlderThan, 7, 500, true, false},
    {kExact, "7", 0, ListState::Exact, 7, 0, false, false},
    {kExact, "7", 500, ListState::Exact, 7, 500, false, false},
};

api::Status refusal(const api::ListOptions& options) {
  return plan_list(options, profile_of(ServerRelease::V1_34)).error().status;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_row_of_the_routing_table_holds) {
  for (const Row& row : kTable) {
    const api::ListOptions options{
        .resource_version = row.revision, .resource_version_match = row.match, .limit = row.limit};
    const ListPlan plan = *plan_list(options, profile_of(ServerRelease::V1_34));
    const ListPlan old_plan = *plan_list(options, profile_of(ServerRelease::V1_30));
    BOOST_TEST_CONTEXT("rv=" << row.revision << " limit=" << row.limit) {
      BOOST_TEST((plan.state == row.state));
      BOOST_TEST(plan.revision == row.at);
      BOOST_TEST(plan.limit == row.limit_honoured);
      BOOST_TEST(plan.from_cache == row.from_cache);
      BOOST_TEST(old_plan.from_cache == row.old_from_cache);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_continue_token_asks_for_its_own_revision) {
  const ListPlan plan = *plan_list({.limit = 5, .continue_token = encode({7, "default/a"})}, {});
  BOOST_TEST((plan == ListPlan{ListState::Page, 7, 5, "default/a", false}));
}

BOOST_AUTO_TEST_CASE(beside_any_revision_a_token_is_for_the_whole_rest) {  // L16
  const ListPlan plan = *plan_list(
      {.resource_version = "0", .limit = 5, .continue_token = encode({7, "default/a"})}, {});
  BOOST_TEST((plan == ListPlan{ListState::Page, 7, 0, "default/a", false}));
}

BOOST_AUTO_TEST_CASE(a_token_without_a_revision_asks_for_what_is_there_now) {
  const ListPlan plan = *plan_list({.continue_token = encode({-1, "default/a"})}, {});
  BOOST_TEST((plan.state == ListState::Remainder));
}

BOOST_AUTO_TEST_CASE(contradictions_are_answered_with_422) {
  const std::vector<std::pair<api::ListOptions, std::string>> contradictions{
      {{.resource_version_match = kExact}, "resourceVersionMatch"},
      {{.resource_version = "7",
        .resource_version_match = kExact,
        .continue_token = encode({7, "default/a"})},
       "resourceVersionMatch"},
      {{.resource_version = "0", .resource_version_match = kExact}, "resourceVersionMatch"},
      {{.send_initial_events = true}, "sendInitialEvents"},
  };
  for (const auto& [options, field] : contradictions) {
    const api::Status status = refusal(options);
    BOOST_TEST(status.code == 422);
    BOOST_TEST((status.reason == api::StatusReason::Invalid));
    BOOST_TEST(status.details.kind == "ListOptions");
    BOOST_TEST(status.details.group == "meta.k8s.io");
    BOOST_REQUIRE(status.details.causes.size() == 1U);
    BOOST_TEST(status.details.causes[0].reason == "FieldValueForbidden");
    BOOST_TEST(status.details.causes[0].field == field);
  }
}

BOOST_AUTO_TEST_CASE(an_unreadable_revision_is_a_bad_request) {
  const api::Status status = refusal({.resource_version = "seven"});
  BOOST_TEST(status.code == 400);
  BOOST_TEST((status.reason == api::StatusReason::BadRequest));
  BOOST_TEST(status.message ==
             "invalid resource version: resourceVersion: Invalid value: \"seven\": "
             "strconv.ParseUint: parsing \"seven\": invalid syntax");
}

BOOST_AUTO_TEST_CASE(a_revision_beside_a_token_is_a_bad_request) {
  const api::Status status =
      refusal({.resource_version = "7", .continue_token = encode({7, "default/a"})});
  BOOST_TEST(status.code == 400);
  BOOST_TEST(status.message == "specifying resource version is not allowed when using continue");
}

BOOST_AUTO_TEST_CASE(an_unreadable_token_is_a_bad_request) {
  for (const std::string& token :
       {std::string("%%%"), std::string("abc"), encode({0, "a"}), encode({7, "../a"}),
        encode({7, "a//b"}), encode({7, ""}), encode({7, "//a"})}) {
    const api::Status status = refusal({.continue_token = token});
    BOOST_TEST(status.code == 400);
    BOOST_TEST(status.message.starts_with("invalid continue token: "));
  }
}

BOOST_AUTO_TEST_CASE(a_token_survives_the_way_to_the_client_and_back) {
  const ContinueToken token{42, std::string("default/caf\xC3\xA9\0", 14)};
  BOOST_TEST((*decode_continue_token(encode(token)) == token));
  BOOST_TEST(encode(token, TokenForm::OfCache) != encode(token));
  BOOST_TEST((*decode_continue_token(encode(token, TokenForm::OfCache)) == token), "L21");
}

BOOST_AUTO_TEST_SUITE_END()
