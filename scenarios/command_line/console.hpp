#pragma once

#include <fmt/color.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace watchlab::scenarios {

/// Makes Ctrl-C, SIGTERM and SIGHUP requests to stop soon, so that a command can say what it has
/// learned. The second one ends the program at once, as if there were none of these in place;
/// those within `together` of the first are one with it: `timeout` sends each signal to its child
/// and to the group of that. After a request this holds until the program has ended. A SIGHUP that
/// the caller ignores, as nohup does, stays ignored.
class Interrupt {
 public:
  explicit Interrupt(std::chrono::milliseconds together = std::chrono::seconds(1));
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  /// Whether a stop was requested. From any thread.
  [[nodiscard]] static bool requested();
};

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
class Pace {
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

/// The text with lines of at most so many columns, broken between words; what goes on stands below
/// the last column of a table, or where the line began. Lines to paste stay whole.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t columns);

/// The same for a page of help, where only the examples are to be pasted: indented lines below one
/// that begins with "Example".
[[nodiscard]] std::string wrapped_help(std::string_view text, std::size_t columns);

/// How wide a page on standard output is: COLUMNS, or else the terminal, or else 80, but no wider
/// than one can read.
[[nodiscard]] std::size_t page_columns();

/// Standard output and error, for people, without control characters: see plain_text.hpp. Colours
/// and lines as wide as the window appear on each stream that is a terminal, without NO_COLOR and
/// --json; progress where standard error is one, without --quiet.
class Console {
 public:
  explicit Console(const CommonOptions& options);
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  ~Console() { clear_progress(); }

  /// A line of the result.
  void line(std::string_view text);
  /// A text that others read, such as a file: its lines are never broken.
  void verbatim(std::string_view text);
  /// A line that --quiet and --json leave out.
  void note(std::string_view text);
  /// A line beside the results, on standard error.
  void remark(std::string_view text) { report_error(text); }
  /// A line about something that went wrong, on standard error.
  void report_error(std::string_view text);
  /// What is going on, overwritten by the next line; only on a terminal. What says "N of M" gets
  /// its pace.
  void progress(std::string_view text);
  /// The same, "N of M WORDS", for what is counted many times a second: the first is shown, then
  /// ten a second at most.
  void count(std::size_t done, std::size_t all, std::string_view words);
  /// The same where others write to the terminal between: a line that stays.
  void milestone(std::string_view text);

  /// Whether the caller has said that programs may be started which stories name.
  [[nodiscard]] bool allows_run() const { return allows_run_; }

  [[nodiscard]] std::string good(std::string_view text) const {
    return painted(text, fmt::fg(fmt::terminal_color::green));
  }
  [[nodiscard]] std::string bad(std::string_view text) const {
    return painted(text, fmt::fg(fmt::terminal_color::red));
  }
  [[nodiscard]] std::string faint(std::string_view text) const {
    return painted(text, fmt::emphasis::faint);
  }

 protected:
  [[nodiscard]] std::string pace_of(std::string_view text);
  void show_progress(std::string_view text);

 private:
  [[nodiscard]] std::string painted(std::string_view text, fmt::text_style style) const;
  void clear_progress();

  /// As that stream prints it: plain, but for our own colours on a terminal.
  [[nodiscard]] std::string shown(std::string_view text, std::FILE* stream) const;
  /// The same, as wide as the terminal.
  [[nodiscard]] std::string fitted(std::string_view text, std::FILE* stream) const;

  bool allows_run_;
  bool silent_;
  bool is_json_;
  bool colours_;  ///< if a stream is a terminal
  bool shows_progress_;
  Pace pace_;
  bool progress_shown_ = false;
  std::chrono::steady_clock::time_point next_count_;
};

/// All bytes of a file; nothing when it cannot be read. See `read_input`.
[[nodiscard]] std::optional<std::string> read_file(const std::string& path);

/// Why `write_file` could not write there, as far as that shows without writing; "" when nothing
/// does. What it cannot see, such as a disk that is full, `write_file` reports.
[[nodiscard]] std::string write_problem(const std::string& path);

/// Writes an output, the one way to do so. A regular file is written whole or not at all: into a
/// temporary one beside it, which then takes its place and its mode. Anything else, a device, a
/// pipe, a link, /dev/stdout, is written through. Returns what is wrong, with path and reason; ""
/// when nothing is.
[[nodiscard]] std::string write_file(const std::string& path, std::string_view text);

/// The same for a name that the program has chosen and not the caller, synced as below: what stands
/// there and is no regular file, a link for one, is replaced and not followed.
[[nodiscard]] std::string write_own_file(const std::string& path, std::string_view text);

/// The same as `write_file` for a file that no other user may read; one that is there is closed to
/// them first.
[[nodiscard]] std::string write_private_file(const std::string& path, std::string_view text);

/// The same, with an error when something is wrong. Returns the exit status.
[[nodiscard]] int write_output(const std::string& path, std::string_view text, Console& console);

/// The same as `write_file` for what must outlast a crash of the machine: returns when a regular
/// file has arrived on its disk.
[[nodiscard]] std::string write_file_synced(const std::string& path, std::string_view text);

/// Says something on standard error, where that can be: who has no place for it is left with the
/// exit status.
void complain(std::string_view text);

/// Whether all that was printed has arrived. Returns what is wrong; "" when nothing is.
[[nodiscard]] std::string flush_standard_output();

}  // namespace watchlab::scenarios
