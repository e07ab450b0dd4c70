#include "core/watch/json_frame_decoder.hpp"

#include <string_view>
#include <utility>

#include "core/watch/event_json.hpp"

namespace watchlab::watch {
namespace {

constexpr std::size_t kChunkSize = std::size_t{16} << 10;

}  // namespace

JsonFrameDecoder::JsonFrameDecoder(std::unique_ptr<ByteStream> stream, JsonFrameLimits limits)
    : stream_(std::move(stream)), framer_(limits), chunk_(kChunkSize) {}

api::Result<Event> JsonFrameDecoder::decode() {
  if (failure_) {
    return *failure_;
  }
  const api::Result<std::string> frame = next_frame();
  api::Result<Event> event =
      frame.ok() ? event_from_json(*frame) : api::Result<Event>(frame.error());
  if (!event.ok()) {
    failure_ = event.error();
  }
  return event;
}

void JsonFrameDecoder::close(runtime::Location here) { stream_->close(here); }

api::Result<std::string> JsonFrameDecoder::next_frame() {
  while (true) {
    api::Result<std::optional<std::string>> frame = framer_.next();
    if (!frame.ok()) {
      return frame.error();
    }
    if (*frame) {
      return **std::move(frame);
    }
    if (const api::Result<void> more = read_more(); !more.ok()) {
      return more.error();
    }
  }
}

api::Result<void> JsonFrameDecoder::read_more() {
  const api::Result<std::size_t> size = stream_->read(chunk_);
  if (!size.ok()) {
    return size.error();
  }
  if (*size == 0) {
    const bool torn = framer_.inside_a_frame();
    return api::Error{.kind = torn ? api::ErrorKind::UnexpectedEof : api::ErrorKind::Eof,
                      .message = torn ? "unexpected EOF" : "EOF",
                      .status = {}};
  }
  framer_.feed(std::string_view(chunk_.data(), *size));
  return {};
}

}  // namespace watchlab::watch
