#include "core/watch/json_frame_decoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/system/error_code.hpp>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "core/api/json.hpp"
#include "core/api/json_tokenizer.hpp"

namespace watchlab::watch {
namespace {

constexpr std::array kTypes{EventType::Added, EventType::Modified, EventType::Deleted,
                            EventType::Bookmark, EventType::Error};

api::Error undecodable(std::string message) {
  return {.kind = api::ErrorKind::Decode, .message = std::move(message)};
}

api::Result<EventType> type_named(std::string_view name) {
  for (const EventType type : kTypes) {
    if (to_string(type) == name) {
      return type;
    }
  }
  return undecodable(fmt::format("got invalid watch event type: {}", name));
}

/// The two members of the envelope, as text.
struct Envelope {
  std::string type;
  std::string_view object;
};

Envelope open(std::string_view text) {
  Envelope envelope;
  for (const api::JsonMember& member : api::JsonTokenizer(text).members()) {
    if (member.key == "object") {
      envelope.object = member.value;
    } else if (member.key == "type") {
      envelope.type = api::json_text(member.value, "type");
    }
  }
  return envelope;
}

/// The content of an ERROR event: a Status, or nothing when the object is something else.
api::Result<Event> error_from(std::string_view object) {
  Event event{.type = EventType::Error};
  const api::Result<std::string> kind = api::kind_in_json(object);
  if (!kind.ok()) {
    return kind.error();
  }
  if (kind->empty() && object.starts_with('{')) {
    return undecodable(
        "Object 'Kind' is missing");  // what it says is not looked at, not even a 410
  }
  if (*kind == "Status") {
    api::Result<api::Status> status = api::status_from_json(object);
    if (!status.ok()) {
      return status.error();
    }
    event.status = std::make_shared<const api::Status>(*std::move(status));
  }
  return event;
}

api::Result<Event> change_from(EventType type, std::string_view object) {
  api::Result<api::Object> read = api::object_from_json(object);
  if (!read.ok()) {
    return read.error();
  }
  return Event{.type = type, .object = api::share(*std::move(read))};
}

}  // namespace

std::string to_json(const Event& event) {
  std::string object = "null";
  if (event.status != nullptr) {
    object = api::to_json(*event.status);
  } else if (event.object != nullptr) {
    object = api::to_json(*event.object);
  }
  return fmt::format(R"({{"type":"{}","object":{}}})", to_string(event.type), object);
}

api::Result<Event> event_from_json(std::string_view text) {
  const auto envelope = api::decoded([text] { return open(text); });
  if (!envelope.ok()) {
    return undecodable(fmt::format("unable to decode watch event: {}", envelope.error().message));
  }
  const api::Result<EventType> type = type_named(envelope->type);
  if (!type.ok()) {
    return type.error();
  }
  api::Result<Event> event = *type == EventType::Error ? error_from(envelope->object)
                                                       : change_from(*type, envelope->object);
  if (!event.ok()) {
    return undecodable(fmt::format("unable to decode watch event: {}", event.error().message));
  }
  return event;
}

namespace {

/// Takes a parser's findings and makes nothing of them.
struct IgnoreEverything {
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  using Code = boost::system::error_code;
  using Text = boost::json::string_view;

