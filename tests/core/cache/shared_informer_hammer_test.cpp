#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "core/runtime/thread_runtime.hpp"
#include "sim/explore/explore.hpp"
#include "tests/core/cache/shared_informer_stage.hpp"

namespace watchlab::tests {
namespace {

bool is_long_lane() { return std::getenv("WATCHLAB_LONG") != nullptr; }

/// A shared informer that is written to, read, joined, left and cut off at the same time.
struct HammerStage : SharedInformerStage {
  explicit HammerStage(runtime::Runtime& runtime_in) : SharedInformerStage(runtime_in) {
    options.resync_period = 1s;
    // Short pauses, so that on threads too a list follows soon.
    options.reflector.backoff = std::make_shared<wait::JitteredBackoffManager>(runtime, 1ms, 1.0);
  }

  void write() {
    for (int i = 0; i < 6; ++i) {
      const std::string key = runtime.choose(2, "key") == 0 ? "a" : "b";
      switch (runtime.choose(4, "write")) {
        case 0:
          source->remove(key);
          break;
        case 1:
          source->put_unseen(key);
          break;
        default:
          source->put(key);
      }
    }
  }
  void cut() {
    for (int i = 0; i < 2; ++i) {
      runtime.choose(2, "cut") == 0 ? source->close_watches() : source->reset_watches();
    }
  }
  void come_and_go() {
    for (int i = 0; i < 2; ++i) {
      const auto registration =
          informer().add_event_handler_with_resync_period(std::make_shared<OrderHandler>(), 1s);
      if (registration && runtime.choose(2, "leave") == 0) {
        expect(informer().remove_event_handler(*registration).ok(), "it is removed");
      }
    }
  }
  void look() {
    for (int i = 0; i < 3; ++i) {
      (void)informer().has_synced();
      (void)informer().last_sync_resource_version();
      (void)informer().indexer()->list();
    }
  }
  /// What nobody saw is made up for: the store agrees with the source.
  void converge() {
    source->reset_watches();
    source->put("last");
    while (informer().indexer()->get_by_key("last") == nullptr ||
           contents_of(*informer().indexer()) != source->contents()) {
      runtime::sleep_for(runtime, 1ms);
    }
  }
};

void hammer(runtime::Runtime& runtime) {
  HammerStage stage(runtime);
  stage.join(std::make_shared<OrderHandler>());
  stage.start();
  std::vector<runtime::Task> tasks;
  const auto go = [&](std::string_view name, void (HammerStage::*work)()) {
    tasks.push_back(runtime::spawn(runtime, name, [&stage, work] { (stage.*work)(); }));
  };
  go("writer", &HammerStage::write);
  go("writer", &HammerStage::write);
  go("cutter", &HammerStage::cut);
  go("visitor", &HammerStage::come_and_go);
  go("visitor", &HammerStage::come_and_go);
  go("reader", &HammerStage::look);
  if (runtime.choose(2, "stop early") == 0) {
    stage.end();
  }
  for (const runtime::Task& task : tasks) {
    task.join();
  }
  if (!stage.informer().is_stopped()) {
    stage.converge();
    stage.end();
  }
}

BOOST_AUTO_TEST_SUITE(shared_informer_hammer_test)

BOOST_AUTO_TEST_CASE(it_bears_everything_at_once_under_many_schedules) {
  const std::size_t schedules = is_long_lane() ? 10'000 : 500;
  const sim::ExploreResult result =
      sim::explore({.strategy = "random", .schedules_max = schedules}, hammer);
  BOOST_TEST(
      !result.failure.has_value(),
      (result.failure ? result.failure->sentence + "\nWATCHLAB_SCHEDULE=" + result.failure->schedule
                      : std::string()));
}

BOOST_AUTO_TEST_CASE(it_bears_everything_at_once_on_threads) {
  runtime::ThreadRuntime threads({.checks = true});
  const auto end = threads.now() + (is_long_lane() ? 60s : 1s);
  std::uint64_t rounds = 0;
  do {
    runtime::ThreadRuntime round({.seed = ++rounds, .checks = true});
    round.run(hammer);
  } while (threads.now() < end);
  BOOST_TEST(rounds > 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace watchlab::tests
