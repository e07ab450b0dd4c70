#include <boost/test/unit_test.hpp>

#include "tests/core/cache/shared_informer_stage.hpp"
#include "tests/core/hammers/hammer.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(shared_informer_hammer_test)

namespace {

/// A shared informer that is written to, read, joined, left and cut off at the same time.
struct HammerStage : SharedInformerStage {
  explicit HammerStage(runtime::Runtime& runtime_in) : SharedInformerStage(runtime_in) {
    options.resync_period = 1s;
    // Short pauses, so that on threads too a list follows soon.
    options.reflector.backoff = std::make_shared<wait::JitteredBackoffManager>(runtime, 1ms, 1.0);
  }

  void write() {
    Dice dice(runtime);
    for (int i = 0; i < 6; ++i) {
      const std::string key = dice.one_in(2, "key") ? "a" : "b";
      switch (dice.roll(4, "write")) {
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
    Dice dice(runtime);
    for (int i = 0; i < 2; ++i) {
      dice.one_in(2, "cut") ? source->close_watches() : source->reset_watches();
    }
  }
  void come_and_go() {
    Dice dice(runtime);
    for (int i = 0; i < 2; ++i) {
      const auto registration =
          informer().add_event_handler_with_resync_period(std::make_shared<OrderHandler>(), 1s);
      expect(registration.ok() ||
                 registration.error().message.ends_with("because it has stopped already"),
             "only a stop refuses it");
      if (registration && dice.one_in(2, "leave")) {
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
  /// What was missed is made up for: the store agrees with the source.
  void converge() {
    source->reset_watches();
    source->put("last");
    int pauses = 0;
    while (informer().indexer()->get_by_key("last") == nullptr ||
           contents_of(*informer().indexer()) != source->contents()) {
      runtime::sleep_for(runtime, 1ms);
      expect(++pauses < 60'000, "the store comes to agree with the source");
    }
  }
};

void do_everything_at_once(runtime::Runtime& runtime) {
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
  if (Dice(runtime).one_in(2, "stop early")) {
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

}  // namespace

BOOST_AUTO_TEST_CASE(it_bears_everything_at_once) { hammer(do_everything_at_once); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
