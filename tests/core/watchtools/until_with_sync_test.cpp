#include <boost/test/unit_test.hpp>
#include <chrono>

#include "core/runtime/task.hpp"
#include "core/watchtools/until.hpp"
#include "tests/core/watch/events.hpp"
#include "tests/core/watchtools/scripted_source.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

using api::ErrorKind;
using runtime::Runtime;
using runtime::Task;
using watch::Event;
using watch::EventType;
using watchtools::Condition;
using watchtools::Precondition;
using watchtools::UntilResult;

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(until_with_sync_test)

namespace {

std::shared_ptr<ScriptedSource> source_of(Runtime& runtime, std::vector<WatchAnswer> script) {
  auto source = std::make_shared<ScriptedSource>(runtime, std::move(script));
  source->listed = list_of("7", {object("a", "3")});
  return source;
}

const std::vector<Condition>& until_deleted() {
  static const std::vector<Condition> kConditions{
      [](const Event& event) -> api::Result<bool> { return event.type == EventType::Deleted; }};
  return kConditions;
}

std::string outcome_of(const UntilResult& result) {
  std::string text = result.last ? text_of(*result.last) : "nothing";
  if (result.error) {
    text += "; ";
    text += result.error->message;
  }
  return text;
}

std::vector<Condition> whatever_comes() {
  return {[](const Event&) -> api::Result<bool> { return true; }};
}

/// Holds when the store has that many objects.
Precondition has(std::size_t count) {
  return [count](const cache::Store& store) -> api::Result<bool> {
    return store.list().size() == count;
  };
}

}  // namespace

// The following cases mirror the rows of TestUntilWithSync.
BOOST_AUTO_TEST_CASE(a_precondition_that_holds_after_the_list_ends_the_wait_without_an_event) {
  holds_in_every_world([](Runtime& runtime) {
    const std::vector<Condition> never_asked{[](const Event&) -> api::Result<bool> {
      return api::Error{.kind = ErrorKind::Other, .message = "never reached", .status = {}};
    }};
    const UntilResult result =
        watchtools::until_with_sync(runtime,
                                    {.lister_watcher = source_of(runtime, {}),
                                     .precondition = has(1),
                                     .limit = {.timeout = 500ms}},
                                    never_asked);
    expect_equal(outcome_of(result), "nothing");
    expect(result.ok(), "it held");
  });
}

BOOST_AUTO_TEST_CASE(events_decide_when_the_precondition_does_not_hold) {
  holds_in_every_world([](Runtime& runtime) {
    const auto source = source_of(runtime, {{.events = {deleted("a", "9")}}});
    const UntilResult result = watchtools::until_with_sync(
        runtime, {.lister_watcher = source, .precondition = has(5)}, until_deleted());
    expect_equal(outcome_of(result), "DELETED a@9");
  });
}

BOOST_AUTO_TEST_CASE(events_decide_when_there_is_no_precondition) {
  holds_in_every_world([](Runtime& runtime) {
    const auto source = source_of(runtime, {{.events = {deleted("a", "9")}}});
    const UntilResult result =
        watchtools::until_with_sync(runtime, {.lister_watcher = source}, until_deleted());
    expect_equal(outcome_of(result), "DELETED a@9");
  });
}

BOOST_AUTO_TEST_CASE(a_precondition_that_fails_ends_the_wait) {
  holds_in_every_world([](Runtime& runtime) {
    const Precondition fails = [](const cache::Store&) -> api::Result<bool> {
      return api::Error{.kind = ErrorKind::Other, .message = "no good", .status = {}};
    };
    const UntilResult result = watchtools::until_with_sync(
        runtime, {.lister_watcher = source_of(runtime, {}), .precondition = fails},
        until_deleted());
    expect_equal(outcome_of(result), "nothing; no good");
  });
}

