// Your reflector. What it promises is in subject.hpp. What is here lists once and is content:
// begin with the watch.
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
    const List list = server_.list("");
    store_.replace(list.objects);
    // And now?
  }

  void stop() override {
    const runtime::Lock lock(mutex_);
    state_.write().stopped = true;
    changed_.notify_all();
  }

 private:
  /// What more than one task looks at, under the lock.
  struct State {
    bool stopped = false;
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

  runtime::Runtime& runtime_;
  Server& server_;
  Store& store_;
  runtime::Mutex mutex_;
  runtime::CondVar changed_;
  runtime::Shared<State> state_;
};

}  // namespace

std::unique_ptr<Reflector> make_reflector(runtime::Runtime& runtime, Server& server, Store& store) {
  return std::make_unique<ListWatchReflector>(runtime, server, store);
}

}  // namespace watchlab::exercise