  bool on_document_begin(Code&) { return true; }
  bool on_document_end(Code&) { return true; }
  bool on_object_begin(Code&) { return true; }
  bool on_object_end(std::size_t, Code&) { return true; }
  bool on_array_begin(Code&) { return true; }
  bool on_array_end(std::size_t, Code&) { return true; }
  bool on_key_part(Text, std::size_t, Code&) { return true; }
  bool on_key(Text, std::size_t, Code&) { return true; }
  bool on_string_part(Text, std::size_t, Code&) { return true; }
  bool on_string(Text, std::size_t, Code&) { return true; }
  bool on_number_part(Text, Code&) { return true; }
  bool on_int64(std::int64_t, Text, Code&) { return true; }
  bool on_uint64(std::uint64_t, Text, Code&) { return true; }
  bool on_double(double, Text, Code&) { return true; }
  bool on_bool(bool, Code&) { return true; }
  bool on_null(Code&) { return true; }
  bool on_comment_part(Text, Code&) { return true; }
  bool on_comment(Text, Code&) { return true; }
};

bool is_space(char sign) { return sign == ' ' || sign == '\n' || sign == '\r' || sign == '\t'; }

boost::json::parse_options options_for(const JsonFrameLimits& limits) {
  boost::json::parse_options options;
  options.max_depth = limits.depth_max;
  return options;
}

}  // namespace

struct JsonFramer::Scanner : boost::json::basic_parser<IgnoreEverything> {
  using basic_parser::basic_parser;
};

JsonFramer::JsonFramer(JsonFrameLimits limits)
    : limits_(limits), scanner_(std::make_unique<Scanner>(options_for(limits))) {}
JsonFramer::~JsonFramer() = default;
JsonFramer::JsonFramer(JsonFramer&&) noexcept = default;
JsonFramer& JsonFramer::operator=(JsonFramer&&) noexcept = default;

void JsonFramer::feed(std::string_view bytes) {
  pending_.erase(0, position_);
  position_ = 0;
  pending_ += bytes;
}

/// The scanner gets at most as many bytes as the frame may still have: a longer one is refused at
/// the limit, whatever follows. A frame that is not whole keeps what was scanned, and the scanner
/// its state, so no byte is looked at twice.
api::Result<std::optional<std::string>> JsonFramer::next() {
  if (failure_) {
    return *failure_;
  }
  if (frame_.empty()) {
    skip_space();
  }
  if (position_ == pending_.size()) {
    return std::optional<std::string>();
  }
  const std::size_t room = limits_.bytes_max - frame_.size();
  const std::string_view rest = std::string_view(pending_).substr(position_, room);
  boost::system::error_code invalid;
  const std::size_t taken = scanner_->write_some(true, rest.data(), rest.size(), invalid);
  if (invalid) {
    return fail(fmt::format("invalid JSON: {}", invalid.message()));
  }
  frame_ += rest.substr(0, taken);
  position_ += taken;
  if (scanner_->done()) {
    scanner_->reset();
    // The scanner also takes the white space that it finds right after the value.
    while (is_space(frame_.back())) {
      frame_.pop_back();
    }
    return std::optional<std::string>(std::exchange(frame_, {}));
  }
  if (frame_.size() == limits_.bytes_max) {
    return fail("object to decode was longer than maximum allowed size");
  }
  return std::optional<std::string>();
}

api::Error JsonFramer::fail(std::string message) {
  failure_ = {.kind = api::ErrorKind::Decode, .message = std::move(message)};
  pending_ = {};
  frame_ = {};
  position_ = 0;
  return *failure_;
}

/// White space between frames belongs to none, so that a stream may end after it.
void JsonFramer::skip_space() {
  const auto begin = pending_.begin() + static_cast<std::ptrdiff_t>(position_);
  const auto first = std::find_if_not(begin, pending_.end(), is_space);
  position_ = static_cast<std::size_t>(first - pending_.begin());
}

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

/// Mirrors the framer of apimachinery: the end between two frames is io.EOF, inside of one it is
/// io.ErrUnexpectedEOF. A reflector takes the first for a normal end.
api::Result<void> JsonFrameDecoder::read_more() {
  const api::Result<std::size_t> size = stream_->read(chunk_);
  if (!size.ok()) {
    return size.error();
  }
  if (*size == 0) {
    const bool torn = framer_.inside_a_frame();
    return api::Error{.kind = torn ? api::ErrorKind::UnexpectedEof : api::ErrorKind::Eof,
                      .message = torn ? "unexpected EOF" : "EOF"};
  }
  framer_.feed(std::string_view(chunk_.data(), *size));
  return {};
}

}  // namespace watchlab::watch
