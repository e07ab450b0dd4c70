#include "sim/kernel/asio_context.hpp"

#include <algorithm>
#include <utility>

#include "sim/kernel/fiber.hpp"
#include "sim/kernel/primitives/sim_channel.hpp"

namespace watchlab::sim {

void PendingWork::done() {
  const Quiet quiet;
  world_.scheduler().release(done_);
  if (--count_ == 0 && !world_.scheduler().stopping()) {
    static_cast<SimChannel&>(*idle_.backend())
        .offer(runtime::Channel<runtime::Unit>::pack(runtime::Unit{}), done_);
  }
}

void PendingWork::wait(runtime::Location here) {
  const Quiet quiet;
  while (count_ > 0) {
    idle_.receive(here);
  }
}

/// The actor behind an armed timer.
class AsioTimerCore::Alarm final : public Actor {
 public:
  Alarm(AsioTimerCore& owner, Scheduler& scheduler, std::function<void(bool)> callback)
      : Actor(scheduler, scheduler.identify(ObjectKind::Timer, "asio"),
              runtime::Location::current(), false),
        owner_(owner),
        callback_(std::move(callback)) {
    deadline_.actor = this;
  }
  ~Alarm() override {
    if (slot() != kNoSlot) {
      scheduler_.dismiss(*this);
    }
    scheduler_.disarm(deadline_);
  }

  void arm(runtime::TimePoint at) { scheduler_.arm(deadline_, std::max(at, scheduler_.now())); }
  SyncPoint armed;
  [[nodiscard]] std::function<void(bool)> take_callback() { return std::move(callback_); }

 private:
  void fire() override { owner_.complete(true); }

  AsioTimerCore& owner_;
  std::function<void(bool)> callback_;
  Deadline deadline_;
};

AsioTimerCore::AsioTimerCore(World& world, PendingWork& work) : world_(world), work_(work) {}

AsioTimerCore::~AsioTimerCore() { cancel(); }

void AsioTimerCore::wait(runtime::TimePoint deadline, std::function<void(bool expired)> callback) {
  const Quiet quiet;
  Scheduler& scheduler = world_.scheduler();
  alarm_ = std::make_unique<Alarm>(*this, scheduler, std::move(callback));
  work_.add();
  scheduler.hold_open(1);
  if (!scheduler.stopping()) {
    scheduler.release(alarm_->armed);
    alarm_->arm(deadline);
  }
}

void AsioTimerCore::cancel() {
  const Quiet quiet;
  if (alarm_) {
    complete(false);
  }
}

void AsioTimerCore::complete(bool expired) {
  Scheduler& scheduler = world_.scheduler();
  scheduler.acquire(alarm_->armed);  // so that the handler comes after what armed it
  const std::function<void(bool)> callback = alarm_->take_callback();
  if (alarm_->pinned() || expired) {
    // The scheduler is in the middle of firing it, or a recorded decision names it.
    scheduler.retire(std::move(alarm_));
  }
  alarm_.reset();
  scheduler.hold_open(-1);
  callback(expired);
  work_.done();
}

void WorldContext::post_handler(std::function<void()> handler) {
  const Quiet quiet;
  work_.add();
  // A handler that the world drops when it is taken down leaves the count as it is; no task
  // waits for it then.
  (void)world_.scheduler().spawn_for(
      maker_, "handler",
      [this, handler = std::move(handler)] {
        in_turn(handler);
        work_.done();
      },
      runtime::Location::current());
}

void WorldContext::in_turn(const std::function<void()>& handler) {
  {
    const Quiet quiet;
    world_.scheduler().acquire(strand_);
  }
  handler();
  const Quiet quiet;
  world_.scheduler().release(strand_);
}

void WorldContext::drain(runtime::Location here) { work_.wait(here); }

}  // namespace watchlab::sim
