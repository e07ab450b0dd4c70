#include "core/cache/controller.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

#include "core/cache/cache.hpp"
#include "core/cache/delta_fifo.hpp"
#include "core/cache/informer.hpp"
#include "core/cache/real_fifo.hpp"
#include "core/runtime/recover.hpp"
#include "tests/core/cache/fake_source.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(controller_test)

namespace {

/// A controller over a queue of its own, whose process function a test gives.
struct ControllerStage {
  ControllerStage(runtime::Runtime& runtime_in, cache::PopProcess process)
      : runtime(runtime_in),
        source(std::make_shared<FakeSource>(runtime)),
        queue(std::make_shared<cache::DeltaFIFO>(runtime,
                                                 cache::DeltaFIFOOptions{.emit_replaced = true})) {
    options.queue = queue;
    options.lister_watcher = source;
    options.process = std::move(process);
  }

  runtime::Runtime& runtime;
  std::shared_ptr<FakeSource> source;
  std::shared_ptr<cache::DeltaFIFO> queue;
  cache::ControllerOptions options;
};

api::Error scripted_failure() { return error_of_kind(api::ErrorKind::Other); }

}  // namespace

// Mirrors Example.
BOOST_AUTO_TEST_CASE(a_hand_assembled_controller_can_delete_what_it_sees_through_the_source) {
  const auto plays = [](runtime::Runtime& runtime, bool in_order) {
    const auto source = std::make_shared<FakeSource>(runtime);
    const auto store = std::make_shared<cache::Cache>(runtime);
    std::shared_ptr<cache::Queue> queue = std::make_shared<cache::DeltaFIFO>(
        runtime, cache::DeltaFIFOOptions{.known_objects = store.get(), .emit_replaced = true});
    if (in_order) {
      queue = std::make_shared<cache::RealFIFO>(
          runtime, cache::RealFIFOOptions{.known_objects = store.get()});
    }
    std::multiset<std::string> deleted_keys;
    cache::Controller controller(
        runtime, {.queue = queue,
                  .lister_watcher = source,
                  .process = [&](const cache::PopItem& item, bool) -> cache::Processed {
                    const cache::Delta newest = std::get<cache::Deltas>(item).back();
                    const api::ObjectPtr object = cache::object_of(newest.object);
                    if (newest.type == cache::DeltaType::Deleted) {
                      deleted_keys.insert(api::key_of(object->metadata));
                      return store->remove(newest.object);
                    }
                    source->remove(api::key_of(object->metadata));
                    return store->add(newest.object);
                  },
                  .reflector = {.resync_period = 100ms}});
    Running running(runtime, controller);
    for (const char* key : {"a-hello", "b-controller", "c-framework"}) {
      source->put(key);
    }
    runtime::sleep_for(runtime, 1min);
    running.end();
    runtime::sleep_for(runtime, 1s);  // a resync may go on behind the end
    expect(deleted_keys == std::multiset<std::string>{"a-hello", "b-controller", "c-framework"},
           "exactly what was created is deleted, and once");
    expect_equal(contents_of(*store), "");
  };
  for (const bool in_order : {false, true}) {
    holds_in_every_world([&](runtime::Runtime& runtime) { plays(runtime, in_order); });
  }
}

BOOST_AUTO_TEST_CASE(it_has_synced_once_the_first_list_is_popped) {
  holds_everywhere([](runtime::Runtime& runtime) {
    ControllerStage stage(runtime, [](const auto&, bool) { return cache::Processed(); });
    stage.source->put("a");
    cache::Controller controller(runtime, stage.options);
    expect(!controller.has_synced(), "nothing was listed yet");
    expect_equal(controller.last_sync_resource_version(), "");
    Running running(runtime, controller);
    while (!controller.has_synced()) {
      runtime::sleep_for(runtime, 1ms);
    }
    while (controller.last_sync_resource_version() != "1") {
      runtime::sleep_for(runtime, 1ms);
    }
    running.end();
  });
}

BOOST_AUTO_TEST_CASE(a_failed_item_is_tried_again_when_that_is_asked_for) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    std::string seen;
    ControllerStage stage(runtime, [&](const cache::PopItem& item, bool) -> cache::Processed {
      seen += cache::types_of(std::get<cache::Deltas>(item)) + "; ";
      return seen.size() < 25 ? cache::Processed(scripted_failure()) : cache::Processed();
    });
    stage.options.retry_on_error = true;
    stage.source->put("a");
    cache::Controller controller(runtime, stage.options);
    Running running(runtime, controller);
    runtime::sleep_for(runtime, 1s);
    expect_equal(seen, "Replaced; Replaced; Replaced; ");
    running.end();
  });
}

BOOST_AUTO_TEST_CASE(a_failed_item_is_lost_when_no_retry_is_asked_for) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    int calls = 0;
    ControllerStage stage(runtime, [&](const auto&, bool) {
      ++calls;
      return cache::Processed(scripted_failure());
    });
    stage.source->put("a");
    cache::Controller controller(runtime, stage.options);
    Running running(runtime, controller);
    runtime::sleep_for(runtime, 1min);
    expect_equal(calls, 1);
    expect(controller.has_synced(), "the queue does not care");
    running.end();
  });
}

