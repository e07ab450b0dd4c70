#include "scenarios/language/yaml_mistake.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "scenarios/language/look_alikes.hpp"
#include "scenarios/language/yaml_reader.hpp"

namespace watchlab::scenarios {
namespace {

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view line_of(const std::string& text, int number) {
  std::string_view rest = text;
  for (int i = 1; i < number; ++i) {
    const std::size_t end = rest.find('\n');
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  }
  return rest.substr(0, rest.find('\n'));
}

/// Between two entries in brackets stands no comma: the second one is a key, with its colon here.
Problem missing_comma(std::string_view line, Place gave_up) {
  std::size_t end = std::min(line.size(), static_cast<std::size_t>(gave_up.column - 1));
  if (end < line.size() && line[end] == ':') {
    std::size_t begin = end;
    while (begin > 0 && is_letter(line[begin - 1])) {
      --begin;
    }
    std::size_t before = line.find_last_not_of(" ", begin == 0 ? 0 : begin - 1);
    const Place place{gave_up.line, static_cast<int>(begin) + 1};
    const std::string word(line.substr(begin, end - begin));
    if (before != std::string_view::npos && line[before] == ';') {
      return {{gave_up.line, static_cast<int>(before) + 1}, "a ';' between two entries", "','", ""};
    }
    if (before != std::string_view::npos && line[before] == ':') {
      return {gave_up, fmt::format("a ':' behind '{}', which is a value", word),
              "one ':' for each key", ""};
    }
    return {place, fmt::format("no ',' before '{}'", word), "a ',' between two entries", ""};
  }
  return {gave_up, "no ',' between two entries", "a ','", ""};
}

/// A text that begins with a sign that means something: up to where it ends, in quotes.
std::string in_quotes(std::string_view rest) {
  rest = rest.substr(0, rest.find_first_of(",]}#"));
  rest = rest.substr(0, rest.find(" : "));
  rest = rest.substr(0, rest.find_last_not_of(" \t\r") + 1);
  return fmt::format("\"{}\"", rest);
}

/// A message of the parser, by its beginning, and the same for the author of a text.
struct Translation {
  std::string_view message;
  std::string_view what;
  std::string_view expected;
};
constexpr std::array<Translation, 11> kTranslations{{
    {"illegal tab", "a tab cannot indent", "spaces, or nothing in a blank line"},
    {"end of map not found", "a line that fits none above it",
     "a key in the column of those above, or more spaces before a text that goes on"},
    {"end of sequence not found", "a line that fits none above it",
     "a '-' in the column of those above, or more spaces before what belongs to an entry"},
    {"illegal map key", "a '?' that begins a key of many lines",
     "quotes around a text that begins with '?', or a key and a ':'"},
    {"illegal map value", "a ':' where no key can stand",
     "a line of its own for a key, or quotes around a text with ': '"},
    {"illegal block entry", "a '-' where no list can stand",
     "a line of its own for each entry, or quotes around a text that begins with '- '"},
    {"illegal flow end", "a bracket that closes nothing", "the same line without it"},
    {"illegal EOF", "a text that is not closed", "the quote that ends it"},
    {"illegal document indicator", "'---' or '...' inside of a text in quotes",
     "spaces before it, or the quote that ends the text"},
    {"cannot assign multiple", "two tags or anchors of one value", "the value alone"},
    {"invalid unicode", "an escape for no character", "the character itself"},
}};

Problem anchor_or_alias(std::string_view line, std::size_t column, Place gave_up) {
  const std::string_view rest = line.substr(column);
  const bool is_behind = rest.empty() || (rest.front() != '*' && rest.front() != '&');
  const std::size_t mark = is_behind && column > 0 ? column - 1 : column;
  const std::string_view from_mark = line.substr(std::min(mark, line.size()));
  if (from_mark.starts_with("* ") && line.find_first_not_of(' ') == mark) {
    return {{gave_up.line, static_cast<int>(mark) + 1},
            "a '*', which begins no entry of a list",
            "'- '",
            ""};
  }
  return {{gave_up.line, static_cast<int>(mark) + 1},
          fmt::format("a '{}' that begins an alias or anchor, which scenarios do without",
                      from_mark.substr(0, 1)),
          fmt::format("the value itself, or quotes around a text with * or &: {}",
                      in_quotes(from_mark)),
          ""};
}

/// What the parser's own words come to when the text as a whole looks right.
Problem in_other_words(std::string_view line, Place gave_up, const std::string& message) {
  const std::size_t column =
      std::min(line.size(), static_cast<std::size_t>(std::max(gave_up.column, 1) - 1));
  const std::string_view rest = line.substr(column);
  if (line.starts_with('%')) {
    return {{gave_up.line, 1},
            "a line that begins with '%', a directive",
            "no such line: scenarios are YAML 1.2 without tags",
            ""};
  }
  if (message == "unknown token" && !rest.empty()) {
    return {gave_up, fmt::format("a text cannot begin with '{}'", rest.front()),
            "quotes: " + in_quotes(rest), ""};
  }
  if (message.find("anchor") != std::string::npos || message.find("alias") != std::string::npos) {
    return anchor_or_alias(line, column, gave_up);
  }
  if (message.find("zero indentation") != std::string::npos) {
    return {{gave_up.line, gave_up.column - 1},
            "a '0' behind a '|' or '>'",
            "'|' alone, and the text in the lines below, each indented",
            ""};
  }
  if (message.find("block scalar") != std::string::npos) {
    return {gave_up, fmt::format("'{}' behind a '|' or '>'", rest.substr(0, 1)),
            "the text in the lines below, each indented; or quotes around a text that begins so",
            ""};
  }
  if (message.starts_with("unknown escape")) {
    return {gave_up, fmt::format("the unknown escape '\\{}' in double quotes", message.back()),
            "'\\\\' for a backslash, or single quotes", ""};
  }
  if (message.starts_with("end of map flow") || message.starts_with("end of sequence flow")) {
    return missing_comma(line, gave_up);
  }
  const auto* const known = std::ranges::find_if(
      kTranslations, [&](const Translation& each) { return message.starts_with(each.message); });
  if (known != kTranslations.end()) {
    return {gave_up, std::string(known->what), std::string(known->expected), ""};
  }
  return {gave_up, "this is no YAML: " + message, "", ""};
}

/// What looks like the space behind a key's ':' in this line, before that place: with it the line
/// has no key, and all that follows is wrong.
std::optional<Problem> space_behind_colon(const std::string& text, Place place) {
  const std::string_view line = line_of(text, place.line);
  const std::size_t colon = line.find(':');
  const int column = static_cast<int>(colon) + 2;
  if (colon == std::string_view::npos || column >= place.column) {
    return std::nullopt;
  }
  auto alike = look_alike_at(line.substr(colon + 1), {place.line, column});
  return alike && alike->expected == "a space" ? alike : std::nullopt;
}

}  // namespace

Problem yaml_mistake(const std::string& text, Place gave_up, const std::string& message) {
  const SeenMistakes seen = mistakes_seen(text);
  if (seen.first && seen.first->place.line <= gave_up.line) {
    const std::optional<Problem> cause = space_behind_colon(text, seen.first->place);
    return cause ? *cause : *seen.first;
  }
  const std::string_view line = line_of(text, gave_up.line);
  for (std::size_t i = 0; i < line.size(); ++i) {
    auto alike = look_alike_at(line.substr(i), {gave_up.line, static_cast<int>(i) + 1});
    if (alike && alike->what.starts_with("the full-width")) {
      return *std::move(alike);
    }
  }
  Problem problem = in_other_words(line, gave_up, message);
  const bool is_vague = problem.what.starts_with("this is no YAML") ||
                        problem.what.starts_with("a line that fits none");
  if (!is_vague) {
    return problem;
  }
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (auto alike = look_alike_at(line.substr(i), {gave_up.line, static_cast<int>(i) + 1})) {
      return *std::move(alike);
    }
  }
  return problem;
}

std::optional<Problem> mistake_before(const std::string& text, Place place) {
  const SeenMistakes seen = mistakes_seen(text);
  return seen.first && seen.first->place <= place ? seen.first : std::nullopt;
}

std::optional<Problem> overlooked_mistake(const std::string& text) {
  return mistakes_seen(text).overlooked;
}

std::optional<Problem> mistaken_ends(const std::string& text, Place place) {
  if (auto alike = look_alike_at(text, place); alike || text.find(' ') < text.size()) {
    return alike;
  }
  for (const std::string_view quote : {"\u201d", "\u201c", "\u201e", "\u00bb"}) {
    if (text.ends_with(quote)) {  // and begins with none; an apostrophe may end a word
      const std::size_t before = text.size() - quote.size();
      return look_alike_at(quote, {place.line, place.column + static_cast<int>(before)});
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::scenarios
