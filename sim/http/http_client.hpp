#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/client/tls_channel.hpp"
#include "core/runtime/time.hpp"
#include "core/watch/decoder.hpp"
#include "sim/network/http_names.hpp"

namespace watchlab::sim {

/// Where a server listens.
struct HttpEndpoint {
  std::string host;  ///< a name or an address
  std::uint16_t port = 80;
  bool tls = false;         ///< it speaks TLS
  std::string authority{};  ///< what its certificate is checked with, as PEM; "" for the system's

  bool operator==(const HttpEndpoint&) const = default;
};
/// "http://127.0.0.1:8001" or "https:", with or without a slash behind it; nothing for all else.
[[nodiscard]] std::optional<HttpEndpoint> endpoint_from(std::string_view url);

/// A connection to a server over a real socket, for programs that have nothing else to do: every
/// call blocks, at most as long as the timeout that it was made with.
class ClientSocket : public watch::ByteStream {
 public:
  /// Fails with ErrorKind::ConnectionRefused, with Decode for a certificate that is not trusted, or
  /// with Other and what the system says.
  [[nodiscard]] static api::Result<std::shared_ptr<ClientSocket>> connect(
      const HttpEndpoint& endpoint, runtime::Duration timeout = std::chrono::seconds(30));
  ~ClientSocket() override;
  ClientSocket(const ClientSocket&) = delete;
  ClientSocket& operator=(const ClientSocket&) = delete;

  /// False when the connection has broken.
  [[nodiscard]] bool write(std::string_view bytes);
  /// No more will be written.
  void finish();
  [[nodiscard]] api::Result<std::size_t> read(std::span<char> into) override;
  void close(runtime::Location here = runtime::Location::current()) override;

 private:
  explicit ClientSocket(int descriptor) : descriptor_(descriptor) {}
  [[nodiscard]] api::Result<void> agree(const HttpEndpoint& endpoint);
  [[nodiscard]] bool write_raw(std::string_view bytes);
  [[nodiscard]] api::Result<std::size_t> read_raw(std::span<char> into);
  int descriptor_;
  std::unique_ptr<client::TlsChannel> tls_;  // none for plain HTTP
  std::string opened_;                       // what TLS has brought and was not read
};

struct HttpAnswer {
  HttpHead head;
  std::string body;
};

/// Sends a request over the connection and reads the answer to it.
[[nodiscard]] api::Result<HttpAnswer> ask(const std::shared_ptr<ClientSocket>& socket,
                                          HttpRequest request);
/// The same over a connection of its own.
[[nodiscard]] api::Result<HttpAnswer> ask(const HttpEndpoint& endpoint, HttpRequest request);

}  // namespace watchlab::sim
