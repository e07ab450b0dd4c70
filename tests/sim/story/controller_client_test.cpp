#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "sim/explore/explore.hpp"
#include "sim/story/story.hpp"
#include "tests/support/campaign.hpp"

// Clients with workers, crowds of objects, and faults that are left to the schedule.

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(controller_client_test)

namespace {

std::int64_t count_of(const Record& record, WorkType type) {
  return std::count_if(record.work.begin(), record.work.end(),
                       [&](const WorkRecord& work) { return work.type == type; });
}

void finish_quietly(Story& story) {
  const bool quiet = story.run_until_quiet();
  story.finish();
  expect(quiet, "the story becomes quiet");
}

std::string stored_names(const Record& record, const std::string& client) {
  std::string names;
  for (const api::ObjectPtr& object : record.stores.at(client)) {
    names += (names.empty() ? "" : " ") + object->metadata.name;
  }
  return names;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_controller_works_on_every_key_that_changes) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime, {.server = {.objects = {{.name = "a"}, {.name = "b"}}},
                          .clients = {{.name = "controller",
                                       .kind = ClientKind::Controller,
                                       .workers = 2,
                                       .takes = 100ms}}});
    expect(story.wait_for({.kind = Condition::Kind::Watching}), "it watches");
    story.wait(1s);
    story.remove({.name = "b"});
    finish_quietly(story);
    expect_equal(count_of(story.record(), WorkType::Taken), 3);
    expect_equal(count_of(story.record(), WorkType::Done), 3);
    expect_equal(story.record().work.back().key, "default/b");
    expect_equal(story.record().work.back().revision, "");
  });
}

BOOST_AUTO_TEST_CASE(a_key_that_fails_is_worked_on_again) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(
        runtime,
        {.server = {.objects = {{.name = "a"}}},
         .clients = {{.name = "controller", .kind = ClientKind::Controller, .failures = 3}}});
    finish_quietly(story);
    expect_equal(count_of(story.record(), WorkType::Done), 4);
  });
}

BOOST_AUTO_TEST_CASE(what_a_controller_writes_is_recorded_as_a_write) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime, {.server = {.objects = {{.name = "web", .data = {{"replicas", "2"}}}}},
                          .clients = {{.name = "controller",
                                       .kind = ClientKind::Controller,
                                       .reconcile = "replicas_with_expectations"}}});
    finish_quietly(story);
    expect_equal(stored_names(story.record(), "controller"), "web web-1 web-2");
    expect_equal(static_cast<std::int64_t>(story.record().writes.size()), 3);
  });
}

BOOST_AUTO_TEST_CASE(a_fault_left_to_the_schedule_happens_in_some_and_not_in_the_default_one) {
  const auto body = [](runtime::Runtime& runtime) {
    Story story(runtime, {.clients = {{.name = "informer"}}});
    expect(story.wait_for({.kind = Condition::Kind::Watching}), "it watches");
    story.wait(2s);
    story.inject({.name = "cut_watch", .choice = true});
    story.inject({.name = "evict_watch_window", .as = "evicted", .choice = true});
    story.wait(2s);
    story.heal("evicted");
    story.abandon();
    expect(story.record().requests.size() == 2, "one list and one watch");
  };
  BOOST_TEST(!explore({.strategy = "fifo", .schedules_max = 1}, body).failure.has_value());
  const auto failure = explore({.strategy = "random", .schedules_max = 50}, body).failure;
  BOOST_REQUIRE(failure.has_value());
  BOOST_TEST(failure->sentence.find("one list and one watch") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(bulk_objects_are_there_before_any_client_starts) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime, {.server = {.objects = {{.name = "a"}}, .bulk_objects = 2},
                          .clients = {{.name = "informer"}}});
    finish_quietly(story);
    expect_equal(stored_names(story.record(), "informer"), "a crowd-000000 crowd-000001");
  });
}

BOOST_AUTO_TEST_SUITE_END()
