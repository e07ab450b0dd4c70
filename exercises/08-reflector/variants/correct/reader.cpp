// Breaks: a task of its own reads each watch into a line, and `run` takes events from there.
#include <chrono>
#include <deque>

#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/task.hpp"
#include "exercises/08-reflector/subject.hpp"

namespace watchlab::exercise {
namespace {

class ReaderReflector final : public Reflector {
 public:
  ReaderReflector(runtime::Runtime& runtime, Server& server, Store& store)
      : runtime_(runtime),
        server_(server),
        store_(store),
        mutex_(runtime),
        news_(runtime),
        state_(runtime, {}) {}

  void run() override {
    std::string version;
    while (go_on()) {
      if (version.empty()) {
        const List list = server_.list("");
        if (list.ok) {
          store_.replace(list.objects);
          version = list.version;
        }
      }
      if (!version.empty() && go_on()) {
        follow(version);
      }
      rest();
    }
  }

  void stop() override {
    const runtime::Lock lock(mutex_);
    state_.write().is_stopped = true;
    news_.notify_all();
  }

 private:
  struct State {
    std::deque<Event> line;
    bool is_stopped = false;
  };

  [[nodiscard]] bool go_on() {
    const runtime::Lock lock(mutex_);
    return !state_.read().is_stopped;
  }
  void rest() {
    runtime::Lock lock(mutex_);
    const runtime::TimePoint end = runtime_.now() + std::chrono::seconds(2);
    while (!state_.read().is_stopped && news_.wait_until(lock, end)) {
    }
  }

  /// Follows a watch from that version, which moves on, and is empty when a list is needed.
  void follow(std::string& version) {
    const std::unique_ptr<Watch> watch = server_.watch(version);
    const runtime::Task reader = runtime::spawn(runtime_, "reader", [&] { read(*watch); });
    for (;;) {
      const Event event = take();
      if (event.object == nullptr) {
        version = event.type == EventType::Gone ? "" : version;
        break;
      }
      version = event.object->metadata.resource_version;
      if (event.type == EventType::Added || event.type == EventType::Modified) {
        store_.put(event.object);
      }
      if (event.type == EventType::Deleted) {
        store_.remove(event.object);
      }
    }
    watch->stop();
    reader.join();
  }
  /// The task of the reader.
  void read(Watch& watch) {
    for (bool is_over = false; !is_over;) {
      const Event event = watch.next();
      is_over = event.object == nullptr;
      const runtime::Lock lock(mutex_);
      state_.write().line.push_back(event);
      news_.notify_all();
    }
  }
  /// The next event; an Ended when it is to stop.
  [[nodiscard]] Event take() {
    runtime::Lock lock(mutex_);
    while (state_.read().line.empty() && !state_.read().is_stopped) {
      news_.wait(lock);
    }
    if (state_.read().is_stopped) {
      return {};
    }
    const Event event = state_.read().line.front();
    state_.write().line.pop_front();
    return event;
  }

  runtime::Runtime& runtime_;
  Server& server_;
  Store& store_;
  runtime::Mutex mutex_;
  runtime::CondVar news_;
  runtime::Shared<State> state_;
};

}  // namespace

std::unique_ptr<Reflector> make_reflector(runtime::Runtime& runtime, Server& server, Store& store) {
  return std::make_unique<ReaderReflector>(runtime, server, store);
}

}  // namespace watchlab::exercise
