#include <boost/test/unit_test.hpp>

#include "core/cache/reflector.hpp"
#include "tests/core/cache/scripted_server.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(reflector_metrics_test)

namespace {

/// Writes down what is counted.
class MinutesMetrics : public cache::ReflectorMetrics {
 public:
  void list_started() override { note("list"); }
  void list_ended(runtime::Duration took) override { note("took " + seconds(took)); }
  void items_listed(std::size_t items) override { note(std::to_string(items) + " items"); }
  void watch_started() override { note("watch"); }
  void watch_ended(runtime::Duration took, std::size_t events) override {
    note("took " + seconds(took));
    note(std::to_string(events) + " events");
  }
  void watch_was_short() override { note("short"); }
  void reached(const std::string& resource_version) override { note("rv " + resource_version); }

  std::string minutes;

 private:
  static std::string seconds(runtime::Duration took) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(took).count()) + " s";
  }
  void note(const std::string& what) { minutes.append(minutes.empty() ? "" : ", ").append(what); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(lists_watches_items_and_revisions_are_counted) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    const auto metrics = std::make_shared<MinutesMetrics>();
    stage.options.metrics = metrics;
    stage.server->on_list([&](const auto&, const auto&) {
      runtime::sleep_for(runtime, 2s);
      return api::Result<api::ObjectList>(listing("10", {object("a"), object("b")}));
    });
    stage.server->stream({added("c", "11"), bookmark("12")});
    stage.run_for(10s);
    expect_equal(metrics->minutes,
                 "list, took 2 s, 2 items, rv 10, watch, rv 11, rv 12, took 8 s, 2 events");
  });
}

BOOST_AUTO_TEST_CASE(a_very_short_watch_is_counted) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    const auto metrics = std::make_shared<MinutesMetrics>();
    stage.options.metrics = metrics;
    stage.server->answer_list(listing("10"));
    stage.server->stream({}, Ending::Closed);
    stage.run_for(500ms);
    expect_equal(metrics->minutes,
                 "list, took 0 s, 0 items, rv 10, watch, took 0 s, 0 events, short");
  });
}

// Mirrors TestReflectorHandleWatchStoppedBefore and …StoppedAfter, whose error is the stop's.
BOOST_AUTO_TEST_CASE(a_watch_that_a_stop_ends_within_a_second_is_no_very_short_one) {
  for (const bool before : {true, false}) {
    holds_in_every_world([before](runtime::Runtime& runtime) {
      ReflectorStage stage(runtime);
      const auto metrics = std::make_shared<MinutesMetrics>();
      stage.options.metrics = metrics;
      stage.server->answer_list(listing("10"));
      runtime::StopSource stop(runtime);
      stage.server->on_watch([&](const auto&, const auto&) {
        if (before) {
          stop.stop();
        }
        return api::Result<WatcherPtr>(std::make_shared<watch::RaceFreeFakeWatcher>(runtime));
      });
      const auto stopper = runtime::spawn(runtime, "stopper", [&] {
        runtime::sleep_for(runtime, 10ms);
        stop.stop();
      });
      expect(stage.reflector().list_and_watch(stop.token()).ok(), "a stop is no error");
      stopper.join();
      expect_equal(metrics->minutes, "list, took 0 s, 0 items, rv 10, watch, took 0 s, 0 events");
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
