#include "scenarios/campaign/sealed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace watchlab::scenarios {
namespace {

constexpr std::string_view kMember = ",\"checksum\":\"";
constexpr std::size_t kDigits = 16;
constexpr std::string_view kEnd = "\"}";
constexpr std::size_t kSealSize = kMember.size() + kDigits + kEnd.size();

std::string seal_of(std::string_view body) {
  return fmt::format("{}{:016x}{}", kMember, checksum_of(body), kEnd);
}

}  // namespace

std::uint64_t checksum_of(std::string_view text) {
  std::uint64_t checksum = 14695981039346656037U;
  for (const char character : text) {
    checksum = (checksum ^ static_cast<unsigned char>(character)) * 1099511628211U;
  }
  return checksum;
}

std::string sealed(std::string_view object) {
  const std::string_view body = object.substr(0, object.size() - 1);
  return std::string(body) + seal_of(body);
}

std::string unsealed(std::string_view line) {
  const std::size_t size = line.size() < kSealSize ? 0 : line.size() - kSealSize;
  const std::string_view body = line.substr(0, size);
  if (line.substr(size) == seal_of(body)) {
    return std::string(body) + "}";
  }
  if (line.find("\"checksum\"") == std::string_view::npos && line.ends_with('}')) {
    throw std::invalid_argument(
        "the line has no checksum; expected one as this version of watchlab writes it");
  }
  throw std::invalid_argument("the line is damaged: its checksum does not fit");
}

std::string difference(const Settings& before, const Settings& now) {
  const auto value_in = [](const Settings& settings, const std::string& name) {
    const auto found = std::find_if(settings.begin(), settings.end(),
                                    [&name](const auto& each) { return each.first == name; });
    return found == settings.end() ? std::string("unset") : found->second;
  };
  for (const Settings* settings : {&now, &before}) {
    for (const auto& [name, value] : *settings) {
      const std::string was = value_in(before, name);
      const std::string is = value_in(now, name);
      if (was != is) {
        return fmt::format("{} was {} and is {}", name, was, is);
      }
    }
  }
  return "";
}

}  // namespace watchlab::scenarios
