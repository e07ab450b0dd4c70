#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/result.hpp"

/// TLS as bytes, without sockets. Its source is the only one that includes OpenSSL.
namespace watchlab::client {

/// Who a server is: a certificate for its names, and the authority that vouches for it, which
/// exists for this server alone. Both are made in memory, and their keys never leave it.
class TlsIdentity {
 public:
  /// For these names and addresses. Throws `std::runtime_error` when there is no good randomness.
  explicit TlsIdentity(const std::vector<std::string>& hosts);
  ~TlsIdentity();
  TlsIdentity(const TlsIdentity&) = delete;
  TlsIdentity& operator=(const TlsIdentity&) = delete;

  /// The certificate that clients have to trust, as PEM.
  [[nodiscard]] const std::string& authority() const { return authority_; }

 private:
  friend class TlsChannel;
  struct Context;
  std::unique_ptr<Context> context_;
  std::string authority_;
};

/// What a client trusts, and how it says who it is.
struct TlsClientOptions {
  std::string authority;      ///< the only ones it trusts, as PEM; "" for those of the system
  std::string host;           ///< a name or an address that the server's certificate must have
  std::string certificate{};  ///< its own, as PEM, with those that vouch for it; "" for none
  std::string key{};          ///< of that certificate, as PEM
  bool insecure = false;      ///< trusts whatever the server shows
};

/// One end of a connection that speaks TLS. What was received goes in sealed and comes out open,
/// and the other way round. One task at a time.
class TlsChannel {
 public:
  /// The server's end. The identity must outlive it.
  explicit TlsChannel(const TlsIdentity& identity);
  /// The client's end. Throws `std::runtime_error` for what is no certificate or no key of it.
  explicit TlsChannel(const TlsClientOptions& options);
  ~TlsChannel();
  TlsChannel(const TlsChannel&) = delete;
  TlsChannel& operator=(const TlsChannel&) = delete;

  /// Takes bytes from the other end and returns what they say, which may be nothing yet. Fails with
  /// ErrorKind::Decode for what is no TLS and for an end that is not trusted, and says why in plain
  /// words; then indefinitely.
  [[nodiscard]] api::Result<std::string> open(std::string_view sealed);
  /// Takes bytes for the other end. False before both ends have agreed, and after a failure.
  [[nodiscard]] bool seal(std::string_view plain);
  /// Says to the other end that no more will come.
  void finish();
  /// What is to be sent by now; to be asked for after each of the above, and at the beginning.
  [[nodiscard]] std::string take_sealed();
  /// Both ends have agreed.
  [[nodiscard]] bool ready() const;
  /// The other end has said that no more will come.
  [[nodiscard]] bool ended() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Base64 as kubeconfig files hold certificates.
[[nodiscard]] std::string to_base64(std::string_view bytes);
/// Nothing for what is no base64.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

}  // namespace watchlab::client
