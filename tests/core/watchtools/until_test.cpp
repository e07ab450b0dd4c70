#include "core/watchtools/until.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>

#include "core/runtime/task.hpp"
#include "core/watch/fake_watcher.hpp"
#include "tests/core/watch/events.hpp"
#include "tests/core/watchtools/scripted_source.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

using api::ErrorKind;
using runtime::Runtime;
using runtime::Task;
using watch::Event;
using watch::EventType;
using watch::FakeWatcher;
using watchtools::Condition;
using watchtools::UntilResult;

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(until_test)

namespace {

Condition is(EventType type) {
  return [type](const Event& event) -> api::Result<bool> { return event.type == type; };
}

Condition is_named(std::string name) {
  return [name = std::move(name)](const Event& event) -> api::Result<bool> {
    return event.object->metadata.name == name;
  };
}

Condition fails() {
  return [](const Event&) -> api::Result<bool> {
    return api::Error{.kind = ErrorKind::Other, .message = "no good", .status = {}};
  };
}

std::string outcome_of(const UntilResult& result) {
  std::string text = result.last ? text_of(*result.last) : "nothing";
  if (result.error) {
    text += "; " + result.error->message;
  }
  return text;
}

}  // namespace

// Mirrors TestUntil.
BOOST_AUTO_TEST_CASE(conditions_come_true_one_after_the_other) {
  holds_everywhere([](Runtime& runtime) {
    FakeWatcher watcher(runtime, 3);
    watcher.modify(object("a", "1"));
    watcher.add(object("a", "2"));
    watcher.modify(object("a", "3"));
    const std::vector<Condition> conditions{is(EventType::Added), is(EventType::Modified)};
    const UntilResult result =
        watchtools::until_without_retry(runtime, {.timeout = 1min}, watcher, conditions);
    expect_equal(outcome_of(result), "MODIFIED a@3");
    expect(watcher.is_stopped(), "the watch is over");
  });
}

// Mirrors TestUntilMultipleConditions.
BOOST_AUTO_TEST_CASE(one_event_can_make_several_conditions_true) {
  holds_everywhere([](Runtime& runtime) {
    FakeWatcher watcher(runtime, 1);
    watcher.add(object("a"));
    const std::vector<Condition> conditions{is(EventType::Added), is_named("a"),
                                            is(EventType::Added)};
    const UntilResult result =
        watchtools::until_without_retry(runtime, {.timeout = 1min}, watcher, conditions);
    expect_equal(outcome_of(result), "ADDED a@1");
  });
}

// Mirrors TestUntilMultipleConditionsFail.
BOOST_AUTO_TEST_CASE(a_condition_that_never_comes_true_times_out_with_the_last_event) {
  for (const bool another_comes : {false, true}) {
    holds_in_every_world([another_comes](Runtime& runtime) {
      FakeWatcher watcher(runtime, 2);
      watcher.add(object("a"));
      if (another_comes) {
        watcher.modify(object("a", "2"));
      }
      // The first event fulfils two of them.
      const std::vector<Condition> conditions{is(EventType::Added), is_named("a"),
                                              is(EventType::Deleted)};
      const runtime::TimePoint begin = runtime.now();
      const UntilResult result =
          watchtools::until_without_retry(runtime, {.timeout = 10s}, watcher, conditions);
      expect_equal(outcome_of(result), std::string(another_comes ? "MODIFIED a@2" : "ADDED a@1") +
                                           "; timed out waiting for the condition");
      expect(result.error->kind == ErrorKind::Timeout, "the kind says so");
      expect(runtime.now() - begin == 10s, "not sooner and not later");
      expect(watcher.is_stopped(), "the watch is over");
    });
  }
}

// Mirrors TestUntilTimeout.
BOOST_AUTO_TEST_CASE(no_timeout_waits_as_long_as_it_takes) {
  holds_in_every_world([](Runtime& runtime) {
    FakeWatcher watcher(runtime);
    const Task late = runtime::spawn(runtime, "late", [&] {
      runtime::sleep_for(runtime, 1000h);
      watcher.add(object("a"));
      watcher.modify(object("a", "2"));
    });
    const std::vector<Condition> conditions{is(EventType::Added), is(EventType::Modified)};
    const UntilResult result = watchtools::until_without_retry(runtime, {}, watcher, conditions);
    expect_equal(outcome_of(result), "MODIFIED a@2");
    late.join();
  });
}

BOOST_AUTO_TEST_CASE(a_stop_token_ends_the_wait) {
  holds_everywhere([](Runtime& runtime) {
    FakeWatcher watcher(runtime);
    runtime::StopSource stop(runtime);
    const Task other = runtime::spawn(runtime, "other", [&] { stop.stop(); });
    const std::vector<Condition> conditions{is(EventType::Added)};
    const UntilResult result =
        watchtools::until_without_retry(runtime, {.stop = stop.token()}, watcher, conditions);
    expect_equal(outcome_of(result), "nothing; timed out waiting for the condition");
    expect(watcher.is_stopped(), "the watch is over");
    other.join();
  });
}

BOOST_AUTO_TEST_CASE(the_end_of_the_watch_ends_the_wait) {
  holds_everywhere([](Runtime& runtime) {
    FakeWatcher watcher(runtime, 1);
    watcher.add(object("a"));
    watcher.stop();
    const std::vector<Condition> conditions{is(EventType::Deleted)};
    const UntilResult result = watchtools::until_without_retry(runtime, {}, watcher, conditions);
    expect_equal(outcome_of(result), "ADDED a@1; watch closed before UntilWithoutRetry timeout");
    expect(result.error->kind == ErrorKind::Closed, "the kind says so");
  });
}

