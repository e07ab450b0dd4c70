#include "core/watchtools/retry_watcher.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>

#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "tests/core/watch/events.hpp"
#include "tests/core/watchtools/scripted_source.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

using api::Error;
using api::ErrorKind;
using api::StatusReason;
using runtime::Runtime;
using runtime::Task;
using watch::Event;
using watch::EventType;
using watchtools::RetryWatcher;

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(retry_watcher_test)

namespace {

WatchAnswer refused(ErrorKind kind) {
  return {.error = Error{.kind = kind, .message = "refused", .status = {}}};
}

WatchAnswer refused(StatusReason reason) {
  return {.error = api::error_from(api::failure(reason, "refused"))};
}

WatchAnswer stream(std::vector<Event> events) { return {.events = std::move(events)}; }

Event reported(StatusReason reason, int retry_after_seconds = 0) {
  api::Status status = api::failure(reason, "told");
  status.details.retry_after_seconds = retry_after_seconds;
  return failed(status);
}

std::shared_ptr<RetryWatcher> start(Runtime& runtime, ScriptedSource& source) {
  return *RetryWatcher::make(runtime,
                             {.initial_resource_version = "1", .watch = source.function()});
}

struct Expected {
  std::string events;     ///< that the reader sees
  std::string revisions;  ///< that watches are asked for, including one more than the script has
  std::string times;      ///< when, in milliseconds; "" for any
};

/// Plays the script to its end, then stops the watcher.
void continues(const std::vector<WatchAnswer>& script, const Expected& expected) {
  holds_in_every_world([&](Runtime& runtime) {
    ScriptedSource source(runtime, script);
    const auto watcher = start(runtime, source);
    std::string seen;
    std::optional<Event> event;
    runtime::Channel<Event> events = watcher->result_channel();
    while (true) {
      runtime::Select choice(runtime);
      choice.receive(events, event).receive(source.exhausted());
      if (choice.wait() == 1) {
        break;
      }
      expect(event.has_value(), "the watch continues");
      seen += seen.empty() ? "" : ",";
      seen += text_of(*event);
    }
    watcher->stop();
    expect_equal(next(*watcher), "closed");
    expect_equal(seen, expected.events);
    expect_equal(source.revisions(), expected.revisions);
    if (!expected.times.empty()) {
      expect_equal(source.times(), expected.times);
    }
  });
}

/// Expects that the watcher ends by itself with the script's last answer.
void ends(const std::vector<WatchAnswer>& script, const Expected& expected) {
  holds_in_every_world([&](Runtime& runtime) {
    ScriptedSource source(runtime, script);
    const auto watcher = start(runtime, source);
    expect_equal(read_all(watcher->result_channel()), expected.events);
    runtime::Channel<runtime::Unit> done = watcher->done();
    expect(!done.receive().has_value(), "done is closed too");
    expect_equal(source.revisions(), expected.revisions);
    watcher->stop();
  });
}

}  // namespace

// Mirrors TestNewRetryWatcher.
BOOST_AUTO_TEST_CASE(it_needs_a_revision_to_start_from) {
  holds_everywhere([](Runtime& runtime) {
    ScriptedSource source(runtime, {});
    for (const std::string revision : {"", "0"}) {
      const auto watcher = RetryWatcher::make(
          runtime, {.initial_resource_version = revision, .watch = source.function()});
      expect(!watcher.ok(), "there is nothing to resume");
      expect_equal(
          watcher.error().message,
          "initial RV \"" + revision + "\" is not supported due to issues with underlying WATCH");
    }
    expect_equal(source.revisions(), "");
  });
}

// The following cases mirror the rows of TestRetryWatcher.
BOOST_AUTO_TEST_CASE(a_watch_that_does_not_come_about_is_tried_again_a_second_after_its_start) {
  for (const ErrorKind kind :
       {ErrorKind::Eof, ErrorKind::UnexpectedEof, ErrorKind::Timeout, ErrorKind::ConnectionReset,
        ErrorKind::ConnectionRefused, ErrorKind::Other}) {
    continues({refused(kind), refused(kind), stream({added("a", "2")})},
              {.events = "ADDED a@2", .revisions = "1,1,1,2", .times = "0,1000,2000,3000"});
  }
}

BOOST_AUTO_TEST_CASE(no_watcher_at_all_is_tried_again) {
  continues({{.null = true}, stream({added("a", "2")})},
            {.events = "ADDED a@2", .revisions = "1,1,2", .times = "0,1000,2000"});
}

