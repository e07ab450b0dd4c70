// What a shared informer does about handlers that change what all share.
#include <boost/test/unit_test.hpp>

#include "tests/core/cache/shared_informer_stage.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(shared_informer_mutation_test)

namespace {

/// Changes every object it receives, which no handler may do.
class MeddlingHandler : public cache::ResourceEventHandler {
 public:
  void on_add(const api::ObjectPtr& object, bool) override { meddle(object); }
  void on_update(const api::ObjectPtr&, const api::ObjectPtr& object) override { meddle(object); }
  void on_delete(const cache::Item&) override {}

 private:
  static void meddle(const api::ObjectPtr& object) {
    const_cast<api::Object&>(*object).metadata.labels["handler"] = "was here";
  }
};

/// A stage whose informer looks for mutations and writes them down.
struct MutationStage : SharedInformerStage {
  explicit MutationStage(runtime::Runtime& runtime_in) : SharedInformerStage(runtime_in) {
    options.mutation_detector = cache::MutationDetectorOptions{
        .name = "config maps", .on_mutation = [this](const cache::Mutation& mutation) {
          found[mutation.key] = mutation.text();
        }};
  }
  std::map<std::string, std::string> found;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_handler_that_changes_a_listed_object_is_found_out) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    MutationStage stage(runtime);
    stage.source->put("ns/a");
    stage.join(std::make_shared<MeddlingHandler>());
    stage.start();
    stage.settle(3s);
    expect_equal(stage.found.size(), 1);
    stage.source->put("ns/b");  // comes by the watch
    stage.settle(3s);
    stage.end();
    expect_equal(stage.found.size(), 2);
    expect(stage.found.contains("ns/b"), "what the watch adds is looked at as well");
    const std::string& text = stage.found.at("ns/a");
    expect(text.starts_with("config maps: the cached object ns/a was changed in place: before {"),
           "detector and key");
    expect(text.find(R"("was here")") > text.find("after"), "the change is in the second object");
  });
}

BOOST_AUTO_TEST_CASE(so_is_one_that_changes_the_new_state_of_an_update) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    MutationStage stage(runtime);
    stage.source->put("a");
    stage.start();
    stage.settle(3s);
    stage.source->put("a", {{"new", "state"}});
    stage.settle(3s);
    expect_equal(stage.found.size(), 0);
    stage.join(std::make_shared<MeddlingHandler>());
    stage.settle(3s);
    stage.end();
    expect(stage.found.at("a").find(R"("new":"state")") != std::string::npos, "the second state");
  });
}

BOOST_AUTO_TEST_CASE(handlers_that_only_read_are_not_accused) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    MutationStage stage(runtime);
    stage.source->put("a");
    stage.join();
    stage.start();
    stage.settle(3s);
    stage.source->put("a");
    stage.source->remove("a");
    stage.settle(3s);
    stage.end();
    expect_equal(stage.found.size(), 0);
  });
}

BOOST_AUTO_TEST_CASE(without_the_option_no_task_looks) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SharedInformerStage stage(runtime);
    stage.source->put("a");
    stage.join(std::make_shared<MeddlingHandler>());
    stage.start();
    stage.settle(3s);
    stage.end();
    expect_equal(stage.informer().indexer()->get_by_key("a")->metadata.labels.at("handler"),
                 "was here");
  });
}

BOOST_AUTO_TEST_CASE(without_a_handler_to_notify_the_detector_panics) {
  fails_somewhere(
      [](runtime::Runtime& runtime) {
        SharedInformerStage stage(runtime);
        stage.options.mutation_detector.emplace();
        stage.source->put("a");
        stage.join(std::make_shared<MeddlingHandler>());
        stage.start();
        stage.settle(3s);
        stage.end();
      },
      "exception", "a was changed in place");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
