#include "sim/kinds/kind_moment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

namespace watchlab::sim {

namespace {

constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

/// -1 for what is no number.
int number_in(std::string_view text, std::size_t from, std::size_t digits) {
  int number = -1;
  const std::string_view part = text.substr(from, digits);
  const auto read = std::from_chars(part.data(), part.data() + part.size(), number);
  return part.size() == digits && read.ptr == part.data() + part.size() ? number : -1;
}

bool has_signs(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00";
  if (text.size() <= kForm.size()) {
    return false;
  }
  for (const std::size_t sign : {4U, 7U, 10U, 13U, 16U}) {
    if (text[sign] != kForm[sign]) {
      return false;
    }
  }
  return true;
}

/// Takes ".123" from the beginning of a text.
std::int32_t take_fraction(std::string_view& text) {
  if (!text.starts_with('.')) {
    return 0;
  }
  text.remove_prefix(1);
  std::int64_t nanos = 0;
  std::int64_t unit = kNanosPerSecond;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    unit /= 10;
    nanos += (text.front() - '0') * unit;
    text.remove_prefix(1);
  }
  return static_cast<std::int32_t>(nanos);
}

/// "Z" or "+01:00" as seconds.
std::optional<std::int64_t> offset_in(std::string_view text) {
  constexpr std::size_t kLength = 6;
  constexpr std::int64_t kHour = 3600;
  if (text == "Z") {
    return 0;
  }
  const bool has_sign = text.starts_with('+') || text.starts_with('-');
  if (text.size() != kLength || !has_sign || text[3] != ':') {
    return std::nullopt;
  }
  const int hours = number_in(text, 1, 2);
  const int minutes = number_in(text, 4, 2);
  const std::int64_t seconds = hours * kHour + minutes * std::int64_t{60};
  return hours < 0 || minutes < 0 ? std::nullopt
                                  : std::optional(text.front() == '-' ? -seconds : seconds);
}

}  // namespace

std::optional<KindMoment> kind_moment_from(std::string_view text) {
  constexpr std::size_t kDateAndTime = 19;
  if (!has_signs(text)) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{
      std::chrono::year(number_in(text, 0, 4)),
      std::chrono::month(static_cast<unsigned>(number_in(text, 5, 2))),
      std::chrono::day(static_cast<unsigned>(number_in(text, 8, 2)))};
  const int hours = number_in(text, 11, 2);
  const int minutes = number_in(text, 14, 2);
  const int seconds = number_in(text, 17, 2);
  std::string_view rest = text.substr(kDateAndTime);
  const std::int32_t nanos = take_fraction(rest);
  const std::optional<std::int64_t> offset = offset_in(rest);
  if (!date.ok() || hours < 0 || minutes < 0 || seconds < 0 || !offset) {
    return std::nullopt;
  }
  const auto days = std::chrono::sys_days(date).time_since_epoch();
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(days) +
                     std::chrono::hours(hours) + std::chrono::minutes(minutes) +
                     std::chrono::seconds(seconds);
  return KindMoment{whole.count() - *offset, nanos};
}

std::string text_of(const KindMoment& moment, bool micros) {
  constexpr std::int64_t kLastSecond = 253'402'300'799;
  constexpr std::int64_t kFirstSecond = -62'167'219'200;  // of the year 0
  constexpr std::int32_t kNanosPerMicro = 1'000;
  if (moment.seconds > kLastSecond || moment.seconds < kFirstSecond) {
    return {};
  }
  const std::chrono::sys_seconds time{std::chrono::seconds(moment.seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::string text =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  clock.hours().count(), clock.minutes().count(), clock.seconds().count());
  if (micros) {
    text += fmt::format(".{:06}", moment.nanos / kNanosPerMicro);
  }
  return text + "Z";
}

}  // namespace watchlab::sim
