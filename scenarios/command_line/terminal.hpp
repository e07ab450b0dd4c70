#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

/// Standard output and error: what stands behind them, and whether they have taken what was
/// printed.
namespace watchlab::scenarios {

[[nodiscard]] bool is_terminal(std::FILE* stream);

/// Whether a stream shows colours, the one place that decides it: a terminal does, unless NO_COLOR,
/// CLICOLOR=0 or TERM=dumb says otherwise; anything else where CLICOLOR_FORCE does.
[[nodiscard]] bool shows_colours(std::FILE* stream);

/// Whether it is a terminal that obeys more than letters and ends of lines: not with TERM=dumb.
[[nodiscard]] bool moves_cursor(std::FILE* stream);

/// How many columns a line has: what COLUMNS says, or else the terminal behind the stream, or 80.
[[nodiscard]] std::size_t columns(std::FILE* stream);

/// How wide a page on standard output is: COLUMNS, or else the terminal, or else 80, but no wider
/// than one can read.
[[nodiscard]] std::size_t page_columns();

/// Writes a line as it is.
void put_line(std::FILE* file, std::string_view text);

/// Remembers why standard output took no more, where `is_written` is false.
void note_failure(std::FILE* file, bool is_written);

/// Says something on standard error, where that can be: who has no place for it is left with the
/// exit status.
void complain(std::string_view text);

/// Keeps those words of the call that are more than one line.
void note_typed(int argc, const char* const* argv);

/// A message, as `visible_text` has it, in which such words, and their values behind a '=', show as
/// `visible_line` has them: whatever somebody types breaks no line of ours.
[[nodiscard]] std::string with_typed_visible(std::string_view message);

/// Whether all that was printed has arrived. Returns what is wrong; "" when nothing is.
[[nodiscard]] std::string flush_standard_output();

}  // namespace watchlab::scenarios
