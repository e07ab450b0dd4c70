#include "scenarios/language/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace watchlab::scenarios {
namespace {

constexpr std::size_t compared_max = 64;

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

}  // namespace

std::string sentence_of(const std::string& file, const Problem& problem) {
  std::string text = file;
  if (problem.place.line > 0) {
    text += fmt::format(":{}:{}", problem.place.line, problem.place.column);
  }
  text += ": " + problem.what;
  if (!problem.expected.empty()) {
    text += "; expected " + problem.expected;
  }
  if (!problem.nearest.empty()) {
    text += fmt::format("; did you mean \"{}\"?", problem.nearest);
  }
  return text;
}

void Problems::add(Problem problem) {
  if (found_.size() < kept_max) {
    found_.push_back(std::move(problem));
  }
}

std::vector<Problem> Problems::take() {
  std::stable_sort(found_.begin(), found_.end(),
                   [](const Problem& a, const Problem& b) { return a.place < b.place; });
  return std::exchange(found_, {});
}

std::string nearest_name(std::string_view word, std::span<const std::string> candidates) {
  if (word.empty() || word.size() > compared_max) {
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
  return nearest;
}

std::string one_of(std::span<const std::string> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = i + 1 == words.size();
    text += (i == 0 ? "" : last ? " or " : ", ") + words[i];
  }
  return text;
}

}  // namespace watchlab::scenarios
