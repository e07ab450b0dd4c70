#include "core/watch/broadcaster.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "core/runtime/mutex.hpp"
#include "core/runtime/once.hpp"
#include "core/runtime/order.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/wait_group.hpp"

namespace watchlab::watch {

using runtime::Channel;
using runtime::Location;
using runtime::Lock;
using runtime::Unit;

namespace {

api::Error already_stopped() {
  return {.kind = api::ErrorKind::Closed, .message = "broadcaster already stopped"};
}

/// What the distributing task knows of one watcher.
struct Outlet {
  Channel<Event> result;
  Channel<Unit> stopped;  ///< closed when the watcher no longer wants anything
};

}  // namespace

/// Shared by the broadcaster, its watchers and the distributing task, because each may go first.
class Broadcaster::State {
 public:
  State(runtime::Runtime& runtime, BroadcasterOptions options, Location here)
      : runtime_(runtime),
        options_(options),
        incoming_block_(runtime, "broadcaster.incoming_block", here),
        incoming_(runtime, options.incoming_length, "broadcaster.incoming", here),
        stopped_(runtime, 0, "broadcaster.stopped", here),
        distributing_(runtime, "broadcaster.distributing", here) {
    distributing_.add(1, here);
  }

  void loop();
  api::Result<void> put(Event event, Location here);
  api::Result<bool> put_or_drop(Event event, Location here);
  std::optional<std::pair<std::uint64_t, Outlet>> open(std::vector<Event> prefix,
                                                       std::size_t length, Location here);
  void close(std::uint64_t id, Location here);
  void shutdown(Location here);
  [[nodiscard]] runtime::Runtime& runtime() const { return runtime_; }
  [[nodiscard]] const BroadcasterOptions& options() const { return options_; }

 private:
  using Function = std::function<void()>;

  bool run_in_loop(const Function& function, Location here);
  [[nodiscard]] bool stopped(Location here) const;
  [[nodiscard]] std::vector<Outlet> outlets_in_some_order();
  void distribute(const Event& event);
  void close_all();

  runtime::Runtime& runtime_;
  const BroadcasterOptions options_;
  /// Held while something is put into `incoming_`, and while `stopped_` is looked at for that:
  /// otherwise a shutdown between the look and the send would close the channel under the sender.
  runtime::Mutex incoming_block_;
  Channel<std::variant<Event, Function>> incoming_;
  Channel<Unit> stopped_;
  runtime::WaitGroup distributing_;
  /// Only functions that run inside the loop touch these two.
  std::map<std::uint64_t, Outlet> outlets_;
  std::uint64_t next_id_ = 0;
};

/// One watcher's face.
class Broadcaster::Watch : public Watcher {
 public:
  Watch(std::shared_ptr<State> state, std::uint64_t id, Outlet outlet, Location here)
      : state_(std::move(state)),
        id_(id),
        outlet_(std::move(outlet)),
        once_(state_->runtime(), "broadcaster_watch.stop", here) {}

  void stop(Location here) override {
    once_.call(
        [&] {
          // First, so that a distribution that waits for this very watcher continues and the loop
          // can come to the function that removes it.
          outlet_.stopped.close(here);
          state_->close(id_, here);
        },
        here);
  }
  [[nodiscard]] const Channel<Event>& result_channel() const override { return outlet_.result; }

