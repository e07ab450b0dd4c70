#include "sim/story/recorder.hpp"

#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "tests/support/campaign.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(recorder_test)

namespace {

Exchange request(std::uint64_t number, runtime::TimePoint sent) {
  Exchange exchange;
  exchange.number = number;
  exchange.request.client = "one";
  exchange.request.verb = Verb::List;
  exchange.sent = sent;
  return exchange;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_delay_counts_from_the_end_of_the_request_before) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Recorder recorder(runtime);
    const runtime::TimePoint began = runtime.now();
    Exchange first = request(1, began);
    recorder.changed(first);
    first.answer = AnswerKind::Ok;
    first.answered = began + 2s;
    recorder.changed(first);
    recorder.changed(request(2, began + 5s));
    const Record record = recorder.close();
    expect_equal(static_cast<std::int64_t>(record.requests.size()), 2);
    expect(!record.requests[0].delay.has_value(), "the first request follows nothing");
    expect(record.requests[1].delay == 3s, "the second one follows the end of the first");
    expect_equal(to_string(record.requests[0].answer), "ok");
  });
}

BOOST_AUTO_TEST_CASE(a_resync_is_no_activity) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Recorder recorder(runtime);
    const runtime::TimePoint began = runtime.now();
    runtime::sleep_for(runtime, 10s);
    recorder.popped({.client = "one", .type = DeltaType::Sync, .key = "default/demo"});
    expect(recorder.activity().last == began, "a Sync delta is periodic");
    recorder.popped({.client = "one", .type = DeltaType::Added, .key = "default/demo"});
    expect(recorder.activity().last == began + 10s, "an Added delta is not");
  });
}

BOOST_AUTO_TEST_CASE(a_client_is_busy_while_its_handler_runs) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Recorder recorder(runtime);
    recorder.called({.client = "one", .type = CallType::Add});
    expect(recorder.activity().busy, "the handler has not come back");
    recorder.rested();
    expect(!recorder.activity().busy, "the handler has come back");
  });
}

BOOST_AUTO_TEST_CASE(a_wait_ends_with_what_it_waits_for) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Recorder recorder(runtime);
    const runtime::Task other = runtime::spawn(runtime, "other", [&] {
      runtime::sleep_for(runtime, 3s);
      recorder.popped({.client = "one", .type = DeltaType::Added, .key = "default/demo"});
    });
    const runtime::TimePoint began = runtime.now();
    const bool came = recorder.wait_until(
        [](const Record& record) { return !record.deltas.empty(); }, began + 1h);
    expect(came && runtime.now() == began + 3s, "the wait ends in the same moment");
    other.join();
  });
}

BOOST_AUTO_TEST_CASE(a_wait_for_what_never_comes_ends_at_its_deadline) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Recorder recorder(runtime);
    const runtime::TimePoint began = runtime.now();
    expect(!recorder.wait_until([](const Record&) { return false; }, began + 1h), "it never came");
    expect(runtime.now() == began + 1h, "the deadline has come");
  });
}

BOOST_AUTO_TEST_CASE(nothing_is_written_down_after_the_end) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Recorder recorder(runtime);
    recorder.popped({.client = "one", .type = DeltaType::Added, .key = "default/demo"});
    const Record record = recorder.close();
    recorder.popped({.client = "one", .type = DeltaType::Deleted, .key = "default/demo"});
    expect_equal(static_cast<std::int64_t>(record.deltas.size()), 1);
    expect_equal(static_cast<std::int64_t>(recorder.close().deltas.size()), 1);
  });
}

BOOST_AUTO_TEST_SUITE_END()
