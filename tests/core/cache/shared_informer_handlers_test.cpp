#include <atomic>
#include <boost/test/unit_test.hpp>

#include "tests/core/cache/shared_informer_stage.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(shared_informer_handlers_test)

BOOST_AUTO_TEST_CASE(a_late_handler_first_receives_what_is_there) {
  holds_on_each_machine([](SharedInformerStage& stage) {
    stage.source->put("a");
    const auto early = stage.join();
    stage.start();
    stage.settle();
    stage.source->put("a");
    stage.settle();
    const auto late = stage.join();
    stage.settle();
    stage.source->put("b");
    stage.settle();
    expect_equal(early->minutes(), "initial add a@1, update a@1 a@2, add b@3");
    expect_equal(late->minutes(), "initial add a@2, add b@3");
    stage.end();
  });
}

// Mirrors TestAddWhileActive.
BOOST_AUTO_TEST_CASE(a_handler_that_joins_amid_changes_misses_and_doubles_nothing) {
  for (const char* name : kThreeMachines) {
    holds_everywhere([&](runtime::Runtime& runtime) {
      SharedInformerStage stage(runtime);
      stage.options.machine = listing_machine(name);
      stage.source->put("a");
      stage.start();
      const auto writer = runtime::spawn(runtime, "writer", [&] {
        for (int i = 0; i < 4; ++i) {
          stage.source->put("a");
          stage.source->put("b");
          stage.source->remove("b");
        }
      });
      stage.join(std::make_shared<OrderHandler>());
      stage.join(std::make_shared<OrderHandler>());
      writer.join();
      stage.source->put("last");
      while (stage.informer().indexer()->get_by_key("last") == nullptr) {
        runtime::sleep_for(runtime, 10ms);
      }
      stage.end();
    });
  }
}

BOOST_AUTO_TEST_CASE(a_registration_has_synced_when_its_handler_came_back_from_the_list) {
  holds_on_each_machine([](SharedInformerStage& stage) {
    runtime::Runtime& runtime = stage.runtime;
    stage.source->put("a");
    stage.source->put("b");
    int handled = 0;
    const auto registration = stage.join(cache::make_handler({.add = [&](const auto&, bool) {
      runtime::sleep_for(runtime, 10s);
      ++handled;
    }}));
    expect(!registration->has_synced(), "not before the start");
    stage.start();
    stage.settle(15s);
    expect(stage.informer().has_synced(), "the store is filled");
    expect(!registration->has_synced(), "the handler has seen one of two");
    const runtime::StopSource never(runtime);
    expect(cache::wait_for_cache_sync(runtime, never.token(),
                                      {[&] { return registration->has_synced(); }}),
           "it syncs");
    expect_equal(handled, 2);
    stage.end();
  });
}

// A fix of 0.27, which 0.32 has: see also the live bug of a panic in the first list.
BOOST_AUTO_TEST_CASE(no_registration_has_synced_before_its_handler_saw_everything) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    stage.source->put("a");
    stage.source->put("b");
    stage.start();
    int handled = 0;
    const auto registration =
        stage.join(cache::make_handler({.add = [&](const auto&, bool) { ++handled; }}));
    while (!registration->has_synced()) {
      runtime::sleep_for(runtime, 1ms);
    }
    expect_equal(handled, 2);
    stage.end();
  });
}

BOOST_AUTO_TEST_CASE(a_late_registration_has_synced_when_its_handler_saw_what_is_there) {
  holds_on_each_machine([](SharedInformerStage& stage) {
    runtime::Runtime& runtime = stage.runtime;
    stage.source->put("a");
    stage.start();
    stage.settle();
    const auto registration = stage.join(
        cache::make_handler({.add = [&](const auto&, bool) { runtime::sleep_for(runtime, 10s); }}));
    stage.settle(5s);
    expect(!registration->has_synced(), "the handler has not come back");
    stage.settle(10s);
    expect(registration->has_synced(), "now it has");
    stage.end();
  });
}

// Mirrors TestSharedInformerRemoveHandler.
BOOST_AUTO_TEST_CASE(a_removed_handler_receives_nothing_more_and_the_others_continue) {
  holds_on_each_machine([](SharedInformerStage& stage) {
    const auto stays = stage.join();
    const cache::RegistrationPtr registration_of_stays = stage.last_registration;
    const auto leaves = stage.join();
    const cache::RegistrationPtr registration_of_leaves = stage.last_registration;
    const auto never_there = stage.join();
    expect(stage.informer().remove_event_handler(stage.last_registration).ok(),
           "it is removed before the start");
    stage.source->put("a");
    stage.start();
    stage.settle();
    expect(stage.informer().remove_event_handler(registration_of_leaves).ok(), "it is removed");
    stage.source->put("b");
    stage.settle();
    expect_equal(leaves->minutes(), "initial add a@1");
    expect_equal(stays->minutes(), "initial add a@1, add b@2");
    expect(stage.informer().remove_event_handler(registration_of_stays).ok(), "the last one too");
    stage.source->put("c");
    stage.settle();
    expect_equal(leaves->minutes(), "initial add a@1");
    expect_equal(stays->minutes(), "initial add a@1, add b@2");
    expect_equal(never_there->minutes(), "");
    expect_equal(contents_of(*stage.informer().indexer()), "a@1 b@2 c@3");
    stage.end();
  });
}

