#include "scenarios/command_line/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "scenarios/command_line/output_file.hpp"
#include "scenarios/command_line/terminal.hpp"
#include "scenarios/command_line/wrapped_text.hpp"
#include "scenarios/language/plain_text.hpp"

namespace watchlab::scenarios {
namespace {

/// How long a command says nothing of how far it is: what is over by then needs no progress.
/// WATCHLAB_PROGRESS_AFTER says it in seconds, for who wants to see it at once.
std::chrono::milliseconds progress_delay() {
  constexpr std::chrono::milliseconds kDelay(1000);
  const char* const wanted = std::getenv("WATCHLAB_PROGRESS_AFTER");
  return wanted == nullptr ? kDelay : std::chrono::seconds(std::atoi(wanted));
}

struct Count {
  std::size_t done = 0;
  std::size_t all = 0;
};

/// What the text says with "N of M"; nothing when it says nothing of the kind.
std::optional<Count> count_in(std::string_view text) {
  constexpr std::string_view kOf = " of ";
  constexpr std::string_view kDigits = "0123456789";
  for (std::size_t at = text.find(kOf); at != std::string_view::npos; at = text.find(kOf, at + 1)) {
    const std::size_t before = text.substr(0, at).find_last_not_of(kDigits);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view rest = text.substr(at + kOf.size());
    Count count;
    if (begin < at &&
        std::from_chars(text.data() + begin, text.data() + at, count.done).ec == std::errc() &&
        std::from_chars(rest.data(), rest.data() + rest.size(), count.all).ec == std::errc()) {
      return count;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string ProgressRate::words_of(std::string_view text,
                                   std::chrono::steady_clock::time_point now) {
  const std::optional<Count> count = count_in(text);
  if (!count) {
    return "";
  }
  if (!began_ || count->done < last_) {
    began_ = now;
    first_ = count->done;
  }
  last_ = count->done;
  const double seconds = std::chrono::duration<double>(now - *began_).count();
  if (seconds < 2 || count->done <= first_ || count->done > count->all) {
    return "";
  }
  const double rate = static_cast<double>(count->done - first_) / seconds;
  return fmt::format("{}, about {:.0f} s left", rate_text(rate),
                     static_cast<double>(count->all - count->done) / rate);
}

std::string rate_text(double a_second) {
  return a_second < 1000 ? fmt::format("{:.3g} a second", a_second)
                         : fmt::format("{:.0f} a second", a_second);
}

Console::Console(const CommonOptions& options)
    : allows_run_(options.allow_run),
      silent_(options.quiet || options.json),
      is_json_(options.json),
      shows_progress_(is_terminal(stderr) && !silent_),
      redraws_(shows_progress_ && moves_cursor(stderr)),
      shows_from_(std::chrono::steady_clock::now() + progress_delay()) {}

void Console::line(const PaintedText& text) {
  clear_progress();
  put_line(stdout, is_json_ ? text.text() : fitted(text, stdout));
}

void Console::verbatim(std::string_view text) {
  clear_progress();
  put_line(stdout, visible_text(text));
}

void Console::note(const PaintedText& text) {
  if (!silent_) {
    line(text);
  }
}

void Console::note_output(std::string_view path, std::string_view text) {
  if (names_a_file(path)) {
    note(fmt::format("{}{}", path, text));
  }
}

void Console::remark(const PaintedText& text) {
  clear_progress();
  note_failure(stdout, std::fflush(stdout) == 0);
  put_line(stderr, fitted(text, stderr));
}

/// Who says it, or where it is wrong, is what one looks for.
void Console::report_error(std::string_view text) {
  const std::size_t end = text.substr(0, text.find('\n')).find(": ");
  remark(end == std::string_view::npos ? PaintedText(text)
                                       : bad(text.substr(0, end + 1)) + text.substr(end + 1));
}

void Console::row(const TableRow& row) {
  const PaintedText before = row.mark.text().empty() ? "" : row.mark + "  ";
  const auto laid_out = [&](std::string_view name, std::size_t width, std::string_view facts) {
    const std::string padding(width - std::min(width, width_of(name)) + 1, ' ');
    return before +
           (facts.empty() ? std::string(name) : fmt::format("{}{}{}", name, padding, facts));
  };
  const std::string name = visible_line(row.name);
  const std::string all_facts = visible_line(row.facts);
  if (!is_terminal(stdout)) {
    return line(laid_out(name, row.width, all_facts));
  }
  const std::size_t room = columns(stdout) - std::min(columns(stdout), width_of(before.text()) + 1);
  const bool is_short = std::max(row.width, width_of(name)) + width_of(all_facts) > room;
  // The name has half of the line; of a sentence the beginning says something too, of a name less.
  const std::size_t named = row.cuts_facts
                                ? std::clamp(width_of(name), std::min(row.width, room / 2), room)
                                : std::min(width_of(name), room / 2);
  const std::string facts = cut_behind(
      is_short && !row.in_short.empty() ? visible_line(row.in_short) : all_facts, room - named);
  const std::size_t left = room - std::min(room, width_of(facts));
  line(laid_out(cut_in_the_middle(name, left), std::min(row.width, left), facts));
}

std::string Console::pace_of(std::string_view text) {
  return rate_.words_of(text, std::chrono::steady_clock::now());
}

void Console::progress(std::string_view text) {
  const std::string rate = pace_of(text);
  show_progress(rate.empty() ? std::string(text) : fmt::format("{}; {}", rate, text));
}

void Console::count(std::size_t done, std::size_t all, std::string_view words) {
  constexpr std::chrono::milliseconds kBetween(100);
  const auto now = std::chrono::steady_clock::now();
  if (redraws_ && now >= next_count_) {
    next_count_ = now + kBetween;
    progress(fmt::format("{} of {} {}", done, all, words));
  }
}

void Console::milestone(std::string_view text) {
  if (shows_progress_ && std::chrono::steady_clock::now() >= shows_from_) {
    const std::string rate = pace_of(text);
    remark(rate.empty() ? std::string(text) : fmt::format("{}; {}", rate, text));
  }
}

void Console::show_progress(std::string_view text) {
  if (redraws_ && std::chrono::steady_clock::now() >= shows_from_) {
    std::fflush(stdout);
    std::fwrite("\r\033[K", 1, 4, stderr);
    const std::string plain = visible_line(text);
    text = first_bytes(plain, columns(stderr) - 1);  // a line that wraps cannot be overwritten
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

std::string Console::fitted(const PaintedText& text, std::FILE* stream) const {
  const std::string coloured = with_typed_visible(text.text());
  const std::string all = shows_colours(stream) && !is_json_ ? coloured : plain_text(coloured);
  return is_terminal(stream) ? wrapped(all, columns(stream)) : all;
}

PaintedText Console::with_headings(std::string_view text) {
  PaintedText out = "";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    out += line.starts_with("  - ")                        ? bad(line)
           : line.starts_with("  + ")                      ? good(line)
           : line.ends_with(':') && !line.starts_with(' ') ? PaintedText(line, fmt::emphasis::bold)
                                                           : PaintedText(line);
    out += text.substr(end, 1);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::size_t Console::columns_or(std::size_t wanted) const {
  return is_terminal(stdout) ? columns(stdout) : wanted;
}

int write_output(const std::string& path, std::string_view text, Console& console) {
  const std::string problem = write_file(path, text);
  if (!problem.empty()) {
    console.report_error(problem);
  }
  return problem.empty() ? kExitHeld : kExitFound;
}

}  // namespace watchlab::scenarios
