#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace watchlab::course {

// What submissions print, name and contain goes through these before it is written anywhere: into
// results, reports, or on a terminal.

/// The text as valid UTF-8 without control characters, save for newlines and tabs. Terminal escape
/// sequences go as a whole, a carriage return becomes a newline, other control characters and marks
/// that turn the direction of text go; each byte that is no part of a character becomes U+FFFD.
[[nodiscard]] std::string plain_text(std::string_view text);

/// The same on one line: newlines and tabs are blanks.
[[nodiscard]] std::string plain_line(std::string_view text);

/// The beginning of a UTF-8 text: at most that many bytes, and no part of a character.
[[nodiscard]] std::string beginning_of(std::string_view text, std::size_t bytes_max);

}  // namespace watchlab::course
