#pragma once

#include <memory>

#include "core/watch/watch.hpp"
#include "sim/network/server_host.hpp"

namespace watchlab::sim {

/// A watch that the server has accepted, before its client reads it.
class OpenedStream {
 public:
  OpenedStream() = default;
  OpenedStream(const OpenedStream&) = delete;
  OpenedStream& operator=(const OpenedStream&) = delete;
  virtual ~OpenedStream() = default;

  /// Starts to read. To be called once; `stop` ends the watch as its own `stop` does.
  [[nodiscard]] virtual std::shared_ptr<watch::Watcher> start(const runtime::StopToken& stop) = 0;
  /// Instead: nobody will read it.
  virtual void give_up() = 0;
};

/// What a client has got for a request.
struct Carried {
  api::Result<Response> response;
  std::unique_ptr<OpenedStream> stream{};  ///< of an accepted watch; may be there beside a failure
  std::uint64_t message = 0;               ///< the answer's number; 0 when none arrived
};

/// Carries requests of one client to the server and the answers back: one class a transport. Any
/// task may call it.
class Carrier {
 public:
  Carrier() = default;
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;
  virtual ~Carrier() = default;

  /// Blocks until the answer is there, or its failure, or `stop`.
  [[nodiscard]] virtual Carried carry(const ServerHost::Departure& departure,
                                      const Request& request, const runtime::StopToken& stop) = 0;
};

/// Messages are values; each takes the latency.
[[nodiscard]] std::unique_ptr<Carrier> make_direct_carrier(std::shared_ptr<ServerHost> host,
                                                           runtime::Duration latency);
/// Messages are bytes of HTTP/1.1; each byte takes the latency. A connection serves one request.
[[nodiscard]] std::unique_ptr<Carrier> make_wire_carrier(std::shared_ptr<ServerHost> host,
                                                         runtime::Duration latency);

/// Waits for a message to arrive. False when `stop` came first.
[[nodiscard]] bool travel(runtime::Runtime& runtime, const runtime::StopToken& stop,
                          runtime::Duration way);
/// How much later than it could a message leaves.
[[nodiscard]] runtime::Duration lateness(const Verdict& verdict);
/// What a client gets that does not wait any longer.
[[nodiscard]] api::Error cancelled();

}  // namespace watchlab::sim
