#pragma once

#include <string>
#include <string_view>

namespace watchlab::sim {

// What others wrote goes through these before a person sees it: the names and data of a story, what
// a server answers, what a submission prints. On a terminal, in a picture, in a page or a result.

/// The text as valid UTF-8 of which everything is seen, save for newlines and tabs: control
/// characters, marks that turn the direction of text, and all that has no width show as escapes, as
/// in \u001b and \u202e. Bytes that are no part of a character become U+FFFD, the end of a line of
/// Windows that of any other. JSON says the same after it as before.
[[nodiscard]] std::string visible_text(std::string_view text);

/// The same on one line, as a name or a message is: newlines and tabs show as \n and \t.
[[nodiscard]] std::string visible_line(std::string_view text);

/// The same for YAML, in which what is escaped must stand in double quotes.
[[nodiscard]] std::string plain_yaml(std::string_view text);

/// Whether `visible_text` would leave all of it as it is.
[[nodiscard]] bool is_plain_text(std::string_view text);

/// What a program has printed, without what `visible_text` would escape: escape sequences go as a
/// whole, as colours do where there is no terminal; a carriage return becomes a newline.
[[nodiscard]] std::string plain_text(std::string_view text);

/// The same on one line: newlines and tabs are blanks.
[[nodiscard]] std::string plain_line(std::string_view text);

}  // namespace watchlab::sim
