#include "scenarios/command_line/plain_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "scenarios/language/utf8.hpp"

namespace watchlab::scenarios {
namespace {

/// Control characters, those that turn the direction of text, and what XML does not have.
bool is_unwanted(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0x200E || code == 0x200F || code == 0x2028 ||
         code == 0x2029 || code == 0xFFFE || code == 0xFFFF;
}

/// The bytes of the escape sequence (ECMA-48) that the text begins with.
std::size_t escape_size(std::string_view text) {
  if (text.size() < 2) {
    return text.size();
  }
  std::size_t at = 2;
  if (text[1] == '[') {  // parameters, then a final byte
    while (at < text.size() && text[at] >= 0x20 && text[at] < 0x40) {
      ++at;
    }
    return std::min(at + 1, text.size());
  }
  if (std::string_view("]PX^_").find(text[1]) != std::string_view::npos) {  // until BEL or ST
    const std::size_t end = std::min(text.find('\n'), text.size());
    while (at < end && text[at] != '\a' && text[at] != '\033') {
      ++at;
    }
    const bool is_string_end = at + 1 < end && text[at] == '\033' && text[at + 1] == '\\';
    return is_string_end ? at + 2 : at < end && text[at] == '\a' ? at + 1 : at;
  }
  const auto next = static_cast<unsigned char>(text[1]);
  return next >= 0x20 && next < 0x7F ? 2 : 1;
}

}  // namespace

std::string plain_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    std::size_t size = std::max<std::size_t>(character.size, 1);
    if (character.size == 0) {
      out += kReplacement;
    } else if (text.front() == '\033') {
      size = escape_size(text);
    } else if (text.front() == '\n' || text.front() == '\t') {
      out += text.front();
    } else if (text.front() == '\r') {
      out += text.substr(1, 1) == "\n" ? "" : "\n";
    } else if (!is_unwanted(character.code)) {
      out += text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  return out;
}

std::string plain_json(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    const bool is_layout = character.code == '\n' || character.code == '\t';
    if (character.size == 0) {
      out += kReplacement;
    } else if (is_unwanted(character.code) && !is_layout) {
      out += fmt::format("\\u{:04x}", character.code);
    } else {
      out += text.substr(0, character.size);
    }
    text.remove_prefix(std::max<std::size_t>(character.size, 1));
  }
  return out;
}

std::string plain_line(std::string_view text) {
  std::string line = plain_text(text);
  std::ranges::replace_if(
      line, [](char character) { return character == '\n' || character == '\t'; }, ' ');
  return line;
}

}  // namespace watchlab::scenarios
