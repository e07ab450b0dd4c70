#include <boost/test/unit_test.hpp>

#include "tests/core/cache/scripted_server.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(reflector_resync_test)

namespace {

/// A store whose resync takes an hour.
class SlowStore : public MinutesStore {
 public:
  explicit SlowStore(runtime::Runtime& runtime) : runtime_(runtime) {}
  api::Result<void> resync() override {
    runtime::sleep_for(runtime_, 1h);
    ended = true;
    return {};
  }
  bool ended = false;

 private:
  runtime::Runtime& runtime_;
};

}  // namespace

// Mirrors TestReflectorResyncChan and TestReflectorResync.
BOOST_AUTO_TEST_CASE(the_store_resyncs_each_period_while_the_watch_is_quiet) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.options.resync_period = 10s;
    stage.server->answer_list(listing("10"));
    stage.run_for(35s);
    expect_equal(stage.store->minutes(), "replace rv 10, resync, resync, resync");
    expect_equal(stage.server->story(), "list 0, watch 10");
  });
}

BOOST_AUTO_TEST_CASE(without_a_period_nothing_resyncs) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    stage.run_for(24h);
    expect_equal(stage.store->minutes(), "replace rv 10");
  });
}

// Mirrors TestReflectorResync.
BOOST_AUTO_TEST_CASE(a_resync_that_fails_ends_the_cycle) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.options.resync_period = 10s;
    stage.store->refuse("resync");
    stage.server->answer_list(listing("10"));
    stage.run_for(15s);
    expect_equal(stage.server->story(), "list 0, watch 10, list 10, watch 10");
    expect_equal(stage.store->minutes(), "replace rv 10, resync, replace rv 10");
    expect(stage.server->all_streams_stopped(), "no stream is left open");
  });
}

// Mirrors TestReflectorResync.
BOOST_AUTO_TEST_CASE(a_failed_resync_is_the_last_of_its_cycle_and_no_error_of_it) {
  class SecondFails : public MinutesStore {
   public:
    api::Result<void> resync() override {
      return ++resyncs == 2 ? api::Result<void>(error_of_kind(api::ErrorKind::Other))
                            : MinutesStore::resync();
    }
    int resyncs = 0;
  };
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    const auto store = std::make_shared<SecondFails>();
    stage.options.resync_period = 10s;
    stage.made = std::make_unique<cache::Reflector>(runtime, stage.server, store, stage.options);
    stage.server->answer_list(listing("10"));
    const runtime::TimePoint start = runtime.now();
    const runtime::StopSource never(runtime);
    expect(stage.reflector().list_and_watch(never.token()).ok(), "it is no error of the cycle");
    expect(runtime.now() - start == 20s, "the cycle ends with the second resync");
    runtime::sleep_for(runtime, 1h);
    expect_equal(store->resyncs, 2);
    expect(stage.server->all_streams_stopped(), "no stream is left open");
  });
}

BOOST_AUTO_TEST_CASE(a_tick_that_shall_not_resync_delivers_nothing_to_the_store) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    int asked = 0;
    stage.options.resync_period = 10s;
    stage.options.should_resync = [&asked] { return ++asked == 2; };
    stage.server->answer_list(listing("10"));
    stage.run_for(35s);
    expect_equal(asked, 3);
    expect_equal(stage.store->minutes(), "replace rv 10, resync");
  });
}

BOOST_AUTO_TEST_CASE(a_watch_again_does_not_start_the_period_again_but_a_list_does) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.options.resync_period = 10s;
    stage.server->answer_list(listing("10"));
    stage.server->stream_for(7s);
    stage.run_for(12s);
    expect_equal(stage.store->minutes(), "replace rv 10, resync");
  });
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.options.resync_period = 10s;
    stage.server->answer_list(listing("10"));
    for (int i = 0; i < 5; ++i) {
      stage.server->on_watch([&](const auto&, const auto&) {
        runtime::sleep_for(runtime, 8s);
        return api::Result<WatcherPtr>(status_error(api::StatusReason::InternalError));
      });
    }
    stage.run_for(40s);
    expect(stage.store->minutes().find("resync") == std::string::npos, "no cycle lives that long");
  });
}

// A live bug of 0.32: no task waits for the resync task.
BOOST_AUTO_TEST_CASE(a_resync_can_outlive_the_run) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto store = std::make_shared<SlowStore>(runtime);
    ReflectorStage stage(runtime);
    stage.options.resync_period = 10s;
    stage.made = std::make_unique<cache::Reflector>(runtime, stage.server, store, stage.options);
    stage.server->answer_list(listing("10"));
    stage.run_for(15s);
    expect(!store->ended, "the run has ended before the resync");
    runtime::sleep_for(runtime, 1h);
    expect(store->ended, "the resync continues by itself");
  });
}

// As since 0.33.
BOOST_AUTO_TEST_CASE(a_joined_resync_ends_before_the_run) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto store = std::make_shared<SlowStore>(runtime);
    ReflectorStage stage(runtime);
    stage.options.resync_period = 10s;
    stage.options.joins_resync = true;
    stage.made = std::make_unique<cache::Reflector>(runtime, stage.server, store, stage.options);
    stage.server->answer_list(listing("10"));
    const runtime::TimePoint start = runtime.now();
    stage.run_for(15s);
    expect(store->ended, "the run has waited for the resync");
    expect(runtime.now() - start == 1h + 10s, "which began after ten seconds");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