BOOST_AUTO_TEST_CASE(a_condition_that_never_comes_true_times_out) {
  holds_in_every_world([](Runtime& runtime) {
    const runtime::TimePoint begin = runtime.now();
    const UntilResult result = watchtools::until_with_sync(
        runtime, {.lister_watcher = source_of(runtime, {}), .limit = {.timeout = 10s}},
        until_deleted());
    expect_equal(outcome_of(result), "ADDED a@3; timed out waiting for the condition");
    expect(runtime.now() - begin == 10s, "not sooner and not later");
  });
}

BOOST_AUTO_TEST_CASE(without_a_precondition_no_task_waits_for_the_list) {
  holds_in_every_world([](Runtime& runtime) {
    const auto source = source_of(runtime, {});
    source->list_held.emplace(runtime, 0);
    const runtime::TimePoint begin = runtime.now();
    const UntilResult result = watchtools::until_with_sync(
        runtime, {.lister_watcher = source, .limit = {.timeout = 500ms}}, whatever_comes());
    expect_equal(outcome_of(result), "nothing; timed out waiting for the condition");
    expect(result.error->kind == ErrorKind::Timeout, "the kind says so");
    expect(runtime.now() - begin == 500ms, "not sooner and not later");
    source->list_held->close();
  });
}

BOOST_AUTO_TEST_CASE(the_first_listed_object_can_decide) {
  holds_in_every_world([](Runtime& runtime) {
    const std::vector<Condition> until_added{[](const Event& event) -> api::Result<bool> {
      expect(event.type == EventType::Added, "no other events are expected");
      return true;
    }};
    const UntilResult result =
        watchtools::until_with_sync(runtime,
                                    {.lister_watcher = source_of(runtime, {}),
                                     .precondition = has(5),
                                     .limit = {.timeout = 500ms}},
                                    until_added);
    expect_equal(outcome_of(result), "ADDED a@3");
  });
}

BOOST_AUTO_TEST_CASE(a_list_that_never_comes_times_out) {
  for (const bool hangs : {true, false}) {
    holds_in_every_world([hangs](Runtime& runtime) {
      const auto source = source_of(runtime, {});
      source->list_error = api::Error{.kind = ErrorKind::Other, .message = "no", .status = {}};
      if (hangs) {
        source->list_held.emplace(runtime, 0);
      }
      const runtime::TimePoint begin = runtime.now();
      const UntilResult result = watchtools::until_with_sync(
          runtime, {.lister_watcher = source, .precondition = has(0), .limit = {.timeout = 10s}},
          whatever_comes());
      expect_equal(outcome_of(result),
                   "nothing; UntilWithSync: unable to sync caches: context deadline exceeded");
      expect(result.error->kind == ErrorKind::Timeout, "the kind says so");
      expect(runtime.now() - begin == 10s, "not sooner and not later");
      if (hangs) {
        source->list_held->close();
      }
    });
  }
}

BOOST_AUTO_TEST_CASE(a_stop_token_ends_the_wait_for_the_list) {
  holds_in_every_world([](Runtime& runtime) {
    const auto source = source_of(runtime, {});
    source->list_error = api::Error{.kind = ErrorKind::Other, .message = "no", .status = {}};
    runtime::StopSource stop(runtime);
    const Task other = runtime::spawn(runtime, "other", [&] { stop.stop(); });
    const UntilResult result = watchtools::until_with_sync(
        runtime,
        {.lister_watcher = source, .precondition = has(0), .limit = {.stop = stop.token()}},
        until_deleted());
    expect_equal(outcome_of(result),
                 "nothing; UntilWithSync: unable to sync caches: context canceled");
    other.join();
  });
}

BOOST_AUTO_TEST_CASE(neither_the_end_of_a_stream_nor_lost_history_ends_the_wait) {
  holds_in_every_world([](Runtime& runtime) {
    const auto source = source_of(
        runtime, {{.events = {modified("a", "8")}},
                  {.events = {failed(api::failure(api::StatusReason::Expired, "too old"))}}});
    source->relisted.emplace_back();
    const UntilResult result =
        watchtools::until_with_sync(runtime, {.lister_watcher = source}, until_deleted());
    expect_equal(outcome_of(result), "DELETED a@8");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
