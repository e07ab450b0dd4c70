// Breaks: one pop takes one change. One line of changes, in the order in which they happened.
#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "core/cache/store.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/shared.hpp"
#include "exercises/06-tombstones/subject.hpp"

namespace watchlab::exercise {
namespace {

using cache::Delta;
using cache::DeltaType;

struct Change {
  std::string key;
  Delta delta;
  bool initial = false;  ///< queued by the first list
};

struct Line {
  std::deque<Change> changes;
  std::map<std::string, api::ObjectPtr> stored;
  bool begun = false;

  /// The newest change of an object; null when none is queued.
  Change* newest(const std::string& key) {
    const auto found = std::find_if(changes.rbegin(), changes.rend(),
                                    [&](const Change& change) { return change.key == key; });
    return found != changes.rend() ? &*found : nullptr;
  }
  /// Both together are all that exists as far as anybody was told.
  [[nodiscard]] std::set<std::string> keys() const {
    std::set<std::string> keys;
    for (const Change& change : changes) {
      keys.insert(change.key);
    }
    for (const auto& [key, object] : stored) {
      keys.insert(key);
    }
    return keys;
  }
  [[nodiscard]] api::ObjectPtr last_state(const std::string& key) {
    const Change* change = newest(key);
    return change != nullptr ? cache::object_of(change->delta.object) : stored.at(key);
  }
};

class FlatQueue final : public ChangeQueue {
 public:
  FlatQueue(runtime::Runtime& runtime, const std::vector<api::ObjectPtr>& stored)
      : runtime_(runtime), mutex_(runtime), filled_(runtime), line_(runtime, line_with(stored)) {}

  void add(const api::ObjectPtr& object) override { put(DeltaType::Added, object); }
  void update(const api::ObjectPtr& object) override { put(DeltaType::Updated, object); }
  void remove(const api::ObjectPtr& object) override {
    const runtime::Lock lock(mutex_);
    Line& line = line_.write();
    line.begun = true;
    const std::string key = api::key_of(object->metadata);
    if (line.stored.contains(key) || line.newest(key) != nullptr) {
      push_deletion(line, {.key = key, .delta = {DeltaType::Deleted, object}});
    }
  }
  void replace(const std::vector<api::ObjectPtr>& list) override {
    const runtime::Lock lock(mutex_);
    Line& line = line_.write();
    const bool initial = !std::exchange(line.begun, true);
    std::set<std::string> missing = line.keys();
    for (const api::ObjectPtr& object : list) {
      const std::string key = api::key_of(object->metadata);
      missing.erase(key);
      push(line, {.key = key, .delta = {DeltaType::Replaced, object}, .initial = initial});
    }
    for (const std::string& key : missing) {
      const auto tombstone = std::make_shared<const cache::DeletedFinalStateUnknown>(
          cache::DeletedFinalStateUnknown{.key = key, .object = line.last_state(key)});
      push_deletion(line,
                    {.key = key, .delta = {DeltaType::Deleted, tombstone}, .initial = initial});
    }
  }
  void resync() override {
    const runtime::Lock lock(mutex_);
    Line& line = line_.write();
    for (const auto& [key, object] : line.stored) {
      if (line.newest(key) == nullptr) {
        push(line, {.key = key, .delta = {DeltaType::Sync, object}});
      }
    }
  }

  [[nodiscard]] cache::Deltas pop() override {
    runtime::Lock lock(mutex_);
    while (line_.read().changes.empty()) {
      filled_.wait(lock);
    }
    Line& line = line_.write();
    const Change change = std::move(line.changes.front());
    line.changes.pop_front();
    if (change.delta.type == DeltaType::Deleted) {
      line.stored.erase(change.key);
    } else {
      line.stored[change.key] = cache::object_of(change.delta.object);
    }
    return {change.delta};
  }

  [[nodiscard]] bool has_synced() const override {
    const runtime::Lock lock(mutex_);
    return line_.read().begun && std::ranges::none_of(line_.read().changes, [](const Change& each) {
             return each.initial;
           });
  }
  [[nodiscard]] bool empty() const override {
    const runtime::Lock lock(mutex_);
    return line_.read().changes.empty();
  }
  [[nodiscard]] std::vector<api::ObjectPtr> stored() const override {
    std::vector<api::ObjectPtr> objects;
    {
      const runtime::Lock lock(mutex_);
      for (const auto& [key, object] : line_.read().stored) {
        objects.push_back(object);
      }
    }
    return cache::in_visiting_order(runtime_, std::move(objects), "stored");
  }

 private:
  static Line line_with(const std::vector<api::ObjectPtr>& stored) {
    Line line;
    for (const api::ObjectPtr& object : stored) {
      line.stored[api::key_of(object->metadata)] = object;
    }
    return line;
  }
  void put(DeltaType type, const api::ObjectPtr& object) {
    const runtime::Lock lock(mutex_);
    Line& line = line_.write();
    line.begun = true;
    push(line, {.key = api::key_of(object->metadata), .delta = {type, object}});
  }
  /// The lock must be held.
  void push(Line& line, Change change) {
    line.changes.push_back(std::move(change));
    filled_.notify_all();
  }
  void push_deletion(Line& line, Change change) {
    Change* before = line.newest(change.key);
    if (before == nullptr || before->delta.type != DeltaType::Deleted) {
      push(line, std::move(change));
    } else if (cache::is_tombstone(before->delta.object)) {
      before->delta = change.delta;
    }
  }

  runtime::Runtime& runtime_;
  mutable runtime::Mutex mutex_;
  runtime::CondVar filled_;
  runtime::Shared<Line> line_;
};

}  // namespace

std::unique_ptr<ChangeQueue> make_queue(runtime::Runtime& runtime,
                                        std::vector<api::ObjectPtr> stored) {
  return std::make_unique<FlatQueue>(runtime, stored);
}

}  // namespace watchlab::exercise
