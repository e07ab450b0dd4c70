// The reference solution: what waits is a list, whose first entry rings a bell; `run` takes the
// whole list each time that it rings. Notifications are numbered, so that two numbers say whether
// the handler has come back from the first list.
#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "core/runtime/channel.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/task.hpp"
#include "exercises/12-processor-listener/subject.hpp"

namespace watchlab::exercise {
namespace {

constexpr runtime::Duration kRestAfterFailure = std::chrono::seconds(1);

class OwnListener final : public Listener {
 public:
  OwnListener(runtime::Runtime& runtime, Handler& handler, const Informer& informer,
              runtime::Duration period)
      : runtime_(runtime),
        handler_(handler),
        informer_(informer),
        period_(period),
        bell_(runtime, 1, "bell"),
        mutex_(runtime),
        state_(runtime, {.last_resync = runtime.now()}) {}

  void add(const Notification& notification) override {
    bool is_first = false;
    {
      const runtime::Lock lock(mutex_);
      State& state = state_.write();
      is_first = state.waiting.empty();
      state.waiting.push_back(notification);
      ++state.added;
      state.last_of_list = notification.in_first_list ? state.added : state.last_of_list;
    }
    if (is_first) {
      bell_.send({});  // there is room: `run` has taken the ring of the list before
    }
  }
  void run() override {
    while (bell_.receive()) {
      for (const Notification& next : take_all()) {
        if (is_closed()) {
          return;
        }
        call(next);
      }
    }
  }
  void close() override {
    {
      const runtime::Lock lock(mutex_);
      state_.write().is_closed = true;
    }
    bell_.close();
  }
  /// The order of calls is that of the adds, so that the last one of the first list stands for all.
  [[nodiscard]] bool has_synced() const override {
    if (!informer_.has_synced()) {
      return false;
    }
    const runtime::Lock lock(mutex_);
    return state_.read().handled >= state_.read().last_of_list;
  }

  [[nodiscard]] bool resync_is_due() const override {
    if (period_ == runtime::Duration::zero()) {
      return false;
    }
    const runtime::Lock lock(mutex_);
    return state_.read().last_resync + period_ <= runtime_.now();
  }
  void resynced() override {
    const runtime::Lock lock(mutex_);
    state_.write().last_resync = runtime_.now();
  }

 private:
  struct State {
    std::vector<Notification> waiting;
    std::size_t added = 0;         ///< how many there were by now
    std::size_t handled = 0;       ///< from how many of them the handler has come back
    std::size_t last_of_list = 0;  ///< the number of the last one of the first list
    bool is_closed = false;
    runtime::TimePoint last_resync{};
  };

  std::vector<Notification> take_all() {
    const runtime::Lock lock(mutex_);
    return std::exchange(state_.write().waiting, {});
  }
  bool is_closed() {
    const runtime::Lock lock(mutex_);
    return state_.read().is_closed;
  }
  void call(const Notification& notification) {
    const bool is_fine = handler_.handle(notification);
    {
      const runtime::Lock lock(mutex_);
      ++state_.write().handled;
    }
    if (!is_fine) {
      runtime::sleep_for(runtime_, kRestAfterFailure);
    }
  }

  runtime::Runtime& runtime_;
  Handler& handler_;
  const Informer& informer_;
  const runtime::Duration period_;
  runtime::Channel<runtime::Unit> bell_;
  mutable runtime::Mutex mutex_;
  runtime::Shared<State> state_;
};

}  // namespace

std::unique_ptr<Listener> make_listener(runtime::Runtime& runtime, Handler& handler,
                                        const Informer& informer, runtime::Duration resync_period) {
  return std::make_unique<OwnListener>(runtime, handler, informer, resync_period);
}

}  // namespace watchlab::exercise
