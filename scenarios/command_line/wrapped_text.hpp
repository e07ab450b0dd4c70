#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Texts as they stand on a terminal of so many columns, with the colours of a `PaintedText`.
namespace watchlab::scenarios {

/// How many columns a text takes: colours none, letters of Chinese two.
[[nodiscard]] std::size_t width_of(std::string_view text);

/// So many bytes of the text at most, without a part of a letter at the end.
[[nodiscard]] std::string_view first_bytes(std::string_view text, std::size_t most);

/// The text, cut to that many columns: '…' stands for the rest.
[[nodiscard]] std::string cut_behind(std::string_view text, std::size_t columns);

/// The same for a name, of which the beginning and the end tell most.
[[nodiscard]] std::string cut_in_the_middle(std::string_view text, std::size_t columns);

/// Where the word ends that begins there: before a blank, or where wide letters may be parted; of a
/// list without blanks that no line has room for, at the last comma that fits. A call in backticks
/// is one word: it is there to be pasted.
[[nodiscard]] std::size_t end_of_word(std::string_view line, std::size_t begin,
                                      std::size_t columns);

/// The text with lines of at most so many columns, broken between words; what goes on stands below
/// the last column of a table, or where the line began. Lines to paste stay whole.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t columns);

/// The same for a page of help, where only the examples are to be pasted: indented lines below one
/// that begins with "Example". Those continue behind a backslash.
[[nodiscard]] std::string wrapped_help(std::string_view text, std::size_t columns);

}  // namespace watchlab::scenarios
