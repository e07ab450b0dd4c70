#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace watchlab::sim {

/// A character at the beginning of a text; of no size when there is none.
struct Character {
  std::uint32_t code = 0;
  std::size_t size = 0;
};

/// Decodes the first character of a text that is not empty, by RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF.
[[nodiscard]] Character first_character(std::string_view text);

/// What stands for a byte that belongs to no character: U+FFFD.
inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// The text with U+FFFD for each byte that belongs to no character. Names of files are any bytes;
/// what others read, such as JSON, is UTF-8.
[[nodiscard]] std::string valid_utf8(std::string_view text);

}  // namespace watchlab::sim
