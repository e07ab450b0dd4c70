#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/language/document.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::size_t kComparedMax = 64;

/// Insertions, deletions, substitutions and swaps of neighbours, ignoring case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1])) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last = std::exchange(last, row);
  }
  return last[b.size()];
}

/// Words of names that people know from elsewhere, and the ones that stand here.
struct Meaning {
  std::string_view word;
  std::string_view ours;
};
constexpr std::array<Meaning, 33> kMeanings{{
    {"abort", "cut"},        {"block", "stall"},    {"break", "cut"},      {"close", "cut"},
    {"corrupt", "garble"},   {"dc", "cut"},         {"disconnect", "cut"}, {"drop", "cut"},
    {"duplicate", "replay"}, {"end", "close"},      {"error", "fail"},     {"events", "event"},
    {"freeze", "stall"},     {"hang", "stall"},     {"interrupt", "cut"},  {"kill", "cut"},
    {"lag", "delay"},        {"latency", "delay"},  {"lose", "drop"},      {"lost", "drop"},
    {"miss", "drop"},        {"reboot", "restart"}, {"skip", "drop"},      {"slow", "delay"},
    {"client", "of"},        {"count", "times"},    {"delay", "after"},    {"delay", "takes"},
    {"delay", "lag"},        {"latency", "takes"},  {"latency", "lag"},    {"duration", "takes"},
    {"sleep", "wait"},
}};

/// The parts of a name, sorted: "cut", "watch" of "watch_cut".
std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts(1);
  for (const char c : name) {
    if (c == '_' || c == '-') {
      parts.emplace_back();
    } else {
      parts.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  std::ranges::sort(parts);
  return parts;
}

/// The candidate with the same parts in another order, or with one of them in our words.
std::string with_those_parts(std::string_view word, std::span<const std::string> candidates) {
  const std::vector<std::string> parts = parts_of(word);
  const auto find = [&](std::vector<std::string> wanted) {
    std::ranges::sort(wanted);
    const auto found = std::ranges::find_if(
        candidates, [&](const std::string& each) { return parts_of(each) == wanted; });
    return found == candidates.end() ? "" : *found;
  };
  std::string found = parts.size() > 1 ? find(parts) : "";
  for (const Meaning& meaning : kMeanings) {
    const auto at = std::ranges::find(parts, meaning.word);
    if (found.empty() && at != parts.end()) {
      std::vector<std::string> ours = parts;
      ours[static_cast<std::size_t>(at - parts.begin())] = meaning.ours;
      found = find(ours);
    }
  }
  return found;
}

}  // namespace

std::string nearest_name(std::string_view word, std::span<const std::string> candidates) {
  if (word.empty() || word.size() > kComparedMax) {
    return "";
  }
  std::size_t best = (word.size() + 2) / 3 + 1;
  std::string nearest;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  if (nearest.empty()) {
    nearest = with_those_parts(word, candidates);
  }
  constexpr std::size_t kBeginningMin = 4;
  for (const std::string& candidate : candidates) {
    if (nearest.empty() && word.size() >= kBeginningMin && candidate.starts_with(word)) {
      return candidate;
    }
  }
  return nearest;
}

}  // namespace watchlab::scenarios
