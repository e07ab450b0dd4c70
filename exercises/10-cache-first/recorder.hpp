#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "exercises/10-cache-first/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

/// What the tests of your processor are made of.
namespace watchlab::exercise {

/// A cache that any task may use.
class LockedCache final : public Cache {
 public:
  explicit LockedCache(runtime::Runtime& runtime) : mutex_(runtime, "cache") {}

  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    const runtime::Lock lock(mutex_);
    const auto found = objects_.find(key);
    return found == objects_.end() ? nullptr : found->second;
  }
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override {
    const runtime::Lock lock(mutex_);
    std::vector<api::ObjectPtr> objects;
    for (const auto& [key, object] : objects_) {
      objects.push_back(object);
    }
    return objects;
  }
  void put(const api::ObjectPtr& object) override {
    const runtime::Lock lock(mutex_);
    objects_[api::key_of(object->metadata)] = object;
    ++puts_;
  }
  void remove(const std::string& key) override {
    const runtime::Lock lock(mutex_);
    objects_.erase(key);
  }

  /// How often something was put.
  [[nodiscard]] int puts() const { return puts_; }

 private:
  mutable runtime::Mutex mutex_;
  std::map<std::string, api::ObjectPtr> objects_;
  int puts_ = 0;
};

/// Notes its calls, and what the cache has of the object meanwhile: "add a@1 (a@1)". The words are
/// add and was (an add that was there), update, delete and missed (a deletion).
class Recorder final : public Handler {
 public:
  explicit Recorder(const Cache& cache) : cache_(cache) {}

  void on_add(const api::ObjectPtr& object, bool was_there) override {
    note(was_there ? "was " : "add ", object, text_of(object));
  }
  void on_update(const api::ObjectPtr& before, const api::ObjectPtr& after) override {
    note("update ", after, text_of(before) + "->" + text_of(after));
  }
  void on_delete(const api::ObjectPtr& last, bool was_missed) override {
    note(was_missed ? "missed " : "delete ", last, text_of(last));
  }

  /// Each call takes a second.
  void take_time(runtime::Runtime& runtime) { runtime_ = &runtime; }
  /// All calls, with a comma between.
  [[nodiscard]] const std::string& calls() const { return calls_; }
  /// Only those of that object, without what the cache had.
  [[nodiscard]] std::string calls_of(const std::string& key) const {
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? "" : found->second;
  }
  [[nodiscard]] bool is_in_call() const { return is_in_call_; }

 private:
  void note(const std::string& what, const api::ObjectPtr& object, const std::string& states) {
    expect(!is_in_call_, "there is one call at a time");
    is_in_call_ = true;
    const std::string key = api::key_of(object->metadata);
    calls_ += (calls_.empty() ? "" : ", ") + what + states + " (" + text_of(cache_.get(key)) + ")";
    std::string& own = by_key_[key];
    own += (own.empty() ? "" : ", ") + what + states;
    if (runtime_ != nullptr) {
      runtime::sleep_for(*runtime_, std::chrono::seconds(1));
    }
    is_in_call_ = false;
  }

  const Cache& cache_;
  runtime::Runtime* runtime_ = nullptr;
  bool is_in_call_ = false;
  std::string calls_;
  std::map<std::string, std::string> by_key_;
};

/// One change.
inline Changes change(ChangeType type, const api::ObjectPtr& object, bool was_missed = false) {
  return {{type, object, was_missed}};
}

}  // namespace watchlab::exercise
