#include "scenarios/language/yaml_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "scenarios/language/look_alikes.hpp"

namespace watchlab::scenarios {

bool is_yaml_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_colon(std::string_view line, std::size_t i) {
  return line[i] == ':' && (i + 1 == line.size() || is_yaml_space(line[i + 1]));
}

std::optional<Key> key_at(std::string_view line, std::size_t begin) {
  if (begin < line.size() && (line[begin] == '"' || line[begin] == '\'')) {
    const std::string_view quoted = enclosed_at(line.substr(begin));
    const std::size_t end = line.find_first_not_of(" \t", begin + quoted.size());
    return quoted.size() <= 2 || end == std::string_view::npos || !is_colon(line, end)
               ? std::nullopt
               : std::optional(Key{std::string(quoted.substr(1, quoted.size() - 2)), end});
  }
  if (begin >= line.size() || std::string_view("[{#|>").find(line[begin]) != std::string::npos) {
    return std::nullopt;
  }
  for (std::size_t i = begin; i < line.size(); ++i) {
    if (is_colon(line, i)) {
      return Key{std::string(line.substr(begin, i - begin)), i};
    }
    if (line[i] == '#' && is_yaml_space(line[i - (i > 0 ? 1 : 0)])) {
      break;
    }
  }
  return std::nullopt;
}

std::size_t indent_of(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == std::string_view::npos ? line.size() : first;
}

bool is_blank(std::string_view line) { return std::ranges::all_of(line, is_yaml_space); }

std::string spaces(std::size_t count) {
  return count == 0   ? "no space before it"
         : count == 1 ? "one space before it"
                      : fmt::format("{} spaces before it", count);
}

std::optional<Problem> key_without_space(std::string_view text, Place place) {
  const std::string_view word = text.substr(0, text.find(' '));
  const std::size_t colon = word.find(':');
  if (colon == 0 || colon >= word.size() - 1) {
    return std::nullopt;
  }
  const Place behind{place.line, place.column + static_cast<int>(colon)};
  if (auto alike = look_alike_at(text.substr(colon + 1), {place.line, behind.column + 1})) {
    return alike;
  }
  return Problem{behind, fmt::format("'{}' without a space behind its ':'", text),
                 fmt::format("'{}: {}'", text.substr(0, colon), text.substr(colon + 1)), ""};
}

std::string_view enclosed_at(std::string_view line) {
  int open = 0;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      i += c == '\\' && quote == '"' ? 1 : 0;
      quote = c == quote ? '\0' : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++open;
    } else if (c == ']' || c == '}') {
      --open;
    }
    if (quote == 0 && open <= 0) {
      return open < 0 || i == 0 ? "" : line.substr(0, i + 1);
    }
  }
  return "";
}

std::string number_bullet(std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789");
  const bool is_one = end > 0 && end < text.size() && (text[end] == '.' || text[end] == ')') &&
                      end + 1 < text.size() && text[end + 1] == ' ';
  return is_one ? std::string(text.substr(0, end + 1)) : "";
}

std::string key_within(std::string_view enclosed) {
  const std::string_view marks = " \t:=>,\"'[]{}";
  const std::size_t begin = enclosed.find_first_not_of(marks);
  if (begin == std::string_view::npos || !is_word(enclosed[begin])) {
    return "";
  }
  const std::size_t end = std::min(enclosed.find_first_of(marks, begin), enclosed.size());
  const std::size_t rest = std::min(enclosed.find_first_not_of(marks, end), enclosed.size());
  const std::size_t last = enclosed.find_last_not_of(marks) + 1;
  const std::string_view value = rest < last ? enclosed.substr(rest, last - rest) : "...";
  const bool is_short = value.find_first_of("[]{}:,") == std::string_view::npos;
  return fmt::format("{}: {}", enclosed.substr(begin, end - begin), is_short ? value : "...");
}

}  // namespace watchlab::scenarios
