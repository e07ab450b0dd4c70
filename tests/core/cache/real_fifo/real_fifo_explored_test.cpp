// Every order of a small world: two producers of two changes each, a list, and a consumer.
#include <boost/test/unit_test.hpp>
#include <map>

#include "core/cache/real_fifo.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/explore.hpp"
#include "tests/core/cache/queues.hpp"
#include "tests/core/cache/real_fifo/real_fifos.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(real_fifo_explored_test)

namespace {

using cache::Deltas;
using cache::DeltaType;
using cache::RealFIFO;

/// The consumer's store. It needs no lock: with a queue that is not atomic it is used under the
/// queue's, and otherwise by the consumer alone.
class ModelStore final : public cache::KeyListerGetter {
 public:
  explicit ModelStore(runtime::Runtime& runtime) : objects_(runtime, {}, "model") {}

  [[nodiscard]] std::vector<std::string> list_keys() const override {
    std::vector<std::string> keys;
    for (const auto& [key, object] : objects_.read()) {
      keys.push_back(key);
    }
    return keys;
  }
  [[nodiscard]] api::ObjectPtr get_by_key(const std::string& key) const override {
    const auto found = objects_.read().find(key);
    return found != objects_.read().end() ? found->second : nullptr;
  }
  void put(const api::ObjectPtr& object) { objects_.write()[object->metadata.name] = object; }
  void remove(const cache::Item& item) { objects_.write().erase(*key_of(item)); }
  void replace(const std::vector<api::ObjectPtr>& objects) {
    objects_.write().clear();
    for (const api::ObjectPtr& object : objects) {
      put(object);
    }
  }
  [[nodiscard]] std::string contents() const {
    std::string text;
    for (const auto& [key, object] : objects_.read()) {
      text.append(text.empty() ? "" : " ").append(text_of(object));
    }
    return text;
  }

  static api::Result<std::string> key_of(const cache::Item& item) {
    return cache::deletion_handling_meta_namespace_key(item);
  }

 private:
  runtime::Shared<std::map<std::string, api::ObjectPtr>> objects_;
};

/// The consumer, and what it has seen.
struct Consumer {
  explicit Consumer(runtime::Runtime& runtime) : store(runtime) {}

  void apply(const cache::Delta& delta, bool is_initial) {
    expect(!is_initial || !was_later, "nothing of the first list comes after something later");
    was_later = !is_initial;
    if (delta.info != nullptr) {
      if (const auto* list = std::get_if<cache::ReplacedAllInfo>(delta.info.get())) {
        for (const api::ObjectPtr& object : list->objects) {
          popped.push_back(text_of(object));
        }
        store.replace(list->objects);
        ++lists;
      }
      return;
    }
    if (!cache::is_tombstone(delta.object)) {
      popped.push_back(text_of(cache::object_of(delta.object)));
    }
    lists += delta.type == DeltaType::Replaced ? 1 : 0;
    if (delta.type == DeltaType::Deleted) {
      store.remove(delta.object);
    } else {
      store.put(cache::object_of(delta.object));
    }
  }

