#include "scenarios/language/yaml_scalar.hpp"

#include <algorithm>
#include <array>
#include <boost/algorithm/string/case_conv.hpp>
#include <cctype>
#include <string>

namespace watchlab::scenarios {
namespace {

bool is_one_of(std::string_view text, std::string_view allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

constexpr std::string_view kDigits = "0123456789_";

/// "12", "1_000", "1.5", ".5", "5.", "1e3", "1.5e-3".
bool is_decimal(std::string_view text) {
  const std::size_t e = std::min(text.find('e'), text.size());
  std::string_view exponent = text.substr(std::min(e + 1, text.size()));
  exponent.remove_prefix(exponent.starts_with('+') || exponent.starts_with('-') ? 1 : 0);
  const std::string_view number = text.substr(0, e);
  const std::size_t point = std::min(number.find('.'), number.size());
  const std::string_view whole = number.substr(0, point);
  const std::string_view part = number.substr(std::min(point + 1, number.size()));
  return (whole.empty() || (is_one_of(whole, kDigits) && whole.front() != '_')) &&
         (part.empty() || is_one_of(part, kDigits)) && whole.size() + part.size() > 0 &&
         (e == text.size() || is_one_of(exponent, kDigits));
}

/// "1:30", "190:20:30.15": numbers to the base 60.
bool is_sexagesimal(std::string_view text) {
  constexpr std::string_view kFirst = "012345";
  std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || !is_one_of(text.substr(0, colon), kDigits)) {
    return false;
  }
  while (colon != std::string_view::npos) {
    text.remove_prefix(colon + 1);
    colon = text.find(':');
    const std::string_view digits = text.substr(0, std::min(colon, text.find('.')));
    if (digits.size() > 2 || !is_one_of(digits, kDigits.substr(0, 10)) ||
        (digits.size() == 2 && kFirst.find(digits.front()) == std::string_view::npos)) {
      return false;
    }
  }
  const std::size_t point = text.find('.');
  return point == std::string_view::npos || point + 1 == text.size() ||
         is_one_of(text.substr(point + 1), kDigits);
}

/// "2001-12-14", "2001-12-14T21:59:43Z", "2001-12-14 21:59:43.10 -5".
bool is_date(std::string_view text) {
  constexpr std::string_view kPattern = "dddd-dd-dd";
  if (text.size() < kPattern.size()) {
    return false;
  }
  for (std::size_t i = 0; i < kPattern.size(); ++i) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    if (kPattern[i] == 'd' ? !is_digit : text[i] != kPattern[i]) {
      return false;
    }
  }
  const std::string_view time = text.substr(kPattern.size());
  return time.empty() ||
         (std::string_view("tT \t").find(time.front()) != std::string_view::npos &&
          time.find(':') != std::string_view::npos && is_one_of(time, "0123456789:.+-tTzZ \t"));
}

}  // namespace

bool is_read_as_other_than_text(std::string_view text) {
  constexpr std::array<std::string_view, 11> kWords{"~",  "null", "true", "false", "yes", "no",
                                                    "on", "off",  ".nan", "=",     "<<"};
  const std::string small = boost::algorithm::to_lower_copy(std::string(text));
  if (std::ranges::find(kWords, small) != kWords.end()) {
    return true;
  }
  std::string_view number = small;
  number.remove_prefix(number.starts_with('+') || number.starts_with('-') ? 1 : 0);
  const std::string_view base = number.substr(0, 2);
  const std::string_view behind = number.substr(base.size());
  return number == ".inf" || is_decimal(number) || is_sexagesimal(number) || is_date(small) ||
         (base == "0x" && is_one_of(behind, "0123456789abcdef_")) ||
         (base == "0o" && is_one_of(behind, "01234567_")) ||
         (base == "0b" && is_one_of(behind, "01_"));
}

bool is_text_without_quotes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.empty() ? '0' : text.front());
  const std::string small = boost::algorithm::to_lower_copy(std::string(text));
  return (std::isalpha(first) != 0 || first == '_' || first == '$') && small != "y" &&
         small != "n" && small != "inf" && small != "nan" && !is_read_as_other_than_text(text);
}

}  // namespace watchlab::scenarios
