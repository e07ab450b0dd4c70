#include "core/metrics/exported_metrics.hpp"

#include <boost/test/unit_test.hpp>

#include "core/cache/informer.hpp"
#include "core/workqueue/delaying_queue.hpp"
#include "tests/core/cache/shared_informer_stage.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(exported_metrics_test)

namespace {

/// The value behind the series, as text; "" when there is none.
std::string value_of(const metrics::Registry& registry, const std::string& series) {
  const std::string text = "\n" + registry.text();
  const std::size_t found = text.find("\n" + series + " ");
  if (found == std::string::npos) {
    return "";
  }
  const std::size_t begin = found + series.size() + 2;
  return text.substr(begin, text.find('\n', begin) - begin);
}

/// A shared informer of config maps whose metrics go to a registry.
struct MeasuredStage : SharedInformerStage {
  explicit MeasuredStage(runtime::Runtime& runtime_in)
      : SharedInformerStage(runtime_in), registry(runtime) {
    options.reflector.metrics =
        std::make_shared<metrics::ExportedReflectorMetrics>(registry, "maps");
    options.queue_metrics = std::make_shared<metrics::ExportedQueueDepth>(registry, "maps");
  }
  void expect_value(const std::string& family, std::string_view value) {
    expect_equal(family + " " + value_of(registry, family + "{name=\"maps\"}"),
                 family + " " + std::string(value));
  }

  metrics::Registry registry;
};

/// Looks at the depth of the queue whenever it is notified.
class DepthHandler : public cache::ResourceEventHandler {
 public:
  explicit DepthHandler(std::function<void()> look) : look_(std::move(look)) {}
  void on_add(const api::ObjectPtr&, bool) override { look_(); }
  void on_update(const api::ObjectPtr&, const api::ObjectPtr&) override { look_(); }
  void on_delete(const cache::Item&) override { look_(); }

 private:
  std::function<void()> look_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(what_an_informer_does_can_be_read_as_text) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    MeasuredStage stage(runtime);
    stage.source->put("a");
    stage.source->put("b");
    stage.start();
    stage.settle(10s);
    stage.source->put("a");
    stage.settle(10s);
    stage.source->close_watches();
    stage.settle(10s);
    stage.expect_value("reflector_lists_total", "1");
    stage.expect_value("reflector_list_duration_seconds_count", "1");
    stage.expect_value("reflector_items_per_list_sum", "2");
    stage.expect_value("reflector_watches_total", "2");
    stage.expect_value("reflector_watch_duration_seconds_sum", "20");
    stage.expect_value("reflector_items_per_watch_sum", "1");
    stage.expect_value("reflector_short_watches_total", "0");
    stage.expect_value("reflector_last_resource_version", "3");
    stage.end();
  });
}

BOOST_AUTO_TEST_CASE(a_revision_that_is_no_number_leaves_the_gauge_alone) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    metrics::Registry registry(runtime);
    metrics::ExportedReflectorMetrics exported(registry, "maps");
    exported.reached("7");
    exported.reached("opaque");
    exported.reached("8x");
    expect_equal(value_of(registry, "reflector_last_resource_version{name=\"maps\"}"), "7");
  });
}

BOOST_AUTO_TEST_CASE(the_depth_of_an_informers_queue_goes_up_with_a_list_and_down_with_each_pop) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    metrics::Registry registry(runtime);
    const auto depth = [&] { return value_of(registry, "informer_queued_items{name=\"maps\"}"); };
    const auto source = std::make_shared<FakeSource>(runtime);
    source->put("a");
    source->put("b");
    source->put("c");
    std::string depths;
    cache::Informer informer = cache::new_informer_with_options(
        runtime,
        {.lister_watcher = source,
         .handler = std::make_shared<DepthHandler>([&] { depths += depth() + " "; }),
         .queue_metrics = std::make_shared<metrics::ExportedQueueDepth>(registry, "maps")});
    expect_equal(depth(), "0");
    Running running(runtime, *informer.controller);
    runtime::sleep_for(runtime, 1s);
    // The list is queued as a whole before a task pops, and an item is out while it is processed.
    expect_equal(depths, "2 1 0 ");
    running.end();
  });
}

BOOST_AUTO_TEST_CASE(what_a_work_queue_does_can_be_read_as_text) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    metrics::Registry registry(runtime);
    workqueue::DelayingQueue queue(
        runtime,
        {.metrics = std::make_shared<metrics::ExportedWorkqueueMetrics>(registry, "work")});
    const auto value = [&](const std::string& family) {
      return value_of(registry, family + "{name=\"work\"}");
    };
    queue.add("a");
    queue.add("b");
    runtime::sleep_for(runtime, 3s);
    const std::string key = queue.get().value();
    expect_equal(value("workqueue_depth"), "1");
    runtime::sleep_for(runtime, 2s);
    queue.done(key);
    queue.add_after(key, 5s);
    expect_equal(value("workqueue_adds_total"), "2");
    expect_equal(value("workqueue_queue_duration_seconds_sum"), "3");
    expect_equal(value("workqueue_work_duration_seconds_sum"), "2");
    expect_equal(value("workqueue_retries_total"), "1");
    queue.shut_down();
  });
}

// What component-base publishes of an informer that has a name.
BOOST_AUTO_TEST_CASE(a_named_informer_publishes_its_queue_and_its_store) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    cache::InformerNames names(runtime);
    const cache::InformerName name = names.take("stage").value();
    metrics::Registry registry(runtime);
    const auto value = [&](const std::string& family) {
      return value_of(registry, family +
                                    "{group=\"\",name=\"stage\",resource=\"configmaps\","
                                    "version=\"v1\"}");
    };
    SharedInformerStage stage(runtime);
    const auto exported = std::make_shared<metrics::ExportedInformerMetrics>(
        registry, name.with_resource({"", "v1", "configmaps"}));
    stage.options.machine = *features::find_machine("0.36");
    stage.options.machine.streams_lists = false;
    stage.options.queue_metrics = exported;
    stage.options.store_metrics = exported;
    stage.source->put("a");
    stage.source->put("b");
    stage.start();
    stage.settle();
    stage.source->put("c");
    stage.settle();
    expect_equal(value("informer_queued_items"), "0");
    // The list is one item, and the change another.
    expect_equal(value("informer_processing_latency_seconds_count"), "2");
    expect_equal(value("informer_processing_latency_seconds_sum"), "0");
    expect_equal(value("informer_store_resource_version"), "3");
    exported->store_reached("12345678901234567890");
    expect_equal(value("informer_store_resource_version"), "678901234567890");
    exported->store_reached("opaque");
    expect_equal(value("informer_store_resource_version"), "678901234567890");
    exported->store_reached("");
    expect_equal(value("informer_store_resource_version"), "0");
    name.release();
    stage.source->put("d");
    exported->depth_is(7);
    stage.settle();
    expect_equal(value("informer_store_resource_version"), "0");
    expect_equal(value("informer_queued_items"), "0");
    expect_equal(value("informer_processing_latency_seconds_count"), "2");
    stage.end();
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
