// The reference solution: lists with "", follows one watch after the other, and pauses between.
#include <chrono>

#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "exercises/08-reflector/subject.hpp"

namespace watchlab::exercise {
namespace {

class ListWatchReflector final : public Reflector {
 public:
  ListWatchReflector(runtime::Runtime& runtime, Server& server, Store& store)
      : runtime_(runtime),
        server_(server),
        store_(store),
        mutex_(runtime),
        changed_(runtime),
        state_(runtime, {}) {}

  void run() override {
    const auto second = std::chrono::seconds(1);
    while (pause(runtime::Duration::zero())) {
      if (list()) {
        while (watch() && pause(second)) {
        }
      }
      if (!pause(second)) {
        return;
      }
    }
  }

  void stop() override {
    const runtime::Lock lock(mutex_);
    State& state = state_.write();
    state.stopped = true;
    if (state.watch != nullptr) {
      state.watch->stop();
    }
    changed_.notify_all();
  }

 private:
  /// What more than one task looks at, under the lock.
  struct State {
    bool stopped = false;
    std::shared_ptr<Watch> watch;  ///< the one that is followed
  };

  /// Waits so long; false when it is stopped, and then it does not wait on.
  [[nodiscard]] bool pause(runtime::Duration time) {
    const runtime::TimePoint end = runtime_.now() + time;
    runtime::Lock lock(mutex_);
    while (!state_.read().stopped) {
      if (!changed_.wait_until(lock, end)) {
        break;
      }
    }
    return !state_.read().stopped;
  }

  [[nodiscard]] bool list() {
    const List list = server_.list("");
    if (list.ok) {
      store_.replace(list.objects);
      version_ = list.version;
    }
    return list.ok;
  }

  /// Follows one watch to its end; false when a list is needed after it.
  [[nodiscard]] bool watch() {
    const std::shared_ptr<Watch> watch = server_.watch(version_);
    follow(watch);
    const EventType end = read(*watch);
    follow(nullptr);
    watch->stop();
    return end != EventType::Gone;
  }
  /// From here on `stop` stops this watch; at once, when it has been called already.
  void follow(const std::shared_ptr<Watch>& watch) {
    const runtime::Lock lock(mutex_);
    state_.write().watch = watch;
    if (state_.read().stopped && watch != nullptr) {
      watch->stop();
    }
  }
  /// Stores what the watch reports; how it has ended.
  [[nodiscard]] EventType read(Watch& watch) {
    for (;;) {
      const Event event = watch.next();
      if (event.object == nullptr) {
        return event.type;
      }
      version_ = event.object->metadata.resource_version;
      if (event.type == EventType::Deleted) {
        store_.remove(event.object);
      } else if (event.type != EventType::Bookmark) {
        store_.put(event.object);
      }
    }
  }

  runtime::Runtime& runtime_;
  Server& server_;
  Store& store_;
  runtime::Mutex mutex_;
  runtime::CondVar changed_;
  runtime::Shared<State> state_;
  std::string version_;  ///< the last one that is known; for the task of `run`
};

}  // namespace

std::unique_ptr<Reflector> make_reflector(runtime::Runtime& runtime, Server& server, Store& store) {
  return std::make_unique<ListWatchReflector>(runtime, server, store);
}

}  // namespace watchlab::exercise
