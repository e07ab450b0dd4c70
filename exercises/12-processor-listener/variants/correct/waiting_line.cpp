// Breaks: one task and a condition; after the close nothing more is called, and a call of the first
// list that failed counts as one that came back.
#include <chrono>
#include <deque>
#include <memory>

#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/task.hpp"
#include "exercises/12-processor-listener/subject.hpp"

namespace watchlab::exercise {
namespace {

constexpr runtime::Duration kRest = std::chrono::seconds(1);

class WaitingLine final : public Listener {
 public:
  WaitingLine(runtime::Runtime& runtime, Handler& handler, const Informer& informer,
              runtime::Duration period)
      : runtime_(runtime),
        handler_(handler),
        informer_(informer),
        period_(period),
        mutex_(runtime),
        changed_(runtime),
        state_(runtime, {}) {
    state_.write().last_resync = runtime.now();
  }

  void add(const Notification& notification) override {
    runtime::Lock lock(mutex_);
    State& state = state_.write();
    state.waiting.push_back(notification);
    state.unhandled += notification.in_first_list ? 1 : 0;
    changed_.notify_one();
  }
  void run() override {
    runtime::Lock lock(mutex_);
    while (true) {
      while (state_.read().waiting.empty() && !state_.read().is_closed) {
        changed_.wait(lock);
      }
      if (state_.read().is_closed) {
        return;
      }
      const Notification next = state_.read().waiting.front();
      state_.write().waiting.pop_front();
      lock.unlock();
      const bool is_fine = handler_.handle(next);
      lock.lock();
      state_.write().unhandled -= next.in_first_list ? 1 : 0;
      if (!is_fine) {
        lock.unlock();
        runtime::sleep_for(runtime_, kRest);
        lock.lock();
      }
    }
  }
  void close() override {
    const runtime::Lock lock(mutex_);
    state_.write().is_closed = true;
    changed_.notify_one();
  }
  [[nodiscard]] bool has_synced() const override {
    if (!informer_.has_synced()) {
      return false;
    }
    const runtime::Lock lock(mutex_);
    return state_.read().unhandled == 0;
  }

  [[nodiscard]] bool resync_is_due() const override {
    const runtime::Lock lock(mutex_);
    return period_ != runtime::Duration::zero() &&
           runtime_.now() - state_.read().last_resync >= period_;
  }
  void resynced() override {
    const runtime::Lock lock(mutex_);
    state_.write().last_resync = runtime_.now();
  }

 private:
  struct State {
    std::deque<Notification> waiting;
    int unhandled = 0;  ///< of the first list, waiting or in a call
    bool is_closed = false;
    runtime::TimePoint last_resync;
  };

  runtime::Runtime& runtime_;
  Handler& handler_;
  const Informer& informer_;
  const runtime::Duration period_;
  mutable runtime::Mutex mutex_;
  runtime::CondVar changed_;
  runtime::Shared<State> state_;
};

}  // namespace

std::unique_ptr<Listener> make_listener(runtime::Runtime& runtime, Handler& handler,
                                        const Informer& informer, runtime::Duration resync_period) {
  return std::make_unique<WaitingLine>(runtime, handler, informer, resync_period);
}

}  // namespace watchlab::exercise
