#pragma once

#include <string>
#include <string_view>

namespace watchlab::sim {

// What others wrote goes through these before a person sees it: the names and data of a story, what
// a server answers, what a submission prints. On a terminal, in a picture, in a page or a result.

/// The text as valid UTF-8 without control characters, save for newlines and tabs. Terminal escape
/// sequences go as a whole, a carriage return becomes a newline. Other control characters go, and
/// so do marks that turn the direction of text, and all that has no width; each byte that is no
/// part of a character becomes U+FFFD.
[[nodiscard]] std::string plain_text(std::string_view text);

/// The same on one line: newlines and tabs are blanks.
[[nodiscard]] std::string plain_line(std::string_view text);

/// JSON as valid UTF-8 without control characters: what `plain_text` would take away is escaped in
/// it, and bytes that are no part of a character, which JSON has no escape for, become U+FFFD.
[[nodiscard]] std::string plain_json(std::string_view text);

/// The same for YAML, in which what is escaped must stand in double quotes.
[[nodiscard]] std::string plain_yaml(std::string_view text);

/// Whether all of a text is as `plain_text` leaves it.
[[nodiscard]] bool is_plain_text(std::string_view text);

/// A name or a message on one line, with nothing taken away: newlines, tabs and what `plain_text`
/// would take away show as escapes, as in \n and \u202e.
[[nodiscard]] std::string visible_line(std::string_view text);

}  // namespace watchlab::sim
