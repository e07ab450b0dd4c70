// What several tasks do to an informer at once: in worlds, and on threads for ThreadSanitizer.
#include <boost/test/unit_test.hpp>

#include "core/cache/informer.hpp"
#include "tests/core/cache/fake_source.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(informer_threads_test)

namespace {

/// A copy with a label. It reads all of the object, so that a change of it at the same time is a
/// data race.
api::Result<api::ObjectPtr> stamped(const api::ObjectPtr& object) {
  api::Object copy = *object;
  copy.metadata.labels["stamped"] = "yes";
  return std::make_shared<const api::Object>(std::move(copy));
}

/// Short pauses, so that on threads too a list follows soon.
cache::InformerOptions quick(runtime::Runtime& runtime, std::shared_ptr<FakeSource> source) {
  cache::InformerOptions options{.lister_watcher = std::move(source),
                                 .handler = std::make_shared<OrderHandler>()};
  options.reflector.backoff = std::make_shared<wait::JitteredBackoffManager>(runtime, 1ms, 1.0);
  return options;
}

/// Waits until the store has what the source has, a last object included.
void expect_agreement(runtime::Runtime& runtime, cache::Informer& informer, FakeSource& source) {
  source.put("last");
  while (informer.store->get_by_key("last") == nullptr ||
         contents_of(*informer.store) != source.contents()) {
    runtime::sleep_for(runtime, 1ms);
  }
}

}  // namespace

// Mirrors TestTransformingInformerRace.
BOOST_AUTO_TEST_CASE(what_readers_see_is_never_transformed_under_their_eyes) {
  for (const char* name : kThreeMachines) {
    holds_everywhere([&](runtime::Runtime& runtime) {
      const auto source = std::make_shared<FakeSource>(runtime);
      cache::InformerOptions options = quick(runtime, source);
      options.machine = listing_machine(name);
      options.transform = stamped;
      options.reflector.resync_period = 1ms;
      cache::Informer informer = cache::new_informer_with_options(runtime, std::move(options));
      Running running(runtime, *informer.controller);
      const auto writer = runtime::spawn(runtime, "writer", [&] {
        for (int i = 0; i < 5; ++i) {
          source->put("a");
        }
      });
      const auto reader = runtime::spawn(runtime, "reader", [&] {
        while (informer.store->get_by_key("a") == nullptr) {
          runtime::sleep_for(runtime, 1ms);
        }
        for (int i = 0; i < 5; ++i) {
          expect(informer.store->get_by_key("a") != nullptr, "a resync takes nothing away");
          for (const api::ObjectPtr& each : informer.store->list()) {
            expect(each->metadata.labels.contains("stamped"), "only transformed ones are visible");
          }
          runtime::sleep_for(runtime, 1ms);
        }
      });
      writer.join();
      reader.join();
      expect_agreement(runtime, informer, *source);
      running.end();
    });
  }
}

// Mirrors TestUpdate and TestResetWatch.
BOOST_AUTO_TEST_CASE(watches_that_end_amid_changes_lose_nothing) {
  holds_everywhere([](runtime::Runtime& runtime) {
    const auto source = std::make_shared<FakeSource>(runtime);
    cache::Informer informer = cache::new_informer_with_options(runtime, quick(runtime, source));
    Running running(runtime, *informer.controller);
    const auto writer = runtime::spawn(runtime, "writer", [&] {
      for (int i = 0; i < 4; ++i) {
        source->put("a");
        source->remove("a");
        source->put("b");
      }
    });
    const auto breaker = runtime::spawn(runtime, "breaker", [&] {
      source->close_watches();
      source->reset_watches();
    });
    writer.join();
    breaker.join();
    expect_agreement(runtime, informer, *source);
    running.end();
  });
}

// Mirrors TestRunUntil, TestReflectorStopWatch and the tests of a stop before and after the watch.
BOOST_AUTO_TEST_CASE(a_run_ends_at_whatever_moment_the_stop_comes) {
  holds_everywhere([](runtime::Runtime& runtime) {
    const auto source = std::make_shared<FakeSource>(runtime);
    source->put("a");
    cache::Informer informer = cache::new_informer_with_options(runtime, quick(runtime, source));
    Running running(runtime, *informer.controller);
    const auto writer = runtime::spawn(runtime, "writer", [&] {
      source->put("a");
      source->remove("a");
    });
    running.end();
    writer.join();
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
