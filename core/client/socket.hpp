#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/api/result.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/stop_token.hpp"

namespace boost::asio {
class io_context;
}
namespace watchlab::runtime {
class FiberRuntime;
class ThreadRuntime;
}  // namespace watchlab::runtime

/// Sockets for tasks of a runtime. The source of this header is the only one in core that includes
/// Asio's sockets.
namespace watchlab::client {

/// The Asio loop of clients' sockets, and the runtime whose tasks wait for them. It must outlive
/// its clients. Any task may use it.
class IoLoop {
 public:
  /// The runtime's own loop, run by its idle workers: no extra thread.
  explicit IoLoop(runtime::FiberRuntime& runtime);
  /// A loop that a task of this runtime (so an OS thread) runs until this and all connections are
  /// gone.
  explicit IoLoop(runtime::ThreadRuntime& runtime);
  ~IoLoop();
  IoLoop(const IoLoop&) = delete;
  IoLoop& operator=(const IoLoop&) = delete;

  [[nodiscard]] runtime::Runtime& runtime() const { return runtime_; }
  [[nodiscard]] boost::asio::io_context& context() const { return *context_; }

 private:
  friend class Socket;
  struct OwnLoop;

  runtime::Runtime& runtime_;
  std::shared_ptr<OwnLoop> own_;  ///< null with a loop of the runtime's
  boost::asio::io_context* context_;
};

/// How long an operation may wait.
struct WaitLimit {
  runtime::StopToken stop{};
  std::optional<runtime::TimePoint> deadline{};
};

/// A TCP connection. Only one task at a time may read or write; any may close. An operation that a
/// stop or a deadline ends early closes the socket.
///
/// Errors: ConnectionRefused, ConnectionReset, Timeout, Cancelled after a close or a stop, and
/// Other with the system's message.
class Socket {
 public:
  /// Connects to the first of the host's addresses that answers.
  [[nodiscard]] static api::Result<std::shared_ptr<Socket>> connect(const IoLoop& loop,
                                                                    const std::string& host,
                                                                    std::uint16_t port,
                                                                    const WaitLimit& until);
  ~Socket();
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  /// Writes all of it.
  [[nodiscard]] api::Result<void> write(std::string bytes, const WaitLimit& until);
  /// Reads at least one byte; 0 is the clean end.
  [[nodiscard]] api::Result<std::size_t> read(std::span<char> into, const WaitLimit& until);
  void close();
  /// Whether it is open and has no unread data, so that it can be reused. Call it while no task
  /// reads or writes.
  [[nodiscard]] bool is_quiet();

 private:
  struct Parts;
  explicit Socket(std::shared_ptr<Parts> parts) : parts_(std::move(parts)) {}

  /// Shared with the handlers of pending operations.
  std::shared_ptr<Parts> parts_;
};

}  // namespace watchlab::client
