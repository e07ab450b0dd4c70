#include "core/cache/key_text.hpp"

#include <cstring>

namespace watchlab::cache {

namespace {

/// The eight bytes of a text from there on, as a number.
std::uint64_t word_at(std::string_view text, std::size_t from) {
  std::uint64_t word = 0;
  std::memcpy(&word, text.data() + from, sizeof word);
  return word;
}

/// All bytes of a text that has fewer than eight, as a number. Put together in a register: a word
/// that is read from memory right after single bytes of it were written there waits until every
/// earlier write, as that of a count of references far away, has reached the cache.
std::uint64_t short_word(std::string_view text) {
  std::uint64_t word = 0;
  for (const char byte : text) {
    word = word << 8 | static_cast<unsigned char>(byte);
  }
  return word;
}

}  // namespace

KeyText::KeyText(std::string_view text) {
  if (text.size() <= kNearMax) {
    std::memcpy(near_.data(), text.data(), text.size());
    size_ = static_cast<std::uint8_t>(text.size());
  } else {
    const auto* const far = new std::string(text);
    std::memcpy(near_.data(), &far, sizeof far);
    size_ = kFar;
  }
}

const std::string* KeyText::far() const {
  const std::string* far = nullptr;
  std::memcpy(&far, near_.data(), sizeof far);
  return far;
}

std::size_t hash_of_key(std::string_view key) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  std::uint64_t hash = key.size() * kOdd;
  const auto take = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * kOdd;
    hash ^= hash >> 32;
  };
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  if (key.size() < kWord) {
    take(short_word(key));
  } else {
    for (std::size_t from = 0; from + kWord < key.size(); from += kWord) {
      take(word_at(key, from));
    }
    take(word_at(key, key.size() - kWord));  // may take in some bytes once more
  }
  hash *= kOdd;
  return hash ^ (hash >> 29);
}

}  // namespace watchlab::cache
