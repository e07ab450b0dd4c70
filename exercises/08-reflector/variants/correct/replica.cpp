// Breaks: it asks a replica for its lists where one may do, pauses longer after each failure, and
// opens the next watch at once when one has lasted long.
#include <algorithm>
#include <chrono>

#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "exercises/08-reflector/subject.hpp"

namespace watchlab::exercise {
namespace {

constexpr std::chrono::milliseconds kFirstPause{800};
constexpr std::chrono::seconds kLastPause{15};

class ReplicaReflector final : public Reflector {
 public:
  ReplicaReflector(runtime::Runtime& runtime, Server& server, Store& store)
      : runtime_(runtime),
        server_(server),
        store_(store),
        mutex_(runtime),
        stops_(runtime),
        state_(runtime, {}) {}

  void run() override {
    bool needs_list = true;
    while (!is_stopped()) {
      const runtime::TimePoint start = runtime_.now();
      if (needs_list) {
        needs_list = !list();
      }
      if (!needs_list) {
        needs_list = watch_to_the_end() == EventType::Gone;
      }
      rest(runtime_.now() - start);
    }
  }

  void stop() override {
    const runtime::Lock lock(mutex_);
    State& state = state_.write();
    state.is_stopped = true;
    stops_.notify_all();
    if (const auto watch = std::exchange(state.current, nullptr)) {
      watch->stop();
    }
  }

 private:
  struct State {
    bool is_stopped = false;
    std::shared_ptr<Watch> current;  ///< that is to be stopped
  };

  [[nodiscard]] bool is_stopped() {
    const runtime::Lock lock(mutex_);
    return state_.read().is_stopped;
  }

  /// Pauses before the next attempt, if the last one was short.
  void rest(runtime::Duration attempt) {
    if (attempt > std::chrono::seconds(10)) {
      pause_ = kFirstPause;
      return;
    }
    runtime::Lock lock(mutex_);
    const runtime::TimePoint end = runtime_.now() + pause_;
    pause_ = std::min<runtime::Duration>(2 * pause_, kLastPause);
    while (!state_.read().is_stopped && stops_.wait_until(lock, end)) {
    }
  }

  [[nodiscard]] bool list() {
    List list = server_.list(is_replica_too_old_ ? "" : version_);
    if (!list.ok && !version_.empty()) {
      list = server_.list("");
    }
    if (!list.ok) {
      return false;
    }
    version_ = list.version;
    listed_ = list.version;
    store_.replace(list.objects);
    return true;
  }

  [[nodiscard]] EventType watch_to_the_end() {
    const std::shared_ptr<Watch> watch = server_.watch(version_);
    {
      const runtime::Lock lock(mutex_);
      if (state_.read().is_stopped) {
        watch->stop();
        return EventType::Ended;
      }
      state_.write().current = watch;
    }
    Event event = watch->next();
    for (; event.object != nullptr; event = watch->next()) {
      take(event);
    }
    // Gone at the version of a list: the replica that gave it is behind what the server knows.
    is_replica_too_old_ = event.type == EventType::Gone && version_ == listed_;
    const runtime::Lock lock(mutex_);
    if (std::exchange(state_.write().current, nullptr) != nullptr) {
      watch->stop();
    }
    return event.type;
  }

  void take(const Event& event) {
    version_ = event.object->metadata.resource_version;
    switch (event.type) {
      case EventType::Added:
      case EventType::Modified:
        return store_.put(event.object);
      case EventType::Deleted:
        return store_.remove(event.object);
      default:
        return;
    }
  }

  runtime::Runtime& runtime_;
  Server& server_;
  Store& store_;
  runtime::Mutex mutex_;
  runtime::CondVar stops_;
  runtime::Shared<State> state_;
  std::string version_;
  std::string listed_;  ///< the version of the last list
  bool is_replica_too_old_ = false;
  runtime::Duration pause_ = kFirstPause;
};

}  // namespace

std::unique_ptr<Reflector> make_reflector(runtime::Runtime& runtime, Server& server, Store& store) {
  return std::make_unique<ReplicaReflector>(runtime, server, store);
}

}  // namespace watchlab::exercise
