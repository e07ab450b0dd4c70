#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

namespace boost::asio {
class io_context;
}

namespace watchlab::runtime {

/// Where idle workers of `FiberRuntime` wait: Asio's loop, so that sockets need no thread of their
/// own. Its handlers run on workers, on no fiber: they may wake tasks, and must not wait.
class EventLoop {
 public:
  using Steady = std::chrono::steady_clock;

  /// How many workers may wait at once, and what a wake-up does on the thread that it wakes.
  EventLoop(std::size_t threads, std::function<void()> on_wake);
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;
  ~EventLoop();

  /// Runs one handler, or comes back without at the deadline.
  void wait(std::optional<Steady::time_point> deadline);
  /// Runs what is ready without waiting, if there ever was anything to be run but wake-ups.
  void poll();
  /// Makes one call of `wait` come back, or the next one if there is none.
  void wake();

  /// For sockets and the like. Any thread may ask for it.
  [[nodiscard]] boost::asio::io_context& context();

 private:
  struct Parts;

  const std::unique_ptr<Parts> parts_;
};

}  // namespace watchlab::runtime
