#include "sim/invariants/invariant_catalogue.hpp"

#include <boost/test/unit_test.hpp>

#include "sim/story/story.hpp"
#include "tests/support/everywhere.hpp"

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
  const std::vector<Invariant> catalogue = invariant_catalogue();
  BOOST_REQUIRE_GE(catalogue.size(), 17U);
  for (std::size_t i = 0; i < 17; ++i) {
    BOOST_TEST(catalogue[i].clause == "C" + std::to_string(i + 1));
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