// Mirrors TestUntilErrorCondition.
BOOST_AUTO_TEST_CASE(a_condition_that_fails_ends_the_wait) {
  holds_everywhere([](Runtime& runtime) {
    FakeWatcher watcher(runtime, 1);
    watcher.add(object("a"));
    const std::vector<Condition> conditions{is(EventType::Added), fails()};
    const UntilResult result =
        watchtools::until_without_retry(runtime, {.timeout = 1min}, watcher, conditions);
    expect_equal(outcome_of(result), "ADDED a@1; no good");
    expect(watcher.is_stopped(), "the watch is over");
  });
}

BOOST_AUTO_TEST_CASE(a_condition_that_panics_stops_the_watch_too) {
  holds_everywhere([](Runtime& runtime) {
    FakeWatcher watcher(runtime, 1);
    watcher.add(object("a"));
    const std::vector<Condition> conditions{
        [](const Event&) -> api::Result<bool> { throw runtime::Panic("ouch"); }};
    expect_panic([&] { (void)watchtools::until_without_retry(runtime, {}, watcher, conditions); },
                 "ouch");
    expect(watcher.is_stopped(), "the watch is over");
  });
}

BOOST_AUTO_TEST_CASE(no_conditions_hold_at_once) {
  holds_everywhere([](Runtime& runtime) {
    FakeWatcher watcher(runtime);
    expect_equal(outcome_of(watchtools::until_without_retry(runtime, {}, watcher, {})), "nothing");
    expect(watcher.is_stopped(), "the watch is over");
  });
}

BOOST_AUTO_TEST_CASE(until_outlives_the_end_of_a_stream) {
  holds_in_every_world([](Runtime& runtime) {
    ScriptedSource source(runtime,
                          {{.events = {added("a", "2")}}, {.events = {deleted("a", "3")}}});
    const std::vector<Condition> conditions{is(EventType::Added), is(EventType::Deleted)};
    const UntilResult result = watchtools::until(
        runtime, {.initial_resource_version = "1", .watch = source.function()}, conditions);
    expect_equal(outcome_of(result), "DELETED a@3");
    expect_equal(source.revisions().substr(0, 3), "1,2");
  });
}

BOOST_AUTO_TEST_CASE(until_needs_a_revision_to_start_from) {
  holds_everywhere([](Runtime& runtime) {
    ScriptedSource source(runtime, {});
    const std::vector<Condition> conditions{is(EventType::Added)};
    const UntilResult result = watchtools::until(
        runtime, {.initial_resource_version = "0", .watch = source.function()}, conditions);
    expect(!result.ok() && !result.last, "there is nothing to resume");
  });
}

BOOST_AUTO_TEST_CASE(listed_objects_count_as_added_and_the_watch_starts_at_the_list) {
  holds_everywhere([](Runtime& runtime) {
    ScriptedSource source(runtime, {{.events = {deleted("b", "9")}}});
    source.listed = list_of("7", {object("a", "3"), object("b", "5")});
    const std::vector<Condition> conditions{is_named("b"), is(EventType::Added),
                                            is(EventType::Deleted)};
    const UntilResult result = watchtools::list_watch_until(runtime, {}, source, conditions);
    expect_equal(outcome_of(result), "DELETED b@9");
    expect_equal(source.revisions(), "7");
  });
}

BOOST_AUTO_TEST_CASE(a_list_can_be_enough) {
  holds_everywhere([](Runtime& runtime) {
    ScriptedSource source(runtime, {});
    source.listed.items = {object("a", "3"), object("b", "5")};
    const std::vector<Condition> conditions{is_named("a")};
    expect_equal(outcome_of(watchtools::list_watch_until(runtime, {}, source, conditions)),
                 "ADDED a@3");
    expect_equal(source.revisions(), "");
  });
}

BOOST_AUTO_TEST_CASE(a_condition_that_the_list_did_not_make_true_is_not_passed_over) {
  holds_everywhere([](Runtime& runtime) {
    ScriptedSource source(runtime, {{.events = {modified("a", "9"), deleted("a", "10")}}});
    source.listed.items = {object("a", "3")};
    const std::vector<Condition> conditions{is(EventType::Modified), is_named("a"),
                                            is(EventType::Deleted)};
    expect_equal(outcome_of(watchtools::list_watch_until(runtime, {}, source, conditions)),
                 "DELETED a@10");
  });
}

BOOST_AUTO_TEST_CASE(a_list_watch_reports_every_failure_of_its_requests) {
  holds_everywhere([](Runtime& runtime) {
    const api::Error refused{.kind = ErrorKind::Other, .message = "refused", .status = {}};
    ScriptedSource source(runtime, {{.error = refused}, {.events = {}}});
    const std::vector<Condition> conditions{is(EventType::Added)};
    source.list_error = api::Error{.kind = ErrorKind::Other, .message = "no list", .status = {}};
    expect_equal(outcome_of(watchtools::list_watch_until(runtime, {}, source, conditions)),
                 "nothing; no list");
    source.list_error.reset();
    expect_equal(outcome_of(watchtools::list_watch_until(runtime, {}, source, conditions)),
                 "nothing; refused");
    // The end of the stream reads as a time-out here.
    expect_equal(outcome_of(watchtools::list_watch_until(runtime, {}, source, conditions)),
                 "nothing; timed out waiting for the condition");
  });
}

BOOST_AUTO_TEST_CASE(a_list_watch_for_nothing_asks_for_nothing) {
  holds_everywhere([](Runtime& runtime) {
    ScriptedSource source(runtime, {});
    expect_equal(outcome_of(watchtools::list_watch_until(runtime, {}, source, {})), "nothing");
    expect_equal(source.lists(), 0);
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
