// Who an informer is for its metrics, and what its handlers are called.
#include "core/cache/sync/informer_name.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/core/cache/shared_informer_stage.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(informer_name_test)

namespace {

using cache::InformerIdentity;
using cache::InformerName;
using cache::InformerNames;

const api::GroupVersionResource kPods{"", "v1", "pods"};
const api::GroupVersionResource kMaps{"", "v1", "configmaps"};

/// A handler of a class of its own.
struct CountingHandler : cache::ResourceEventHandler {
  void on_add(const api::ObjectPtr&, bool) override { ++calls; }
  void on_update(const api::ObjectPtr&, const api::ObjectPtr&) override { ++calls; }
  void on_delete(const cache::Item&) override { ++calls; }
  int calls = 0;
};

}  // namespace

// Mirrors TestNewInformerName.
BOOST_AUTO_TEST_CASE(a_name_can_be_taken_once_until_it_is_released) {
  holds_everywhere([](runtime::Runtime& runtime) {
    InformerNames names(runtime);
    const InformerName mine = names.take("my-informer").value();
    expect_equal(mine.text(), "my-informer");
    expect(names.take("another").ok(), "another name is free");
    expect_equal(names.take("my-informer").error().message,
                 "the name \"my-informer\" of informers is taken");
    expect_equal(names.take("").error().message, "the name of informers cannot be empty");
    mine.release();
    expect(names.take("my-informer").ok(), "a released name is free");
    mine.release();
    expect(!names.take("my-informer").ok(), "a second release frees nothing of another");
  });
}

// Mirrors TestWithResource.
BOOST_AUTO_TEST_CASE(the_first_informer_of_a_resource_is_reserved_and_no_other) {
  holds_everywhere([](runtime::Runtime& runtime) {
    InformerNames names(runtime);
    const InformerName name = names.take("my-informer").value();
    const InformerIdentity pods = name.with_resource(kPods);
    expect(pods.reserved() && pods.name() == "my-informer" && pods.resource() == kPods, "first");
    const InformerIdentity again = name.with_resource(kPods);
    expect(!again.reserved() && again.resource() == kPods, "a second one publishes nothing");
    expect(pods.reserved(), "and takes nothing from the first");
    expect(name.with_resource(kMaps).reserved(), "another resource is another informer");
    const InformerIdentity nameless = InformerName().with_resource(kPods);
    expect(!nameless.reserved() && nameless.name().empty() && nameless.resource() == kPods, "none");
    expect(!InformerIdentity().reserved(), "nothing is reserved for nothing");
  });
}

// Mirrors TestRelease.
BOOST_AUTO_TEST_CASE(a_release_ends_what_was_reserved_under_the_name) {
  holds_everywhere([](runtime::Runtime& runtime) {
    InformerNames names(runtime);
    const InformerName name = names.take("my-informer").value();
    const InformerIdentity pods = name.with_resource(kPods);
    expect(pods.reserved(), "until the release");
    name.release();
    expect(!pods.reserved(), "it is not reserved any more");
    expect(!name.with_resource(kMaps).reserved(), "nor is what comes later");
    const InformerName successor = names.take("my-informer").value();
    expect(successor.with_resource(kPods).reserved(), "the same resource of the next name is");
    expect(!pods.reserved(), "which gives nothing back to the old one");
    InformerName().release();
  });
}

// Mirrors TestNameForHandler.
BOOST_AUTO_TEST_CASE(a_handler_is_called_after_its_class_unless_it_says_so) {
  const auto functions = cache::make_handler({});
  BOOST_TEST(functions->name() == "functions");
  const auto named = cache::make_handler({.name = "deployments"});
  BOOST_TEST(named->name() == "deployments");
  BOOST_TEST(CountingHandler().name().ends_with("CountingHandler"));
  const cache::FilteringResourceEventHandler filtering({}, named);
  BOOST_TEST(filtering.name() == "watchlab::cache::FilteringResourceEventHandler");
}

BOOST_AUTO_TEST_CASE(a_checker_of_a_handler_says_which_one) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    stage.options.machine = *features::find_machine("modern");
    const auto first = stage.join(cache::make_handler({.name = "first"}));
    const auto second = stage.join(cache::make_handler({.name = "second"}));
    const std::string informer = stage.informer().has_synced_checker().name;
    expect_equal(first->has_synced_checker().name, informer + " + event handler first");
    expect_equal(second->has_synced_checker().name, informer + " + event handler second");
  });
}

// Mirrors TestWithStoreMetricsDefaulting as far as there is no global provider: what is handed over
// is asked, by the store of either informer.
BOOST_AUTO_TEST_CASE(a_store_reports_each_revision_that_it_comes_to) {
  struct Reached final : cache::StoreMetrics {
    void store_reached(const std::string& version) override { text += version + " "; }
    std::string text;
  };
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto reached = std::make_shared<Reached>();
    cache::Cache store(runtime, cache::deletion_handling_meta_namespace_key, {},
                       {.metrics = reached});
    expect_ok(store.add(object("a", "3")));
    expect_ok(store.update(object("a", "4")));
    expect_ok(store.remove(tombstone("a", object("a", "9"))));
    expect_ok(store.remove(object("a", "5")));
    expect_ok(store.replace(std::vector<api::ObjectPtr>{object("b", "6")}, "8"));
    store.bookmark("50");
    const std::vector<cache::Transaction> changes{{.item = object("c", "51")},
                                                  {.item = object("d", "52")}};
    expect(!store.transaction(changes).has_value(), "all changes are made");
    expect_equal(reached->text, "3 4 5 8 50 52 ");

    SharedInformerStage stage(runtime);
    reached->text.clear();
    stage.options.store_metrics = reached;
    stage.source->put("a");
    stage.start();
    stage.settle();
    stage.source->put("b");
    stage.settle();
    stage.end();
    expect_equal(reached->text, "1 2 ");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
