#include "core/cache/mutation_detector.hpp"

#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "tests/core/cache/queues.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(mutation_detector_test)

namespace {

using namespace std::chrono_literals;
using cache::Mutation;
using cache::MutationDetector;

/// What no handler may do.
void change_in_place(const api::ObjectPtr& object) {
  const_cast<api::Object&>(*object).metadata.labels["handler"] = "was here";
}

/// A detector at work, and what it found.
struct Scene {
  explicit Scene(runtime::Runtime& given)
      : runtime(given),
        stop(given),
        detector(given, {.name = "pods", .on_mutation = [this](const Mutation& mutation) {
                           found.push_back(mutation);
                         }}) {}

  void play(const std::function<void()>& script) {
    const auto task = runtime::spawn(runtime, "detector", [&] { detector.run(stop.token()); });
    script();
    stop.stop();
    task.join();
  }

  runtime::Runtime& runtime;
  runtime::StopSource stop;
  std::vector<Mutation> found;
  MutationDetector detector;
};

}  // namespace

// Mirrors TestMutationDetector.
BOOST_AUTO_TEST_CASE(a_change_in_place_is_reported_with_key_before_and_after) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Scene scene(runtime);
    const api::ObjectPtr victim = object("ns/victim");
    scene.detector.add_object(object("ns/other"));
    scene.detector.add_object(victim);
    scene.play([&] {
      runtime::sleep_for(runtime, 500ms);
      change_in_place(victim);
      runtime::sleep_for(runtime, 1s);
    });
    expect_equal(scene.found.size(), 1);
    const Mutation& mutation = scene.found.front();
    expect_equal(mutation.key, "ns/victim");
    expect(mutation.before.metadata.labels.empty(), "before");
    expect_equal(mutation.after.metadata.labels.at("handler"), "was here");
    expect(mutation.text().starts_with("pods: the cached object ns/victim was changed in place"),
           "the message names detector and object");
  });
}

BOOST_AUTO_TEST_CASE(an_object_that_no_client_changes_is_never_reported) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Scene scene(runtime);
    scene.detector.add_object(object("ns/a"));
    scene.detector.add_object(tombstone("ns/b", object("ns/b")));
    scene.play([&] { runtime::sleep_for(runtime, 10s); });
    expect_equal(scene.found.size(), 0);
  });
}

BOOST_AUTO_TEST_CASE(without_a_handler_to_notify_a_mutation_is_a_panic) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    MutationDetector detector(runtime);
    const api::ObjectPtr victim = object("victim");
    detector.add_object(victim);
    detector.compare_objects();
    change_in_place(victim);
    expect_panic([&] { detector.compare_objects(); }, "victim was changed in place");
  });
}

BOOST_AUTO_TEST_CASE(an_object_is_watched_for_two_to_four_minutes_and_then_forgotten) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Scene scene(runtime);
    const api::ObjectPtr early = object("early");
    scene.detector.add_object(early);
    scene.play([&] {
      runtime::sleep_for(runtime, 3min);
      expect(early.use_count() > 1, "it is put aside, and still compared");
      runtime::sleep_for(runtime, 2min);
      expect_equal(early.use_count(), 1);
    });
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
