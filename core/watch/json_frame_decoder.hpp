#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/watch/byte_stream.hpp"
#include "core/watch/decoder.hpp"
#include "core/watch/json_framer.hpp"

namespace watchlab::watch {

/// Reads the events of a watch out of the body of its response: JSON objects, one after the other.
/// Mirrors client-go rest/watch/decoder.go, Decoder, with apimachinery's JSON framer below it.
///
/// A stream that ends between two frames fails with ErrorKind::Eof, one that ends inside a frame
/// with UnexpectedEof, one that breaks with what the stream says, and one that holds no events with
/// Decode; each of them for ever after.
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
