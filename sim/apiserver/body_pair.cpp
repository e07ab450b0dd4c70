#include "sim/apiserver/body_pair.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace watchlab::sim {

namespace {

constexpr int kDepthMax = 16;
constexpr std::size_t kMembersMax = 16;

/// The JSON string that the text begins with, quotes and all; nothing when there is none that
/// means just what it looks like.
std::optional<std::string_view> plain_string(std::string_view text) {
  if (text.empty() || text.front() != '"') {
    return std::nullopt;
  }
  for (std::size_t i = 1; i < text.size(); ++i) {
    const char sign = text[i];
    if (sign == '"') {
      return text.substr(0, i + 1);
    }
    if (sign < ' ' || sign == '\\' || static_cast<unsigned char>(sign) > '~') {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// The number without sign or fraction, or the word, that the text begins with.
std::string_view word(std::string_view text) {
  for (const std::string_view name : {"true", "false", "null"}) {
    if (text.starts_with(name)) {
      return name;
    }
  }
  const auto end =
      std::find_if(text.begin(), text.end(), [](char sign) { return sign < '0' || sign > '9'; });
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  return digits.size() > 1 && digits.front() == '0' ? std::string_view() : digits;
}

}  // namespace

bool BodyPair::differs_plainly() {
  return a_.starts_with('{') && pass_object(kDepthMax) && a_.empty() && b_.empty() && differ_;
}

bool BodyPair::pass(char sign) {
  if (!a_.starts_with(sign) || !b_.starts_with(sign)) {
    return false;
  }
  a_.remove_prefix(1);
  b_.remove_prefix(1);
  return true;
}

bool BodyPair::pass_value(int depth) {
  if (a_.starts_with('"')) {
    return pass_strings();
  }
  if (a_.starts_with('{')) {
    return pass_object(depth);
  }
  return a_.starts_with('[') ? pass_array(depth) : pass_same_word();
}

bool BodyPair::pass_object(int depth) {
  if (depth == 0 || !pass('{')) {
    return false;
  }
  if (pass('}')) {
    return true;
  }
  std::array<std::string_view, kMembersMax> keys;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::optional<std::string_view> key = plain_string(a_);
    if (!key || !b_.starts_with(*key) ||
        std::find(keys.begin(), keys.begin() + i, *key) != keys.begin() + i) {
      return false;
    }
    keys[i] = *key;
    a_.remove_prefix(key->size());
    b_.remove_prefix(key->size());
    if (!pass(':') || !pass_value(depth - 1)) {
      return false;
    }
    if (pass('}')) {
      return true;
    }
    if (!pass(',')) {
      return false;
    }
  }
  return false;
}

bool BodyPair::pass_array(int depth) {
  if (depth == 0 || !pass('[')) {
    return false;
  }
  if (pass(']')) {
    return true;
  }
  while (pass_value(depth - 1)) {
    if (pass(']')) {
      return true;
    }
    if (!pass(',')) {
      return false;
    }
  }
  return false;
}

bool BodyPair::pass_strings() {
  const std::optional<std::string_view> mine = plain_string(a_);
  const std::optional<std::string_view> other = plain_string(b_);
  if (!mine || !other) {
    return false;
  }
  differ_ = differ_ || *mine != *other;
  a_.remove_prefix(mine->size());
  b_.remove_prefix(other->size());
  return true;
}

bool BodyPair::pass_same_word() {
  const std::string_view same = word(a_);
  if (same.empty() || word(b_) != same) {
    return false;
  }
  a_.remove_prefix(same.size());
  b_.remove_prefix(same.size());
  return true;
}

}  // namespace watchlab::sim
