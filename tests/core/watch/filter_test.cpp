#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "core/watch/fake_watcher.hpp"
#include "core/watch/watch.hpp"
#include "tests/core/watch/events.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

using runtime::Runtime;
using runtime::Task;
using watch::Event;
using watch::FakeWatcher;

BOOST_AUTO_TEST_SUITE(filter_test)

namespace {

std::optional<Event> keep(Event event) { return event; }

}  // namespace

// Mirrors TestFilter.
BOOST_AUTO_TEST_CASE(events_are_kept_altered_or_dropped_as_the_function_says) {
  holds_everywhere([](Runtime& runtime) {
    const auto source = std::make_shared<FakeWatcher>(runtime);
    const auto filtered = watch::filter(runtime, source, [](Event event) -> std::optional<Event> {
      if (event.object->metadata.name == "drop") {
        return std::nullopt;
      }
      if (event.object->metadata.name == "alter") {
        return modified("altered");
      }
      return event;
    });
    const Task script = runtime::spawn(runtime, "script", [&] {
      for (const std::string_view name : {"first", "drop", "alter", "drop", "last"}) {
        source->add(object(name));
      }
      source->stop();
    });
    expect_equal(read_all(filtered->result_channel()),
                 "ADDED first@1,MODIFIED altered@1,ADDED last@1");
    script.join();
  });
}

// Mirrors TestFilterStop.
BOOST_AUTO_TEST_CASE(a_stop_stops_the_source_and_the_end_comes_through) {
  holds_everywhere([](Runtime& runtime) {
    const auto source = std::make_shared<FakeWatcher>(runtime);
    const auto filtered = watch::filter(runtime, source, keep);
    const Task script = runtime::spawn(runtime, "script", [&] {
      source->add(object("before"));
      filtered->stop();
    });
    expect_equal(read_all(filtered->result_channel()), "ADDED before@1");
    script.join();
    expect(source->is_stopped(), "the stop is passed on");
  });
  holds_everywhere([](Runtime& runtime) {
    const auto source = std::make_shared<FakeWatcher>(runtime);
    const auto filtered = watch::filter(runtime, source, keep);
    filtered->stop();
    expect(source->is_stopped(), "the stop is passed on");
    expect_equal(next(*filtered), "closed");
  });
}

// The live bug B90.
BOOST_AUTO_TEST_CASE(a_reader_who_goes_away_leaves_the_copying_task_behind) {
  fails_somewhere(
      [](Runtime& runtime) {
        const auto source = std::make_shared<FakeWatcher>(runtime);
        const auto filtered = watch::filter(runtime, source, keep);
        source->add(object("a"));
        filtered->stop();
      },
      "leak", "filter");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
