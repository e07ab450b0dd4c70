#pragma once

#include <fmt/color.h>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/language/plain_text.hpp"

namespace watchlab::scenarios {

/// How a command ends, for the caller of the program.
inline constexpr int kExitHeld = 0;   ///< all held
inline constexpr int kExitFound = 1;  ///< something was found or failed
inline constexpr int kExitUsage = 2;  ///< the input or the usage was bad
/// A signal asked for the end (Ctrl-C, for one); what was learned until then is printed.
inline constexpr int kExitInterrupted = 130;

/// Values of the options that several commands share.
struct CommonOptions {
  bool json = false;       ///< JSON lines on standard output instead of words
  bool quiet = false;      ///< only what went wrong
  bool allow_run = false;  ///< that programs are started which stories name
  std::string junit = {};  ///< a file to write; "" for none
};

/// How fast something goes that says "N of M" of itself, and how long it will take.
class ProgressRate {
 public:
  /// "3.1 a second, about 9 s left"; "" before two seconds have passed, and for a text that says
  /// nothing of the kind. Begins anew when N goes back.
  [[nodiscard]] std::string words_of(std::string_view text,
                                     std::chrono::steady_clock::time_point now);

 private:
  std::size_t first_ = 0;
  std::size_t last_ = 0;
  std::optional<std::chrono::steady_clock::time_point> began_;
};

/// "3.1 a second", "12345 a second".
[[nodiscard]] std::string rate_text(double a_second);

/// What a console prints: a text with colours, which come from a console and from nowhere else. All
/// that others wrote is made visible as it comes in, so none of it is ever a colour, and nothing
/// has to tell colours from text later.
class PaintedText {
 public:
  template <std::convertible_to<std::string_view> Text>
  PaintedText(const Text& text)  // NOLINT(google-explicit-constructor): any text is one
      : text_(visible_text(text)) {}

  PaintedText& operator+=(const PaintedText& more) {
    text_ += more.text_;
    return *this;
  }
  [[nodiscard]] friend PaintedText operator+(PaintedText first, const PaintedText& more) {
    return first += more;
  }
  /// With sequences (SGR) for its colours.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  friend class Console;
  PaintedText(std::string_view text, fmt::text_style style)
      : text_(fmt::format("{}", fmt::styled(visible_text(text), style))) {}

  std::string text_;
};

/// A row of a table: what it is about, and what there is to say of it.
struct TableRow {
  PaintedText mark = "";  ///< such as "held", before it
  std::string name;
  std::size_t width = 0;  ///< of the column of names, where there is room
  std::string facts = {};
  std::string in_short = {};  ///< the facts where a line is narrow; "" for the same
  bool cuts_facts = false;    ///< they are a sentence, and rather that is cut than the name
};

/// Standard output and error, for people, of which everything is seen: see plain_text.hpp. Colours
/// and lines as wide as the window appear on each stream that is a terminal, without --json;
/// NO_COLOR, CLICOLOR and CLICOLOR_FORCE are obeyed. Progress is shown where standard error is a
/// terminal whose lines can be overwritten, without --quiet, from the first second on.
class Console {
 public:
  explicit Console(const CommonOptions& options);
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  ~Console() { clear_progress(); }

  /// A line of the result.
  void line(const PaintedText& text);
  /// A text that others read, such as a file: its lines are never broken.
  void verbatim(std::string_view text);
  /// A line that --quiet and --json leave out.
  void note(const PaintedText& text);
  /// A note about an output of that name: none where it went to standard output.
  void note_output(std::string_view path, std::string_view text);
  /// A row of a table: one line, on a terminal as wide as that at most, else as it stands.
  void row(const TableRow& row);
  /// The same where --quiet leaves it out.
  void note_row(const TableRow& row_of_notes) {
    if (!silent_) {
      row(row_of_notes);
    }
  }
  /// How many columns a table on standard output may have; `wanted` where that is no terminal.
  [[nodiscard]] std::size_t columns_or(std::size_t wanted) const;
  /// A line beside the results, on standard error.
  void remark(const PaintedText& text);
  /// A line about something that went wrong, on standard error, with who says it or where in red.
  void report_error(std::string_view text);
  /// What is going on, overwritten by the next line; only on a terminal. What says "N of M" gets
  /// its rate.
  void progress(std::string_view text);
  /// The same, "N of M WORDS", for what is counted many times a second: the first is shown, then
  /// ten a second at most.
  void count(std::size_t done, std::size_t all, std::string_view words);
  /// The same where others write to the terminal between: a line that stays.
  void milestone(std::string_view text);

  /// Whether the caller has said that programs may be started which stories name.
  [[nodiscard]] bool allows_run() const { return allows_run_; }

  [[nodiscard]] static PaintedText good(std::string_view text) {
    return {text, fmt::fg(fmt::terminal_color::green)};
  }
  [[nodiscard]] static PaintedText bad(std::string_view text) {
    return {text, fmt::fg(fmt::terminal_color::red)};
  }
  [[nodiscard]] static PaintedText faint(std::string_view text) {
    return {text, fmt::emphasis::faint};
  }
  /// A text in sections: lines that end with a colon, and those of a difference, - and +, stand
  /// out.
  [[nodiscard]] static PaintedText with_headings(std::string_view text);

 protected:
  [[nodiscard]] std::string pace_of(std::string_view text);
  void show_progress(std::string_view text);

 private:
  void clear_progress();

  /// As that stream prints it: with colours where it shows them, and as wide as the terminal.
  [[nodiscard]] std::string fitted(const PaintedText& text, std::FILE* stream) const;

  bool allows_run_;
  bool silent_;
  bool is_json_;
  bool shows_progress_;
  bool redraws_;  ///< and lines of it are overwritten
  std::chrono::steady_clock::time_point shows_from_;
  ProgressRate rate_;
  bool progress_shown_ = false;
  std::chrono::steady_clock::time_point next_count_;
};

/// `write_file`, with an error when something is wrong. Returns the exit status.
[[nodiscard]] int write_output(const std::string& path, std::string_view text, Console& console);

}  // namespace watchlab::scenarios
