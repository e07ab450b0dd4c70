#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace watchlab::sim {

/// A set of slots, ordered, with constant-time insertion and removal: who is ready. Made for a
/// handful of members and good for some ten thousand.
class ActorSet {
 public:
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] bool contains(std::uint32_t slot) const {
    const std::size_t word = slot / 64;
    return word < words_.size() && (words_[word] >> (slot % 64) & 1U) != 0;
  }
  void insert(std::uint32_t slot) {
    if (slot / 64 >= words_.size()) [[unlikely]] {
      words_.resize(slot / 64 + 1);
    }
    std::uint64_t& word = words_[slot / 64];
    const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
    count_ += (word & bit) == 0 ? 1 : 0;
    word |= bit;
  }
  void erase(std::uint32_t slot) {
    if (slot / 64 >= words_.size()) {
      return;
    }
    std::uint64_t& word = words_[slot / 64];
    const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
    count_ -= (word & bit) != 0 ? 1 : 0;
    word &= ~bit;
  }
  void clear() {
    words_.assign(words_.size(), 0);
    count_ = 0;
  }

  /// The lowest member. The set must not be empty.
  [[nodiscard]] std::uint32_t first() const { return nth_other(0, UINT32_MAX); }
  /// The lowest member above `slot`, or the lowest of all when there is none.
  [[nodiscard]] std::uint32_t after(std::uint32_t slot) const {
    for (std::uint32_t next = slot + 1; next < words_.size() * 64; ++next) {
      if (contains(next)) {
        return next;
      }
    }
    return first();
  }
  /// The `index`-th member, counted from 0, when `left_out` does not count.
  [[nodiscard]] std::uint32_t nth_other(std::size_t index, std::uint32_t left_out) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      std::uint64_t word = words_[i];
      if (left_out / 64 == i) {
        word &= ~(std::uint64_t{1} << (left_out % 64));
      }
      const auto members = static_cast<std::size_t>(std::popcount(word));
      if (index >= members) {
        index -= members;
        continue;
      }
      for (; index > 0; --index) {
        word &= word - 1;
      }
      return static_cast<std::uint32_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(word)));
    }
    return UINT32_MAX;
  }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t count_ = 0;
};

}  // namespace watchlab::sim