  ModelStore store;
  std::vector<std::string> popped;  ///< objects in the order of their deltas, no tombstones
  int lists = 0;                    ///< how many lists, of one object each, were handled
  bool was_later = false;           ///< than the first list, the last delta
};

/// The machine, and whether it is popped in batches.
struct World {
  Machine machine;
  bool in_batches;
};

void consume_until_closed(RealFIFO& queue, Consumer& consumer, bool in_batches) {
  const auto one = [&](const cache::PopItem& item, bool is_initial) -> cache::Processed {
    consumer.apply(std::get<Deltas>(item).front(), is_initial);
    return {};
  };
  const auto several = [&](const Deltas& deltas, bool is_initial) -> api::Result<void> {
    for (const cache::Delta& delta : deltas) {
      consumer.apply(delta, is_initial);
    }
    return {};
  };
  while (true) {
    const api::Result<void> popped =
        in_batches ? queue.pop_batch(several, one) : queue.pop(one).outcome;
    if (!popped && popped.error().kind == api::ErrorKind::Closed) {
      return;
    }
  }
}

/// Two producers of two changes each, one list of x alone, and a consumer until all is popped. What
/// is transformed is written down in its order, which is that of the queue: both happen under its
/// lock.
void play(runtime::Runtime& runtime, const World& world) {
  Consumer consumer(runtime);
  consumer.store.put(object("known", "0"));
  std::vector<std::string> queued;
  cache::RealFIFOOptions options = options_of(world.machine, consumer.store);
  options.transformer = [&](const api::ObjectPtr& given) -> api::Result<api::ObjectPtr> {
    queued.push_back(text_of(given));
    return given;
  };
  RealFIFO queue(runtime, options);
  const runtime::Task consuming = runtime::spawn(
      runtime, "consumer", [&] { consume_until_closed(queue, consumer, world.in_batches); });
  const runtime::Task first = runtime::spawn(runtime, "first", [&] {
    expect_ok(queue.add(object("a", "1")));
    expect_ok(queue.update(object("a", "2")));
  });
  const runtime::Task second = runtime::spawn(runtime, "second", [&] {
    expect_ok(queue.add(object("b", "1")));
    expect_ok(queue.remove(object("b", "2")));
  });
  const runtime::Task lister =
      runtime::spawn(runtime, "lister", [&] { expect_ok(replace(queue, {object("x", "9")})); });
  for (const runtime::Task* task : {&first, &second, &lister}) {
    task->join();
  }
  queue.close();
  consuming.join();

  expect_equal(joined(consumer.popped), joined(queued));
  expect_equal(consumer.lists, 1);
  expect(queue.has_synced(), "all is popped, so it has synced");
  // The list ends what came before it and is not in it.
  const auto list = std::ranges::find(queued, "x@9");
  const bool a_is_later = std::find(list, queued.end(), "a@2") != queued.end();
  expect_equal(consumer.store.contents(), a_is_later ? "a@2 x@9" : "x@9");
}

sim::ExploreResult exhaust(const std::function<void(runtime::Runtime&)>& body) {
  return sim::explore({.strategy = "dpor", .schedules_max = 2'000'000}, body);
}

/// Explores the world to its end and reports how many runs that were.
void check_exhausted(const World& world) {
  BOOST_TEST_CONTEXT(world.machine.name << (world.in_batches ? ", in batches" : "")) {
    const sim::ExploreResult result =
        exhaust([&](runtime::Runtime& runtime) { play(runtime, world); });
    BOOST_TEST(result.exhausted);
    BOOST_TEST(!result.failure.has_value());
    BOOST_TEST_MESSAGE(world.machine.name << (world.in_batches ? ", in batches: " : ": ")
                                          << result.executions << " runs");
  }
}

/// Bookmarks and resyncs come before, between and after; none of them is the first change.
void play_bookmarks(runtime::Runtime& runtime, const Machine& machine) {
  Consumer consumer(runtime);
  RealFIFO queue(runtime, options_of(machine, consumer.store));
  const runtime::Task first = runtime::spawn(runtime, "first", [&] {
    expect_ok(queue.bookmark("1"));
    expect_ok(queue.bookmark("2"));
  });
  const runtime::Task lister =
      runtime::spawn(runtime, "lister", [&] { expect_ok(replace(queue, {object("x", "9")})); });
  for (int i = 0; i < 3; ++i) {
    (void)queue.pop([&](const cache::PopItem& item, bool is_initial) -> cache::Processed {
      consumer.apply(std::get<Deltas>(item).front(), is_initial);
      return {};
    });
    expect(!queue.has_synced() || consumer.lists == 1, "synced means that the list was handled");
  }
  first.join();
  lister.join();
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_order_of_changes_a_list_and_a_consumer_holds_one_by_one) {
  for (const Machine& machine : kMachines) {
    check_exhausted({.machine = machine, .in_batches = false});
  }
}

BOOST_AUTO_TEST_CASE(every_order_of_changes_a_list_and_a_consumer_holds_in_batches) {
  for (const Machine& machine : kMachines) {
    check_exhausted({.machine = machine, .in_batches = true});
  }
}

// E1, a live bug of 0.36: what was popped before the first list, and is still being processed when
// that comes, counts as one of its items.
BOOST_AUTO_TEST_CASE(a_bookmark_that_is_being_processed_eats_the_count_of_the_first_list) {
  const Machine unlocks = kMachines[1];
  const sim::ExploreResult found =
      exhaust([&](runtime::Runtime& runtime) { play_bookmarks(runtime, unlocks); });
  BOOST_REQUIRE(found.failure.has_value());
  BOOST_TEST(found.failure->sentence.find("synced means that the list was handled") !=
             std::string::npos);
  const Machine locked = kMachines[2];
  const sim::ExploreResult clean =
      exhaust([&](runtime::Runtime& runtime) { play_bookmarks(runtime, locked); });
  BOOST_TEST(clean.exhausted);
  BOOST_TEST(!clean.failure.has_value());
  BOOST_TEST_MESSAGE("without unlocking: " << clean.executions << " runs");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
