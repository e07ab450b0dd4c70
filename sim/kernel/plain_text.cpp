#include "sim/kernel/plain_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/kernel/utf8.hpp"

namespace watchlab::sim {
namespace {

/// Characters that nobody sees and that change what one sees around them.
struct Range {
  std::uint32_t first;
  std::uint32_t last;
};
constexpr std::array<Range, 13> kUnwanted{{
    {0x00, 0x1F},        // control characters
    {0x7F, 0x9F},        // delete, and the control characters of 8 bits
    {0xAD, 0xAD},        // a hyphen that shows at the end of lines only
    {0x61C, 0x61C},      // marks of the direction of text, here and below
    {0x180E, 0x180E},    // a separator without width
    {0x200B, 0x200F},    // spaces and joiners without width
    {0x2028, 0x202E},    // separators of lines; what embeds and overrides a direction
    {0x2060, 0x206F},    // operators without width; what isolates a direction
    {0xFEFF, 0xFEFF},    // the byte order mark
    {0xFFF9, 0xFFFB},    // annotations between lines
    {0xFFFE, 0xFFFF},    // no characters, which XML does not have
    {0xE0000, 0xE007F},  // tags, a second alphabet that is not shown
    {0x1BCA0, 0x1BCA3},  // format controls of shorthand
}};

bool is_unwanted(std::uint32_t code) {
  return std::ranges::any_of(
      kUnwanted, [code](Range each) { return each.first <= code && code <= each.last; });
}

/// As JSON and YAML write a character that they do not show.
std::string escaped(std::uint32_t code) {
  if (code < 0x10000) {
    return fmt::format("\\u{:04x}", code);
  }
  return fmt::format("\\u{:04x}\\u{:04x}", 0xD7C0 + (code >> 10U), 0xDC00 + (code & 0x3FFU));
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

namespace {

/// With such an escape for each character that nobody sees; it may depend on what follows.
template <typename Escape>
std::string with_escapes(std::string_view text, const Escape& escape) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::size_t size = std::max<std::size_t>(character.size, 1);
    if (character.size == 0) {
      out += kReplacement;
    } else if (is_unwanted(character.code)) {
      out += escape(character.code, text.substr(size));
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  return out;
}

std::string escaped_in_line(std::uint32_t code, std::string_view /*rest*/) {
  return code == '\n' ? "\\n" : code == '\t' ? "\\t" : code == '\r' ? "\\r" : escaped(code);
}

/// The same where newlines and tabs are layout.
std::string escaped_in_text(std::uint32_t code, std::string_view rest) {
  return code == '\n'                             ? "\n"
         : code == '\t'                           ? "\t"
         : code == '\r' && rest.starts_with('\n') ? ""
                                                  : escaped_in_line(code, rest);
}

}  // namespace

std::string visible_text(std::string_view text) { return with_escapes(text, escaped_in_text); }

std::string visible_line(std::string_view text) { return with_escapes(text, escaped_in_line); }

std::string plain_yaml(std::string_view text) {
  return with_escapes(text, [](std::uint32_t code, std::string_view rest) {
    return code < 0x10000 ? escaped_in_text(code, rest) : fmt::format("\\U{:08x}", code);
  });
}

bool is_plain_text(std::string_view text) { return visible_text(text) == text; }

std::string plain_line(std::string_view text) {
  std::string line = plain_text(text);
  std::ranges::replace_if(
      line, [](char character) { return character == '\n' || character == '\t'; }, ' ');
  return line;
}

}  // namespace watchlab::sim
