#include "sim/apiserver/stamps.hpp"

#include <array>
#include <chrono>
#include <string_view>

namespace watchlab::sim {

namespace {

constexpr std::uint64_t kUidPurpose = 1;
constexpr std::uint64_t kNamePurpose = 2;

std::uint64_t splitmix(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15U;
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31U);
}

/// Writes `number` into the places from `begin` to `end`, with leading zeros.
void write_number(std::string& text, std::size_t begin, std::size_t end, std::int64_t number) {
  constexpr std::string_view kDigits = "0123456789";
  for (std::size_t i = end; i > begin; --i) {
    text[i - 1] = kDigits[static_cast<std::size_t>(number % 10)];
    number /= 10;
  }
}

}  // namespace

std::uint64_t scrambled(std::uint64_t seed, std::uint64_t purpose, std::uint64_t index) {
  return splitmix(splitmix(splitmix(seed) ^ purpose) ^ index);
}

std::string uid_for(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t high = scrambled(seed, kUidPurpose, index);
  const std::uint64_t low = splitmix(high);
  const std::array<std::uint64_t, 5> parts{
      high >> 32U, (high >> 16U) & 0xFFFFU, 0x4000U | (high & 0xFFFU),
      ((low >> 48U) & 0x3FFFU) | 0x8000U, low & 0xFFFFFFFFFFFFU};
  constexpr std::array<std::size_t, 5> kDashes{8, 13, 18, 23, 36};
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string uid(kDashes.back(), '-');
  std::size_t begin = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    std::uint64_t number = parts.at(part);
    for (std::size_t i = kDashes.at(part); i > begin; --i) {
      uid[i - 1] = kDigits[number % 16];
      number /= 16;
    }
    begin = kDashes.at(part) + 1;
  }
  return uid;
}

std::string name_suffix(std::uint64_t seed, std::uint64_t index) {
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  std::uint64_t number = scrambled(seed, kNamePurpose, index);
  std::string suffix;
  for (int i = 0; i < 5; ++i) {
    suffix.push_back(kLetters[number % kLetters.size()]);
    number /= kLetters.size();
  }
  return suffix;
}

std::string timestamp(runtime::TimePoint now) {
  using std::chrono::floor;
  const auto seconds = floor<std::chrono::seconds>(now.time_since_epoch());
  const auto days = floor<std::chrono::days>(seconds);
  const std::chrono::year_month_day date{std::chrono::sys_days(days)};
  const std::chrono::hh_mm_ss time(seconds - days);
  std::string text("0000-00-00T00:00:00Z");
  write_number(text, 0, 4, static_cast<int>(date.year()));
  write_number(text, 5, 7, static_cast<unsigned>(date.month()));
  write_number(text, 8, 10, static_cast<unsigned>(date.day()));
  write_number(text, 11, 13, time.hours().count());
  write_number(text, 14, 16, time.minutes().count());
  write_number(text, 17, 19, time.seconds().count());
  return text;
}

}  // namespace watchlab::sim
