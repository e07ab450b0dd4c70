#include "core/cache/processor_listener.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>

#include "core/cache/shared_processor.hpp"
#include "core/runtime/recover.hpp"
#include "core/runtime/thread_runtime.hpp"
#include "sim/explore/explore.hpp"
#include "tests/core/cache/fake_source.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(processor_listener_test)

namespace {

cache::NotificationPtr add_of(int number, bool is_in_initial_list = false) {
  return std::make_shared<const cache::Notification>(cache::AddNotification{
      .object = object("o", std::to_string(number)), .is_in_initial_list = is_in_initial_list});
}

/// A listener whose two tasks run, and a handler that lets nothing pass until it is opened.
struct ListenerStage {
  explicit ListenerStage(runtime::Runtime& runtime)
      : open(runtime),
        listener(runtime,
                 {.handler = cache::make_handler({.add =
                                                      [&, this](const auto& object, bool) {
                                                        open.token().done(runtime).receive();
                                                        handle(object);
                                                      }}),
                  .upstream_has_synced = [] { return true; }}),
        pop(runtime::spawn(runtime, "pop", [this] { listener.pop(); })),
        run(runtime::spawn(runtime, "run", [this] { listener.run(); })) {}

  void handle(const api::ObjectPtr& object) {
    const int number = std::stoi(object->metadata.resource_version);
    expect_equal(number, handled);
    ++handled;
  }
  void end() {
    listener.close();
    pop.join();
    run.join();
  }

  runtime::StopSource open;
  std::atomic<int> handled = 0;
  cache::ProcessorListener listener;
  runtime::Task pop;
  runtime::Task run;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_burst_larger_than_the_ring_waits_in_order) {
  const auto body = [](runtime::Runtime& runtime) {
    ListenerStage stage(runtime);
    constexpr int burst = 3000;
    for (int i = 0; i < burst; ++i) {
      stage.listener.add(add_of(i));
    }
    expect_equal(stage.handled, 0);
    stage.open.stop();
    while (stage.handled < burst) {
      runtime::sleep_for(runtime, 1ms);
    }
    stage.end();
  };
  const sim::ExploreResult fifo = sim::explore({.strategy = "fifo"}, body);
  BOOST_TEST(!fifo.failure.has_value());
  const sim::ExploreResult random = sim::explore({.strategy = "random", .schedules_max = 20}, body);
  BOOST_TEST(!random.failure.has_value());
  runtime::ThreadRuntime threads({.checks = true});
  const auto panic = runtime::recover([&] { threads.run(body); });
  BOOST_TEST(!panic.has_value(), (panic ? panic->message : ""));
}

BOOST_AUTO_TEST_CASE(what_waits_at_the_close_is_dropped) {
  holds_everywhere([](runtime::Runtime& runtime) {
    ListenerStage stage(runtime);
    for (int i = 0; i < 10; ++i) {
      stage.listener.add(add_of(i));
    }
    stage.listener.close();
    stage.pop.join();
    stage.open.stop();
    stage.run.join();
    expect(stage.handled <= 2, "at most the one in the handler and the one on its way");
  });
}

BOOST_AUTO_TEST_CASE(nothing_can_be_added_after_the_close) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ListenerStage stage(runtime);
    stage.open.stop();
    stage.end();
    expect_panic([&] { stage.listener.add(add_of(0)); }, "closed");
  });
}

BOOST_AUTO_TEST_CASE(it_has_synced_when_all_adds_of_the_first_list_are_handled) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ListenerStage stage(runtime);
    expect(stage.listener.has_synced(), "nothing is to be handled");
    stage.listener.add(add_of(0, true));
    stage.listener.add(add_of(1, true));
    stage.listener.add(add_of(2, false));
    expect(!stage.listener.has_synced(), "two wait");
    stage.open.stop();
    while (stage.handled < 3) {
      runtime::sleep_for(runtime, 1ms);
    }
    expect(stage.listener.has_synced(), "all are handled");
    stage.end();
  });
}

BOOST_AUTO_TEST_CASE(a_resync_period_is_what_was_asked_for_but_no_less_than_the_check) {
  using cache::effective_resync_period;
  BOOST_TEST((effective_resync_period(0s, 10s) == 0s));
  BOOST_TEST((effective_resync_period(10s, 0s) == 0s));
  BOOST_TEST((effective_resync_period(5s, 10s) == 10s));
  BOOST_TEST((effective_resync_period(15s, 10s) == 15s));
}

BOOST_AUTO_TEST_CASE(a_ring_keeps_the_order_when_it_grows_and_wraps) {
  cache::GrowingRing<int> ring(2);
  int next = 0;
  int expected = 0;
  for (int round = 1; round <= 20; ++round) {
    for (int i = 0; i < round; ++i) {
      ring.push(next++);
    }
    for (int i = 0; i < round / 2; ++i) {
      BOOST_TEST(ring.pop().value() == expected++);
    }
  }
  while (const auto value = ring.pop()) {
    BOOST_TEST(*value == expected++);
  }
  BOOST_TEST(expected == next);
  BOOST_TEST(ring.size() == 0U);
  BOOST_TEST(ring.capacity() == 128U);
}

BOOST_AUTO_TEST_CASE(updates_that_wait_are_delivered_one_by_one) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    runtime::StopSource open(runtime);
    std::string delivered;
    cache::ProcessorListener listener(
        runtime, {.handler = cache::make_handler(
                      {.update =
                           [&](const auto&, const auto& now) {
                             open.token().done(runtime).receive();
                             delivered.append(delivered.empty() ? "" : " ").append(text_of(now));
                           }}),
                  .upstream_has_synced = [] { return true; }});
    const runtime::Task pop = runtime::spawn(runtime, "pop", [&] { listener.pop(); });
    const runtime::Task run = runtime::spawn(runtime, "run", [&] { listener.run(); });
    for (const char* version : {"1", "2", "3", "4", "5"}) {
      listener.add(std::make_shared<const cache::Notification>(cache::UpdateNotification{
          .old_object = object("o", "0"), .new_object = object("o", version)}));
    }
    open.stop();
    runtime::sleep_for(runtime, 1s);
    expect_equal(delivered, "o@1 o@2 o@3 o@4 o@5");
    listener.close();
    pop.join();
    run.join();
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