 private:
  std::shared_ptr<State> state_;
  std::uint64_t id_;
  Outlet outlet_;
  runtime::Once once_;
};

void Broadcaster::State::loop() {
  while (std::optional<std::variant<Event, Function>> next = incoming_.receive()) {
    if (const auto* function = std::get_if<Function>(&*next)) {
      (*function)();
    } else {
      distribute(std::get<Event>(*next));
    }
  }
  close_all();
  distributing_.done();
}

/// Runs the function in the distributing task, after everything that was put in before, and waits
/// for its end. False, without running it, after a shutdown.
bool Broadcaster::State::run_in_loop(const Function& function, Location here) {
  const Lock lock(incoming_block_, here);
  if (stopped(here)) {
    return false;
  }
  const auto finished = std::make_shared<runtime::WaitGroup>(runtime_, "broadcaster.call", here);
  finished->add(1, here);
  incoming_.send(
      [function, finished] {
        function();
        finished->done();
      },
      here);
  // The lock is still held: a task that puts something in later waits until the function has run.
  finished->wait(here);
  return true;
}

bool Broadcaster::State::stopped(Location here) const {
  std::optional<Unit> nothing;
  Channel<Unit> stopped = stopped_;
  return stopped.try_receive(nothing, here);
}

/// Mirrors apimachinery Action. It waits while the incoming channel is full and holds the lock
/// meanwhile, so that a shutdown waits for it.
api::Result<void> Broadcaster::State::put(Event event, Location here) {
  const Lock lock(incoming_block_, here);
  if (stopped(here)) {
    return already_stopped();
  }
  incoming_.send(std::move(event), here);
  return {};
}

api::Result<bool> Broadcaster::State::put_or_drop(Event event, Location here) {
  const Lock lock(incoming_block_, here);
  if (stopped(here)) {
    return already_stopped();
  }
  return incoming_.try_send(std::move(event), here);
}

/// Inside the loop, so that the new watcher gets every event after its prefix and none from before.
/// The prefix fits: the channel is made longer than it.
std::optional<std::pair<std::uint64_t, Outlet>> Broadcaster::State::open(std::vector<Event> prefix,
                                                                         std::size_t length,
                                                                         Location here) {
  std::optional<std::pair<std::uint64_t, Outlet>> opened;
  run_in_loop(
      [&] {
        Outlet outlet{.result = Channel<Event>(runtime_, length, "broadcaster_watch.result", here),
                      .stopped = Channel<Unit>(runtime_, 0, "broadcaster_watch.stopped", here)};
        for (Event& event : prefix) {
          outlet.result.send(std::move(event), here);
        }
        opened.emplace(next_id_++, outlet);
        outlets_.emplace(opened->first, std::move(outlet));
      },
      here);
  return opened;
}

/// Inside the loop, too: a channel that is closed while the loop sends to it would make the send
/// panic.
void Broadcaster::State::close(std::uint64_t id, Location here) {
  run_in_loop(
      [&] {
        const auto found = outlets_.find(id);
        if (found == outlets_.end()) {
          return;
        }
        Channel<Event> result = found->second.result;
        outlets_.erase(found);
        result.close(here);
      },
      here);
}

/// Mirrors apimachinery Shutdown. The channels are closed in the loop, behind everything that was
/// put in before; a second call finds `stopped_` closed and only waits.
void Broadcaster::State::shutdown(Location here) {
  run_in_loop(
      [&] {
        stopped_.close(here);
        incoming_.close(here);
      },
      here);
  distributing_.wait(here);
}

/// The original walks a map, whose order is not promised.
std::vector<Outlet> Broadcaster::State::outlets_in_some_order() {
  std::vector<Outlet> sorted;
  sorted.reserve(outlets_.size());
  for (const auto& [id, outlet] : outlets_) {
    sorted.push_back(outlet);
  }
  if (sorted.size() < 2) {
    return sorted;
  }
  runtime_.order(sorted.size(), "broadcaster.watchers").arrange(sorted);
  return sorted;
}

/// Mirrors apimachinery distribute. Its stop channel is part of each send, or one watcher that has
/// stopped reading would hold up all others after its stop.
void Broadcaster::State::distribute(const Event& event) {
  for (const Outlet& outlet : outlets_in_some_order()) {
    runtime::Select choice(runtime_);
    choice.send(outlet.result, event).receive(outlet.stopped);
    if (options_.full_channel_behavior == FullChannelBehavior::DropIfChannelFull) {
      choice.poll();
    } else {
      choice.wait();
    }
  }
}

void Broadcaster::State::close_all() {
  for (Outlet& outlet : outlets_in_some_order()) {
    outlet.result.close();
  }
  outlets_.clear();
}

BroadcasterOptions long_queue(std::size_t queue_length, FullChannelBehavior behavior) {
  return {.queue_length = queue_length,
          .full_channel_behavior = behavior,
          .incoming_length = queue_length};
}

Broadcaster::Broadcaster(runtime::Runtime& runtime, BroadcasterOptions options, Location here)
    : state_(std::make_shared<State>(runtime, options, here)) {
  runtime::spawn(
      runtime, "broadcaster.loop", [state = state_] { state->loop(); }, here);
}

api::Result<std::shared_ptr<Watcher>> Broadcaster::watch(Location here) {
  return open({}, state_->options().queue_length, here);
}

api::Result<std::shared_ptr<Watcher>> Broadcaster::watch_with_prefix(std::vector<Event> prefix,
                                                                     Location here) {
  const std::size_t length = std::max(state_->options().queue_length, prefix.size() + 1);
  return open(std::move(prefix), length, here);
}

api::Result<std::shared_ptr<Watcher>> Broadcaster::open(std::vector<Event> prefix,
                                                        std::size_t length, Location here) {
  auto opened = state_->open(std::move(prefix), length, here);
  if (!opened) {
    return already_stopped();
  }
  return std::shared_ptr<Watcher>(
      std::make_shared<Watch>(state_, opened->first, std::move(opened->second), here));
}

api::Result<void> Broadcaster::action(Event event, Location here) {
  return state_->put(std::move(event), here);
}

api::Result<bool> Broadcaster::action_or_drop(Event event, Location here) {
  return state_->put_or_drop(std::move(event), here);
}

void Broadcaster::shutdown(Location here) { state_->shutdown(here); }

}  // namespace watchlab::watch
