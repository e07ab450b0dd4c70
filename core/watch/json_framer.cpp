#include "core/watch/json_framer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <utility>

namespace watchlab::watch {
namespace {

/// Takes a parser's findings and makes nothing of them.
struct IgnoreEverything {
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  using Code = boost::json::error_code;
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

class JsonFramer::Scanner {
 public:
  explicit Scanner(const JsonFrameLimits& limits) : parser_(options_for(limits)) {}

  struct Step {
    std::size_t taken = 0;
    bool whole = false;
    std::string error;
  };

  Step scan(std::string_view bytes) {
    boost::json::error_code code;
    Step step;
    step.taken = parser_.write_some(true, bytes.data(), bytes.size(), code);
    if (code) {
      step.error = code.message();
    }
    step.whole = !code && parser_.done();
    if (step.whole) {
      parser_.reset();
    }
    return step;
  }

 private:
  boost::json::basic_parser<IgnoreEverything> parser_;
};

JsonFramer::JsonFramer(JsonFrameLimits limits)
    : limits_(limits), scanner_(std::make_unique<Scanner>(limits)) {}
JsonFramer::~JsonFramer() = default;
JsonFramer::JsonFramer(JsonFramer&&) noexcept = default;
JsonFramer& JsonFramer::operator=(JsonFramer&&) noexcept = default;

void JsonFramer::feed(std::string_view bytes) {
  pending_.erase(0, position_);
  position_ = 0;
  pending_ += bytes;
}

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
  const std::string_view rest = std::string_view(pending_).substr(position_);
  const Scanner::Step step = scanner_->scan(rest.substr(0, room));
  if (!step.error.empty()) {
    return fail(fmt::format("invalid JSON: {}", step.error));
  }
  frame_ += rest.substr(0, step.taken);
  position_ += step.taken;
  if (step.whole) {
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
  failure_ = {.kind = api::ErrorKind::Decode, .message = std::move(message), .status = {}};
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

}  // namespace watchlab::watch
