// The constants of the original that are pauses between the steps of one client.
#include <boost/test/unit_test.hpp>

#include "core/cache/controller.hpp"
#include "core/cache/informer.hpp"
#include "core/watchtools/informer_watcher.hpp"
#include "core/watchtools/retry_watcher.hpp"
#include "tests/core/cache/shared_informer_stage.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(pauses_test)

namespace {

/// The moments at which something happened, in milliseconds from the start.
class Moments {
 public:
  explicit Moments(runtime::Runtime& runtime) : runtime_(runtime), start_(runtime.now()) {}

  void note() {
    const auto elapsed = (runtime_.now() - start_) / 1ms;
    text_ += (text_.empty() ? "" : " ") + std::to_string(elapsed);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  runtime::Runtime& runtime_;
  runtime::TimePoint start_;
  std::string text_;
};

/// A handler that notes when it receives an update.
std::shared_ptr<cache::ResourceEventHandler> noting_updates(Moments& moments) {
  return cache::make_handler({.update = [&moments](const auto&, const auto&) { moments.note(); }});
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_listener_rests_a_second_after_each_panic_of_its_handler) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    stage.options.crash_on_panic = false;
    Moments moments(runtime);
    stage.join(cache::make_handler({.add = [&](const api::ObjectPtr&, bool) {
      moments.note();
      throw runtime::Panic("oops");
    }}));
    stage.source->put("a");
    stage.source->put("b");
    stage.source->put("c");
    stage.start();
    stage.settle(10s);
    expect_equal(moments.text(), "0 1000 2000");
    stage.end();
  });
}

BOOST_AUTO_TEST_CASE(a_process_loop_continues_a_second_after_a_panic) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto source = std::make_shared<FakeSource>(runtime);
    source->put("a");
    source->put("b");
    source->put("c");
    Moments moments(runtime);
    cache::Informer informer = cache::new_informer_with_options(
        runtime, {.lister_watcher = source,
                  .handler = cache::make_handler({.add =
                                                      [&](const api::ObjectPtr&, bool) {
                                                        moments.note();
                                                        throw runtime::Panic("oops");
                                                      }}),
                  .crash_on_panic = false});
    Running running(runtime, *informer.controller);
    runtime::sleep_for(runtime, 10s);
    expect_equal(moments.text(), "0 1000 2000");
    running.end();
  });
}

BOOST_AUTO_TEST_CASE(resyncs_come_each_period_for_an_hour_without_drift) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    stage.options.resync_period = 10min;
    stage.source->put("a");
    Moments moments(runtime);
    stage.join(noting_updates(moments));
    stage.start();
    stage.settle(1h + 1min);
    expect_equal(moments.text(), "600000 1200000 1800000 2400000 3000000 3600000");
    stage.end();
  });
}

BOOST_AUTO_TEST_CASE(no_handler_is_resynced_more_often_than_each_second) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    stage.options.resync_period = 1h;
    stage.source->put("a");
    Moments moments(runtime);
    expect(stage.informer().add_event_handler_with_resync_period(noting_updates(moments), 1ns).ok(),
           "the handler joins");
    stage.start();
    stage.settle(3500ms);
    expect_equal(moments.text(), "1000 2000 3000");
    stage.end();
  });
}

BOOST_AUTO_TEST_CASE(who_waits_for_sync_asks_at_once_and_each_tenth_of_a_second) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Moments moments(runtime);
    runtime::StopSource stop(runtime);
    const bool synced = cache::wait_for_cache_sync(runtime, stop.token(), {[&] {
                                                     moments.note();
                                                     return moments.text().size() > 12;
                                                   }});
    expect(synced, "it says so");
    expect_equal(moments.text(), "0 100 200 300");
  });
}

BOOST_AUTO_TEST_CASE(a_retry_watcher_begins_two_watches_at_least_a_second_apart) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Moments moments(runtime);
    int watches = 0;
    const auto watch = [&](const auto&, const auto&) -> api::Result<WatcherPtr> {
      moments.note();
      // Until they fail, the first three take 0, 400 and 1,500 ms.
      const runtime::Duration takes[] = {0ms, 400ms, 1500ms, 1h};
      runtime::sleep_for(runtime, takes[std::min(watches++, 3)]);
      return error_of_kind(api::ErrorKind::Timeout);
    };
    const auto watcher = watchtools::RetryWatcher::make(
        runtime, {.initial_resource_version = "1", .watch = watch, .stop = {}});
    runtime::sleep_for(runtime, 10s);
    expect_equal(moments.text(), "0 1000 2000 3500");
    (*watcher)->stop();
    (void)runtime::Channel<runtime::Unit>((*watcher)->done()).receive();
  });
}

BOOST_AUTO_TEST_CASE(an_informer_seen_as_a_watch_never_resyncs) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto source = std::make_shared<FakeSource>(runtime);
    source->put("a");
    watchtools::InformerWatcher informer =
        watchtools::new_indexer_informer_watcher(runtime, source, {.resync_period = 1s});
    runtime::Channel<watch::Event> events = informer.watcher->result_channel();
    expect(events.receive()->type == watch::EventType::Added, "the listed object");
    runtime::sleep_for(runtime, 24h);
    source->put("a");
    expect_equal(text_of(events.receive()->object), "a@2");
    informer.watcher->stop();
    informer.done.receive();
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
