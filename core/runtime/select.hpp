#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

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

  /// Waits for a value and ignores it (a closed channel, a tick).
  template <typename T>
  Select& receive(const Channel<T>& channel) {
    return add(channel.receive_case(), channel.backend());
  }
  /// `out` gets the value, or nothing if the channel is closed and drained. It must outlive the
  /// wait.
  template <typename T>
  Select& receive(const Channel<T>& channel, std::optional<T>& out) {
    constexpr auto kUnpack = +[](void* place, AnyValue& any_value) {
      *static_cast<std::optional<T>*>(place) = any_value.unpack<T>();
    };
    return add(channel.receive_case(), channel.backend(), kUnpack, &out);
  }
  /// Ready when a receiver or the buffer can take the value. `wait` and `poll` panic if the channel
  /// is closed.
  template <typename T>
  Select& send(const Channel<T>& channel, T value) {
    return add(channel.send_case(std::move(value)), channel.backend());
  }

  /// Blocks until an arm has happened.
  std::size_t wait(Location here = Location::current()) { return *finish(true, here); }
  /// A select with a default arm: returns nothing if no arm was ready.
  std::optional<std::size_t> poll(Location here = Location::current()) {
    return finish(false, here);
  }

 private:
  /// Stores the value in its destination; knows its type.
  using Unpack = void (*)(void* place, AnyValue& any_value);
  struct Arm {
    Unpack unpack;  ///< null if nobody reads the value
    void* place;
    std::shared_ptr<ChannelBackend> keep_alive;
  };
  /// Nearly every select has fewer arms, and then it does not allocate.
  static constexpr std::size_t kFew = 4;

  Select& add(SelectCase&& what, const std::shared_ptr<ChannelBackend>& keep_alive,
              Unpack unpack = nullptr, void* place = nullptr) {
    cases_.push_back(std::move(what));
    arms_.emplace_back(unpack, place, keep_alive);
    return *this;
  }
  std::optional<std::size_t> finish(bool blocking, Location here) {
    const std::span<SelectCase> cases(cases_.data(), cases_.size());
    const std::optional<std::size_t> arm = runtime_.select(cases, blocking, here);
    if (arm) {
      const Arm& happened = arms_[*arm];
      if (happened.unpack != nullptr) {
        happened.unpack(happened.place, cases_[*arm].any_value);
      }
    }
    return arm;
  }

  Runtime& runtime_;
  boost::container::small_vector<SelectCase, kFew> cases_;
  boost::container::small_vector<Arm, kFew> arms_;
};

}  // namespace watchlab::runtime
