#include "core/watchtools/event_processor.hpp"

#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "tests/core/watch/events.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

using runtime::Channel;
using runtime::Runtime;
using runtime::Task;
using watch::Event;
using watchtools::EventProcessor;

BOOST_AUTO_TEST_SUITE(event_processor_test)

namespace {

Task start(Runtime& runtime, EventProcessor& processor) {
  return runtime::spawn(runtime, "processor", [&processor] { processor.run(); });
}

std::string receive(Channel<Event>& events) { return text_of(*events.receive()); }

}  // namespace

// Mirrors TestEventProcessorExit.
BOOST_AUTO_TEST_CASE(a_stop_ends_it_while_it_has_nothing_to_do) {
  holds_everywhere([](Runtime& runtime) {
    for (const bool had_something_before : {false, true}) {
      Channel<Event> events(runtime, 0);
      EventProcessor processor(runtime, events);
      if (had_something_before) {
        processor.push(added("a"));
      }
      const Task running = start(runtime, processor);
      if (had_something_before) {
        expect_equal(receive(events), "ADDED a@1");
      }
      processor.stop();
      running.join();
    }
  });
}

// Mirrors TestEventProcessorExit.
BOOST_AUTO_TEST_CASE(a_stop_ends_it_while_it_waits_for_a_reader) {
  holds_everywhere([](Runtime& runtime) {
    Channel<Event> events(runtime, 0);
    EventProcessor processor(runtime, events);
    const Task running = start(runtime, processor);
    processor.push(added("a"));
    processor.push(added("b"));
    expect_equal(receive(events), "ADDED a@1");
    processor.stop();
    running.join();
  });
}

// Mirrors TestEventProcessorOrdersEvents.
BOOST_AUTO_TEST_CASE(events_come_out_in_the_order_of_their_pushes) {
  holds_everywhere([](Runtime& runtime) {
    Channel<Event> events(runtime, 0);
    EventProcessor processor(runtime, events);
    processor.push(added("a"));
    const Task running = start(runtime, processor);
    processor.push(added("b"));
    expect_equal(receive(events), "ADDED a@1");
    processor.push(added("c"));
    expect_equal(receive(events), "ADDED b@1");
    expect_equal(receive(events), "ADDED c@1");
    processor.push(added("d"));
    expect_equal(receive(events), "ADDED d@1");
    // And while a reader reads them.
    const Task pusher = runtime::spawn(runtime, "pusher", [&] {
      for (int i = 0; i < 30; ++i) {
        processor.push(added("e", std::to_string(i)));
      }
    });
    for (int i = 0; i < 30; ++i) {
      expect_equal(receive(events), "ADDED e@" + std::to_string(i));
    }
    pusher.join();
    processor.stop();
    running.join();
  });
}

BOOST_AUTO_TEST_CASE(a_tombstone_is_delivered_as_the_deletion_of_what_was_known_last) {
  holds_everywhere([](Runtime& runtime) {
    Channel<Event> events(runtime, 0);
    const auto processor = std::make_shared<EventProcessor>(runtime, events);
    const auto handler = watchtools::make_pushing_handler(processor);
    const Task running = start(runtime, *processor);
    handler->on_add(object("a"), true);
    handler->on_update(object("a"), object("a", "2"));
    handler->on_delete(std::make_shared<const cache::DeletedFinalStateUnknown>(
        cache::DeletedFinalStateUnknown{.key = "a", .object = object("a", "2")}));
    expect_equal(receive(events), "ADDED a@1");
    expect_equal(receive(events), "MODIFIED a@2");
    expect_equal(receive(events), "DELETED a@2");
    processor->stop();
    running.join();
  });
}

BOOST_AUTO_TEST_CASE(a_tombstone_of_which_nothing_is_known_panics) {
  holds_everywhere([](Runtime& runtime) {
    const auto processor = std::make_shared<EventProcessor>(runtime, Channel<Event>(runtime, 0));
    const auto handler = watchtools::make_pushing_handler(processor);
    const cache::Item tombstone = std::make_shared<const cache::DeletedFinalStateUnknown>(
        cache::DeletedFinalStateUnknown{.key = "a", .object = nullptr});
    expect_panic([&] { handler->on_delete(tombstone); }, "tombstone");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
