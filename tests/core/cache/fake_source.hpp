#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/cache/resource_event_handler.hpp"
#include "core/cache/store.hpp"
#include "core/features/release_profile.hpp"
#include "core/runtime/mutex.hpp"
#include "tests/core/cache/scripted_server.hpp"

/// What the tests of the informers share: a small server that keeps objects and reports their
/// changes, and a handler that keeps minutes.
namespace watchlab::tests {

/// Objects, and every change of them, behind the face of a server. Mirrors client-go
/// tools/cache/testing/fake_controller_source.go, FakeControllerSource, as far as tests here need
/// it. Any task may call any function. A watch may leave 100 events unread.
class FakeSource : public cache::ListerWatcher {
 public:
  explicit FakeSource(runtime::Runtime& runtime) : runtime_(runtime), mutex_(runtime, "source") {}

  /// Adds the object, or changes it.
  void put(const std::string& key, api::Labels labels = {}) { change(key, labels, true); }
  void remove(const std::string& key) { drop(key, true); }
  /// The same, unobserved: running watches miss it.
  void put_unseen(const std::string& key) { change(key, {}, false); }
  void remove_unseen(const std::string& key) { drop(key, false); }

  /// Closes all running watches in an orderly way.
  void close_watches() {
    for (const auto& watcher : take_watchers()) {
      watcher->stop();
    }
  }
  /// Closes all watches and forgets the past, the present included: the next watch must
  /// list, even one that knows the last change but missed an unseen one before it.
  void reset_watches() {
    {
      const runtime::Lock lock(mutex_);
      changes_.clear();
      oldest_ = ++version_;
    }
    close_watches();
  }

  [[nodiscard]] api::Result<api::ObjectList> list(const runtime::StopToken& /*stop*/,
                                                  const api::ListOptions& /*options*/) override {
    const runtime::Lock lock(mutex_);
    ++lists;
    api::ObjectList list = listing(std::to_string(version_));
    for (const auto& [key, state] : objects_) {
      list.items.push_back(state);
    }
    return list;
  }
  [[nodiscard]] api::Result<WatcherPtr> watch(const runtime::StopToken& /*stop*/,
                                              const api::ListOptions& options) override {
    const runtime::Lock lock(mutex_);
    ++watches;
    const int from = std::stoi(options.resource_version);
    if (from < oldest_) {
      return status_error(api::StatusReason::Expired);
    }
    auto watcher = std::make_shared<watch::RaceFreeFakeWatcher>(runtime_);
    for (const watch::Event& change : changes_) {
      if (std::stoi(change.object->metadata.resource_version) > from) {
        watcher->action(change);
      }
    }
    watchers_.push_back(watcher);
    return WatcherPtr(watcher);
  }

  /// "a@1 b@2": what there is, by key.
  [[nodiscard]] std::string contents() {
    const runtime::Lock lock(mutex_);
    std::string text;
    for (const auto& [key, state] : objects_) {
      text.append(text.empty() ? "" : " ").append(text_of(state));
    }
    return text;
  }

  std::atomic<int> lists = 0;    ///< tests look at it without the lock
  std::atomic<int> watches = 0;  ///< and at this, the refused ones included

 private:
  void change(const std::string& key, const api::Labels& labels, bool seen) {
    const runtime::Lock lock(mutex_);
    const bool existed = objects_.contains(key);
    objects_[key] = object(key, std::to_string(++version_), labels);
    notify(event(existed ? watch::EventType::Modified : watch::EventType::Added, objects_[key]),
           seen);
  }
  void drop(const std::string& key, bool seen) {
    const runtime::Lock lock(mutex_);
    objects_.erase(key);
    notify(event(watch::EventType::Deleted, object(key, std::to_string(++version_))), seen);
  }
  void notify(const watch::Event& what, bool seen) {
    changes_.push_back(what);
    if (seen) {
      for (const auto& watcher : watchers_) {
        watcher->action(what);
      }
    }
  }
  std::vector<std::shared_ptr<watch::RaceFreeFakeWatcher>> take_watchers() {
    const runtime::Lock lock(mutex_);
    return std::exchange(watchers_, {});
  }

