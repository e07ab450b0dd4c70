#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/result.hpp"
#include "core/watch/decoder.hpp"
#include "core/watch/watch.hpp"

namespace watchlab::watch {

/// One event as JSON text, as an API server sends it: {"type":"ADDED","object":{…}}. An event
/// without object and status has a null object. Mirrors apimachinery meta/v1, WatchEvent. Any task
/// may call both functions.
[[nodiscard]] std::string to_json(const Event& event);

/// The inverse. Fails with ErrorKind::Decode if the text is not a JSON object, the type is unknown,
/// or the object has no kind. An ERROR whose object is not a Status becomes an event with neither
/// object nor status. Mirrors client-go rest/watch/decoder.go, Decode.
[[nodiscard]] api::Result<Event> event_from_json(std::string_view text);

/// How much memory a peer can make a `JsonFramer` use.
struct JsonFrameLimits {
  /// The longest frame in bytes, as in apimachinery's streaming decoder.
  std::size_t bytes_max = std::size_t{16} << 20;
  /// How deeply objects and arrays may be nested. Reading takes about 64 bytes of stack per level.
  std::size_t depth_max = 128;
};

/// Splits a byte stream into JSON values, which follow each other with or without white space and
/// arrive in arbitrary pieces. Mirrors apimachinery pkg/runtime/serializer/json, Framer.
///
/// Reads each byte once and builds only the text of the frame, so it detects invalid JSON at the
/// first wrong byte, and never uses more memory than the limits. Not for several tasks at once.
class JsonFramer {
 public:
  explicit JsonFramer(JsonFrameLimits limits = {});
  ~JsonFramer();
  JsonFramer(JsonFramer&&) noexcept;
  JsonFramer& operator=(JsonFramer&&) noexcept;

  /// Takes incoming bytes. Call `next` until it returns nothing before you feed again.
  void feed(std::string_view bytes);
  /// The next complete frame, or nothing if it is not complete yet. Fails with ErrorKind::Decode if
  /// the bytes are not JSON or exceed a limit. After a failure every further call fails the same
  /// way.
  [[nodiscard]] api::Result<std::optional<std::string>> next();
  /// Whether a frame has started and is not complete yet.
  [[nodiscard]] bool inside_a_frame() const { return !frame_.empty(); }

 private:
  struct Scanner;

  [[nodiscard]] api::Error fail(std::string message);
  void skip_space();

  JsonFrameLimits limits_;
  std::unique_ptr<Scanner> scanner_;
  std::string pending_;       ///< received and not yet read, from `position_` on
  std::size_t position_ = 0;  ///< how much of `pending_` has been read
  std::string frame_;         ///< the start of the incomplete frame
  std::optional<api::Error> failure_;
};

/// Reads the events of a watch from its response body: JSON objects, one after the other. Mirrors
/// client-go rest/watch/decoder.go, Decoder, with apimachinery's JSON framer below it.
///
/// A stream that ends between two frames fails with ErrorKind::Eof, inside a frame with
/// UnexpectedEof, a broken stream with its error, and one without valid events with Decode. Every
/// later call fails the same way.
class JsonFrameDecoder : public Decoder {
 public:
  explicit JsonFrameDecoder(std::unique_ptr<ByteStream> stream, JsonFrameLimits limits = {});

  [[nodiscard]] api::Result<Event> decode() override;
  void close(runtime::Location here = runtime::Location::current()) override;

 private:
  [[nodiscard]] api::Result<std::string> next_frame();
  [[nodiscard]] api::Result<void> read_more();

  std::unique_ptr<ByteStream> stream_;
  JsonFramer framer_;
  std::vector<char> chunk_;
  std::optional<api::Error> failure_;
};

}  // namespace watchlab::watch
