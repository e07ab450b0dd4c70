#include "core/client/connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "core/client/http_message.hpp"

namespace watchlab::client {

namespace {

constexpr std::size_t kPiece = std::size_t{16} << 10;
constexpr std::int32_t kLetThrough = 200;

api::Error other(std::string message) {
  return {.kind = api::ErrorKind::Other, .message = std::move(message), .status = {}};
}

}  // namespace

api::Result<std::shared_ptr<Connection>> Connection::open(const IoLoop& loop, const Dial& dial,
                                                          const WaitLimit& until) {
  const ServerUrl& first = dial.proxy ? *dial.proxy : dial.server;
  api::Result<std::shared_ptr<Socket>> socket =
      Socket::connect(loop, first.host, first.port, until);
  if (!socket) {
    return socket.error();
  }
  std::shared_ptr<Connection> connection(new Connection(loop.runtime(), *std::move(socket), until));
  api::Result<void> ready;
  if (dial.proxy && dial.server.tls) {
    ready = connection->pass_proxy(dial.server);
  }
  if (ready && dial.server.tls) {
    ready = connection->agree(dial.tls);
  }
  if (!ready) {
    connection->close();
    return ready.error();
  }
  return connection;
}

/// Asks the proxy for a way through to the server.
api::Result<void> Connection::pass_proxy(const ServerUrl& server) {
  const std::string target = fmt::format("{}:{}", server.host, server.port);
  const std::string request =
      to_string(HttpRequest{.method = "CONNECT", .target = target, .fields = {{"Host", target}}});
  if (const api::Result<void> sent = socket_->write(request, until_); !sent) {
    return sent;
  }
  HttpResponseReader reader;
  std::array<char, kPiece> piece;
  while (!reader.head()) {
    const api::Result<std::size_t> size = socket_->read(piece, until_);
    if (!size || *size == 0) {
      return size ? other("the proxy hung up") : size.error();
    }
    if (const api::Result<void> fed = reader.feed({piece.data(), *size}); !fed) {
      return fed;
    }
  }
  const std::int32_t code = reader.head()->code;
  return code == kLetThrough
             ? api::Result<void>()
             : other(
                   fmt::format("the proxy lets no one through to {}: it answers {}", target, code));
}

/// Both ends agree on how to speak TLS.
api::Result<void> Connection::agree(const TlsClientOptions& options) {
  try {
    tls_ = std::make_unique<TlsChannel>(options);
  } catch (const std::runtime_error& refused) {
    return other(refused.what());
  }
  std::array<char, kPiece> piece;
  while (!tls_->ready()) {
    if (const api::Result<void> sent = socket_->write(tls_->take_sealed(), until_); !sent) {
      return sent;
    }
    const api::Result<std::size_t> size = socket_->read(piece, until_);
    if (!size || *size == 0) {
      return size ? api::Error{api::ErrorKind::UnexpectedEof, "TLS: the server hung up", {}}
                  : size.error();
    }
    api::Result<std::string> opened = tls_->open({piece.data(), *size});
    if (!opened) {
      (void)socket_->write(tls_->take_sealed(), until_);  // why, for the other end
      return opened.error();
    }
    opened_ += *opened;
  }
  return socket_->write(tls_->take_sealed(), until_);
}

void Connection::allow(WaitLimit until, runtime::Duration idle_max) {
  until_ = std::move(until);
  idle_max_ = idle_max;
}

WaitLimit Connection::until_next() {
  WaitLimit until = until_;
  if (idle_max_ > runtime::Duration::zero()) {
    const runtime::TimePoint idle = runtime_.now() + idle_max_;
    until.deadline = until.deadline ? std::min(*until.deadline, idle) : idle;
  }
  return until;
}

api::Result<void> Connection::write(std::string bytes) {
  if (tls_ != nullptr) {
    if (!tls_->seal(bytes)) {
      return api::Error{api::ErrorKind::ConnectionReset, "TLS: the connection has failed", {}};
    }
    bytes = tls_->take_sealed();
  }
  return socket_->write(std::move(bytes), until_);
}

api::Result<std::size_t> Connection::read(std::span<char> into) {
  if (tls_ == nullptr) {
    return socket_->read(into, until_next());
  }
  std::array<char, kPiece> piece;
  while (opened_.empty() && !tls_->ended()) {
    const api::Result<std::size_t> size = socket_->read(piece, until_next());
    if (!size || *size == 0) {
      return size;
    }
    api::Result<std::string> opened = tls_->open({piece.data(), *size});
    if (!opened) {
      return opened.error();
    }
    opened_ = *std::move(opened);
  }
  const std::size_t size = std::min(into.size(), opened_.size());
  std::copy_n(opened_.begin(), size, into.begin());
  opened_.erase(0, size);
  return size;
}

void Connection::close(runtime::Location /*here*/) { socket_->close(); }

bool Connection::is_quiet() {
  return opened_.empty() && (tls_ == nullptr || !tls_->ended()) && socket_->is_quiet();
}

}  // namespace watchlab::client
