#include "tests/examples/publishing_controller.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/core/cache/fake_source.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(publishing_controller_test)

namespace {

/// What was published, and a wish to fail. Locked, because several workers publish.
struct Outside {
  explicit Outside(runtime::Runtime& runtime) : mutex(runtime, "outside") {}

  examples::Publish publish() {
    return [this](const std::string& key, const api::ObjectPtr& object) -> api::Result<void> {
      const runtime::Lock lock(mutex);
      if (failures > 0) {
        --failures;
        return refused();
      }
      object ? (void)(published[key] = text_of(object)) : (void)published.erase(key);
      return {};
    };
  }
  std::string contents() {
    const runtime::Lock lock(mutex);
    std::string text;
    for (const auto& [key, state] : published) {
      text.append(text.empty() ? "" : " ").append(state);
    }
    return text;
  }

  runtime::Mutex mutex;
  std::map<std::string, std::string> published;
  int failures = 0;
};

/// A server, an informer, a controller with two workers, and what it publishes.
struct ControllerStage {
  explicit ControllerStage(runtime::Runtime& runtime_in)
      : runtime(runtime_in),
        source(std::make_shared<FakeSource>(runtime)),
        outside(runtime),
        stop(runtime),
        factory(runtime, [this](const auto&, const auto&) { return source; }),
        controller(runtime, factory, outside.publish()) {}

  void play(const std::function<void()>& script) {
    factory.start(stop.token());
    const runtime::Task running =
        runtime::spawn(runtime, "controller", [this] { controller.run(stop.token(), 2); });
    script();
    stop.stop();
    running.join();
    factory.shutdown();
  }
  /// Waits until what is outside is what the server has.
  void agree() {
    while (outside.contents() != source->contents()) {
      runtime::sleep_for(runtime, 1ms);
    }
  }

  runtime::Runtime& runtime;
  std::shared_ptr<FakeSource> source;
  Outside outside;
  runtime::StopSource stop;
  informers::SharedInformerFactory factory;
  examples::PublishingController controller;
};

}  // namespace

BOOST_AUTO_TEST_CASE(whatever_happens_in_between_the_outside_agrees_in_the_end) {
  holds_everywhere([](runtime::Runtime& runtime) {
    ControllerStage stage(runtime);
    stage.source->put("before");
    stage.play([&] {
      for (int i = 0; i < 3; ++i) {
        stage.source->put("a");
        stage.source->put("b");
        stage.source->remove("a");
      }
      stage.agree();
    });
  });
}

BOOST_AUTO_TEST_CASE(what_fails_is_tried_again_after_ever_longer_pauses) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ControllerStage stage(runtime);
    stage.outside.failures = 5;
    stage.source->put("a");
    const runtime::TimePoint start = runtime.now();
    stage.play([&] { stage.agree(); });
    const runtime::Duration took = runtime.now() - start;
    // 5 + 10 + 20 + 40 + 80 ms, and up to a poll for the sync before it and for the end after it.
    expect(155ms <= took && took <= 155ms + 102ms, fmt::format("it took {} ms", took / 1ms));
  });
}

BOOST_AUTO_TEST_CASE(a_deletion_that_the_watch_missed_is_taken_back_outside) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ControllerStage stage(runtime);
    stage.source->put("a");
    stage.play([&] {
      stage.agree();
      stage.source->remove_unseen("a");
      stage.source->reset_watches();
      stage.agree();
    });
  });
}

BOOST_AUTO_TEST_CASE(it_ends_when_the_stop_comes_before_the_first_list) {
  holds_everywhere([](runtime::Runtime& runtime) {
    ControllerStage stage(runtime);
    stage.play([] {});
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