// Mirrors TestRemovingRemovedSharedInformer, TestSharedInformerRemoveForeignHandler and
// TestSharedInformerHandlerAbuse.
BOOST_AUTO_TEST_CASE(removing_twice_or_elsewhere_does_nothing) {
  class Foreign : public cache::ResourceEventHandlerRegistration {
   public:
    [[nodiscard]] bool has_synced() const override { return true; }
    [[nodiscard]] cache::DoneChecker has_synced_checker() override { return {}; }
  };
  holds_in_every_world([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    SharedInformerStage other(runtime);
    const auto handler = stage.join();
    const auto foreign = other.join();
    stage.start();
    other.start();
    expect(stage.informer().remove_event_handler(other.last_registration).ok(), "of another one");
    expect(!stage.informer().remove_event_handler(std::make_shared<Foreign>()).ok(),
           "of no informer");
    stage.settle();
    stage.source->put("a");
    other.source->put("b");
    stage.settle();
    expect_equal(handler->minutes(), "add a@1");
    expect_equal(foreign->minutes(), "add b@1");
    expect(stage.informer().remove_event_handler(stage.last_registration).ok(), "once");
    expect(stage.informer().remove_event_handler(stage.last_registration).ok(), "twice");
    stage.source->put("c");
    other.source->put("d");
    stage.settle();
    expect_equal(handler->minutes(), "add a@1");
    expect_equal(foreign->minutes(), "add b@1, add d@2");
    expect(other.informer().remove_event_handler(other.last_registration).ok(), "at its own one");
    other.source->put("e");
    stage.settle();
    expect_equal(foreign->minutes(), "add b@1, add d@2");
    stage.end();
    other.end();
    expect(stage.informer().remove_event_handler(stage.last_registration).ok(), "after the stop");
  });
}

// Mirrors TestSharedInformerMultipleRegistration.
BOOST_AUTO_TEST_CASE(one_handler_added_twice_is_notified_twice_and_removed_one_by_one) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    const auto handler = std::make_shared<MinutesHandler>();
    const auto first = stage.join(handler);
    const auto second = stage.join(handler);
    stage.start();
    stage.source->put("a");
    stage.settle();
    const std::string twice = handler->minutes();
    expect(twice == "add a@1, add a@1" || twice == "initial add a@1, initial add a@1", twice);
    expect(stage.informer().remove_event_handler(first).ok(), "one is removed");
    stage.settle();
    handler->clear();
    stage.source->put("b");
    stage.settle();
    expect_equal(handler->minutes(), "add b@2");
    expect(stage.informer().remove_event_handler(second).ok(), "the other one is removed");
    stage.source->put("c");
    stage.settle();
    expect_equal(handler->minutes(), "add b@2");
    stage.end();
  });
  holds_in_every_world([](runtime::Runtime& runtime) {  // The same before the start.
    SharedInformerStage stage(runtime);
    const auto handler = std::make_shared<MinutesHandler>();
    const auto first = stage.join(handler);
    const auto second = stage.join(handler);
    const auto gone = std::make_shared<MinutesHandler>();
    for (const auto& registration : {stage.join(gone), stage.join(gone), first}) {
      expect(stage.informer().remove_event_handler(registration).ok(), "once");
      expect(stage.informer().remove_event_handler(registration).ok(), "twice");
    }
    stage.source->put("a");
    stage.start();
    stage.settle();
    expect_equal(handler->minutes(), "initial add a@1");
    expect_equal(gone->minutes(), "");
    expect(stage.informer().remove_event_handler(second).ok(), "the other one");
    stage.source->put("b");
    stage.settle();
    expect_equal(handler->minutes(), "initial add a@1");
    stage.end();
  });
}

// Mirrors TestAddOnStoppedSharedInformer.
BOOST_AUTO_TEST_CASE(no_handler_can_join_after_the_stop) {
  holds_everywhere([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    stage.start();
    stage.end();
    const auto refused = stage.informer().add_event_handler(std::make_shared<MinutesHandler>());
    expect(!refused, "it is refused");
    expect(refused.error().message.ends_with(
               "was not added to shared informer because it has stopped already"),
           refused.error().message);
  });
}

