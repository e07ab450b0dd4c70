#include "scenarios/command_line/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "scenarios/command_line/output_file.hpp"
#include "scenarios/command_line/wrapped_text.hpp"
#include "scenarios/language/plain_text.hpp"

namespace watchlab::scenarios {

bool is_terminal(std::FILE* stream) { return ::isatty(::fileno(stream)) == 1; }

namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool shows_colours(std::FILE* stream) {
  if (!variable("NO_COLOR").empty()) {
    return false;
  }
  const std::string_view force = variable("CLICOLOR_FORCE");
  return (!force.empty() && force != "0") || (moves_cursor(stream) && variable("CLICOLOR") != "0");
}

bool moves_cursor(std::FILE* stream) { return is_terminal(stream) && variable("TERM") != "dumb"; }

std::size_t columns(std::FILE* stream) {
  const std::string_view text = variable("COLUMNS");
  std::size_t wanted = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), wanted);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size() && wanted > 0) {
    return wanted;
  }
  winsize size{};
  const bool known = ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

std::size_t page_columns() {
  constexpr std::size_t kLeast = 40;
  constexpr std::size_t kMost = 100;
  return std::clamp(columns(stdout), kLeast, kMost);
}

namespace {

/// Why standard output took no more, the first time; 0 as long as it does. A stream remembers that
/// it failed, and not why.
int output_failure = 0;

}  // namespace

void note_failure(std::FILE* file, bool is_written) {
  if (!is_written && file == stdout && output_failure == 0) {
    output_failure = errno;
  }
}

void put_line(std::FILE* file, std::string_view text) {
  errno = 0;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  note_failure(file, std::fputc('\n', file) != EOF && is_written);
}

namespace {

std::vector<std::string> typed_lines;

}  // namespace

void note_typed(int argc, const char* const* argv) {
  typed_lines.clear();
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t equals = word.find('=');
    for (const std::string& text : {word, equals < word.size() ? word.substr(equals + 1) : ""}) {
      if (visible_line(text) != visible_text(text)) {
        typed_lines.push_back(text);
      }
    }
  }
}

std::string with_typed_visible(std::string_view message) {
  std::string text(message);
  for (const std::string& typed : typed_lines) {
    boost::replace_all(text, visible_text(typed), visible_line(typed));
  }
  return text;
}

void complain(std::string_view text) {
  const std::string said = with_typed_visible(visible_text(text));
  const std::string plain = is_terminal(stderr) ? wrapped(said, columns(stderr)) : said;
  (void)std::fwrite(plain.data(), 1, plain.size(), stderr);
}

std::string flush_standard_output() {
  errno = 0;
  note_failure(stdout, std::fflush(stdout) == 0);
  if (output_failure != 0) {
    return problem_with("standard output", output_failure);
  }
  return std::ferror(stdout) != 0 ? "standard output: not all of it could be written" : "";
}

}  // namespace watchlab::scenarios
