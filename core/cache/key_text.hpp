#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace watchlab::cache {

/// A key as stores and queues keep it. Keys of up to 39 bytes, which is most of them, lie in the
/// value itself, so that copying one needs no memory and comparing one looks at no other place.
/// Reads as the text that it holds. Never changes but by assignment. Private to this folder.
class KeyText {
 public:
  static constexpr std::size_t kNearMax = 39;  ///< bytes of the longest key that lies in the value

  KeyText() = default;
  KeyText(std::string_view text) {  // NOLINT: implicit
    if (text.size() <= kNearMax) {
      std::memcpy(near_.data(), text.data(), text.size());
      size_ = static_cast<std::uint8_t>(text.size());
    } else {
      const auto* const far = new std::string(text);
      std::memcpy(near_.data(), &far, sizeof far);
      size_ = kFar;
    }
  }
  KeyText(const std::string& text) : KeyText(std::string_view(text)) {}  // NOLINT: implicit
  KeyText(const KeyText& other) : KeyText(other.view()) {}
  KeyText(KeyText&& other) noexcept : near_(other.near_), size_(other.size_) { other.size_ = 0; }
  KeyText& operator=(const KeyText& other) { return *this = KeyText(other); }
  KeyText& operator=(KeyText&& other) noexcept {
    near_.swap(other.near_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~KeyText() {
    if (size_ == kFar) {
      delete far();
    }
  }

  [[nodiscard]] std::string_view view() const {
    return size_ == kFar ? std::string_view(*far()) : std::string_view(near_.data(), size_);
  }
  operator std::string_view() const { return view(); }  // NOLINT: implicit

 private:
  static constexpr std::uint8_t kFar = 255;  ///< in place of a size: the text lies elsewhere

  /// The text that lies elsewhere; `near_` then begins with its address.
  [[nodiscard]] const std::string* far() const {
    const std::string* far = nullptr;
    std::memcpy(&far, near_.data(), sizeof far);
    return far;
  }

  alignas(void*) std::array<char, kNearMax> near_{};
  std::uint8_t size_ = 0;
};

/// The hash of a key, for the tables of this folder. Each bit of it depends on each of the key; no
/// order of anything may depend on it.
[[nodiscard]] inline std::size_t hash_of_key(std::string_view key) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  std::uint64_t hash = key.size() * kOdd;
  const auto take = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * kOdd;
    hash ^= hash >> 32;
  };
  const auto take_from = [&](std::size_t place) {
    std::uint64_t word = 0;
    std::memcpy(&word, key.data() + place, kWord);
    take(word);
  };
  if (key.size() >= kWord) {
    for (std::size_t place = 0; place + kWord < key.size(); place += kWord) {
      take_from(place);
    }
    take_from(key.size() - kWord);  // may take in some bytes once more
  } else {
    // Put together in a register: a word that is read from memory right after single bytes of it
    // were written there waits until every earlier write, as that of a count of references far
    // away, has reached the cache.
    std::uint64_t word = 0;
    for (const char byte : key) {
      word = word << 8 | static_cast<unsigned char>(byte);
    }
    take(word);
  }
  hash *= kOdd;
  return hash ^ (hash >> 29);
}

/// For hash tables of `KeyText`, which are searched with any text.
struct HashOfKey {
  using is_transparent = void;
  using is_avalanching = void;
  std::size_t operator()(std::string_view key) const { return hash_of_key(key); }
};
/// Equality for the same tables.
struct SameKey {
  using is_transparent = void;
  bool operator()(std::string_view one, std::string_view other) const { return one == other; }
};

}  // namespace watchlab::cache
