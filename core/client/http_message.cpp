#include "core/client/http_message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/http/chunk_encode.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cctype>
#include <utility>

namespace watchlab::client {
namespace {

char lower(char sign) {
  return sign >= 'A' && sign <= 'Z' ? static_cast<char>(sign - 'A' + 'a') : sign;
}

bool is_called(const HttpField& field, std::string_view name) {
  return std::equal(field.name.begin(), field.name.end(), name.begin(), name.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

std::vector<std::string_view> fields_of(const HttpFields& fields, std::string_view name) {
  std::vector<std::string_view> values;
  for (const HttpField& field : fields) {
    if (is_called(field, name)) {
      values.emplace_back(field.value);
    }
  }
  return values;
}

std::string_view field_of(const HttpFields& fields, std::string_view name) {
  const auto found = std::find_if(fields.begin(), fields.end(), [name](const HttpField& field) {
    return is_called(field, name);
  });
  return found == fields.end() ? std::string_view() : std::string_view(found->value);
}

std::string media_type_of(const HttpFields& fields) {
  const std::string_view field = field_of(fields, "Content-Type");
  std::string type(field.substr(0, field.find(';')));
  type.erase(type.find_last_not_of(" \t") + 1);
  std::ranges::transform(type, type.begin(), lower);
  return type;
}

namespace http = boost::beast::http;

bool has_word(const HttpFields& fields, std::string_view name, std::string_view word) {
  return std::ranges::any_of(fields_of(fields, name), [word](std::string_view value) {
    return http::token_list(boost::beast::string_view(value.data(), value.size()))
        .exists(boost::beast::string_view(word.data(), word.size()));
  });
}

namespace {

constexpr unsigned kHttp11 = 11;

api::Error decode_error(std::string message) {
  return {.kind = api::ErrorKind::Decode, .message = std::move(message), .status = {}};
}

/// Mirrors Go's net/http, conn.serve.
api::Error head_too_large(std::size_t limit) {
  constexpr std::int32_t kFieldsTooLarge = 431;
  api::Status status =
      api::failure(api::StatusReason::RequestEntityTooLarge,
                   fmt::format("the head of the request is too large: limit is {}", limit));
  status.code = kFieldsTooLarge;
  return api::error_from(std::move(status));
}

HttpFields fields_in(const http::fields& from) {
  HttpFields fields;
  for (const auto& field : from) {
    fields.push_back({std::string(field.name_string()), std::string(field.value())});
  }
  return fields;
}

/// Whether a URL can have that between its "//" and its path: Go refuses an address in brackets
/// that do not close, and a port that is no number.
bool is_authority(std::string_view text) {
  const std::size_t bracket = text.starts_with('[') ? text.find(']') : 0;
  if (bracket == std::string_view::npos) {
    return false;
  }
  const std::size_t port = bracket == 0 ? text.rfind(':') : bracket + 1;
  return port >= text.size() ||
         (text[port] == ':' && text.find_first_not_of("0123456789", port + 1) == text.npos);
}

/// A target that is a whole URL, as a client sends it to a proxy: the path is what stands behind
/// its host, and its host counts, not that of the field. Mirrors Go's net/http readRequest, which
/// wants the field all the same, where the version has it.
void take_host_of_target(HttpRequest& request) {
  const std::size_t scheme = request.target.find("://");
  if (scheme == std::string::npos || request.target.find_first_of("/?") < scheme) {
    return;
  }
  const std::size_t begin = scheme + 3;
  const std::size_t end =
      std::min(request.target.find_first_of("/?", begin), request.target.size());
  std::string host = request.target.substr(begin, end - begin);
  host.erase(0, host.rfind('@') + 1);
  const bool has_name = std::isalpha(static_cast<unsigned char>(request.target.front())) != 0;
  if (!has_name || !is_authority(host)) {
    return;  // it is no target, and is refused
  }
  request.target.replace(0, end,
                         end < request.target.size() && request.target[end] == '/' ? "" : "/");
  const auto named = std::ranges::find_if(
      request.fields, [](const HttpField& field) { return is_called(field, "Host"); });
  if (!host.empty() && named != request.fields.end()) {
    named->value = host;
  } else if (!host.empty() && request.is_http_10) {
    request.fields.push_back({"Host", host});
  }
}

HttpRequest without_body(const http::request<http::string_body>& message) {
  HttpRequest request{.method = std::string(message.method_string()),
                      .target = std::string(message.target()),
                      .fields = fields_in(message.base()),
                      .body = {},
                      .keep_alive = message.keep_alive(),
                      .is_http_10 = message.version() < kHttp11};
  take_host_of_target(request);
  return request;
}

void set_fields(http::fields& into, const HttpFields& fields) {
  for (const HttpField& field : fields) {
    into.insert(field.name, field.value);
  }
}

/// The whole text, or the head alone.
template <typename Serializer>
std::string serialized(Serializer& serializer, bool only_head) {
  std::string text;
  boost::beast::error_code code;
  serializer.split(only_head);
  while (only_head ? !serializer.is_header_done() : !serializer.is_done()) {
    serializer.next(code, [&](boost::beast::error_code& /*inner*/, const auto& buffers) {
      text += boost::beast::buffers_to_string(buffers);
      serializer.consume(boost::beast::buffer_bytes(buffers));
    });
    runtime::ensure(!code, "what we send can be written");
  }
  return text;
}

/// Whether a parser that was left in the middle of these bytes has to wait for more. Beast 1.81
/// ends the process by an assertion when it is shown a last chunk of less than five bytes again.
template <typename Parser>
bool waits_for_last_chunk(const Parser& parser, const std::string& pending) {
  constexpr std::size_t kShortest = 5;  // "0", CRLF, CRLF
  return parser.is_header_done() && !parser.is_done() && parser.chunked() &&
         pending.front() == '0' && pending.size() < kShortest;
}

/// Whether what a parser waits with, the line of a last chunk, has something behind its zeros that
/// no such line has. The parser looks at it only when the end of the trailer has come.
bool has_wrong_last_chunk(std::string_view pending) {
  pending.remove_prefix(pending.starts_with("\r\n") ? 2 : 0);  // behind the chunk before
  const std::size_t end = pending.find_first_not_of('0');
  return end > 0 && end < pending.size() &&
         std::string_view("\r\n; \t").find(pending[end]) == std::string_view::npos &&
         std::isxdigit(static_cast<unsigned char>(pending[end])) == 0;
}

/// In what a parser waits with, which is a part of the line of a chunk: it waits for a CRLF behind
/// that.
bool has_bare_line_feed(std::string_view pending) {
  for (std::size_t at = pending.find('\n'); at < pending.size(); at = pending.find('\n', at + 1)) {
    if (at == 0 || pending[at - 1] != '\r') {
      return true;
    }
  }
  return false;
}

/// The head of a request as the parser reads it, of what Go's net/http reads: lines may end with a
/// bare LF, HTTP/1.2 is read as 1.1, HTTP/1.0 has no chunks, and chunks count more than a length.
class HeadLines {
 public:
  /// Takes the lines that have come out of `bytes`, and returns what the parser may see of them.
  /// What cannot begin a request is not waited with until its line ends.
  [[nodiscard]] std::string take(std::string& bytes) {
    std::string text;
    std::size_t begin = 0;
    for (std::size_t end = bytes.find('\n'); !is_whole_ && end != std::string::npos;
         end = bytes.find('\n', begin)) {
      const bool has_return = end > begin && bytes[end - 1] == '\r';
      text += read(bytes.substr(begin, end - begin - (has_return ? 1 : 0)));
      begin = end + 1;
    }
    taken_ += begin;
    bytes.erase(0, begin);
    const bool is_text = bytes.empty() || bytes[0] == '\r' || std::isgraph(byte(bytes[0])) != 0;
    return is_whole_ || (is_first_ && !is_text) ? text + std::exchange(bytes, {}) : text;
  }
  [[nodiscard]] bool is_whole() const { return is_whole_; }
  /// How long the lines are that were taken.
  [[nodiscard]] std::size_t taken() const { return taken_; }
  /// Why nobody serves it, once it is whole.
  [[nodiscard]] const std::optional<api::Error>& refusal() const { return refusal_; }

 private:
  static unsigned char byte(char sign) { return static_cast<unsigned char>(sign); }

  std::string read(std::string line) {
    if (is_first_) {
      is_first_ = false;
      return request_line(std::move(line)) + "\r\n";
    }
    if (line.empty()) {
      is_whole_ = true;
      return end_of_head();
    }
    if (line.front() != ' ' && line.front() != '\t') {  // else it belongs to the line before
      const HttpField field{line.substr(0, line.find(':')), ""};
      held_ = is_called(field, "Transfer-Encoding") ? &encodings_
              : is_called(field, "Content-Length")  ? &lengths_
                                                    : nullptr;
      if (held_ != nullptr) {
        held_->emplace_back();
      }
    }
    line += "\r\n";
    if (held_ == nullptr) {
      return line;
    }
    held_->back() += line;
    return "";
  }

  /// With the version 1.0 or 1.1 in place of others that there can be. The preface of HTTP/2 has
  /// one that the parser refuses.
  std::string request_line(std::string line) {
    constexpr std::string_view kName = "HTTP/";
    const std::size_t begin = line.rfind(' ') + 1;
    const std::string version = line.substr(begin);
    const bool is_version = version.size() == kName.size() + 3 && version.starts_with(kName) &&
                            std::isdigit(byte(version[5])) != 0 && version[6] == '.' &&
                            std::isdigit(byte(version[7])) != 0;
    if (is_version && !line.starts_with("PRI ")) {
      is_served_ = version[5] == '1';
      is_old_ = version == "HTTP/1.0";
      line.replace(begin, std::string::npos, is_old_ ? "HTTP/1.0" : "HTTP/1.1");
    }
    return line;
  }

  std::string end_of_head() {
    constexpr std::int32_t kNotImplemented = 501;
    constexpr std::int32_t kVersionNotSupported = 505;
    if (!is_served_) {
      refuse(kVersionNotSupported, "unsupported protocol version");
    } else if (!is_old_ && encodings_.size() > 1) {
      refuse(kNotImplemented, "too many transfer encodings");
    }
    std::string text;
    const bool is_encoded = !is_old_ && !encodings_.empty();
    if (is_encoded) {
      text = encodings_.front();
    }
    for (const std::string& line : lengths_) {
      text += is_encoded && is_length(line) ? "" : line;
    }
    return text + "\r\n";
  }

  /// Whether it is a length that the first one does not contradict.
  [[nodiscard]] bool is_length(const std::string& line) const {
    const auto value_of = [](const std::string& field) {
      const std::string_view value = std::string_view(field).substr(field.find(':') + 1);
      const std::size_t begin = std::min(value.find_first_not_of(" \t\r\n"), value.size());
      return value.substr(begin, value.find_last_not_of(" \t\r\n") + 1 - begin);
    };
    const std::string_view value = value_of(line);
    return !value.empty() && value.find_first_not_of("0123456789") == std::string_view::npos &&
           value == value_of(lengths_.front());
  }

  void refuse(std::int32_t code, std::string why) {
    api::Status status = api::failure(api::StatusReason::InternalError, std::move(why));
    status.code = code;
    refusal_ = api::error_from(std::move(status));
  }

  std::vector<std::string> encodings_;  // lines, with those that continue them
  std::vector<std::string> lengths_;
  std::vector<std::string>* held_ = nullptr;  // which of them a line that continues belongs to
  std::optional<api::Error> refusal_;
  std::size_t taken_ = 0;
  bool is_first_ = true;
  bool is_whole_ = false;
  bool is_served_ = true;
  bool is_old_ = false;
};

enum class Until : std::uint8_t { Head, End };

/// Feeds a parser what it can use of `pending`. An error code other than "more" is final.
template <typename Parser>
boost::beast::error_code parse(Parser& parser, std::string& pending, Until until = Until::End) {
  const auto is_there = [&] {
    return until == Until::Head ? parser.is_header_done() : parser.is_done();
  };
  boost::beast::error_code code;
  while (!is_there() && !pending.empty()) {
    const std::size_t used = parser.put(boost::asio::buffer(pending), code);
    pending.erase(0, used);
    if (code == http::error::need_more) {
      return {};
    }
    if (code || used == 0) {
      return code;
    }
  }
  return code;
}

}  // namespace

struct HttpRequestReader::Parts {
  explicit Parts(const HttpLimits& limits_in) : limits(limits_in) {
    parser.eager(true);
    parser.header_limit(static_cast<std::uint32_t>(limits.head_max));
    parser.body_limit(limits.body_max);
  }
  HttpLimits limits;
  http::request_parser<http::string_body> parser;
  HeadLines lines;
  std::string line;     // of the head, that has not come to its end
  std::string pending;  // for the parser
  std::optional<api::Error> failure;
};

HttpRequestReader::HttpRequestReader(HttpLimits limits) : parts_(std::make_unique<Parts>(limits)) {}
HttpRequestReader::~HttpRequestReader() = default;

api::Result<void> HttpRequestReader::feed(std::string_view bytes) {
  if (parts_->failure) {
    return *parts_->failure;
  }
  const bool resumes = !parts_->pending.empty();
  if (parts_->lines.is_whole()) {
    parts_->pending += bytes;
  } else {
    parts_->line += bytes;
    parts_->pending += parts_->lines.take(parts_->line);
  }
  const bool waits = resumes && waits_for_last_chunk(parts_->parser, parts_->pending);
  const boost::beast::error_code code =
      waits ? boost::beast::error_code() : parse(parts_->parser, parts_->pending);
  if (code == http::error::body_limit) {
    parts_->failure = api::error_from(api::failure(
        api::StatusReason::RequestEntityTooLarge,
        fmt::format("Request entity too large: limit is {}", parts_->limits.body_max)));
  } else if (code == http::error::header_limit ||
             (!code && !parts_->parser.is_header_done() &&
              parts_->lines.taken() + parts_->line.size() > parts_->limits.head_max)) {
    parts_->failure = head_too_large(parts_->limits.head_max);
  } else if (code) {
    parts_->failure = decode_error("malformed HTTP request: " + code.message());
  } else if (parts_->lines.refusal()) {
    parts_->failure = parts_->lines.refusal();
  } else if (!done() && parts_->pending.size() > parts_->limits.head_max) {
    parts_->failure = decode_error("malformed HTTP request: a line is too long");
  } else if (!done() && parts_->parser.is_header_done() && parts_->parser.chunked() &&
             has_wrong_last_chunk(parts_->pending)) {
    parts_->failure = decode_error("malformed HTTP request: the size of a chunk is no number");
  } else if (!done() && has_bare_line_feed(parts_->pending)) {
    parts_->failure =
        decode_error("malformed HTTP request: a line ends with LF, and not with CRLF");
  }
  return parts_->failure ? api::Result<void>(*parts_->failure) : api::Result<void>();
}

bool HttpRequestReader::done() const { return parts_->parser.is_done(); }

std::optional<HttpRequest> HttpRequestReader::head() const {
  if (!parts_->parser.is_header_done()) {
    return std::nullopt;
  }
  return without_body(parts_->parser.get());
}

bool HttpRequestReader::expects_continue() const {
  return parts_->parser.is_header_done() && !done() &&
         http::token_list(parts_->parser.get()[http::field::expect]).exists("100-continue");
}

HttpRequest HttpRequestReader::take() {
  runtime::ensure(done(), "only a whole request is taken");
  http::request<http::string_body> message = parts_->parser.release();
  HttpRequest request = without_body(message);
  request.body = std::move(message.body());
  return request;
}

std::string HttpRequestReader::take_rest() { return std::exchange(parts_->pending, {}); }

struct HttpResponseReader::Parts {
  /// The parser makes room for a whole body when it sees the first byte of it: how long the head
  /// says that the body is counts before that.
  boost::beast::error_code read(const HttpLimits& limits) {
    parser->eager(parser->is_header_done());
    if (const auto code = parse(*parser, pending, Until::Head); code) {
      return code;
    }
    if (!parser->is_header_done()) {
      return {};
    }
    if (parser->content_length().value_or(0) > limits.body_max) {
      return http::make_error_code(http::error::body_limit);
    }
    parser->eager(true);
    return parse(*parser, pending);
  }

  std::optional<http::response_parser<http::string_body>> parser;
  std::string pending;
  bool touched = false;  // something has come
  std::optional<api::Error> failure;
};

HttpResponseReader::HttpResponseReader(HttpLimits limits)
    : limits_(limits), parts_(std::make_unique<Parts>()) {
  start();
}
HttpResponseReader::~HttpResponseReader() = default;

void HttpResponseReader::start() {
  parts_->parser.emplace();
  parts_->parser->header_limit(static_cast<std::uint32_t>(limits_.head_max));
  // A watch has no end: its frames are bounded where they are read.
  parts_->parser->body_limit(boost::none);
}

api::Error HttpResponseReader::fail(std::string_view why) {
  parts_->failure = decode_error(fmt::format("malformed HTTP response: {}", why));
  parts_->pending = {};
  return *parts_->failure;
}

api::Result<void> HttpResponseReader::feed(std::string_view bytes) {
  if (parts_->failure) {
    return *parts_->failure;
  }
  parts_->touched = parts_->touched || !bytes.empty();
  const bool resumes = !parts_->pending.empty();
  parts_->pending += bytes;
  if (resumes && waits_for_last_chunk(*parts_->parser, parts_->pending)) {
    return {};
  }
  while (true) {
    if (const boost::beast::error_code code = parts_->read(limits_); code) {
      return fail(code.message());
    }
    constexpr unsigned kInformational = 1;
    if (!parts_->parser->is_done() || parts_->parser->get().result_int() / 100 != kInformational) {
      break;
    }
    start();
    if (parts_->pending.empty()) {
      break;
    }
  }
  if (!done() && parts_->pending.size() > limits_.head_max) {
    return fail("a line is too long");
  }
  return {};
}

api::Result<void> HttpResponseReader::end() {
  if (parts_->failure) {
    return *parts_->failure;
  }
  if (parts_->parser->is_done()) {
    return {};
  }
  boost::beast::error_code code;
  if (parts_->parser->is_header_done()) {
    parts_->parser->put_eof(code);
  } else {
    code = http::error::partial_message;
  }
  if (!code) {
    return {};
  }
  const bool nothing_came = !parts_->touched;
  parts_->failure = {nothing_came ? api::ErrorKind::Eof : api::ErrorKind::UnexpectedEof,
                     nothing_came ? "EOF" : "unexpected EOF",
                     {}};
  return *parts_->failure;
}

std::optional<HttpHead> HttpResponseReader::head() const {
  if (!parts_->parser->is_header_done()) {
    return std::nullopt;
  }
  const auto& message = parts_->parser->get();
  return HttpHead{static_cast<std::int32_t>(message.result_int()), fields_in(message.base())};
}

std::string HttpResponseReader::take_body() {
  return std::exchange(parts_->parser->get().body(), {});
}

bool HttpResponseReader::done() const { return parts_->parser->is_done(); }

std::string to_string(const HttpRequest& request) {
  http::request<http::string_body> message;
  message.method_string(request.method);
  message.target(request.target);
  message.version(kHttp11);
  set_fields(message.base(), request.fields);
  message.body() = request.body;
  message.prepare_payload();
  http::request_serializer<http::string_body> serializer(message);
  return serialized(serializer, false);
}

std::string to_string(const HttpHead& head, std::optional<std::size_t> length) {
  http::response<http::empty_body> message;
  message.result(static_cast<unsigned>(head.code));
  message.version(kHttp11);
  set_fields(message.base(), head.fields);
  if (length) {
    message.content_length(*length);
  } else {
    message.chunked(true);
  }
  http::response_serializer<http::empty_body> serializer(message);
  return serialized(serializer, true);
}

std::string chunk_line(std::size_t length) {
  return boost::beast::buffers_to_string(http::chunk_header(length));
}

std::string last_chunk() { return boost::beast::buffers_to_string(http::make_chunk_last()); }

}  // namespace watchlab::client
