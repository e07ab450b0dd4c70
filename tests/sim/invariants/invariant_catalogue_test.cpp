#include "sim/invariants/invariant_catalogue.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <utility>

#include "sim/story/story.hpp"
#include "tests/sim/invariants/records.hpp"
#include "tests/support/campaign.hpp"
#include "tests/support/page_table.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(invariant_catalogue_test)

namespace {

Record with_a_watch_left_open() {
  Record record;
  record.left_open = {"WATCH rv=3 of informer"};
  return record;
}

}  // namespace

BOOST_AUTO_TEST_CASE(it_numbers_the_clauses_from_1_to_17) {
  const std::vector<Invariant>& catalogue = invariant_catalogue();
  BOOST_REQUIRE_GE(catalogue.size(), 17U);
  for (std::size_t i = 0; i < 17; ++i) {
    BOOST_TEST(catalogue[i].clause == "C" + std::to_string(i + 1));
  }
}

BOOST_AUTO_TEST_CASE(each_is_listed_after_those_that_it_extends) {
  std::set<std::string_view> listed;
  for (const Invariant& invariant : invariant_catalogue()) {
    for (const std::string_view extended : invariant.extends) {
      BOOST_TEST(listed.contains(extended), invariant.name << " comes before " << extended);
    }
    BOOST_TEST(listed.insert(invariant.name).second, invariant.name << " stands twice");
  }
}

BOOST_AUTO_TEST_CASE(a_record_with_fewer_answers_than_requests_is_looked_at_as_far_as_it_goes) {
  Record record = good_record();
  record.answers.clear();
  record.answers.shrink_to_fit();
  for (const Invariant& invariant : invariant_catalogue()) {
    const Finding finding = invariant.check(record);
    // Only what asks for answers misses them.
    const bool asks = finding && finding->find("received") != std::string::npos;
    BOOST_TEST((!finding || asks), invariant.name << ": " << finding.value_or(""));
  }
}

BOOST_AUTO_TEST_CASE(each_stands_in_the_page_as_its_row_says) {
  std::map<char, std::map<int, std::string>> tables;
  for (const Invariant& each : invariant_catalogue()) {
    const std::string suspended = each.needs_legal_world      ? "all illegal ones"
                                  : each.suspended_by.empty() ? "–"
                                                              : tests::as_code(each.suspended_by);
    tables[each.clause.front()][std::stoi(std::string(each.clause.substr(1)))] =
        tests::table_row({std::string(each.clause), tests::as_code(std::array{each.name}),
                          std::string(each.doc), suspended});
  }
  for (const auto& [letter, kind] :
       {std::pair{'C', "clause"}, {'I', "property"}, {'W', "guarantee"}}) {
    std::vector<std::string> rows;
    for (const auto& [number, row] : tables[letter]) {
      rows.push_back(row);
    }
    tests::check_table(
        "docs/invariants.md",
        fmt::format("| {} | invariant | what holds | not promised under these faults |", kind),
        rows);
  }
}

BOOST_AUTO_TEST_CASE(a_broken_one_is_reported_with_clause_and_name) {
  const std::vector<std::string> broken = broken_invariants(with_a_watch_left_open(), {});
  BOOST_REQUIRE_EQUAL(broken.size(), 1U);
  BOOST_TEST(broken.front().starts_with("C14 watches_are_stopped: "));
}

BOOST_AUTO_TEST_CASE(a_waived_one_is_not_looked_at) {
  const std::vector<Waiver> waived = {{"watches_are_stopped", "the server is gone"}};
  BOOST_TEST(broken_invariants(with_a_watch_left_open(), waived).empty());
}

BOOST_AUTO_TEST_CASE(an_illegal_fault_takes_back_what_only_a_legal_world_promises) {
  Record record;
  record.requests.emplace_back();
  record.requests.front().options.resource_version = "7";
  record.revision = "3";
  BOOST_TEST(broken_invariants(record, {}).size() == 1U);
  record.faults = {{.name = "bookmark_ahead", .as = "bookmark_ahead", .legal = false}};
  BOOST_TEST(broken_invariants(record, {}).empty());
}

BOOST_AUTO_TEST_CASE(of_a_program_outside_only_requests_are_looked_at) {
  Record record;
  record.revision = "3";
  record.requests = {tests::request(Verb::Watch, "3"), tests::request(Verb::Watch, "2")};
  BOOST_TEST(broken_outside(record, {}).empty());  // they may be two watches
  record.requests.push_back(tests::request(Verb::List, "7"));
  record.requests.push_back(tests::request(Verb::List, ""));
  record.requests.back().answer = AnswerKind::Pending;
  BOOST_TEST(broken_outside(record, {}).size() == 1U);
  record.quiet = true;
  const std::vector<std::string> broken = broken_outside(record, {});
  BOOST_REQUIRE_EQUAL(broken.size(), 2U);
  BOOST_TEST(broken[0].starts_with("C13 revisions_are_the_servers: informer sends a LIST with "));
  BOOST_TEST(broken[1].starts_with("C15 nobody_waits_for_ever: the LIST of informer has no "));
  const std::vector<Waiver> waived = {{"revisions_are_the_servers", "it guesses"}};
  BOOST_TEST(broken_outside(record, waived).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_waiver_needs_a_known_name) {
  fails_somewhere(
      [](runtime::Runtime& runtime) {
        Story story(runtime, {.waived = {{"stores_convurge", "a typing mistake"}}});
      },
      "exception", "there is no invariant 'stores_convurge'");
}

BOOST_AUTO_TEST_CASE(a_waiver_needs_a_reason) {
  fails_somewhere(
      [](runtime::Runtime& runtime) {
        Story story(runtime, {.waived = {{"stores_converge", ""}}});
      },
      "exception", "waived without a reason");
}

BOOST_AUTO_TEST_CASE(a_story_through_bad_weather_keeps_them_all) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime, {.server = {.objects = {{.name = "demo"}, {.name = "other"}}},
                          .clients = {{.name = "informer", .resync = 10s}}});
    expect(story.wait_for({.kind = Condition::Kind::Watching}), "the informer watches");
    story.at_once([](Story::Instant& now) {
      now.inject({.name = "cut_watch"});
      now.remove({.name = "demo"});
      now.create({.name = "demo"});
      now.remove({.name = "other"});
      now.inject({.name = "evict_watch_window"});
    });
    story.wait(5s);
    story.update({.name = "demo", .data = {{"color", "red"}}});
    expect(story.run_until_quiet(), "the story becomes quiet");
    story.finish();
    expect_equal(static_cast<std::int64_t>(story.record().writes.size()), 6);
  });
}

BOOST_AUTO_TEST_SUITE_END()
