// The trio of 2014. Mirrors TestCache, TestFIFO_basic, TestFIFO_addUpdate and the reflector tests
// of that time.
#include <boost/test/unit_test.hpp>
#include <deque>

#include "core/cache/first/cache.hpp"
#include "core/cache/first/fifo.hpp"
#include "core/cache/first/reflector.hpp"
#include "core/cache/list_watch.hpp"
#include "core/runtime/task.hpp"
#include "core/watch/fake_watcher.hpp"
#include "tests/support/campaign.hpp"
#include "tests/support/objects.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(first_test)

namespace {

namespace first = cache::first;
using runtime::Runtime;

void check_store(first::Store& store) {
  store.add("a", object("a", "1"));
  store.update("b", object("b", "1"));
  store.update("a", object("a", "2"));
  expect_equal(text_of(store.get("a")), "a@2");
  expect(store.list().size() == 2, "one object an id");
  store.remove("a");
  store.remove("a");
  expect(store.get("a") == nullptr, "a removed object is gone");
  expect_equal(text_of(store.list().front()), "b@1");
}

/// A reflector at work on a store, fed by hand.
struct Scene {
  explicit Scene(Runtime& given) : runtime(given), store(given), stop(given) {}

  /// Runs the reflector over these watches while `script` plays.
  void play(std::deque<std::shared_ptr<watch::FakeWatcher>> watches,
            const std::function<void()>& script) {
    const auto next_watch =
        [&](const runtime::StopToken&,
            const api::ListOptions& options) -> api::Result<std::shared_ptr<watch::Watcher>> {
      expect(options == api::ListOptions{}, "the first reflector asks for nothing special");
      started.push_back(runtime.now());
      if (watches.empty()) {
        return api::Error{.kind = api::ErrorKind::ConnectionRefused, .message = "refused"};
      }
      const std::shared_ptr<watch::Watcher> watcher = watches.front();
      watches.pop_front();
      return watcher;
    };
    cache::ListWatch source({}, next_watch);
    first::Reflector reflector(runtime, source, store, {.expected_kind = "ConfigMap"});
    const auto task = runtime::spawn(runtime, "reflector", [&] { reflector.run(stop.token()); });
    script();
    stop.stop();
    task.join();
  }

  Runtime& runtime;
  first::Cache store;
  runtime::StopSource stop;
  std::vector<runtime::TimePoint> started;
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_cache_keeps_the_newest_object_of_each_id) {
  holds_in_every_world([](Runtime& runtime) {
    first::Cache store(runtime);
    check_store(store);
  });
}

BOOST_AUTO_TEST_CASE(the_queue_is_a_store_too) {
  holds_in_every_world([](Runtime& runtime) {
    first::FIFO store(runtime);
    check_store(store);
  });
}

BOOST_AUTO_TEST_CASE(an_object_is_popped_once_and_in_its_newest_state) {
  holds_in_every_world([](Runtime& runtime) {
    first::FIFO queue(runtime);
    queue.add("a", object("a", "1"));
    queue.add("gone", object("gone", "1"));
    queue.add("b", object("b", "1"));
    queue.update("a", object("a", "2"));
    queue.remove("gone");
    expect_equal(text_of(queue.pop()), "a@2");
    expect_equal(text_of(queue.pop()), "b@1");
    expect(queue.list().empty(), "all is popped");
  });
}

BOOST_AUTO_TEST_CASE(a_pop_waits_for_an_object) {
  holds_everywhere([](Runtime& runtime) {
    first::FIFO queue(runtime);
    const auto producer =
        runtime::spawn(runtime, "producer", [&] { queue.add("a", object("a", "1")); });
    expect_equal(text_of(queue.pop()), "a@1");
    producer.join();
  });
}

BOOST_AUTO_TEST_CASE(each_event_changes_the_store) {
  holds_in_every_world([](Runtime& runtime) {
    Scene scene(runtime);
    const auto watcher = std::make_shared<watch::FakeWatcher>(runtime);
    scene.play({watcher}, [&] {
      watcher->add(object("a", "1"));
      watcher->add(object("b", "2"));
      watcher->modify(object("a", "3"));
      watcher->remove(object("b", "4"));
      runtime::sleep_for(runtime, std::chrono::milliseconds(1));
    });
    expect_equal(text_of(scene.store.get("a")), "a@3");
    expect(scene.store.get("b") == nullptr, "a deleted object is gone");
  });
}

BOOST_AUTO_TEST_CASE(objects_of_another_kind_are_passed_over) {
  holds_in_every_world([](Runtime& runtime) {
    Scene scene(runtime);
    const auto watcher = std::make_shared<watch::FakeWatcher>(runtime);
    scene.play({watcher}, [&] {
      api::Object pod = *object("pod");
      pod.kind = "Pod";
      watcher->add(std::make_shared<const api::Object>(pod));
      watcher->error(api::failure(api::StatusReason::Expired, "too old"));
      runtime::sleep_for(runtime, std::chrono::milliseconds(1));
    });
    expect(scene.store.list().empty(), "a pod is no config map");
  });
}

BOOST_AUTO_TEST_CASE(a_watch_that_ended_or_was_refused_starts_again_after_the_pause) {
  holds_in_every_world([](Runtime& runtime) {
    Scene scene(runtime);
    const auto watcher = std::make_shared<watch::FakeWatcher>(runtime);
    scene.play({watcher}, [&] {
      watcher->stop();
      runtime::sleep_for(runtime, std::chrono::seconds(12));
    });
    expect_equal(scene.started.size(), 3);
    expect(scene.started[1] - scene.started[0] == std::chrono::seconds(5), "five seconds later");
    expect(scene.started[2] - scene.started[1] == std::chrono::seconds(5), "and again");
  });
}

// The reason for the list that came later.
BOOST_AUTO_TEST_CASE(what_is_deleted_between_two_watches_stays_in_the_store_indefinitely) {
  holds_in_every_world([](Runtime& runtime) {
    Scene scene(runtime);
    const auto before = std::make_shared<watch::FakeWatcher>(runtime);
    const auto after = std::make_shared<watch::FakeWatcher>(runtime);
    scene.play({before, after}, [&] {
      before->add(object("ghost", "1"));
      before->add(object("a", "2"));
      before->stop();
      after->add(object("a", "2"));
      runtime::sleep_for(runtime, std::chrono::milliseconds(1));
    });
    expect_equal(text_of(scene.store.get("ghost")), "ghost@1");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
