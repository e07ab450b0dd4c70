#include <boost/test/unit_test.hpp>

#include "tests/core/cache/shared_informer_stage.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(shut_down_test)

namespace {

/// A handler whose additions take ten seconds; the count says how many have begun and ended.
std::shared_ptr<cache::ResourceEventHandler> slow_handler(runtime::Runtime& runtime, int& count) {
  return cache::make_handler({.add = [&](const auto&, bool) {
    ++count;
    runtime::sleep_for(runtime, 10s);
    ++count;
  }});
}

}  // namespace

// Mirrors TestRemoveEventHandler_SynchronousShutdown and TestRemoveEventHandler_AsynchronousPanic.
BOOST_AUTO_TEST_CASE(shutting_a_handler_down_waits_for_its_last_call) {
  holds_on_each_machine([](SharedInformerStage& stage) {
    runtime::Runtime& runtime = stage.runtime;
    int count = 0;
    int removed_count = 0;
    stage.start();
    stage.settle();
    const auto registration = stage.join(slow_handler(runtime, count));
    const auto removed = stage.join(slow_handler(runtime, removed_count));
    stage.source->put("a");  // comes by the watch
    stage.source->put("b");
    stage.settle(5s);
    expect_equal(count, 1);
    expect_equal(removed_count, 1);
    const runtime::TimePoint before = runtime.now();
    expect(stage.informer().remove_event_handler(removed).ok(), "it is removed");
    expect(runtime.now() == before, "a removal does not wait");
    expect_equal(removed_count, 1);
    expect(stage.informer().shut_down_event_handler(registration).ok(), "it is shut down");
    expect_equal(count, 2);
    stage.source->put("c");
    stage.settle();
    expect_equal(count, 2);
    expect_equal(removed_count, 2);  // Its call has ended by itself.
    stage.end();
  });
}

// Mirrors TestShutDownEventHandler_Lifecycles: never started, added before and after the start,
// removed before, and after the informer's end.
BOOST_AUTO_TEST_CASE(a_handler_can_be_shut_down_in_every_state_of_its_informer) {
  holds_on_each_machine([](SharedInformerStage& stage) {
    runtime::Runtime& runtime = stage.runtime;
    stage.source->put("a");
    stage.join();
    expect(stage.informer().shut_down_event_handler(stage.last_registration).ok(),
           "not started: at once");
    int count = 0;
    const auto early = stage.join(slow_handler(runtime, count));
    stage.join();
    const cache::RegistrationPtr early_idle = stage.last_registration;
    stage.start();
    stage.settle(1s);
    int late_count = 0;
    const auto late = stage.join(slow_handler(runtime, late_count));
    stage.join();
    const cache::RegistrationPtr late_idle = stage.last_registration;
    stage.settle(1s);
    expect(stage.informer().shut_down_event_handler(early_idle).ok(), "idle, of before the start");
    expect(stage.informer().shut_down_event_handler(late_idle).ok(), "idle, of after the start");
    expect(stage.informer().remove_event_handler(early).ok(), "removed, and in a call");
    expect_equal(count, 1);
    expect(stage.informer().shut_down_event_handler(early).ok(), "waits for what was removed");
    expect_equal(count, 2);
    expect(stage.informer().shut_down_event_handler(late).ok(), "added after the start");
    expect_equal(late_count, 2);
    const auto last = stage.join(slow_handler(runtime, count));
    stage.settle(1s);
    stage.end();
    expect(stage.informer().shut_down_event_handler(last).ok(), "it has ended with the informer");
    expect_equal(count, 4);
  });
}

// The original waits for itself as well.
BOOST_AUTO_TEST_CASE(a_handler_that_shuts_itself_down_waits_indefinitely) {
  fails_somewhere(
      [](runtime::Runtime& runtime) {
        SharedInformerStage stage(runtime);
        cache::RegistrationPtr itself;
        itself = stage.join(cache::make_handler({.add = [&](const auto&, bool) {
          (void)stage.informer().shut_down_event_handler(itself);
        }}));
        stage.source->put("a");
        stage.start();
        stage.settle(5s);
        stage.end();
      },
      "deadlock", "listener-run");
}

BOOST_AUTO_TEST_CASE(a_registration_of_no_informer_cannot_be_shut_down) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    class Foreign final : public cache::ResourceEventHandlerRegistration {
     public:
      [[nodiscard]] bool has_synced() const override { return false; }
      [[nodiscard]] cache::DoneChecker has_synced_checker() override { return {}; }
    };
    SharedInformerStage stage(runtime);
    expect(!stage.informer().shut_down_event_handler(std::make_shared<Foreign>()).ok(),
           "no shared informer made it");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
