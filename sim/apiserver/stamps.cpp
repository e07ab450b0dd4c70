#include "sim/apiserver/stamps.hpp"

#include <fmt/chrono.h>
#include <fmt/compile.h>

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

}  // namespace

std::uint64_t scrambled(std::uint64_t seed, std::uint64_t purpose, std::uint64_t index) {
  return splitmix(splitmix(splitmix(seed) ^ purpose) ^ index);
}

std::string uid_for(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t high = scrambled(seed, kUidPurpose, index);
  const std::uint64_t low = splitmix(high);
  return fmt::format(FMT_COMPILE("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}"), high >> 32U,
                     high >> 16U & 0xFFFFU, high & 0xFFFU, (low >> 48U & 0x3FFFU) | 0x8000U,
                     low & 0xFFFF'FFFF'FFFFU);
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
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds.count()));
}

}  // namespace watchlab::sim