BOOST_AUTO_TEST_CASE(a_process_function_can_have_its_item_requeued) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    int calls = 0;
    ControllerStage stage(runtime, [&](const auto&, bool) -> cache::Processed {
      return ++calls < 3 ? cache::Processed(cache::ErrRequeue{}) : cache::Processed();
    });
    stage.source->put("a");
    cache::Controller controller(runtime, stage.options);
    Running running(runtime, controller);
    runtime::sleep_for(runtime, 1s);
    expect_equal(calls, 3);
    running.end();
  });
}

// Mirrors TestPanicPropagated.
BOOST_AUTO_TEST_CASE(a_panic_of_the_process_function_leaves_the_run_at_once) {
  holds_everywhere([](runtime::Runtime& runtime) {
    ControllerStage stage(
        runtime, [](const auto&, bool) -> cache::Processed { throw runtime::Panic("oops"); });
    stage.source->put("a");
    cache::Controller controller(runtime, stage.options);
    runtime::StopSource stop(runtime);
    expect_panic([&] { controller.run(stop.token()); }, "oops");
    stop.stop();
  });
}

// Mirrors TestPanicPropagated, with an informer's handler.
BOOST_AUTO_TEST_CASE(a_panic_of_a_handler_leaves_the_run_with_its_words) {
  for (const char* name : kThreeMachines) {
    holds_everywhere([&](runtime::Runtime& runtime) {
      const auto source = std::make_shared<FakeSource>(runtime);
      cache::InformerOptions options{.lister_watcher = source,
                                     .handler = cache::make_handler({.add = [](const auto&, bool) {
                                       throw runtime::Panic("just a panic");
                                     }})};
      options.machine = listing_machine(name);
      const cache::Informer informer = cache::new_informer_with_options(runtime, options);
      runtime::StopSource stop(runtime);
      const auto writer = runtime::spawn(runtime, "writer", [&] { source->put("test"); });
      const auto panic = runtime::recover([&] { informer.controller->run(stop.token()); });
      expect(panic && panic->message == "just a panic", "the panic leaves as it was thrown");
      writer.join();
      stop.stop();
    });
  }
}

BOOST_AUTO_TEST_CASE(a_panic_that_does_not_crash_costs_its_item_and_a_second) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const runtime::TimePoint start = runtime.now();
    std::string seen;
    ControllerStage stage(runtime, [&](const cache::PopItem& item, bool) -> cache::Processed {
      const auto key = *cache::meta_namespace_key(std::get<cache::Deltas>(item).back().object);
      seen += fmt::format(
          "{} at {} s; ", key,
          std::chrono::duration_cast<std::chrono::seconds>(runtime.now() - start).count());
      if (key == "a") {
        throw runtime::Panic("oops");
      }
      return {};
    });
    stage.options.crash_on_panic = false;
    stage.source->put("a");
    stage.source->put("b");
    cache::Controller controller(runtime, stage.options);
    Running running(runtime, controller);
    runtime::sleep_for(runtime, 5s);
    expect_equal(seen, "a at 0 s; b at 1 s; ");
    running.end();
  });
}

// A live bug of 0.32: the stop has to wait for the backlog.
BOOST_AUTO_TEST_CASE(what_is_queued_is_still_processed_after_the_stop) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    int calls = 0;
    ControllerStage stage(runtime, [&](const auto&, bool) -> cache::Processed {
      ++calls;
      runtime::sleep_for(runtime, 1min);
      return {};
    });
    for (const char* key : {"a", "b", "c", "d", "e"}) {
      stage.source->put(key);
    }
    cache::Controller controller(runtime, stage.options);
    Running running(runtime, controller);
    runtime::sleep_for(runtime, 30s);
    running.end();
    expect_equal(calls, 5);
  });
}

BOOST_AUTO_TEST_CASE(the_run_ends_after_the_reflector) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ControllerStage stage(runtime, [](const auto&, bool) { return cache::Processed(); });
    bool ended = false;
    const auto server = std::make_shared<ScriptedServer>(runtime);
    server->answer_list(refused());
    stage.options.lister_watcher = server;
    stage.options.reflector.watch_error_handler = [&](cache::Reflector&, const api::Error&) {
      runtime::sleep_for(runtime, 1min);
      ended = true;
    };
    cache::Controller controller(runtime, stage.options);
    Running running(runtime, controller);
    runtime::sleep_for(runtime, 30s);
    running.end();
    expect(ended, "the reflector's error handler has come back");
  });
}

BOOST_AUTO_TEST_CASE(a_slow_process_function_holds_up_the_reflector) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ControllerStage stage(runtime, [&](const auto&, bool) -> cache::Processed {
      runtime::sleep_for(runtime, 10s);
      return {};
    });
    stage.source->put("a");
    cache::Controller controller(runtime, stage.options);
    Running running(runtime, controller);
    runtime::sleep_for(runtime, 5s);
    stage.source->put("b");
    stage.source->put("c");
    runtime::sleep_for(runtime, 1s);
    expect(controller.last_sync_resource_version() == "1", "the event cannot be queued");
    running.end();
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
