#include "core/api/json_cutter.hpp"

namespace watchlab::api {

namespace {

/// Deep enough for every schema of a custom resource, shallow enough for a small stack.
constexpr int kDepthMax = 100;

bool is_digit(char sign) { return sign >= '0' && sign <= '9'; }

bool is_hex(char sign) {
  return is_digit(sign) || (sign >= 'a' && sign <= 'f') || (sign >= 'A' && sign <= 'F');
}

}  // namespace

Error JsonCutter::malformed(std::string_view expected) const {
  return {.kind = ErrorKind::Decode,
          .message = "no valid JSON at byte " + std::to_string(place_) + ": expected " +
                     std::string(expected)};
}

Result<std::vector<JsonMember>> JsonCutter::members() {
  std::vector<JsonMember> members;
  if (!take('{') || !skip_object(0, &members)) {
    return malformed("an object");
  }
  skip_space();
  if (!at_end()) {
    return malformed("the end of the text");
  }
  return members;
}

Result<std::vector<std::string_view>> JsonCutter::elements() {
  std::vector<std::string_view> elements;
  if (!take('[') || !skip_array(0, &elements)) {
    return malformed("an array");
  }
  skip_space();
  if (!at_end()) {
    return malformed("the end of the text");
  }
  return elements;
}

void JsonCutter::skip_space() {
  while (sign() == ' ' || sign() == '\n' || sign() == '\r' || sign() == '\t') {
    ++place_;
  }
}

bool JsonCutter::take(char expected) {
  skip_space();
  if (at_end() || text_[place_] != expected) {
    return false;
  }
  ++place_;
  return true;
}

bool JsonCutter::skip_value(int depth) {
  if (depth > kDepthMax) {
    return false;
  }
  if (take('{')) {
    return skip_object(depth, nullptr);
  }
  if (take('[')) {
    return skip_array(depth, nullptr);
  }
  switch (sign()) {
    case '"':
      return skip_string();
    case 't':
      return skip_word("true");
    case 'f':
      return skip_word("false");
    case 'n':
      return skip_word("null");
    default:
      return skip_number();
  }
}

bool JsonCutter::skip_object(int depth, std::vector<JsonMember>* members) {
  if (take('}')) {
    return true;
  }
  do {
    skip_space();
    const std::size_t key = place_;
    if (!skip_string()) {
      return false;
    }
    const std::size_t key_end = place_;
    if (!take(':')) {
      return false;
    }
    skip_space();
    const std::size_t value = place_;
    if (!skip_value(depth + 1)) {
      return false;
    }
    if (members != nullptr) {
      members->push_back({.key = text_.substr(key + 1, key_end - key - 2),
                          .value = text_.substr(value, place_ - value)});
    }
  } while (take(','));
  return take('}');
}

bool JsonCutter::skip_array(int depth, std::vector<std::string_view>* elements) {
  if (take(']')) {
    return true;
  }
  do {
    skip_space();
    const std::size_t element = place_;
    if (!skip_value(depth + 1)) {
      return false;
    }
    if (elements != nullptr) {
      elements->push_back(text_.substr(element, place_ - element));
    }
  } while (take(','));
  return take(']');
}

bool JsonCutter::skip_string() {
  if (sign() != '"') {
    return false;
  }
  ++place_;
  while (!at_end()) {
    const char next = text_[place_++];
    if (next == '"') {
      return true;
    }
    if (static_cast<unsigned char>(next) < 0x20 || (next == '\\' && !skip_escape())) {
      return false;
    }
  }
  return false;
}

bool JsonCutter::skip_escape() {
  const char kind = sign();
  if (kind == 'u') {
    for (int i = 0; i < 4; ++i) {
      ++place_;
      if (!is_hex(sign())) {
        return false;
      }
    }
  } else if (kind == '\0' || std::string_view("\"\\/bfnrt").find(kind) == std::string_view::npos) {
    return false;
  }
  ++place_;
  return true;
}

bool JsonCutter::skip_number() {
  if (sign() == '-') {
    ++place_;
  }
  const std::size_t first_digit = place_;
  const bool leads_with_zero = sign() == '0';
  if (!skip_digits() || (leads_with_zero && place_ - first_digit > 1)) {
    return false;
  }
  if (sign() == '.') {
    ++place_;
    if (!skip_digits()) {
      return false;
    }
  }
  if (sign() == 'e' || sign() == 'E') {
    ++place_;
    if (sign() == '+' || sign() == '-') {
      ++place_;
    }
    return skip_digits();
  }
  return true;
}

bool JsonCutter::skip_digits() {
  const std::size_t start = place_;
  while (is_digit(sign())) {
    ++place_;
  }
  return place_ > start;
}

bool JsonCutter::skip_word(std::string_view word) {
  if (!text_.substr(place_).starts_with(word)) {
    return false;
  }
  place_ += word.size();
  return true;
}

}  // namespace watchlab::api
