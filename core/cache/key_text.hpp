#pragma once

#include <array>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/runtime/ensure.hpp"

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
      text.copy(near_.data(), text.size());  // which may lie nowhere, when it is empty
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

/// Values by key, for queues. They lie in rows in the order in which they came, which is that in
/// which they are taken out, and a hash set of the rows' numbers finds them: it stays in a
/// processor's cache where a table of keys and values would not. Used like a map of the standard
/// library; a place is good until its row goes, and walks are in no order that may get out. Not
/// synchronised. Private to this folder.
template <typename Value>
class KeyTable {
 public:
  using Row = std::pair<KeyText, Value>;

 private:
  using Number = std::uint32_t;
  using Rows = std::vector<Row>;
  struct HashOfRow {
    using is_transparent = void;
    using is_avalanching = void;
    const Rows* rows;
    std::size_t operator()(std::string_view key) const { return hash_of_key(key); }
    std::size_t operator()(Number number) const { return hash_of_key((*rows)[number].first); }
  };
  struct SameKey {
    using is_transparent = void;
    const Rows* rows;
    bool operator()(Number one, Number other) const {
      return (*rows)[one].first.view() == (*rows)[other].first.view();
    }
    bool operator()(Number number, std::string_view key) const {
      return (*rows)[number].first.view() == key;
    }
    bool operator()(std::string_view key, Number number) const { return (*this)(number, key); }
  };
  using Numbers = boost::unordered_flat_set<Number, HashOfRow, SameKey>;

 public:
  /// Where a row is, in the order of the hash set.
  class Place {
   public:
    Row& operator*() const { return (*rows_)[*at_]; }
    Row* operator->() const { return &**this; }
    Place& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Place& other) const { return at_ == other.at_; }

   private:
    friend class KeyTable;
    Place(Rows& rows, typename Numbers::const_iterator at) : rows_(&rows), at_(at) {}

    Rows* rows_;
    typename Numbers::const_iterator at_;
  };

  [[nodiscard]] std::size_t size() const { return numbers_.size(); }
  [[nodiscard]] Place begin() const { return {*rows_, numbers_.begin()}; }
  [[nodiscard]] Place end() const { return {*rows_, numbers_.end()}; }
  /// `end()` when there is none.
  [[nodiscard]] Place find(std::string_view key) const { return {*rows_, numbers_.find(key)}; }
  [[nodiscard]] bool contains(std::string_view key) const { return numbers_.contains(key); }
  /// The value of a key that is there; it is a bug to ask for another.
  [[nodiscard]] const Value& at(std::string_view key) const {
    const Place place = find(key);
    runtime::ensure(place != end(), "the key is in the table");
    return place->second;
  }

  /// Makes a row with that value, unless there is one of this key; and whether it did. The row
  /// comes first, so that the set is searched once.
  std::pair<Place, bool> try_emplace(KeyText key, Value value = {}) {
    if (free_.empty()) {
      if (rows_->capacity() == 0) {
        rows_->reserve(kFewRows);
      }
      free_.push_back(static_cast<Number>(rows_->size()));
      rows_->emplace_back();
    }
    Row& row = (*rows_)[free_.back()];
    row = {std::move(key), std::move(value)};
    const auto [at, is_new] = numbers_.insert(free_.back());
    if (is_new) {
      free_.pop_back();
    } else {
      row = {};
    }
    return {{*rows_, at}, is_new};
  }
  /// As `try_emplace`, and replaces the value of a row that is there.
  std::pair<Place, bool> insert_or_assign(KeyText key, Value value) {
    const auto [place, is_new] = try_emplace(std::move(key), value);
    if (!is_new) {
      place->second = std::move(value);
    }
    return {place, is_new};
  }
  void erase(Place place) {
    free_.push_back(*place.at_);
    Row& row = *place;
    numbers_.erase(place.at_);
    row = {};
  }
  void erase(std::string_view key) {
    if (const Place place = find(key); place != end()) {
      erase(place);
    }
  }

 private:
  static constexpr std::size_t kFewRows = 8;  ///< made at once, because small tables grow often

  std::unique_ptr<Rows> rows_ = std::make_unique<Rows>();  // stays where it is when the table moves
  std::vector<Number> free_;
  Numbers numbers_{0, HashOfRow{rows_.get()}, SameKey{rows_.get()}};
};

}  // namespace watchlab::cache
