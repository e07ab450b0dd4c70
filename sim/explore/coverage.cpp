#include "sim/explore/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "sim/kernel/path_text.hpp"

namespace watchlab::sim {
namespace {

std::uint64_t hexadecimal(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) {
    throw std::invalid_argument(fmt::format("'{}' is no part of a coverage sketch", text));
  }
  return number;
}

/// Two digits that matter, however small: "12 %", "0.034 %".
std::string percent(double part) {
  return part < 0.1 ? fmt::format("{:.2g} %", part * 100) : fmt::format("{:.0f} %", part * 100);
}

}  // namespace

void Coverage::add(std::uint64_t digest, std::size_t times) {
  runs_ += times;
  if (sampled_ && digest > std::prev(counts_.end())->first) {
    return;
  }
  counts_[digest] += times;
  if (counts_.size() > kKept) {
    counts_.erase(std::prev(counts_.end()));
    sampled_ = true;
  }
}

void Coverage::merge(const Coverage& other) {
  const std::size_t runs = runs_ + other.runs_;
  // Beyond what either has kept the whole knows nothing.
  const std::uint64_t known_up_to = std::min(last_known(), other.last_known());
  for (const auto& [digest, count] : other.counts_) {
    counts_[digest] += count;
  }
  counts_.erase(counts_.upper_bound(known_up_to), counts_.end());
  sampled_ = sampled_ || other.sampled_ || counts_.size() > kKept;
  while (counts_.size() > kKept) {
    counts_.erase(std::prev(counts_.end()));
  }
  runs_ = runs;
}

std::uint64_t Coverage::last_known() const {
  return sampled_ && !counts_.empty() ? std::prev(counts_.end())->first : UINT64_MAX;
}

double Coverage::scale() const {
  if (!sampled_ || counts_.empty()) {
    return 1;
  }
  const double part = std::ldexp(static_cast<double>(std::prev(counts_.end())->first), -64);
  return 1 / part * static_cast<double>(counts_.size() - 1) / static_cast<double>(counts_.size());
}

std::size_t Coverage::kept_that_were_seen(std::size_t times) const {
  return static_cast<std::size_t>(
      std::count_if(counts_.begin(), counts_.end(),
                    [times](const auto& entry) { return entry.second == times; }));
}

std::size_t Coverage::orders() const {
  return static_cast<std::size_t>(std::llround(static_cast<double>(counts_.size()) * scale()));
}

std::size_t Coverage::seen_once() const {
  return static_cast<std::size_t>(
      std::llround(static_cast<double>(kept_that_were_seen(1)) * scale()));
}

double Coverage::unseen() const {
  return runs_ == 0 ? 1
                    : std::min(1.0, static_cast<double>(seen_once()) / static_cast<double>(runs_));
}

double Coverage::unseen_at_most() const {
  return std::max(unseen(), std::min(1.0, 3 / static_cast<double>(runs_ + 1)));
}

std::string Coverage::to_string() const {
  const std::string chance = seen_once() > 0 ? fmt::format("p ≈ {}", percent(unseen()))
                                             : fmt::format("p < {}", percent(unseen_at_most()));
  return fmt::format("{}{} orders in {} runs; the next run shows something new with {}",
                     sampled_ ? "about " : "", orders(), runs_, chance);
}

std::string Coverage::to_sketch() const {
  std::string text = fmt::format("c1{}{:x}", sampled_ ? 's' : 'e', runs_);
  for (const auto& [digest, count] : counts_) {
    text += count == 1 ? fmt::format(".{:x}", digest) : fmt::format(".{:x}x{:x}", digest, count);
  }
  return text;
}

Coverage Coverage::from_sketch(std::string_view text) {
  if (!text.starts_with("c1e") && !text.starts_with("c1s")) {
    throw std::invalid_argument("this is no coverage sketch of version c1");
  }
  Coverage coverage;
  const std::vector<std::string_view> parts = split(text.substr(3), '.');
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t times = parts[i].find('x');
    const std::uint64_t count =
        times == std::string_view::npos ? 1 : hexadecimal(parts[i].substr(times + 1));
    coverage.counts_[hexadecimal(parts[i].substr(0, times))] += count;
  }
  coverage.sampled_ = text[2] == 's';
  coverage.runs_ = hexadecimal(parts[0]);
  return coverage;
}

}  // namespace watchlab::sim