// Mirrors TestRemoveOnStoppedSharedInformer.
BOOST_AUTO_TEST_CASE(a_handler_can_be_removed_after_the_stop) {
  holds_everywhere([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    const auto handler = stage.join();
    stage.start();
    stage.end();
    expect(stage.informer().remove_event_handler(stage.last_registration).ok(), "it is removed");
  });
}

// Mirrors TestRemoveWhileActive.
BOOST_AUTO_TEST_CASE(handlers_come_and_go_amid_changes_without_harm) {
  for (const char* name : kThreeMachines) {
    holds_everywhere([&](runtime::Runtime& runtime) {
      SharedInformerStage stage(runtime);
      stage.options.machine = listing_machine(name);
      stage.start();
      const auto writer = runtime::spawn(runtime, "writer", [&] {
        for (int i = 0; i < 6; ++i) {
          stage.source->put("a");
        }
      });
      for (int i = 0; i < 3; ++i) {
        const auto registration = stage.join(std::make_shared<OrderHandler>());
        runtime.yield(runtime::Location::current());
        expect(stage.informer().remove_event_handler(registration).ok(), "it is removed");
      }
      writer.join();
      stage.end();
    });
  }
}

// A live bug of 0.32: removal does not wait for the handler.
BOOST_AUTO_TEST_CASE(a_handler_may_still_be_called_after_its_removal) {
  fails_somewhere(
      [](runtime::Runtime& runtime) {
        SharedInformerStage stage(runtime);
        std::atomic<bool> removed = false;  // to ThreadSanitizer, simulated tasks are threads
        runtime::Channel<runtime::Unit> delivered(runtime, 1);
        stage.join(cache::make_handler({.add = [&](const auto&, bool) { delivered.send({}); }}));
        const auto leaves = stage.join(cache::make_handler(
            {.add = [&](const auto&, bool) { expect(!removed, "called after its removal"); }}));
        stage.start();
        stage.source->put("a");
        delivered.receive();
        expect(stage.informer().remove_event_handler(leaves).ok(), "it is removed");
        removed = true;
        stage.settle();
        stage.end();
      },
      "violation", "called after its removal");
}

// E17, a live bug: who waits for the handlers to end holds the lock that a removal needs.
BOOST_AUTO_TEST_CASE(a_handler_that_removes_one_while_the_informer_stops_waits_indefinitely) {
  for (const bool removes_itself : {false, true}) {
    fails_somewhere(
        [removes_itself](runtime::Runtime& runtime) {
          SharedInformerStage stage(runtime);
          cache::RegistrationPtr leaves = stage.join(std::make_shared<OrderHandler>());
          const auto removes = stage.join(cache::make_handler({.add = [&](const auto&, bool) {
            runtime::sleep_for(runtime, 10s);
            expect(stage.informer().remove_event_handler(leaves).ok(), "it is removed");
          }}));
          leaves = removes_itself ? removes : leaves;
          stage.source->put("a");
          stage.start();
          stage.settle(5s);
          stage.end();
        },
        "deadlock", "listeners");
  }
}

BOOST_AUTO_TEST_CASE(a_handler_that_adds_one_while_the_informer_stops_is_refused) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    bool refused = false;
    stage.join(cache::make_handler({.add = [&](const auto&, bool) {
      runtime::sleep_for(runtime, 10s);
      refused = !stage.informer().add_event_handler(std::make_shared<OrderHandler>()).ok();
    }}));
    stage.source->put("a");
    stage.start();
    stage.settle(5s);
    stage.end();
    expect(refused, "the informer has stopped");
  });
}

BOOST_AUTO_TEST_CASE(a_slow_handler_holds_up_neither_the_store_nor_the_others) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    const auto slow = stage.join(
        cache::make_handler({.add = [&](const auto&, bool) { runtime::sleep_for(runtime, 1h); }}));
    const auto quick = stage.join();
    stage.source->put("a");
    stage.source->put("b");
    stage.start();
    stage.settle(1s);
    expect_equal(quick->minutes(), "initial add a@1, initial add b@2");
    expect_equal(contents_of(*stage.informer().indexer()), "a@1 b@2");
    expect(!slow->has_synced(), "the slow one is behind");
    stage.end();
  });
}

// By design: what waits for a handler when the stop comes is dropped.
BOOST_AUTO_TEST_CASE(what_waits_for_a_handler_at_the_stop_is_dropped) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    int handled = 0;
    stage.join(cache::make_handler({.add = [&](const auto&, bool) {
      runtime::sleep_for(runtime, 10s);
      ++handled;
    }}));
    for (const char* key : {"a", "b", "c", "d", "e"}) {
      stage.source->put(key);
    }
    stage.start();
    stage.settle(1s);
    const runtime::TimePoint start = runtime.now();
    stage.end();
    expect(runtime.now() - start == 9s, "the stop waits for the call that runs");
    expect_equal(handled, 1);
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
