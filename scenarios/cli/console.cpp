#include "scenarios/cli/console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace watchlab::scenarios {
namespace {

bool colours_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return (no_color == nullptr || *no_color == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

void put(std::FILE* file, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), file);
  std::fputc('\n', file);
}

}  // namespace

Console::Console(const CommonOptions& options)
    : silent_(options.quiet || options.json),
      colours_(isatty(STDOUT_FILENO) == 1 && colours_wanted() && !options.json),
      shows_progress_(isatty(STDERR_FILENO) == 1 && !silent_) {}

void Console::line(std::string_view text) {
  clear_progress();
  put(stdout, text);
}

void Console::remark(std::string_view text) {
  if (!silent_) {
    line(text);
  }
}

void Console::complain(std::string_view text) {
  clear_progress();
  std::fflush(stdout);
  put(stderr, text);
}

void Console::progress(std::string_view text) {
  if (shows_progress_) {
    std::fflush(stdout);
    std::fwrite("\r\033[K", 1, 4, stderr);
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
    progress_shown_ = true;
  }
}

void Console::clear_progress() {
  if (progress_shown_) {
    std::fwrite("\r\033[K", 1, 4, stderr);
    std::fflush(stderr);
    progress_shown_ = false;
  }
}

std::string Console::painted(std::string_view text, std::string_view code) const {
  return colours_ ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

std::string write_file(const std::string& path, std::string_view text) {
  const std::string temporary = fmt::format("{}.{}.part", path, getpid());
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  std::error_code failure;
  if (out) {
    std::filesystem::rename(temporary, path, failure);
    if (!failure) {
      return "";
    }
  }
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  return fmt::format(
      "{}: the file cannot be written; expected a folder that exists and may be "
      "written to",
      path);
}

}  // namespace watchlab::scenarios
