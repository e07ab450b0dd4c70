#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/client/http_message.hpp"
#include "core/watch/decoder.hpp"

namespace watchlab::client {

/// A client's view of the connection on which its response comes: first the head, then the bytes of
/// the body without their framing. One task reads; any may close.
class HttpBody : public watch::ByteStream {
 public:
  explicit HttpBody(std::shared_ptr<watch::ByteStream> connection, HttpLimits limits = {});

  /// Blocks for the head. Fails as the connection does, with ErrorKind::Eof when the connection
  /// ends before the first byte, with UnexpectedEof in the middle, with Decode for what is no HTTP.
  [[nodiscard]] api::Result<HttpHead> read_head();
  /// Blocks for the whole body, after the head. Fails as above, and for a body beyond the limit.
  [[nodiscard]] api::Result<std::string> read_all();

  [[nodiscard]] api::Result<std::size_t> read(std::span<char> into) override;
  void close(runtime::Location here = runtime::Location::current()) override;

 private:
  [[nodiscard]] api::Result<void> read_more();
  [[nodiscard]] api::Result<void> read_and_feed();

  std::shared_ptr<watch::ByteStream> connection_;
  HttpLimits limits_;
  HttpResponseReader reader_;
  std::string chunk_;
  std::string ready_;  // of the body, from `position_` on
  std::size_t position_ = 0;
  std::optional<api::Error> failure_;
};

}  // namespace watchlab::client
