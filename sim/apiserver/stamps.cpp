#include "sim/apiserver/stamps.hpp"

#include <charconv>
#include <chrono>
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

/// Writes the last `count` digits of the number from there on. `fmt` takes six times as long, which
/// is 2.4 % of a small story.
template <unsigned base>
void write_digits(std::string& text, std::size_t begin, std::size_t count, std::uint64_t number) {
  for (std::size_t i = begin + count; i > begin; number /= base) {
    text[--i] = "0123456789abcdef"[number % base];
  }
}

}  // namespace

std::uint64_t scrambled(std::uint64_t seed, std::uint64_t purpose, std::uint64_t index) {
  return splitmix(splitmix(splitmix(seed) ^ purpose) ^ index);
}

std::string uid_for(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t high = scrambled(seed, kUidPurpose, index);
  const std::uint64_t low = splitmix(high);
  std::string uid(36, '-');
  write_digits<16>(uid, 0, 8, high >> 32U);
  write_digits<16>(uid, 9, 4, high >> 16U);
  write_digits<16>(uid, 14, 4, (high & 0xFFFU) | 0x4000U);  // the version: drawn at random
  write_digits<16>(uid, 19, 4, (low >> 48U & 0x3FFFU) | 0x8000U);
  write_digits<16>(uid, 24, 12, low);
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
  const auto today = floor<std::chrono::days>(now);
  const std::chrono::year_month_day date(std::chrono::sys_days(today.time_since_epoch()));
  const std::chrono::hh_mm_ss time(floor<std::chrono::seconds>(now - today));
  std::string text("0000-00-00T00:00:00Z");
  write_digits<10>(text, 0, 4, static_cast<unsigned>(static_cast<int>(date.year())));
  write_digits<10>(text, 5, 2, static_cast<unsigned>(date.month()));
  write_digits<10>(text, 8, 2, static_cast<unsigned>(date.day()));
  write_digits<10>(text, 11, 2, static_cast<std::uint64_t>(time.hours().count()));
  write_digits<10>(text, 14, 2, static_cast<std::uint64_t>(time.minutes().count()));
  write_digits<10>(text, 17, 2, static_cast<std::uint64_t>(time.seconds().count()));
  return text;
}

}  // namespace watchlab::sim
