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

/// Sockets on which tasks of a runtime wait. Its source is the only one of core that includes
/// Asio's sockets.
namespace watchlab::client {

/// Asio's loop, in which the sockets of clients live, and the runtime whose tasks wait for them.
/// It outlives its clients. Any task may use it.
class IoLoop {
 public:
  /// The loop of that runtime, which its idle workers run: no thread more.
  explicit IoLoop(runtime::FiberRuntime& runtime);
  /// A loop that one task of that runtime, so an OS thread, runs until this and all connections are
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

/// A connection over TCP. One task at a time reads or writes; any may close. An operation that ends
/// before it is done, by a stop or a deadline, closes the socket.
///
/// Errors: ConnectionRefused, ConnectionReset, Timeout, Cancelled after a close or a stop, Other
/// with what the system says.
class Socket {
 public:
  /// To the first of the host's addresses that answers.
  [[nodiscard]] static api::Result<std::shared_ptr<Socket>> connect(const IoLoop& loop,
                                                                    const std::string& host,
                                                                    std::uint16_t port,
                                                                    const WaitLimit& until);
  ~Socket();
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  /// All of it.
  [[nodiscard]] api::Result<void> write(std::string bytes, const WaitLimit& until);
  /// At least one byte; 0 is the orderly end.
  [[nodiscard]] api::Result<std::size_t> read(std::span<char> into, const WaitLimit& until);
  void close();
  /// Whether it is open and nothing has come that was not read, so that it can take a further
  /// request. While no task reads or writes.
  [[nodiscard]] bool is_quiet();

 private:
  struct Parts;
  explicit Socket(std::shared_ptr<Parts> parts) : parts_(std::move(parts)) {}

  /// Shared with the handlers of what was begun.
  std::shared_ptr<Parts> parts_;
};

}  // namespace watchlab::client