BOOST_AUTO_TEST_CASE(a_failing_server_is_tried_again) {
  continues({refused(StatusReason::InternalError), refused(StatusReason::TooManyRequests),
             stream({added("a", "2")})},
            {.events = "ADDED a@2", .revisions = "1,1,1,2", .times = ""});
}

BOOST_AUTO_TEST_CASE(the_servers_words_of_a_refusal_and_of_lost_history_are_reported_as_they_are) {
  const auto expect_status = [](const WatchAnswer& answer, const api::Status& expected) {
    holds_in_every_world([&](Runtime& runtime) {
      ScriptedSource source(runtime, {answer});
      const auto watcher = start(runtime, source);
      expect_error(*watcher, expected);
      expect_equal(next(*watcher), "closed");
    });
  };
  for (const StatusReason reason : {StatusReason::Forbidden, StatusReason::Unauthorized}) {
    expect_status(refused(reason), api::failure(reason, "refused"));
  }
  for (const StatusReason reason : {StatusReason::Gone, StatusReason::Expired}) {
    expect_status(stream({reported(reason)}), api::failure(reason, "told"));
  }
}

// The bug B93.
BOOST_AUTO_TEST_CASE(a_watch_that_is_forbidden_is_reported_and_ends) {
  ends({refused(StatusReason::Forbidden)}, {.events = "ERROR 403", .revisions = "1", .times = ""});
  ends({refused(StatusReason::Unauthorized)},
       {.events = "ERROR 401", .revisions = "1", .times = ""});
}

// The live bug B96.
BOOST_AUTO_TEST_CASE(
    history_that_is_gone_before_the_stream_begins_is_asked_for_again_indefinitely) {
  continues({refused(StatusReason::Expired), refused(StatusReason::Gone),
             refused(StatusReason::Expired), stream({added("a", "2")})},
            {.events = "ADDED a@2", .revisions = "1,1,1,1,2", .times = ""});
}

BOOST_AUTO_TEST_CASE(events_are_passed_on_and_the_last_revision_is_resumed) {
  continues({stream({added("a", "2"), modified("a", "3")}), stream({deleted("a", "4")})},
            {.events = "ADDED a@2,MODIFIED a@3,DELETED a@4",
             .revisions = "1,3,4",
             .times = "0,1000,2000"});
  continues({stream({added("a", "2"), added("b", "5")}), stream({added("c", "6"), added("d", "7")}),
             stream({added("e", "11")})},
            {.events = "ADDED a@2,ADDED b@5,ADDED c@6,ADDED d@7,ADDED e@11",
             .revisions = "1,5,7,11",
             .times = "0,1000,2000,3000"});
  continues({stream({added("a", "5")}), stream({added("b", "6")}), stream({added("c", "7")}),
             stream({added("d", "11")})},
            {.events = "ADDED a@5,ADDED b@6,ADDED c@7,ADDED d@11",
             .revisions = "1,5,6,7,11",
             .times = ""});
}

BOOST_AUTO_TEST_CASE(a_quiet_stream_is_waited_for_without_a_word) {
  continues({{.events = {}, .open = 1h}}, {.events = "", .revisions = "1,1", .times = "0,3600000"});
  // What it did bring has arrived long before its end.
  holds_in_every_world([](Runtime& runtime) {
    ScriptedSource source(runtime, {{.events = {added("a", "2")}, .open = 10s}});
    const auto watcher = start(runtime, source);
    const runtime::TimePoint begin = runtime.now();
    expect_equal(next(*watcher), "ADDED a@2");
    expect(runtime.now() == begin, "an event waits for no end of its stream");
    expect_equal(source.revisions(), "1");
    watcher->stop();
    expect_equal(next(*watcher), "closed");
    expect_equal(source.revisions(), "1");
  });
}

BOOST_AUTO_TEST_CASE(a_bookmark_is_kept_back_and_its_revision_is_resumed) {
  continues({stream({added("a", "2"), event(EventType::Bookmark, "", "7")})},
            {.events = "ADDED a@2", .revisions = "1,7", .times = ""});
}

BOOST_AUTO_TEST_CASE(a_stream_that_lived_a_second_is_followed_at_once) {
  continues({{.events = {added("a", "2")}, .open = 5s}},
            {.events = "ADDED a@2", .revisions = "1,2", .times = "0,5000"});
}

