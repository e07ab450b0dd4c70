#pragma once

// What the right queues have in common: a queue of core, the store that its consumer keeps, and a
// look at both that takes no step of the world.
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/cache/queue.hpp"
#include "core/runtime/ensure.hpp"
#include "exercises/16-state-it/subject.hpp"

namespace watchlab::exercise {

/// The consumer's store. It is used under the queue's lock only.
class KeptStore final : public cache::KeyListerGetter {
 public:
  [[nodiscard]] std::vector<std::string> list_keys() const override {
    std::vector<std::string> keys;
    for (const auto& [key, object] : objects) {
      keys.push_back(key);
    }
    return keys;
  }
  [[nodiscard]] api::ObjectPtr get_by_key(const std::string& key) const override {
    const auto found = objects.find(key);
    return found == objects.end() ? nullptr : found->second;
  }
  void apply(const std::vector<Change>& changes) {
    for (const Change& change : changes) {
      if (change.object == nullptr) {
        objects.erase(change.name);
      } else {
        objects[change.name] = change.object;
      }
    }
  }

  std::map<std::string, api::ObjectPtr> objects;
};

/// How much is queued.
class Depth final : public cache::QueueDepthMetrics {
 public:
  void depth_is(std::size_t depth) override { now = depth; }

  std::size_t now = 0;
};

/// What a delta about one object does to the store.
inline std::vector<Change> change_of(const cache::Delta& delta) {
  const bool is_gone = delta.type == cache::DeltaType::Deleted;
  const api::ObjectPtr object = cache::object_of(delta.object);
  return {{api::key_of(object->metadata), is_gone ? nullptr : object}};
}

/// `Queue` is one of core; `changes_of` says what a delta does to the store.
template <typename Queue>
class KeptQueue final : public ChangeQueue {
 public:
  using ChangesOf = std::vector<Change> (*)(const cache::Delta& delta, const KeptStore& store);

  /// `make_options` gets the store and what measures the queue.
  template <typename MakeOptions>
  KeptQueue(runtime::Runtime& runtime, MakeOptions make_options, ChangesOf changes_of)
      : changes_of_(changes_of), queue_(runtime, make_options(&store_, depth_)) {}

  void put(const api::ObjectPtr& object) override { check(queue_.update(object)); }
  void remove(const api::ObjectPtr& object) override { check(queue_.remove(object)); }
  void replace(const std::vector<api::ObjectPtr>& list) override {
    check(queue_.replace(list, "0"));
  }
  void resync() override { check(queue_.resync()); }
  [[nodiscard]] std::vector<Change> pop() override {
    std::vector<Change> all;
    const auto store = [&](const cache::PopItem& item, bool) {
      for (const cache::Delta& delta : std::get<cache::Deltas>(item)) {
        const std::vector<Change> changes = changes_of_(delta, store_);
        store_.apply(changes);
        all.insert(all.end(), changes.begin(), changes.end());
      }
      return cache::Processed();
    };
    check(queue_.pop(store).outcome);
    return all;
  }
  [[nodiscard]] std::vector<api::ObjectPtr> stored() const override {
    std::vector<api::ObjectPtr> stored;
    for (const auto& [key, object] : store_.objects) {
      stored.push_back(object);
    }
    return stored;
  }
  [[nodiscard]] bool is_at_rest() const override { return depth_->now == 0; }

 private:
  static void check(const api::Result<void>& result) {
    runtime::ensure(result.ok(), "an object with a name has a key, and the queue is never closed");
  }

  ChangesOf changes_of_;
  KeptStore store_;
  std::shared_ptr<Depth> depth_ = std::make_shared<Depth>();
  Queue queue_;
};

}  // namespace watchlab::exercise
