// Breaks: what waits is handed over by a task of its own, so there may be calls at the moment of
// the close; with a handler that failed in the first list it never has synced.
#include <chrono>
#include <deque>
#include <memory>
#include <optional>

#include "core/runtime/channel.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/task.hpp"
#include "exercises/12-processor-listener/subject.hpp"

namespace watchlab::exercise {
namespace {

class TwoTasksListener final : public Listener {
 public:
  TwoTasksListener(runtime::Runtime& runtime, Handler& handler, const Informer& informer,
                   runtime::Duration period)
      : runtime_(runtime),
        handler_(handler),
        informer_(informer),
        period_(period),
        incoming_(runtime, 0, "incoming"),
        outgoing_(runtime, 0, "outgoing"),
        mutex_(runtime),
        state_(runtime, {.next_resync = runtime.now() + period}) {}

  void add(const Notification& notification) override {
    if (notification.in_first_list) {
      const runtime::Lock lock(mutex_);
      ++state_.write().unhandled;
    }
    incoming_.send(notification);
  }
  void run() override {
    const auto keeper = runtime::spawn(runtime_, "keeper", [this] { keep(); });
    while (const std::optional<Notification> next = outgoing_.receive()) {
      if (!handler_.handle(*next)) {
        runtime::sleep_for(runtime_, std::chrono::seconds(1));
      } else if (next->in_first_list) {
        const runtime::Lock lock(mutex_);
        --state_.write().unhandled;
      }
    }
    keeper.join();
  }
  void close() override { incoming_.close(); }
  [[nodiscard]] bool has_synced() const override {
    if (!informer_.has_synced()) {
      return false;
    }
    const runtime::Lock lock(mutex_);
    return state_.read().unhandled == 0;
  }

  [[nodiscard]] bool resync_is_due() const override {
    const runtime::Lock lock(mutex_);
    return period_ > runtime::Duration::zero() && runtime_.now() >= state_.read().next_resync;
  }
  void resynced() override {
    const runtime::Lock lock(mutex_);
    state_.write().next_resync = runtime_.now() + period_;
  }

 private:
  struct State {
    int unhandled = 0;  ///< of the first list
    runtime::TimePoint next_resync;
  };

  /// Takes whatever comes, and hands it over when the other task is free.
  void keep() {
    std::deque<Notification> waiting;
    while (true) {
      std::optional<Notification> arrived;
      runtime::Select choice(runtime_);
      choice.receive(incoming_, arrived);
      if (!waiting.empty()) {
        choice.send(outgoing_, waiting.front());
      }
      if (choice.wait() == 1) {
        waiting.pop_front();
      } else if (arrived) {
        waiting.push_back(*arrived);
      } else {
        outgoing_.close();
        return;
      }
    }
  }

  runtime::Runtime& runtime_;
  Handler& handler_;
  const Informer& informer_;
  const runtime::Duration period_;
  runtime::Channel<Notification> incoming_;
  runtime::Channel<Notification> outgoing_;
  mutable runtime::Mutex mutex_;
  runtime::Shared<State> state_;
};

}  // namespace

std::unique_ptr<Listener> make_listener(runtime::Runtime& runtime, Handler& handler,
                                        const Informer& informer, runtime::Duration resync_period) {
  return std::make_unique<TwoTasksListener>(runtime, handler, informer, resync_period);
}

}  // namespace watchlab::exercise
