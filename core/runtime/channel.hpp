#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "core/runtime/ensure.hpp"
#include "core/runtime/recover.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::runtime {

/// The value of a channel that only carries signals.
struct Unit {};

/// A Go channel of `T`: a cheap handle; copies are the same channel. A default-constructed one is
/// the nil channel: sends and receives block forever (in the calling task's runtime), non-blocking
/// operations do nothing, a select never finds it ready, and closing it panics. Capacity 0 is a
/// rendezvous. Any task may use any handle.
template <typename T>
class Channel {
 public:
  Channel() = default;
  Channel(Runtime& runtime, std::size_t capacity, std::string_view name = "channel",
          Location here = Location::current())
      : runtime_(&runtime), backend_(runtime.make_channel(capacity, name, here)) {}
  /// Wraps an existing channel; for timers and other makers of channels.
  Channel(Runtime& runtime, std::shared_ptr<ChannelBackend> backend)
      : runtime_(&runtime), backend_(std::move(backend)) {}
  /// The nil channel of a runtime; otherwise like a default-constructed one.
  static Channel nil(Runtime& runtime) { return Channel(runtime, nullptr); }

  /// Blocks until a receiver or the buffer takes the value. Panics if closed.
  void send(T value, Location here = Location::current()) const {
    std::array<SelectCase, 1> cases{send_case(std::move(value))};
    runtime().select(cases, true, here);
  }
  /// Returns false if it would block; the value is then lost.
  [[nodiscard]] bool try_send(T value, Location here = Location::current()) const {
    std::array<SelectCase, 1> cases{send_case(std::move(value))};
    return runtime().select(cases, false, here).has_value();
  }
  /// Blocks for a value; returns nothing if the channel is closed and drained.
  std::optional<T> receive(Location here = Location::current()) const {
    std::array<SelectCase, 1> cases{receive_case()};
    runtime().select(cases, true, here);
    return cases[0].any_value.template unpack<T>();
  }
  /// Returns false if it would block. Otherwise `out` holds the value, or nothing if the channel is
  /// closed and drained.
  [[nodiscard]] bool try_receive(std::optional<T>& out, Location here = Location::current()) const {
    std::array<SelectCase, 1> cases{receive_case()};
    if (!runtime().select(cases, false, here)) {
      return false;
    }
    out = cases[0].any_value.template unpack<T>();
    return true;
  }
  /// Wakes every waiting task. Panics if the channel is nil or already closed.
  void close(Location here = Location::current()) {
    if (!backend_) {
      panic_at("close of a nil channel", here);
    }
    backend_->close(here);
  }
  /// Values in the buffer now.
  [[nodiscard]] std::size_t size(Location here = Location::current()) const {
    return backend_ ? backend_->size(here) : 0;
  }

  [[nodiscard]] bool is_nil() const { return backend_ == nullptr; }
  friend bool operator==(const Channel& a, const Channel& b) { return a.backend_ == b.backend_; }

  /// For `Select`.
  [[nodiscard]] SelectCase send_case(T value) const {
    return {SelectCase::Direction::Send, backend_.get(), pack(std::move(value))};
  }
  [[nodiscard]] SelectCase receive_case() const {
    return {SelectCase::Direction::Receive, backend_.get(), AnyValue()};
  }
  static AnyValue pack(T value) { return AnyValue::of(std::move(value)); }
  /// Null for the nil channel.
  [[nodiscard]] const std::shared_ptr<ChannelBackend>& backend() const { return backend_; }

 private:
  [[nodiscard]] Runtime& runtime() const { return runtime_ ? *runtime_ : Running::here(); }

  Runtime* runtime_ = nullptr;
  std::shared_ptr<ChannelBackend> backend_;
};

}  // namespace watchlab::runtime
