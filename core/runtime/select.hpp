#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/runtime/channel.hpp"

namespace watchlab::runtime {

/// A Go select statement. Add the arms, then `wait` or `poll` once; the answer is the number of the
/// arm that happened, counted in the order of addition.
///
///     Select choice(runtime);
///     choice.receive(stop.done());
///     choice.receive(events, event);
///     if (choice.wait() == 0) return;
///
/// Which of several ready arms happens is a choice of the outside, never the order of addition.
class Select {
 public:
  explicit Select(Runtime& runtime) : runtime_(runtime) {}

  /// Waits for a value that is not looked at (a closed channel, a tick).
  template <typename T>
  Select& receive(const Channel<T>& channel) {
    add(channel.receive_case(), nullptr, channel.backend());
    return *this;
  }
  /// `out` gets the value, or nothing if the channel is closed and drained. It must outlive the
  /// wait.
  template <typename T>
  Select& receive(const Channel<T>& channel, std::optional<T>& out) {
    add(
        channel.receive_case(),
        [&out](Parcel parcel) { out = Channel<T>::unpack(std::move(parcel)); }, channel.backend());
    return *this;
  }
  /// Happens when a receiver or room in the buffer takes the value. Panics in `wait` and `poll`
  /// when the channel is closed.
  template <typename T>
  Select& send(const Channel<T>& channel, T value) {
    add(channel.send_case(std::move(value)), nullptr, channel.backend());
    return *this;
  }

  /// Blocks until an arm happened.
  std::size_t wait(Location here = Location::current()) { return *finish(true, here); }
  /// A select with a default arm: nothing when no arm was ready.
  std::optional<std::size_t> poll(Location here = Location::current()) {
    return finish(false, here);
  }

 private:
  using Deliver = std::function<void(Parcel)>;

  void add(SelectCase arm, Deliver deliver, std::shared_ptr<ChannelBackend> keep_alive) {
    cases_.push_back(std::move(arm));
    deliver_.push_back(std::move(deliver));
    channels_.push_back(std::move(keep_alive));
  }
  std::optional<std::size_t> finish(bool blocking, Location here) {
    const std::optional<std::size_t> arm = runtime_.select(cases_, blocking, here);
    if (arm && deliver_[*arm]) {
      deliver_[*arm](std::move(cases_[*arm].parcel));
    }
    return arm;
  }

  Runtime& runtime_;
  std::vector<SelectCase> cases_;
  std::vector<Deliver> deliver_;
  std::vector<std::shared_ptr<ChannelBackend>> channels_;
};

}  // namespace watchlab::runtime
