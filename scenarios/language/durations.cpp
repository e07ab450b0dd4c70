// Durations as texts: how they are read, and what somebody means who writes one otherwise.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <ranges>

#include "scenarios/language/values.hpp"

namespace watchlab::scenarios {

std::from_chars_result read_number(const std::string& text, double& number,
                                   std::chars_format format) {
#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 200000
  // strtod knows hexadecimal numbers, and passes over blanks and a plus.
  const std::string read =
      text.substr(0, text.find_first_of(format == std::chars_format::fixed ? "xXeE" : "xX"));
  char* end = nullptr;
  errno = 0;
  number = std::strtod(read.c_str(), &end);
  const bool is_none = end == read.c_str() || std::string_view(" \t\n\v\f\r+").find(read.front()) !=
                                                  std::string_view::npos;
  return {text.data() + (is_none ? 0 : end - read.c_str()),
          is_none || errno == ERANGE ? std::errc::invalid_argument : std::errc{}};
#else
  return std::from_chars(text.data(), text.data() + text.size(), number, format);
#endif
}

namespace {

struct Unit {
  std::string_view name;
  std::int64_t nanoseconds;
};

constexpr std::array<Unit, 7> kUnits{{{"ns", 1},
                                      {"us", 1'000},
                                      {"ms", 1'000'000},
                                      {"s", 1'000'000'000},
                                      {"m", 60'000'000'000},
                                      {"h", 3'600'000'000'000},
                                      {"d", 86'400'000'000'000}}};

}  // namespace

std::optional<double> nanoseconds_in(const std::string& text) {
  double number = 0;
  const auto [end, failure] = read_number(text, number, std::chars_format::fixed);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const auto* const found = std::find_if(
      kUnits.begin(), kUnits.end(), [&](const Unit& candidate) { return candidate.name == unit; });
  if (failure != std::errc{} || found == kUnits.end() || !std::isfinite(number) ||
      std::signbit(number)) {
    return std::nullopt;
  }
  return number * static_cast<double>(found->nanoseconds);
}

namespace {

/// In the largest unit up to a millisecond in which it is a whole number.
std::string duration_text(runtime::Duration duration) {
  const std::int64_t count = duration.count();
  return count % 1'000'000 == 0 ? fmt::format("{}ms", count / 1'000'000)
         : count % 1'000 == 0   ? fmt::format("{}us", count / 1'000)
                                : fmt::format("{}ns", count);
}

/// What several numbers, each with a unit, come to together, as in 1m30s.
std::optional<double> nanoseconds_in_all(const std::string& text) {
  double sum = 0;
  std::size_t parts = 0;
  for (std::size_t begin = 0; begin < text.size(); ++parts) {
    const std::size_t unit = std::min(text.find_first_not_of("0123456789.", begin), text.size());
    const std::size_t end = std::min(text.find_first_of("0123456789.", unit), text.size());
    const std::optional<double> part = nanoseconds_in(text.substr(begin, end - begin));
    if (!part) {
      return std::nullopt;
    }
    sum += *part;
    begin = end;
  }
  return parts > 1 ? std::optional(sum) : std::nullopt;
}

/// A number as one may write it, for the readers here: no signs between its digits, a point, small
/// letters. "1,5 S" is "1.5s" and "+1_000ms" is "1000ms".
std::string plain_number(const std::string& text) {
  std::string plain;
  for (std::size_t i = text.starts_with('+') ? 1 : 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::string_view rest = std::string_view(text).substr(i);
    if (rest.starts_with("\u00b5") || rest.starts_with("\u03bc")) {  // the sign of micro
      plain += 'u';
      ++i;
    } else if (c == ',' && i + 1 < text.size()) {
      plain += '.';
    } else if (c != '_' && c != ' ' && c != ',' && c != ';') {
      plain += static_cast<char>(std::tolower(c));
    }
  }
  return plain;
}

/// "1h30m" for "1h30": the unit that is missing is the next smaller one.
std::string with_last_unit(const std::string& text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kNext{
      {{"d", "h"}, {"h", "m"}, {"m", "s"}, {"s", "ms"}}};
  const std::size_t number = text.find_last_not_of("0123456789.") + 1;
  if (number == 0) {
    return text;
  }
  const std::size_t unit = text.find_last_of("0123456789.", number - 1) + 1;
  const std::string_view last = std::string_view(text).substr(0, number).substr(unit);
  const auto* const found =
      std::ranges::find(kNext, last, [](const auto& each) { return each.first; });
  const bool lacks_one = number < text.size() && unit < number && found != kNext.end();
  return lacks_one ? text + std::string(found->second) : text;
}

/// "90m" for what is a whole number of minutes, and of no more.
std::string in_largest_unit(double nanoseconds) {
  for (const std::string_view name : {"h", "m"}) {
    const auto* const unit = std::ranges::find(kUnits, name, &Unit::name);
    const double count = nanoseconds / static_cast<double>(unit->nanoseconds);
    if (count >= 1 && count == std::floor(count)) {
      return fmt::format("{}{}", count, name);
    }
  }
  return fmt::format("{}s", nanoseconds / 1e9);
}

/// "90s" for "1:30"; "" for all else.
std::string seconds_of_clock(const std::string& text) {
  double seconds = 0;
  for (const auto part : std::views::split(text, ':')) {
    double number = 0;
    const std::string digits(part.begin(), part.end());
    const auto [end, failure] = read_number(digits, number, std::chars_format::fixed);
    if (failure != std::errc{} || end != digits.data() + digits.size() || std::signbit(number)) {
      return "";
    }
    seconds = seconds * 60 + number;
  }
  return fmt::format("{}s", seconds);
}

}  // namespace

std::string nearest_duration(const std::string& given) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kWords{
      {{"", "s"},
       {"sec", "s"},
       {"second", "s"},
       {"min", "m"},
       {"minute", "m"},
       {"hr", "h"},
       {"hour", "h"},
       {"day", "d"},
       {"msec", "ms"},
       {"millisecond", "ms"}}};
  std::string text = plain_number(given);
  text.erase(0, text.starts_with("pt") ? 2 : 0);  // as ISO 8601 has it
  double count = 0;
  const auto [end, failure] = read_number(text, count, std::chars_format::general);
  if (failure != std::errc{} || std::signbit(count)) {
    return "";
  }
  if (*end == ':') {
    return seconds_of_clock(text);
  }
  const std::string unit = end;
  const std::string number = fmt::format("{}", count);
  const auto fits = [&](const std::string& word) {
    return std::ranges::find(kWords, word,
                             [](const auto& each) { return std::string(each.first); });
  };
  const auto* found = fits(unit);
  if (found == kWords.end() && unit.ends_with('s')) {
    found = fits(unit.substr(0, unit.size() - 1));
  }
  if (const std::optional<double> sum = nanoseconds_in_all(with_last_unit(text))) {
    return in_largest_unit(*sum);
  }
  if (unit == "w" || unit.starts_with("week")) {
    return fmt::format("{}d", count * 7);
  }
  const std::string meant = number + (found != kWords.end() ? std::string(found->second) : unit);
  return nanoseconds_in(meant) ? meant : "";
}

std::string compound_duration(const std::string& given) {
  const std::string text = with_last_unit(plain_number(given));
  return nanoseconds_in_all(text) ? text : "";
}

namespace {

bool is_too_long(const std::string& text) {
  return nanoseconds_in(text) > std::chrono::nanoseconds(longest_duration).count();
}

}  // namespace

bool parse_duration(const std::string& text, runtime::Duration& out) {
  const std::optional<double> nanoseconds = nanoseconds_in(text);
  if (!nanoseconds || is_too_long(text)) {
    return false;
  }
  out = runtime::Duration(static_cast<std::int64_t>(std::llround(*nanoseconds)));
  return true;
}

Codec<runtime::Duration> duration() {
  const SchemaPtr schema = std::make_shared<Schema>(
      Schema{.kind = Schema::Kind::Duration,
             .title = "a duration",
             .doc = "a number, zero or more, and a unit, like 1500ms, 5s, 10m or 2h"});
  auto read = [schema](const Node& node, ParseContext& context) {
    runtime::Duration value{0};
    if (node.kind != Node::Kind::Scalar) {
      put_wrong_kind(node, *schema, context);
    } else if (is_too_long(node.text)) {
      context.problems.add({node.place, fmt::format("'{}' is too long", node.text.substr(0, 60)),
                            fmt::format("a duration of at most {}h", longest_duration.count()),
                            ""});
    } else if (!parse_duration(node.text, value)) {
      put_wrong_text(node, *schema, context);
    }
    return value;
  };
  return {schema, std::move(read), [](runtime::Duration value) {
            return Node{.kind = Node::Kind::Scalar, .text = duration_text(value)};
          }};
}

}  // namespace watchlab::scenarios
