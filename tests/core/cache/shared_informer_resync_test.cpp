#include <boost/test/unit_test.hpp>
#include <map>

#include "core/cache/shared_processor.hpp"
#include "tests/core/cache/shared_informer_stage.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(shared_informer_resync_test)

namespace {

/// A handler that writes down in which seconds it received what it knew, all of it and by object.
class TickHandler : public cache::ResourceEventHandler {
 public:
  explicit TickHandler(runtime::Runtime& runtime) : runtime_(runtime), start_(runtime.now()) {}

  void on_add(const api::ObjectPtr& object, bool) override {
    note_second(additions_of[text_of(object)]);
  }
  void on_update(const api::ObjectPtr&, const api::ObjectPtr& object) override {
    note_second(ticks);
    note_second(ticks_of[text_of(object)]);
  }
  void on_delete(const cache::Item&) override {}

  std::string ticks;
  std::map<std::string, std::string> ticks_of;
  std::map<std::string, std::string> additions_of;

 private:
  void note_second(std::string& seconds) const {
    seconds.append(seconds.empty() ? "" : " ")
        .append(std::to_string(
            std::chrono::duration_cast<std::chrono::seconds>(runtime_.now() - start_).count()));
  }

  runtime::Runtime& runtime_;
  runtime::TimePoint start_;
};

/// Handlers with periods of their own over one object.
struct ResyncStage : SharedInformerStage {
  explicit ResyncStage(runtime::Runtime& runtime_in) : SharedInformerStage(runtime_in) {
    source->put("a");
  }
  std::shared_ptr<TickHandler> ticking(runtime::Duration period) {
    auto handler = std::make_shared<TickHandler>(runtime);
    expect(informer().add_event_handler_with_resync_period(handler, period).ok(), "it is added");
    return handler;
  }
  /// Runs for so long, half a second longer, and ends.
  void play(runtime::Duration time) {
    start();
    settle(time + 500ms);
    end();
  }
};

/// Handlers with these periods, of an informer that checks each 12 hours if none is shorter, are
/// reminded in these seconds.
void expect_ticks(runtime::Duration time,
                  const std::vector<std::pair<runtime::Duration, std::string>>& handlers) {
  holds_in_every_world([&](runtime::Runtime& runtime) {
    ResyncStage stage(runtime);
    stage.options.resync_period = 12h;
    std::vector<std::shared_ptr<TickHandler>> added;
    for (const auto& [period, ticks] : handlers) {
      added.push_back(stage.ticking(period));
    }
    stage.play(time);
    for (std::size_t i = 0; i < handlers.size(); ++i) {
      expect_equal(added[i]->ticks, handlers[i].second);
    }
  });
}

}  // namespace

// Mirrors TestListenerResyncPeriods.
BOOST_AUTO_TEST_CASE(each_handler_is_resynced_at_its_own_period) {
  using Seconds = std::map<std::string, std::string>;
  for (const char* name : kThreeMachines) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      ResyncStage stage(runtime);
      stage.options.machine = listing_machine(name);
      stage.source->put("b");
      stage.options.resync_period = 1s;
      const auto never = stage.ticking(0s);
      const auto two = stage.ticking(2s);
      const auto three = stage.ticking(3s);
      stage.play(6s);
      for (const auto& handler : {never, two, three}) {
        expect(handler->additions_of == Seconds{{"a@1", "0"}, {"b@2", "0"}}, "all are listed");
      }
      expect_equal(never->ticks, "");
      expect(two->ticks_of == Seconds{{"a@1", "2 4 6"}, {"b@2", "2 4 6"}}, two->ticks);
      expect(three->ticks_of == Seconds{{"a@1", "3 6"}, {"b@2", "3 6"}}, three->ticks);
    });
  }
}

// Mirrors TestResyncCheckPeriod.
BOOST_AUTO_TEST_CASE(before_the_start_the_shortest_period_asked_for_sets_the_check) {
  expect_ticks(8s, {{2s, "2 4 6 8"}, {3s, "4 8"}});  // Due each 3 s, and checked each 2 s.
}

// Mirrors TestResyncCheckPeriod: each shorter period makes the check shorter, and no other
// handler's.
BOOST_AUTO_TEST_CASE(a_shorter_period_of_one_handler_leaves_the_others_theirs) {
  std::string each_five = "5";
  for (int second = 10; second <= 120; second += 5) {
    each_five += " " + std::to_string(second);
  }
  expect_ticks(120s, {{0s, ""}, {1min, "60 120"}, {55s, "55 110"}, {5s, each_five}});
  // After each of them: a check each minute, and then each 55 s, at which the minute is late.
  expect_ticks(120s, {{0s, ""}, {1min, "60 120"}});
  expect_ticks(220s, {{0s, ""}, {1min, "110 220"}, {55s, "55 110 165 220"}});
  expect_ticks(25h, {{0s, ""}, {12h, "43200 86400"}});  // Who never asks leaves the check alone.
}

BOOST_AUTO_TEST_CASE(a_period_below_a_second_counts_as_a_second) {
  expect_ticks(3s, {{1ms, "1 2 3"}});
}

