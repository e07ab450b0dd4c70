#include <fmt/format.h>

#include <charconv>
#include <string>

#include "scenarios/campaign/campaign.hpp"
#include "scenarios/language/values.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::size_t kShardsMax = 1'000'000;

/// The whole text as a number, or nothing.
std::optional<std::size_t> number_of(const std::string& text) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<std::pair<std::size_t, std::size_t>> shard_of(const std::string& text) {
  if (text.empty()) {
    return std::pair<std::size_t, std::size_t>(0, 1);
  }
  const std::size_t slash = text.find('/');
  const auto shard = number_of(text.substr(0, slash));
  const auto shards = number_of(slash == std::string::npos ? "" : text.substr(slash + 1));
  if (!shard || !shards || *shard >= *shards || *shards > kShardsMax) {
    return std::nullopt;
  }
  return std::pair(*shard, *shards);
}

std::optional<double> part_of(const std::string& text) {
  const bool percent = text.ends_with('%');
  const std::string digits = percent ? text.substr(0, text.size() - 1) : text;
  double number = 0;
  const auto [end, failure] = read_number(digits, number, std::chars_format::general);
  const double part = number / (percent ? 100 : 1);
  const bool is_number = failure == std::errc() && end == digits.data() + digits.size();
  return is_number && part > 0 && part < 1 ? std::optional(part) : std::nullopt;
}

std::string duration_text(double seconds) {
  if (seconds < 120) {
    return fmt::format("{:.0f} s", seconds);
  }
  if (seconds < 2 * 3600) {
    return fmt::format("{:.0f} min", seconds / 60);
  }
  return seconds < 48 * 3600 ? fmt::format("{:.1f} h", seconds / 3600)
                             : fmt::format("{:.3g} days", seconds / 86400);
}

namespace {

std::string percent_text(double percent) {
  return percent < 0.001 ? "less than 0.001 %"  // NOLINT: what the text says
         : percent < 10  ? fmt::format("{:.2g} %", percent)
                         : fmt::format("{:.0f} %", percent);
}

}  // namespace

std::string progress_text(const sim::ExploreResult& so_far, double seconds) {
  if (so_far.explored <= 0) {
    return so_far.coverage.to_string();
  }
  if (so_far.exhausted) {
    return fmt::format("{} orders in {} runs, {}", so_far.coverage.orders(), so_far.executions,
                       sim::verdict(so_far));
  }
  constexpr double kYear = 365 * 86400.0;
  constexpr double kCountable = 1e9;
  const double all = static_cast<double>(so_far.executions) / so_far.explored;
  const double left = seconds * (1 / so_far.explored - 1);
  return fmt::format("{} runs{}; {} to go", so_far.executions,
                     all > kCountable
                         ? " of more than a billion"
                         : fmt::format(", {} of about {:.0f}", percent_text(100 * so_far.explored),
                                       std::stod(fmt::format("{:.2g}", all))),
                     left > kYear ? "more than a year" : "about " + duration_text(left));
}

}  // namespace watchlab::scenarios
