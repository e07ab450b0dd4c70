#include "sim/apiserver/stamps.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <cstring>
#include <string_view>

namespace watchlab::sim {

std::string revision_text(Revision revision) { return std::to_string(revision); }

std::optional<Revision> parse_revision(std::string_view text) {
  Revision revision = 0;
  const char* end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, revision);
  if (error != std::errc() || parsed != end || revision < 0) {
    return std::nullopt;
  }
  return revision;
}

namespace {

constexpr std::uint64_t kUidPurpose = 1;
constexpr std::uint64_t kNamePurpose = 2;

std::uint64_t splitmix(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15U;
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31U);
}

/// Writes a number below 100 into two places.
void write_two(std::string& text, std::size_t begin, std::uint64_t number) {
  text[begin] = static_cast<char>('0' + number / 10);
  text[begin + 1] = static_cast<char>('0' + number % 10);
}

/// All pairs of hexadecimal digits, in order.
constexpr std::array<char, 512> kPairs = [] {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<char, 512> pairs{};
  for (std::size_t i = 0; i < 256; ++i) {
    pairs[2 * i] = kDigits[i / 16];
    pairs[2 * i + 1] = kDigits[i % 16];
  }
  return pairs;
}();

/// Writes the lowest `bytes` bytes of the number in hexadecimal digits, the highest first. Returns
/// the place behind them.
template <std::size_t bytes>
char* write_hexadecimal(char* place, std::uint64_t number) {
  for (std::size_t i = bytes; i > 0; --i, place += 2) {
    std::memcpy(place, kPairs.data() + 2 * ((number >> (8 * (i - 1))) & 0xFFU), 2);
  }
  return place;
}

}  // namespace

std::uint64_t scrambled(std::uint64_t seed, std::uint64_t purpose, std::uint64_t index) {
  return splitmix(splitmix(splitmix(seed) ^ purpose) ^ index);
}

std::string uid_for(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t high = scrambled(seed, kUidPurpose, index);
  const std::uint64_t low = splitmix(high);
  std::string uid(36, '-');
  char* place = write_hexadecimal<4>(uid.data(), high >> 32U) + 1;
  place = write_hexadecimal<2>(place, high >> 16U) + 1;
  place = write_hexadecimal<2>(place, 0x4000U | (high & 0xFFFU)) + 1;
  place = write_hexadecimal<2>(place, (low >> 48U & 0x3FFFU) | 0x8000U) + 1;
  write_hexadecimal<6>(place, low);
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
  const auto year = static_cast<std::uint64_t>(static_cast<int>(date.year()));
  std::string text("0000-00-00T00:00:00Z");
  write_two(text, 0, year / 100 % 100);
  write_two(text, 2, year % 100);
  write_two(text, 5, static_cast<unsigned>(date.month()));
  write_two(text, 8, static_cast<unsigned>(date.day()));
  write_two(text, 11, static_cast<std::uint64_t>(time.hours().count()));
  write_two(text, 14, static_cast<std::uint64_t>(time.minutes().count()));
  write_two(text, 17, static_cast<std::uint64_t>(time.seconds().count()));
  return text;
}

}  // namespace watchlab::sim
