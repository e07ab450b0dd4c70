#include "sim/linearizability/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace watchlab::sim::linearizability {
namespace {

constexpr std::string_view kBetween = "; ";

}  // namespace

std::string Request::to_string() const {
  std::string text = method;
  for (const std::string* const word : {&key, &argument}) {
    text += word->empty() ? "" : " " + *word;
  }
  return text;
}

std::string Call::to_string() const { return asked.to_string() + " -> " + result.value_or("…"); }

bool Model::only_reads(const Request& asked) const {
  constexpr std::array<std::string_view, 6> kReads{"get",       "has",  "list",
                                                   "list_keys", "read", "size"};
  return std::ranges::find(kReads, asked.method) != kReads.end();
}

void refuse_method(const Model& model, const Request& asked) {
  throw std::invalid_argument(fmt::format("a {} has no method '{}'", model.name(), asked.method));
}

std::string joined_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text.append(text.empty() ? "" : kBetween).append(word);
  }
  return text;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = text.find(kBetween);
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + kBetween.size());
  }
  return words;
}

std::string to_string(const Entries& entries) {
  std::vector<std::string> words;
  words.reserve(entries.size());
  for (const auto& [key, value] : entries) {
    words.push_back(key + "=" + value);
  }
  return joined_words(words);
}

Entries entries_of(std::string_view text) {
  Entries entries;
  for (const std::string& word : words_of(text)) {
    const std::size_t sign = std::min(word.find('='), word.size());
    entries[word.substr(0, sign)] = word.substr(std::min(sign + 1, word.size()));
  }
  return entries;
}

}  // namespace watchlab::sim::linearizability
