#include <fmt/ranges.h>

#include <boost/test/unit_test.hpp>
#include <optional>
#include <set>

#include "core/cache/cache.hpp"
#include "core/cache/fifo.hpp"
#include "tests/core/cache/scripted_server.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(reflector_store_test)

namespace {

/// One cycle of a reflector of its own against a store that continues: what is listed, what the
/// watch sends or is refused with, and what the cycle says.
struct Cycle {
  std::optional<api::Result<api::ObjectList>> list;
  std::vector<watch::Event> events;
  std::optional<api::Error> refusal;
  std::string error;
  std::string contents;  ///< of the store, after the cycle
};

void play(runtime::Runtime& runtime, const std::shared_ptr<cache::FIFO>& store,
          const Cycle& cycle) {
  const auto server = std::make_shared<ScriptedServer>(runtime);
  server->answer_list(*cycle.list);
  runtime::StopSource stop(runtime);
  server->on_watch([&](const auto&, const auto&) -> api::Result<WatcherPtr> {
    if (cycle.refusal) {
      return *cycle.refusal;
    }
    const auto watcher = std::make_shared<watch::RaceFreeFakeWatcher>(runtime);
    for (const watch::Event& each : cycle.events) {
      watcher->action(each);
    }
    return WatcherPtr(watcher);
  });
  const auto stopper = runtime::spawn(runtime, "stopper", [&] {
    runtime::sleep_for(runtime, 1s);
    stop.stop();
  });
  cache::Reflector reflector(runtime, server, store);
  const api::Result<void> ended = reflector.list_and_watch(stop.token());
  stopper.join();
  expect_equal(server->requests().size(), cycle.list->ok() ? 2U : 1U);
  expect_equal(ended.ok() ? "" : ended.error().message, cycle.error);
  std::set<std::string> contents;
  for (const api::ObjectPtr& each : store->list()) {
    contents.insert(text_of(each));
  }
  expect_equal(fmt::format("{}", fmt::join(contents, " ")), cycle.contents);
}

/// Closes the queue and pops what is left: "foo@2 bar@3 ".
std::string rest_of(cache::FIFO& queue) {
  const auto pop = [&] { return queue.pop([](const auto&, bool) { return cache::Processed(); }); };
  queue.close();
  std::string popped;
  for (auto item = pop(); item.outcome; item = pop()) {
    popped += text_of(std::get<api::ObjectPtr>(item.item)) + " ";
  }
  return popped;
}

}  // namespace

// Mirrors TestReflectorListAndWatch, into a queue and over two watches.
BOOST_AUTO_TEST_CASE(what_two_watches_bring_is_queued_in_their_order) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    const auto queue = std::make_shared<cache::FIFO>(runtime);
    stage.made = std::make_unique<cache::Reflector>(runtime, stage.server, queue, stage.options);
    stage.server->answer_list(listing("1", {object("foo", "1")}));
    stage.server->stream({modified("foo", "2"), added("bar", "3")}, Ending::Closed);
    stage.server->stream({added("baz", "4"), added("qux", "5"), added("zoo", "6")});
    stage.run_for(1min);
    expect_equal(stage.server->story(), "list 0, watch 1, watch 3");
    expect_equal(rest_of(*queue), "foo@2 bar@3 baz@4 qux@5 zoo@6 ");
  });
}

// Mirrors TestReflectorListAndWatch, its row of a streamed list.
BOOST_AUTO_TEST_CASE(what_follows_a_streamed_list_is_queued_in_its_order) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    const auto queue = std::make_shared<cache::FIFO>(runtime);
    stage.options.streams_lists = true;
    stage.made = std::make_unique<cache::Reflector>(runtime, stage.server, queue, stage.options);
    stage.server->stream({added("foo", "1"), mark("1"), modified("foo", "2"), added("bar", "3"),
                          added("baz", "4"), added("qux", "5"), added("zoo", "6")});
    runtime::StopSource stop(runtime);
    const auto stopper = runtime::spawn(runtime, "stopper", [&] {
      runtime::sleep_for(runtime, 1min);
      stop.stop();
    });
    expect(stage.reflector().list_and_watch(stop.token()).ok(), "a stop is no error");
    stopper.join();
    expect_equal(stage.server->story(), "watch latest");
    expect_equal(rest_of(*queue), "foo@2 bar@3 baz@4 qux@5 zoo@6 ");
  });
}

// Mirrors TestReflectorWatchHandler: what the store has after the events, and the last one's
// revision although it is a smaller one.
BOOST_AUTO_TEST_CASE(the_store_is_what_the_events_say_and_the_revision_is_the_last_ones) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.options.kind = "ConfigMap";
    const auto store = std::make_shared<cache::Cache>(runtime);
    stage.made = std::make_unique<cache::Reflector>(runtime, stage.server, store, stage.options);
    stage.server->answer_list(listing("10", {object("foo", "1"), object("bar", "2")}));
    api::Object service = *object("rejected", "11");
    service.kind = "Service";
    stage.server->stream({event(watch::EventType::Added, std::make_shared<api::Object>(service)),
                          deleted("foo", "12"), modified("bar", "55"), added("baz", "32")});
    stage.run_for(1min);
    expect_equal(store->list_keys().size(), 2U);
    expect_equal(text_of(store->get_by_key("bar")), "bar@55");
    expect_equal(text_of(store->get_by_key("baz")), "baz@32");
    expect_equal(stage.reflector().last_sync_resource_version(), "32");
    expect_equal(stage.server->story(), "list 0, watch 10");
  });
}

// Mirrors TestReflectorListAndWatchWithErrors.
BOOST_AUTO_TEST_CASE(each_cycle_says_why_it_failed_and_a_failed_one_keeps_what_is_stored) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto store = std::make_shared<cache::FIFO>(runtime);
    const api::Error list_error{.kind = api::ErrorKind::Other, .message = "a list error"};
    const api::Error watch_error{.kind = api::ErrorKind::Other, .message = "a watch error"};
    const auto foo = object("foo", "2");
    const auto bar = object("bar", "3");
    const auto qux = object("qux", "5");
    const std::vector<Cycle> cycles{
        {.list = listing("1"),
         .events = {added("foo", "2"), added("bar", "3")},
         .contents = "bar@3 foo@2"},
        {.list = listing("3", {foo, bar}),
         .events = {deleted("foo", "4"), added("qux", "5")},
         .contents = "bar@3 qux@5"},
        {.list = api::Result<api::ObjectList>(list_error),
         .error = "failed to list <unspecified>: a list error",
         .contents = "bar@3 qux@5"},
        {.list = listing("5", {bar, qux}),
         .refusal = watch_error,
         .error = "a watch error",
         .contents = "bar@3 qux@5"},
        {.list = listing("5", {bar, qux}),
         .events = {added("baz", "6")},
         .contents = "bar@3 baz@6 qux@5"},
        {.list = listing("6", {bar, qux}), .contents = "bar@3 qux@5"},
    };
    for (const Cycle& cycle : cycles) {
      play(runtime, store, cycle);
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
