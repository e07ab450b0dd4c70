#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/http/http_front.hpp"
#include "sim/http/http_session.hpp"

namespace watchlab::sim {

struct HttpServerOptions {
  std::string address = "127.0.0.1";  ///< of IPv4 or IPv6
  std::uint16_t port = 0;             ///< 0 for one that is free
  bool tls = false;                   ///< speaks TLS, with a certificate that is made in memory
  SessionLimits limits;
};

/// Listens on a socket and runs a session on each connection, all on the thread that calls `run`.
/// Boost.Asio stays in its source. The front must outlive it.
class HttpServer {
 public:
  /// Throws `std::runtime_error`, with a sentence, when it cannot listen there.
  HttpServer(HttpFront& front, const HttpServerOptions& options);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  /// Listens on one more port, which is free, and returns it. Before `run`; throws as above.
  std::uint16_t add_port();
  /// "http://127.0.0.1:8001", or "https:"; of one of those if it is named.
  [[nodiscard]] std::string url(std::uint16_t port = 0) const;
  /// The certificate that clients have to trust, as PEM; "" without TLS.
  [[nodiscard]] std::string authority() const;

  /// Calls `handler` on the thread of `run` when the process gets one of those signals.
  void on_signals(const std::vector<int>& signals, std::function<void(int)> handler);
  /// Serves until `stop`; then all connections are closed.
  void run();
  /// Calls `work` on the thread of `run`. Any thread may call it, and before `run`.
  void post(std::function<void()> work);
  /// Calls `work` on the thread of `run`, that much later. Any thread may call it; what is not due
  /// when the server stops is left out.
  void after(runtime::Duration time, std::function<void()> work);
  /// As `post`.
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace watchlab::sim