  runtime::Runtime& runtime_;
  runtime::Mutex mutex_;
  int version_ = 0;
  int oldest_ = 0;
  std::map<std::string, api::ObjectPtr> objects_;
  std::vector<watch::Event> changes_;
  std::vector<std::shared_ptr<watch::RaceFreeFakeWatcher>> watchers_;
};

/// A machine by its name, made to list: a `FakeSource` streams nothing.
inline features::ReleaseProfile listing_machine(std::string_view name) {
  features::ReleaseProfile machine = *features::find_machine(name);
  machine.streams_lists = false;
  return machine;
}
/// Of each queue one: a `DeltaFIFO`, a `RealFIFO`, and one with atomic events that unlocks.
inline constexpr std::array<const char*, 3> kThreeMachines{"classic", "0.35", "modern"};

/// A handler that writes down its calls.
class MinutesHandler : public cache::ResourceEventHandler {
 public:
  void on_add(const api::ObjectPtr& object, bool is_in_initial_list) override {
    note((is_in_initial_list ? "initial add " : "add ") + text_of(object));
  }
  void on_update(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object) override {
    note("update " + text_of(old_object) + " " + text_of(new_object));
  }
  void on_delete(const cache::Item& item) override { note("delete " + text_of(item)); }

  /// The calls so far, with ", " between.
  [[nodiscard]] std::string minutes() const {
    const std::scoped_lock lock(mutex_);
    return minutes_;
  }
  void clear() {
    const std::scoped_lock lock(mutex_);
    minutes_.clear();
  }

 private:
  void note(const std::string& what) {
    const std::scoped_lock lock(mutex_);
    minutes_.append(minutes_.empty() ? "" : ", ").append(what);
  }

  mutable std::mutex mutex_;  // Not the runtime's: keeping minutes is no operation of the story.
  std::string minutes_;
};

/// Checks that a handler is notified of each key in the only possible order, from any moment on.
class OrderHandler : public cache::ResourceEventHandler {
 public:
  void on_add(const api::ObjectPtr& object, bool) override {
    expect(versions_.emplace(object->metadata.name, version_of(object)).second,
           "an add is for what is not there");
  }
  void on_update(const api::ObjectPtr& before, const api::ObjectPtr& after) override {
    expect(versions_.at(before->metadata.name) == version_of(before), "nothing lies between");
    versions_[after->metadata.name] = version_of(after);
  }
  void on_delete(const cache::Item& item) override {
    expect(versions_.erase(cache::object_of(item)->metadata.name) == 1,
           "a delete is for what is there");
  }

 private:
  static int version_of(const api::ObjectPtr& object) {
    return std::stoi(object->metadata.resource_version);
  }
  std::map<std::string, int> versions_;
};

/// The contents of a store by key, as `FakeSource::contents`.
inline std::string contents_of(const cache::Store& store) {
  std::map<std::string, api::ObjectPtr> sorted;
  for (const api::ObjectPtr& object : store.list()) {
    sorted[api::key_of(object->metadata)] = object;
  }
  std::string text;
  for (const auto& [key, object] : sorted) {
    text.append(text.empty() ? "" : " ").append(text_of(object));
  }
  return text;
}

/// A task that is stopped and then waited for, at the latest at the end of its scope's work.
struct Running {
  template <typename Runnable>
  Running(runtime::Runtime& runtime, Runnable& runnable)
      : stop(runtime), task(runtime::spawn(runtime, "run", [&runnable, token = stop.token()] {
          runnable.run(token);
        })) {}

  /// Stops it and waits until it has ended.
  void end() {
    stop.stop();
    task.join();
  }

  runtime::StopSource stop;
  runtime::Task task;
};

}  // namespace watchlab::tests
