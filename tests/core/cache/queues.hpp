#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/cache/delta_fifo.hpp"
#include "core/cache/store.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/task.hpp"
#include "tests/support/campaign.hpp"
#include "tests/support/objects.hpp"

/// What the tests of the queues share: short ways to fill, to empty and to read them.
namespace watchlab::tests {

/// A known-objects view that never changes.
class FixedObjects final : public cache::KeyListerGetter {
 public:
  explicit FixedObjects(std::vector<api::ObjectPtr> objects) : objects_(std::move(objects)) {}

  [[nodiscard]] std::vector<std::string> list_keys() const override {
    std::vector<std::string> keys;
    for (const api::ObjectPtr& object : objects_) {
      keys.push_back(api::key_of(object->metadata));
    }
    return keys;
  }
  [[nodiscard]] api::ObjectPtr get_by_key(const std::string& key) const override {
    const auto found = std::ranges::find_if(
        objects_, [&](const auto& object) { return api::key_of(object->metadata) == key; });
    return found != objects_.end() ? *found : nullptr;
  }

 private:
  std::vector<api::ObjectPtr> objects_;
};

/// "Added demo@1", "ReplacedAll 7[demo@1 other@2]", "Bookmark 9" or "SyncAll".
inline std::string text_of(const cache::Delta& delta) {
  std::string text(cache::to_string(delta.type));
  if (delta.info == nullptr) {
    return text.append(" ").append(text_of(delta.object));
  }
  if (const auto* bookmark = std::get_if<cache::BookmarkInfo>(delta.info.get())) {
    text.append(" ").append(bookmark->resource_version);
  } else if (const auto* list = std::get_if<cache::ReplacedAllInfo>(delta.info.get())) {
    text.append(" ").append(list->resource_version).append("[");
    for (const api::ObjectPtr& object : list->objects) {
      text.append(text.back() == '[' ? "" : " ").append(text_of(object));
    }
    text.append("]");
  }
  return text;
}

/// "Added demo@1, Deleted gone(demo@1)".
inline std::string text_of(const cache::Deltas& deltas) {
  std::string text;
  for (const cache::Delta& delta : deltas) {
    text.append(text.empty() ? "" : ", ").append(text_of(delta));
  }
  return text;
}

/// Whatever a queue popped, as text.
inline std::string text_of(const cache::PopItem& item) {
  const auto* deltas = std::get_if<cache::Deltas>(&item);
  return deltas != nullptr ? text_of(*deltas) : text_of(std::get<api::ObjectPtr>(item));
}

inline std::string joined(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& each : texts) {
    text.append(text.empty() ? "" : " | ").append(each);
  }
  return text;
}

inline std::string sorted(std::vector<std::string> texts) {
  std::ranges::sort(texts);
  return joined(texts);
}

/// Processes an item by doing nothing.
inline cache::Processed ignore(const cache::PopItem& /*item*/, bool /*is_in_initial_list*/) {
  return {};
}

/// Pops one item and gives it back as text. Blocks when there is none.
inline std::string pop_text(cache::Queue& queue) {
  const cache::Popped popped = queue.pop(ignore);
  return popped.outcome ? text_of(popped.item) : "error: " + popped.outcome.error().message;
}

/// Pops all that is queued, in order. Nothing may be left then.
template <typename AnyQueue>
std::vector<std::string> drain(AnyQueue& queue) {
  std::vector<std::string> texts;
  const std::size_t queued = queue.list_keys().size();
  for (std::size_t i = 0; i < queued; ++i) {
    texts.push_back(pop_text(queue));
  }
  expect(queue.list_keys().empty(), "nothing is left");
  return texts;
}

/// Pops everything until a queue that is closed for it says so.
inline std::vector<std::string> drain_closed(cache::Queue& queue) {
  queue.close();
  std::vector<std::string> texts;
  for (std::string text = pop_text(queue); !text.starts_with("error: the queue is closed");
       text = pop_text(queue)) {
    texts.push_back(std::move(text));
  }
  return texts;
}

/// Ends the body with a failure unless the result is a success.
template <typename T>
void expect_ok(const api::Result<T>& result,
               runtime::Location here = runtime::Location::current()) {
  expect(result.ok(), result.ok() ? "" : result.error().message, here);
}

/// `replace` with the objects named one by one.
inline api::Result<void> replace(cache::ReflectorStore& store, std::vector<api::ObjectPtr> items) {
  return store.replace(items, "0");
}

/// Lists one item for a new queue. Nobody may see it synced before the process function is through
/// with that: has_synced takes the lock that this runs under.
inline void expect_sync_after_the_last_item(runtime::Runtime& runtime, cache::Queue& queue) {
  expect_ok(replace(queue, {object("a")}));
  runtime::Mutex mutex(runtime);
  bool processed = false;
  const runtime::Task consumer = runtime::spawn(runtime, "consumer", [&] {
    (void)queue.pop([&](const cache::PopItem&, bool) -> cache::Processed {
      const runtime::Lock lock(mutex);
      processed = true;
      return {};
    });
  });
  while (!queue.has_synced()) {
    runtime.yield(runtime::Location::current());
  }
  {
    const runtime::Lock lock(mutex);
    expect(processed, "synced means processed");
  }
  consumer.join();
}

/// An add must wait for a process function that takes a pause. Leaves what it adds in the queue.
inline void expect_pop_keeps_the_producer_out(runtime::Runtime& runtime, cache::Queue& queue) {
  expect_ok(queue.add(object("a", "1")));
  runtime::Channel<runtime::Unit> started(runtime, 1);
  bool done = false;
  const runtime::Task producer = runtime::spawn(runtime, "producer", [&] {
    started.receive();
    expect_ok(queue.add(object("a", "2")));
    expect(done, "an add gets in only when the process function is back");
  });
  (void)queue.pop([&](const cache::PopItem&, bool) -> cache::Processed {
    started.send({});
    runtime.yield(runtime::Location::current());
    done = true;
    return {};
  });
  producer.join();
}

}  // namespace watchlab::tests
