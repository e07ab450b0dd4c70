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

/// One event as JSON text, the way an API server sends it: {"type":"ADDED","object":{…}}. An
/// event without object and status has a null for its object. Mirrors apimachinery meta/v1,
/// WatchEvent. Any task may call both functions.
[[nodiscard]] std::string to_json(const Event& event);

/// The reverse. Fails with ErrorKind::Decode when the text is no JSON object, the type is none of
/// the five, or the object is none of a kind. An ERROR whose object is no Status is an event that
/// has neither object nor status. Mirrors client-go rest/watch/decoder.go, Decode.
[[nodiscard]] api::Result<Event> event_from_json(std::string_view text);

/// How much memory a peer can make a `JsonFramer` use.
struct JsonFrameLimits {
  /// The longest frame in bytes, as in apimachinery's streaming decoder.
  std::size_t bytes_max = std::size_t{16} << 20;
  /// How deep objects and arrays may lie in each other. Reading takes some 64 bytes of stack a
  /// level.
  std::size_t depth_max = 128;
};

/// Cuts JSON values out of a stream of bytes that holds one after the other, with or without white
/// space between them, and in pieces that end anywhere. Mirrors apimachinery
/// pkg/runtime/serializer/json, Framer.
///
/// It reads each byte once and builds nothing but the text of the frame, so what is no JSON is
/// found at its first wrong byte and costs no more memory than the limits say. Not for several
/// tasks at once.
class JsonFramer {
 public:
  explicit JsonFramer(JsonFrameLimits limits = {});
  ~JsonFramer();
  JsonFramer(JsonFramer&&) noexcept;
  JsonFramer& operator=(JsonFramer&&) noexcept;

  /// Takes what came in. Ask `next` until it has nothing more before feeding again.
  void feed(std::string_view bytes);
  /// The next whole frame, or nothing while it is not whole. Fails with ErrorKind::Decode when the
  /// bytes are no JSON or break a limit; then it does so every time.
  [[nodiscard]] api::Result<std::optional<std::string>> next();
  /// Whether a frame has begun and is not whole yet.
  [[nodiscard]] bool inside_a_frame() const { return !frame_.empty(); }

 private:
  struct Scanner;

  [[nodiscard]] api::Error fail(std::string message);
  void skip_space();

  JsonFrameLimits limits_;
  std::unique_ptr<Scanner> scanner_;
  std::string pending_;       ///< came in and was not looked at yet, from `position_` on
  std::size_t position_ = 0;  ///< how much of `pending_` is done with
  std::string frame_;         ///< the beginning of the frame that is not whole yet
  std::optional<api::Error> failure_;
};

/// Reads the events of a watch out of the body of its response: JSON objects, one after the other.
/// Mirrors client-go rest/watch/decoder.go, Decoder, with apimachinery's JSON framer below it.
///
/// A stream that ends between two frames fails with ErrorKind::Eof, one that ends inside a frame
/// with UnexpectedEof, one that breaks with what the stream says, and one that holds no events with
/// Decode; each of them ever after.
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
