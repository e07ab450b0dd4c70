#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/client/socket.hpp"
#include "core/client/tls_channel.hpp"
#include "core/client/url.hpp"
#include "core/watch/decoder.hpp"

namespace watchlab::client {

/// How a connection to a server is made.
struct Dial {
  ServerUrl server;
  TlsClientOptions tls{};            ///< for a server that speaks TLS
  std::optional<ServerUrl> proxy{};  ///< on the way to it
};

/// A connection to a server, over TLS if it speaks that. One task at a time uses it; any may close
/// it.
class Connection : public watch::ByteStream {
 public:
  /// Connects, through a proxy if there is one, and agrees on TLS. Fails as a `Socket` does, with
  /// Decode for a server that is not trusted, and with Other for a certificate or key of the
  /// client's that is none.
  [[nodiscard]] static api::Result<std::shared_ptr<Connection>> open(const IoLoop& loop,
                                                                     const Dial& dial,
                                                                     const WaitLimit& until);

  /// From now on operations wait until then, and each read at most that long.
  void allow(WaitLimit until, runtime::Duration idle_max);
  [[nodiscard]] api::Result<void> write(std::string bytes);
  [[nodiscard]] api::Result<std::size_t> read(std::span<char> into) override;
  void close(runtime::Location here = runtime::Location::current()) override;
  /// Whether it can take a further request. While no task uses it.
  [[nodiscard]] bool is_quiet();

 private:
  Connection(runtime::Runtime& runtime, std::shared_ptr<Socket> socket, WaitLimit until)
      : runtime_(runtime), socket_(std::move(socket)), until_(std::move(until)) {}
  [[nodiscard]] api::Result<void> pass_proxy(const ServerUrl& server);
  [[nodiscard]] api::Result<void> agree(const TlsClientOptions& options);
  [[nodiscard]] WaitLimit until_next();

  runtime::Runtime& runtime_;
  std::shared_ptr<Socket> socket_;
  std::unique_ptr<TlsChannel> tls_;  // none for plain HTTP
  std::string opened_;               // what TLS has brought and was not read
  WaitLimit until_;
  runtime::Duration idle_max_{};  // zero for no limit
};

}  // namespace watchlab::client
