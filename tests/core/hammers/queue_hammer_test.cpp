// The two queues between several producers, a consumer, lists, resyncs and a close that comes when
// it likes.
#include <boost/test/unit_test.hpp>

#include "core/cache/cache.hpp"
#include "core/cache/delta_fifo.hpp"
#include "core/cache/fifo.hpp"
#include "core/cache/informer.hpp"
#include "tests/core/cache/fake_source.hpp"
#include "tests/core/hammers/hammer.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(queue_hammer_test)

namespace {

/// What a server has, and a queue that receives each change in the order of the changes. A real
/// one has a single producer; here a lock makes one of several.
class Producers {
 public:
  Producers(runtime::Runtime& runtime, cache::Queue& queue)
      : runtime_(runtime), queue_(queue), mutex_(runtime, "server") {}

  void change() {
    Dice dice(runtime_);
    for (int i = 0; i < 5; ++i) {
      const std::string key(1, "abc"[dice.roll(3, "key")]);
      dice.one_in(3, "remove") ? remove(key) : put(key);
    }
  }
  void list() {
    for (int i = 0; i < 2; ++i) {
      const runtime::Lock lock(mutex_);
      std::vector<api::ObjectPtr> items;
      for (const auto& [key, state] : objects_) {
        items.push_back(state);
      }
      expect(queue_.replace(items, std::to_string(version_)).ok(), "a list is taken");
    }
  }
  void resync() {
    for (int i = 0; i < 3; ++i) {
      expect(queue_.resync().ok(), "a resync is taken");
    }
  }
  [[nodiscard]] std::string contents() {
    const runtime::Lock lock(mutex_);
    std::string text;
    for (const auto& [key, state] : objects_) {
      text.append(text.empty() ? "" : " ").append(text_of(state));
    }
    return text;
  }

 private:
  void put(const std::string& key) {
    const runtime::Lock lock(mutex_);
    const bool is_new = !objects_.contains(key);
    objects_[key] = object(key, std::to_string(++version_));
    const cache::Item item(objects_[key]);
    expect((is_new ? queue_.add(item) : queue_.update(item)).ok(), "a change is taken");
  }
  void remove(const std::string& key) {
    const runtime::Lock lock(mutex_);
    if (objects_.erase(key) > 0) {
      expect(queue_.remove(object(key, std::to_string(++version_))).ok(), "a deletion is taken");
    }
  }

  runtime::Runtime& runtime_;
  cache::Queue& queue_;
  runtime::Mutex mutex_;
  int version_ = 0;
  std::map<std::string, api::ObjectPtr> objects_;
};

/// Two who change, one who lists and one who resyncs, until all have ended.
void produce(runtime::Runtime& runtime, Producers& producers) {
  std::vector<runtime::Task> tasks;
  const auto go = [&](std::string_view name, void (Producers::*work)()) {
    tasks.push_back(runtime::spawn(runtime, name, [&producers, work] { (producers.*work)(); }));
  };
  go("writer", &Producers::change);
  go("writer", &Producers::change);
  go("lister", &Producers::list);
  go("resyncer", &Producers::resync);
  for (const runtime::Task& task : tasks) {
    task.join();
  }
}

/// Pops until the queue is closed and empty.
void consume(cache::Queue& queue, const cache::PopProcess& process) {
  while (true) {
    const cache::Popped popped = queue.pop(process);
    if (!popped.outcome && popped.outcome.error().kind == api::ErrorKind::Closed) {
      return;
    }
  }
}

void fill_a_store_through_deltas(runtime::Runtime& runtime) {
  cache::Cache store(runtime, cache::deletion_handling_meta_namespace_key);
  cache::DeltaFIFO queue(runtime, {.known_objects = &store, .emit_replaced = true});
  Producers producers(runtime, queue);
  OrderHandler handler;
  Dice dice(runtime);
  const bool sometimes_again = dice.one_in(2, "requeue");
  const runtime::Task consumer = runtime::spawn(runtime, "consumer", [&] {
    int pops = 0;
    consume(queue, [&](const cache::PopItem& item, bool is_initial) -> cache::Processed {
      if (sometimes_again && ++pops % 4 == 0) {
        return cache::ErrRequeue{};
      }
      return cache::process_deltas({.runtime = runtime, .handler = handler, .store = store},
                                   std::get<cache::Deltas>(item), is_initial);
    });
  });
  produce(runtime, producers);
  producers.list();
  queue.close();
  consumer.join();
  expect_equal(contents_of(store), producers.contents());
}

void see_only_newer_states(runtime::Runtime& runtime) {
  cache::FIFO queue(runtime);
  Producers producers(runtime, queue);
  std::map<std::string, int> newest;
  runtime::Mutex newest_mutex(runtime, "newest");
  const auto process = [&](const cache::PopItem& item, bool) -> cache::Processed {
    const api::ObjectPtr& state = std::get<api::ObjectPtr>(item);
    const int version = std::stoi(state->metadata.resource_version);
    const runtime::Lock lock(newest_mutex);
    expect(version >= newest[state->metadata.name], "no older state comes after a newer one");
    newest[state->metadata.name] = version;
    return {};
  };
  std::vector<runtime::Task> consumers;
  for (int i = 0; i < 2; ++i) {
    consumers.push_back(runtime::spawn(runtime, "consumer", [&] { consume(queue, process); }));
  }
  const runtime::Task closer = runtime::spawn(runtime, "closer", [&] {
    if (Dice(runtime).one_in(2, "close early")) {
      queue.close();
    }
  });
  produce(runtime, producers);
  closer.join();
  queue.close();
  for (const runtime::Task& consumer : consumers) {
    consumer.join();
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(deltas_keep_a_store_in_step_with_any_lists_and_resyncs) {
  hammer(fill_a_store_through_deltas);
}

BOOST_AUTO_TEST_CASE(the_plain_queue_never_goes_back_to_an_older_state) {
  hammer(see_only_newer_states);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
