#include "core/api/json_tokenizer.hpp"

#include <bit>
#include <boost/json.hpp>
#include <boost/system/error_code.hpp>
#include <cstdint>
#include <cstring>

namespace watchlab::api {

namespace {

/// Deep enough for every schema of a custom resource, shallow enough for a small stack.
constexpr int kDepthMax = 100;

bool is_digit(char sign) { return sign >= '0' && sign <= '9'; }

bool is_hex(char sign) {
  return is_digit(sign) || (sign >= 'a' && sign <= 'f') || (sign >= 'A' && sign <= 'F');
}

constexpr std::uint64_t kEachByte = 0x0101010101010101;
constexpr std::uint64_t kTopBits = 0x80 * kEachByte;

/// The top bit of each byte that is zero; bytes above the first such one may be marked too.
std::uint64_t zero_bytes(std::uint64_t word) { return (word - kEachByte) & ~word & kTopBits; }

/// The same for bytes that end a string or must be looked at: a quote, a backslash, a control
/// character.
std::uint64_t special_bytes(std::uint64_t word) {
  const std::uint64_t control = (word - 0x20 * kEachByte) & ~word & kTopBits;
  return zero_bytes(word ^ '"' * kEachByte) | zero_bytes(word ^ '\\' * kEachByte) | control;
}

}  // namespace

void JsonTokenizer::check_read(bool is_read, std::string_view begins_with,
                               std::string_view expected) {
  if (is_read) {
    skip_space();
  }
  if (is_read && at_end()) {
    return;
  }
  if (!what_.empty()) {
    throw NotDecoded(what_, expected);
  }
  throw NotDecoded("no valid JSON at byte " + std::to_string(place_) + ": expected " +
                   std::string(is_read ? "the end of the text" : begins_with));
}

std::vector<JsonMember> JsonTokenizer::members(std::string_view expected) {
  std::vector<JsonMember> members;
  check_read(take('{') && skip_object(0, &members), "an object", expected);
  return members;
}

std::vector<std::string_view> JsonTokenizer::elements(std::string_view expected) {
  std::vector<std::string_view> elements;
  check_read(take('[') && skip_array(0, &elements), "an array", expected);
  return elements;
}

void JsonTokenizer::skip_space() {
  while (sign() == ' ' || sign() == '\n' || sign() == '\r' || sign() == '\t') {
    ++place_;
  }
}

bool JsonTokenizer::take(char expected) {
  skip_space();
  if (at_end() || text_[place_] != expected) {
    return false;
  }
  ++place_;
  return true;
}

bool JsonTokenizer::skip_value(int depth) {
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

bool JsonTokenizer::skip_object(int depth, std::vector<JsonMember>* members) {
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

bool JsonTokenizer::skip_array(int depth, std::vector<std::string_view>* elements) {
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

bool JsonTokenizer::skip_string() {
  if (sign() != '"') {
    return false;
  }
  ++place_;
  while (!at_end()) {
    skip_plain_bytes();
    if (at_end()) {
      break;
    }
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

void JsonTokenizer::skip_plain_bytes() {
  // Most of a list is the insides of strings, and each is looked at once on every level.
  std::uint64_t word = 0;
  while (text_.size() - place_ >= sizeof(word)) {
    std::memcpy(&word, text_.data() + place_, sizeof(word));
    if (const std::uint64_t special = special_bytes(word); special != 0) {
      // The lowest mark is exact, and the lowest byte of the word is the first of the text.
      if constexpr (std::endian::native == std::endian::little) {
        place_ += static_cast<std::size_t>(std::countr_zero(special)) / 8;
      }
      return;
    }
    place_ += sizeof(word);
  }
}

bool JsonTokenizer::skip_escape() {
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

bool JsonTokenizer::skip_number() {
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

bool JsonTokenizer::skip_digits() {
  const std::size_t start = place_;
  while (is_digit(sign())) {
    ++place_;
  }
  return place_ > start;
}

bool JsonTokenizer::skip_word(std::string_view word) {
  if (!text_.substr(place_).starts_with(word)) {
    return false;
  }
  place_ += word.size();
  return true;
}

std::string json_text(std::string_view value, std::string_view what) {
  if (value == "null") {
    return "";
  }
  if (value.size() < 2 || value.front() != '"') {
    throw NotDecoded(what, "a string");
  }
  if (value.find('\\') == std::string_view::npos) {
    return std::string(value.substr(1, value.size() - 2));
  }
  boost::system::error_code error;
  const boost::json::value parsed =
      boost::json::parse(boost::json::string_view(value.data(), value.size()), error);
  if (error) {
    throw NotDecoded(what, "a valid string");
  }
  return std::string(parsed.get_string());
}

}  // namespace watchlab::api
