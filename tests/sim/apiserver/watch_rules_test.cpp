#include <boost/test/unit_test.hpp>
#include <map>
#include <optional>
#include <vector>

#include "sim/apiserver/read_rules.hpp"
#include "tests/sim/apiserver/small_cluster.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(watch_rules_test)

namespace {

struct Row {
  std::optional<bool> initial_events;
  std::string revision;
  bool bookmarks;
  WatchPlan plan;
};

// docs/apiserver_rules.md W1 to W16, row by row, for a server that knows streamed lists.
const std::vector<Row> kTable{
    {std::nullopt, "", true, {true, false, true, true, 0}},
    {std::nullopt, "", false, {true, false, true, false, 0}},
    {std::nullopt, "0", true, {true, false, false, true, 0}},
    {std::nullopt, "7", true, {false, false, false, false, 7}},
    {true, "", true, {true, false, true, true, 0}},
    {true, "0", true, {true, false, false, true, 0}},
    {true, "7", true, {true, false, false, true, 7}},
    {true, "7", false, {true, false, false, false, 7}},
    {false, "", true, {false, true, false, false, 0}},
    {false, "0", true, {false, true, false, false, 0}},
    {false, "7", true, {false, false, false, false, 7}},
};

api::Status refusal(const api::ListOptions& options, ServerRelease release) {
  return plan_watch(options, profile_of(release)).error().status;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_row_of_the_table_holds) {
  for (const Row& row : kTable) {
    const api::ListOptions options{
        .resource_version = row.revision,
        .resource_version_match = row.initial_events ? kNotOlderThan : kUnset,
        .allow_watch_bookmarks = row.bookmarks,
        .send_initial_events = row.initial_events};
    BOOST_TEST_CONTEXT("rv=" << row.revision << " bookmarks=" << row.bookmarks) {
      BOOST_TEST((*plan_watch(options, profile_of(ServerRelease::V1_34)) == row.plan));
    }
  }
}

BOOST_AUTO_TEST_CASE(an_old_server_sends_initial_events_unmarked_and_without_waiting) {
  for (const char* revision : {"", "0"}) {
    const WatchPlan plan =
        *plan_watch({.resource_version = revision, .allow_watch_bookmarks = true},
                    profile_of(ServerRelease::V1_30));
    BOOST_TEST((plan == WatchPlan{.initial_events = true}));
  }
}

// V1 to V4, by the defaults of each release.
BOOST_AUTO_TEST_CASE(each_release_streams_lists_reads_from_its_cache_and_marks_in_its_way) {
  const std::map<std::string, ServerProfile> expected{
      {"1.30",
       {.watch_list = false,
        .lists_from_cache = false,
        .marks_at_once = false,
        .snapshots = false}},
      {"1.31", {.watch_list = false, .marks_at_once = false, .snapshots = false}},
      {"1.32", {.snapshots = false}},
      {"1.33", {.watch_list = false, .snapshots = false}},
      {"1.34", {}},
      {"1.35", {}},
      {"1.36", {}}};
  BOOST_TEST(server_releases().size() == expected.size());
  for (const auto& [name, release] : server_releases()) {
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST((profile_of(release) == expected.at(name)));
      const auto streamed =
          plan_watch({.resource_version_match = kNotOlderThan, .send_initial_events = true},
                     profile_of(release));
      BOOST_TEST(streamed.ok() == expected.at(name).watch_list);
    }
  }
}

BOOST_AUTO_TEST_CASE(contradictions_are_answered_with_422) {
  const std::vector<std::pair<api::ListOptions, std::string>> contradictions{
      {{.resource_version = "7", .resource_version_match = kNotOlderThan}, "resourceVersionMatch"},
      {{.send_initial_events = true}, "resourceVersionMatch"},
  };
  for (const auto& [options, field] : contradictions) {
    const api::Status status = refusal(options, ServerRelease::V1_34);
    BOOST_TEST(status.code == 422);
    BOOST_REQUIRE(status.details.causes.size() == 1U);
    BOOST_TEST(status.details.causes[0].field == field);
  }
}

BOOST_AUTO_TEST_CASE(an_old_server_refuses_streamed_lists) {
  const api::Status status = refusal(
      {.resource_version_match = kNotOlderThan, .send_initial_events = true}, ServerRelease::V1_30);
  BOOST_TEST(status.code == 422);
  BOOST_TEST((status.reason == api::StatusReason::Invalid));
  BOOST_TEST(status.details.causes.at(0).field == "sendInitialEvents");
}

BOOST_AUTO_TEST_CASE(an_unreadable_revision_is_a_failure) {  // W4
  BOOST_TEST(refusal({.resource_version = "-1"}, ServerRelease::V1_34).code == 500);
}

BOOST_AUTO_TEST_SUITE_END()
