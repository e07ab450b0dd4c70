#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/result.hpp"

namespace watchlab::client {

// Requests and responses of HTTP/1.1 as values.

struct HttpField {
  std::string name;
  std::string value;
};
using HttpFields = std::vector<HttpField>;

/// The value of the first field of that name, however its letters are written; "" for none.
[[nodiscard]] std::string_view field_of(const HttpFields& fields, std::string_view name);
/// The values of all fields of that name.
[[nodiscard]] std::vector<std::string_view> fields_of(const HttpFields& fields,
                                                      std::string_view name);

struct HttpRequest {
  std::string method;
  std::string target;  ///< path and query as sent
  HttpFields fields;
  std::string body;
  bool keep_alive = true;  ///< the connection may be used for another one
  bool is_http_10 = false;
};

/// What stands before the body of a response.
struct HttpHead {
  std::int32_t code = 200;
  HttpFields fields;
};

/// How much memory the other side can make a reader use.
struct HttpLimits {
  std::size_t head_max = std::size_t{64} << 10;  ///< of a head, or of a chunk's size line
  std::size_t body_max = std::size_t{64} << 20;  ///< of a whole body; streams have no limit
};

// HTTP/1.1 as bytes: Boost.Beast's parsers and serializers over buffers, without sockets. Its
// source is the only one that includes Beast. The readers take bytes in pieces that end anywhere,
// and turn whatever comes into a value or an error within their limits.

/// Reads one request, as a server does. One task at a time.
class HttpRequestReader {
 public:
  explicit HttpRequestReader(HttpLimits limits = {});
  ~HttpRequestReader();
  HttpRequestReader(const HttpRequestReader&) = delete;
  HttpRequestReader& operator=(const HttpRequestReader&) = delete;

  /// Takes what came in. Fails with ErrorKind::Decode when it is no HTTP, and with a Status of the
  /// code 413 for a body that is too long; then it does so indefinitely.
  [[nodiscard]] api::Result<void> feed(std::string_view bytes);
  [[nodiscard]] bool done() const;
  /// The client waits for a "100 Continue" before it sends the body.
  [[nodiscard]] bool expects_continue() const;
  /// What was read, once it is done.
  [[nodiscard]] HttpRequest take();
  /// What came behind that request.
  [[nodiscard]] std::string take_rest();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Reads one response, as a client does, and gives its body out as it comes. Interim responses
/// (1xx) are skipped. One task at a time.
class HttpResponseReader {
 public:
  explicit HttpResponseReader(HttpLimits limits = {});
  ~HttpResponseReader();
  HttpResponseReader(const HttpResponseReader&) = delete;
  HttpResponseReader& operator=(const HttpResponseReader&) = delete;

  /// Takes what came in. Fails with ErrorKind::Decode when it is no HTTP or breaks a limit.
  [[nodiscard]] api::Result<void> feed(std::string_view bytes);
  /// The connection has ended. Fails with ErrorKind::Eof before the first byte, with UnexpectedEof
  /// in the middle.
  [[nodiscard]] api::Result<void> end();
  /// Nothing until the head is whole.
  [[nodiscard]] std::optional<HttpHead> head() const;
  /// What has come of the body since the last call, without its framing.
  [[nodiscard]] std::string take_body();
  [[nodiscard]] bool done() const;

 private:
  struct Parts;
  void start();
  [[nodiscard]] api::Error fail(std::string_view why);

  HttpLimits limits_;
  std::unique_ptr<Parts> parts_;
};

[[nodiscard]] std::string to_string(const HttpRequest& request);
/// The head of a response whose body has that length; nothing for one that comes in chunks.
[[nodiscard]] std::string to_string(const HttpHead& head, std::optional<std::size_t> length);
/// The line before the bytes of a chunk; after them comes CRLF.
[[nodiscard]] std::string chunk_line(std::size_t length);
/// The end of a body in chunks.
[[nodiscard]] std::string last_chunk();

}  // namespace watchlab::client