BOOST_AUTO_TEST_CASE(history_that_is_gone_is_reported_and_ends) {
  ends({stream({added("a", "2"), reported(StatusReason::Gone), added("b", "3")})},
       {.events = "ADDED a@2,ERROR 410", .revisions = "1", .times = ""});
  ends({stream({reported(StatusReason::Expired)})},
       {.events = "ERROR 410", .revisions = "1", .times = ""});
}

BOOST_AUTO_TEST_CASE(any_other_error_event_is_kept_back_and_the_watch_continues) {
  for (const StatusReason reason : {StatusReason::InternalError, StatusReason::Timeout,
                                    StatusReason::TooManyRequests, StatusReason::NotFound}) {
    continues({stream({added("a", "2"), reported(reason), added("lost", "3")}),
               stream({added("b", "3")})},
              {.events = "ADDED a@2,ADDED b@3", .revisions = "1,2,3", .times = "0,1000,2000"});
  }
  api::Status outcome_unknown = api::failure(StatusReason::Unknown, "told");
  outcome_unknown.code = 666;
  continues({stream({added("a", "2"), failed(outcome_unknown), added("lost", "3")}),
             stream({added("b", "3")})},
            {.events = "ADDED a@2,ADDED b@3", .revisions = "1,2,3", .times = "0,1000,2000"});
}

BOOST_AUTO_TEST_CASE(an_error_event_may_say_how_long_to_wait) {
  continues({stream({reported(StatusReason::Timeout, 4)})},
            {.events = "", .revisions = "1,1", .times = "0,4000"});
}

// The bug B95.
BOOST_AUTO_TEST_CASE(an_error_event_without_a_status_is_kept_back) {
  for (const api::ObjectPtr& object_of_it : {api::ObjectPtr(), object("a", "9")}) {
    const Event nameless{.type = EventType::Error, .object = object_of_it, .status = nullptr};
    continues({stream({added("a", "2"), nameless, added("lost", "3")}), stream({added("b", "3")})},
              {.events = "ADDED a@2,ADDED b@3", .revisions = "1,2,3", .times = "0,1000,2000"});
  }
}

BOOST_AUTO_TEST_CASE(an_event_from_which_the_watch_cannot_be_resumed_is_reported_and_ends) {
  for (const EventType type :
       {EventType::Added, EventType::Modified, EventType::Deleted, EventType::Bookmark}) {
    ends({stream({event(type, "a", "")})}, {.events = "ERROR 500", .revisions = "1", .times = ""});
  }
  ends({stream({{.type = EventType::Added, .object = nullptr, .status = nullptr}})},
       {.events = "ERROR 500", .revisions = "1", .times = ""});
  ends({stream({event(static_cast<EventType>(17), "a", "2")})},
       {.events = "ERROR 500", .revisions = "1", .times = ""});
}

// Mirrors TestRetryWatcherToFinishWithUnreadEvents; the bug B92.
BOOST_AUTO_TEST_CASE(a_stop_releases_an_event_that_no_task_reads_and_may_be_repeated) {
  holds_everywhere([](Runtime& runtime) {
    ScriptedSource source(runtime, {{.events = {added("a", "2")}}});
    const auto watcher = start(runtime, source);
    const Task other = runtime::spawn(runtime, "other", [&] { watcher->stop(); });
    watcher->stop();
    other.join();
    runtime::Channel<runtime::Unit> done = watcher->done();
    done.receive();
    expect_equal(next(*watcher), "closed");
  });
}

// The bug B94.
BOOST_AUTO_TEST_CASE(a_stop_ends_the_waiting_that_the_server_asked_for) {
  holds_in_every_world([](Runtime& runtime) {
    ScriptedSource source(runtime, {stream({reported(StatusReason::Timeout, 3600)})});
    const auto watcher = start(runtime, source);
    const runtime::TimePoint begin = runtime.now();
    runtime::sleep_for(runtime, 10s);
    watcher->stop();
    expect_equal(next(*watcher), "closed");
    expect(runtime.now() - begin < 11s, "no task waits for the hour to pass");
  });
}

BOOST_AUTO_TEST_CASE(a_stop_token_ends_it_too) {
  holds_everywhere([](Runtime& runtime) {
    ScriptedSource source(runtime, {});
    runtime::StopSource stop(runtime);
    const auto watcher = *RetryWatcher::make(
        runtime,
        {.initial_resource_version = "1", .watch = source.function(), .stop = stop.token()});
    stop.stop();
    expect_equal(next(*watcher), "closed");
    runtime::Channel<runtime::Unit> done = watcher->done();
    done.receive();
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