BOOST_AUTO_TEST_CASE(after_the_start_no_period_is_shorter_than_the_check) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ResyncStage stage(runtime);
    stage.options.resync_period = 4s;
    stage.start();
    stage.settle(500ms);
    const auto late = stage.ticking(1s);
    stage.settle(12s);
    stage.end();
    // Due 4 s after it came, at 4.5 s, and found at the check at 8 s; its clock began at 0.5 s.
    expect_equal(late->ticks, "7 11");
  });
}

BOOST_AUTO_TEST_CASE(an_informer_without_a_period_never_resyncs_whatever_handlers_ask) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ResyncStage stage(runtime);
    const auto asks = stage.ticking(2s);
    stage.play(1h);
    expect_equal(asks->ticks, "");
  });
}

BOOST_AUTO_TEST_CASE(a_handler_without_a_period_of_its_own_gets_the_informers) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ResyncStage stage(runtime);
    stage.options.resync_period = 5s;
    const auto handler = std::make_shared<TickHandler>(runtime);
    stage.join(handler);
    stage.play(11s);
    expect_equal(handler->ticks, "5 10");
  });
}

// A live bug of 0.32, fixed in 0.36: the fan-out waits for a listener that does not run yet, the
// resync check waits for the fan-out, and the start of the listeners waits behind the check.
BOOST_AUTO_TEST_CASE(fan_out_resync_check_and_a_late_start_can_deadlock) {
  fails_somewhere(
      [](runtime::Runtime& runtime) {
        const auto processor = std::make_shared<cache::SharedProcessor>(runtime);
        processor->add_listener(std::make_shared<cache::ProcessorListener>(
            runtime, cache::ProcessorListenerOptions{.handler = cache::make_handler({})}));
        runtime::StopSource stop(runtime);
        const auto run = runtime::spawn(runtime, "run", [&] { processor->run(stop.token()); });
        const auto check =
            runtime::spawn(runtime, "check", [&] { (void)processor->should_resync(); });
        processor->distribute(
            std::make_shared<const cache::Notification>(cache::DeleteNotification{}), false);
        check.join();
        stop.stop();
        run.join();
      },
      "deadlock", "listeners");
}

// A live bug: the flag is set when Sync deltas are queued and read when they are processed.
BOOST_AUTO_TEST_CASE(a_second_check_before_the_first_is_processed_takes_a_resync_away) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto processor = std::make_shared<cache::SharedProcessor>(runtime);
    int delivered = 0;
    processor->add_listener(std::make_shared<cache::ProcessorListener>(
        runtime, cache::ProcessorListenerOptions{
                     .handler = cache::make_handler(
                         {.update = [&](const auto&, const auto&) { ++delivered; }}),
                     .requested_resync_period = 10s,
                     .resync_period = 10s}));
    runtime::StopSource stop(runtime);
    const auto run = runtime::spawn(runtime, "run", [&] { processor->run(stop.token()); });
    runtime::sleep_for(runtime, 10s);
    expect(processor->should_resync(), "its resync is due, and its Sync deltas are queued");
    runtime::sleep_for(runtime, 1s);
    expect(!processor->should_resync(), "a second later nothing is due");
    const api::ObjectPtr same = object("a");
    processor->distribute(std::make_shared<const cache::Notification>(
                              cache::UpdateNotification{.old_object = same, .new_object = same}),
                          true);
    runtime::sleep_for(runtime, 1s);
    expect_equal(delivered, 0);
    stop.stop();
    run.join();
  });
}

// A live bug of 0.32: the check for a second run and the mark of the first are two steps.
BOOST_AUTO_TEST_CASE(two_runs_at_the_very_same_time_can_both_run) {
  fails_somewhere(
      [](runtime::Runtime& runtime) {
        SharedInformerStage stage(runtime);
        (void)stage.informer();
        Running first(runtime, stage.informer());
        Running second(runtime, stage.informer());
        stage.settle();
        first.stop.stop();
        second.stop.stop();
        first.task.join();
        second.task.join();
        expect(stage.source->lists == 1, "only one of them lists");
      },
      "violation", "only one of them lists");
}

BOOST_AUTO_TEST_CASE(a_list_that_brings_nothing_new_is_delivered_as_little_as_a_resync) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ResyncStage stage(runtime);
    stage.options.resync_period = 2s;  // Until the first check all handlers get everything.
    const auto listener = stage.ticking(0s);
    // As from a server: each list brings objects of its own.
    expect(stage.informer()
               .set_transform([](const api::ObjectPtr& object) -> api::Result<api::ObjectPtr> {
                 return std::make_shared<const api::Object>(*object);
               })
               .ok(),
           "it has not started");
    stage.start();
    stage.settle(5s);
    stage.source->put_unseen("b");
    stage.source->reset_watches();  // So it lists.
    stage.settle(1min);
    expect_equal(stage.informer().indexer()->list_keys().size(), 2);
    expect_equal(listener->ticks, "");
    stage.source->put("a");
    stage.settle(1min);
    stage.end();
    expect(!listener->ticks.empty(), "a change is delivered");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
