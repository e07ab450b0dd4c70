#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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
  KeyText(std::string_view text);                                        // NOLINT: implicit
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
  [[nodiscard]] const std::string* far() const;

  alignas(void*) std::array<char, kNearMax> near_{};
  std::uint8_t size_ = 0;
};

/// The hash of a key, for the tables of this folder. Each bit of it depends on each of the key; no
/// order of anything may depend on it.
[[nodiscard]] std::size_t hash_of_key(std::string_view key);

/// For hash tables of `KeyText`, which are searched with any text.
struct HashOfKey {
  using is_transparent = void;
  using is_avalanching = void;
  std::size_t operator()(std::string_view key) const { return hash_of_key(key); }
};
struct SameKey {
  using is_transparent = void;
  bool operator()(std::string_view one, std::string_view other) const { return one == other; }
};

}  // namespace watchlab::cache
