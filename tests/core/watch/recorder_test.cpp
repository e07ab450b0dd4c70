#include <boost/test/unit_test.hpp>

#include "core/port/watchers.hpp"
#include "core/runtime/task.hpp"
#include "core/watch/fake_watcher.hpp"
#include "tests/core/watch/events.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

using runtime::Runtime;
using runtime::Task;
using watch::Event;
using watch::FakeWatcher;

BOOST_AUTO_TEST_SUITE(recorder_test)

// Mirrors TestRecorder.
BOOST_AUTO_TEST_CASE(every_event_is_remembered_and_passed_on) {
  holds_everywhere([](Runtime& runtime) {
    const auto source = std::make_shared<FakeWatcher>(runtime);
    watch::Recorder recorder(runtime, source);
    const Task script = runtime::spawn(runtime, "script", [&] {
      source->add(object("a"));
      source->modify(object("a", "2"));
      source->stop();
    });
    expect_equal(read_all(recorder.result_channel()), "ADDED a@1,MODIFIED a@2");
    const std::vector<Event> events = recorder.events();
    expect_equal(static_cast<int>(events.size()), 2);
    expect_equal(text_of(events[0]), "ADDED a@1");
    expect_equal(text_of(events[1]), "MODIFIED a@2");
    script.join();
  });
}

BOOST_AUTO_TEST_CASE(a_stop_reaches_the_source_of_a_recorder) {
  holds_everywhere([](Runtime& runtime) {
    const auto source = std::make_shared<FakeWatcher>(runtime);
    watch::Recorder recorder(runtime, source);
    recorder.stop();
    expect(source->is_stopped(), "the stop is passed on");
    expect_equal(next(recorder), "closed");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
