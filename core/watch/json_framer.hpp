#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/api/result.hpp"

namespace watchlab::watch {

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
  /// bytes are no JSON or break a limit; then it does so for ever.
  [[nodiscard]] api::Result<std::optional<std::string>> next();
  /// Whether a frame has begun and is not whole yet.
  [[nodiscard]] bool inside_a_frame() const { return !frame_.empty(); }

 private:
  class Scanner;

  [[nodiscard]] api::Error fail(std::string message);
  void skip_space();

  JsonFrameLimits limits_;
  std::unique_ptr<Scanner> scanner_;
  std::string pending_;       ///< came in and was not looked at yet, from `position_` on
  std::size_t position_ = 0;  ///< how much of `pending_` is done with
  std::string frame_;         ///< the beginning of the frame that is not whole yet
  std::optional<api::Error> failure_;
};

}  // namespace watchlab::watch
