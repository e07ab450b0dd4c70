#include <boost/test/unit_test.hpp>
#include <set>

#include "tests/core/cache/informer_stage.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(informer_deletions_test)

namespace {

/// Objects are put with the label `check`, first "from" and then "to", by three tasks. A handler
/// deletes what it sees become "to".
struct Transitions {
  explicit Transitions(InformerStage& stage_in) : stage(stage_in) {
    stage.options.handler =
        cache::make_handler({.update =
                                 [this](const api::ObjectPtr& before, const api::ObjectPtr& after) {
                                   const std::string& from = before->metadata.labels.at("check");
                                   const std::string& to = after->metadata.labels.at("check");
                                   expect(from == "from" && to == "to", from + " -> " + to);
                                   ++updates;
                                   stage.source->remove(api::key_of(after->metadata));
                                 },
                             .remove = [this](const cache::Item&) { ++deletions; }});
  }
  void put_twice(const std::string& key) const {
    stage.source->put(key, {{"check", "from"}});
    stage.source->put(key, {{"check", "to"}});
  }

  InformerStage& stage;
  int updates = 0;
  int deletions = 0;
};

}  // namespace

// Mirrors ExampleNewInformer, whose handler deletes through the source what it receives.
BOOST_AUTO_TEST_CASE(a_handler_can_delete_what_it_is_notified_of_through_the_source) {
  for (const char* name : kThreeMachines) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      InformerStage stage(runtime);
      stage.options.machine = listing_machine(name);
      std::multiset<std::string> deleted_keys;
      stage.options.reflector.resync_period = 100ms;
      stage.options.handler = cache::make_handler(
          {.add = [&](const auto& object,
                      bool) { stage.source->remove(api::key_of(object->metadata)); },
           .remove =
               [&](const cache::Item& item) {
                 deleted_keys.insert(*cache::deletion_handling_meta_namespace_key(item));
               }});
      stage.start();
      for (const char* key : {"a-hello", "b-controller", "c-framework"}) {
        stage.source->put(key);
      }
      stage.settle();
      expect(deleted_keys == std::multiset<std::string>{"a-hello", "b-controller", "c-framework"},
             "each is deleted once");
      expect_equal(contents_of(*stage.informer.store), "");
      stage.running->end();
    });
  }
}

// Mirrors TestUpdate.
BOOST_AUTO_TEST_CASE(each_object_is_updated_as_the_source_says_and_then_deleted) {
  for (const char* name : kThreeMachines) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      InformerStage stage(runtime);
      stage.options.machine = listing_machine(name);
      Transitions transitions(stage);
      stage.start();
      stage.settle();
      std::vector<runtime::Task> writers;
      for (const char* key : {"a", "b", "c"}) {
        writers.push_back(
            runtime::spawn(runtime, "writer", [&transitions, key] { transitions.put_twice(key); }));
      }
      for (const runtime::Task& writer : writers) {
        writer.join();
      }
      stage.settle();
      expect_equal(transitions.updates, 3);
      expect_equal(transitions.deletions, 3);
      expect_equal(stage.source->lists, 1);
      expect_equal(stage.source->watches, 1);
      expect_equal(contents_of(*stage.informer.store), "");
      stage.running->end();
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
