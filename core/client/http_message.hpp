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

/// The value of the first field with this name, ignoring case; "" for none.
[[nodiscard]] std::string_view field_of(const HttpFields& fields, std::string_view name);
/// The values of all fields with this name.
[[nodiscard]] std::vector<std::string_view> fields_of(const HttpFields& fields,
                                                      std::string_view name);
/// The type that `Content-Type` names, without its parameters and in small letters, since types are
/// the same in all; "" for none. Mirrors Go's mime.ParseMediaType.
[[nodiscard]] std::string media_type_of(const HttpFields& fields);
/// Whether a field that is a list of words, as `Connection`, has this one, ignoring case.
[[nodiscard]] bool has_word(const HttpFields& fields, std::string_view name, std::string_view word);

struct HttpRequest {
  std::string method;
  /// Path and query as sent. A whole URL is read as its path and query, and as a field `Host`.
  std::string target;
  HttpFields fields;
  std::string body;
  bool keep_alive = true;  ///< the connection can be reused
  bool is_http_10 = false;
};

/// The part of a response before its body.
struct HttpHead {
  std::int32_t code = 200;
  HttpFields fields;
};

/// How much memory the peer can make a reader use.
struct HttpLimits {
  std::size_t head_max = std::size_t{64} << 10;  ///< for a head, or for the size line of a chunk
  std::size_t body_max = std::size_t{64} << 20;  ///< for a whole body; streams have no limit
};

// HTTP/1.1 as bytes: Boost.Beast's parsers and serializers over buffers, without sockets. Its
// source is the only one that includes Beast. The readers take bytes in pieces that end anywhere,
// and turn whatever comes into a value or an error within their limits.

/// Reads one request, as a server does. Not for several tasks at once.
class HttpRequestReader {
 public:
  explicit HttpRequestReader(HttpLimits limits = {});
  ~HttpRequestReader();
  HttpRequestReader(const HttpRequestReader&) = delete;
  HttpRequestReader& operator=(const HttpRequestReader&) = delete;

  /// Takes incoming bytes. Fails with ErrorKind::Decode if they are not HTTP, and with a Status of
  /// code 413 if the body is too long, or 431 if the head is. After a failure every further call
  /// fails the same way.
  [[nodiscard]] api::Result<void> feed(std::string_view bytes);
  [[nodiscard]] bool done() const;
  /// The request without its body, as soon as its head is complete; nothing before, and after
  /// `take`.
  [[nodiscard]] std::optional<HttpRequest> head() const;
  /// The client waits for a "100 Continue" before it sends the body.
  [[nodiscard]] bool expects_continue() const;
  /// The request, once it is done.
  [[nodiscard]] HttpRequest take();
  /// What came after the request.
  [[nodiscard]] std::string take_rest();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Reads one response, as a client does, and returns its body as it arrives. Skips interim
/// responses (1xx). Not for several tasks at once.
class HttpResponseReader {
 public:
  explicit HttpResponseReader(HttpLimits limits = {});
  ~HttpResponseReader();
  HttpResponseReader(const HttpResponseReader&) = delete;
  HttpResponseReader& operator=(const HttpResponseReader&) = delete;

  /// Takes incoming bytes. Fails with ErrorKind::Decode if they are not HTTP or exceed a limit.
  [[nodiscard]] api::Result<void> feed(std::string_view bytes);
  /// The connection has ended. Fails with ErrorKind::Eof before the first byte, with UnexpectedEof
  /// in the middle.
  [[nodiscard]] api::Result<void> end();
  /// Nothing until the head is complete.
  [[nodiscard]] std::optional<HttpHead> head() const;
  /// The part of the body that has arrived since the last call, without framing.
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
/// The head of a response with a body of this length; nothing means chunked.
[[nodiscard]] std::string to_string(const HttpHead& head, std::optional<std::size_t> length);
/// The line before the bytes of a chunk; CRLF follows the bytes.
[[nodiscard]] std::string chunk_line(std::size_t length);
/// The end of a chunked body.
[[nodiscard]] std::string last_chunk();

}  // namespace watchlab::client
