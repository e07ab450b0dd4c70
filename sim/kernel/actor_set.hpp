#pragma once

#include <array>
#include <bit>
#include <boost/container/flat_set.hpp>
#include <cstddef>
#include <cstdint>

namespace watchlab::sim {

/// An ordered set of slots: the actors that are ready, or those that wait. Built for a handful of
/// members and good for some ten thousand. The first 64 slots are one word, so a small world never
/// allocates and can join whole sets in one instruction. Nothing there branches on membership,
/// which a random schedule would make unpredictable. Further slots are in a sorted list.
class ActorSet {
 public:
  [[nodiscard]] bool empty() const { return first_ == 0 && further_.empty(); }
  [[nodiscard]] bool has_several() const {
    return (first_ & (first_ - 1)) != 0 || further_.size() + (first_ != 0 ? 1 : 0) > 1;
  }
  /// Whether there are members, and all of them are among the first 64 slots.
  [[nodiscard]] bool is_small() const { return first_ != 0 && further_.empty(); }
  [[nodiscard]] std::size_t count() const { return count_bits(first_) + further_.size(); }
  [[nodiscard]] bool contains(std::uint32_t slot) const {
    return slot < kFirst ? (first_ >> slot & 1U) != 0 : contains_further(slot);
  }
  void insert(std::uint32_t slot) {
    if (slot < kFirst) [[likely]] {
      first_ |= std::uint64_t{1} << slot;
    } else {
      insert_further(slot);
    }
  }
  void erase(std::uint32_t slot) {
    if (slot < kFirst) [[likely]] {
      first_ &= ~(std::uint64_t{1} << slot);
    } else {
      erase_further(slot);
    }
  }
  void insert_all(const ActorSet& others) {
    first_ |= others.first_;
    if (!others.further_.empty()) [[unlikely]] {
      insert_all_further(others);
    }
  }
  void erase_all(const ActorSet& others) {
    first_ &= ~others.first_;
    if (!others.further_.empty()) [[unlikely]] {
      erase_all_further(others);
    }
  }
  void clear() {
    first_ = 0;
    further_.clear();
  }

  /// The lowest member. The set must not be empty.
  [[nodiscard]] std::uint32_t first() const { return nth_other(0, UINT32_MAX); }
  /// Both require `is_small`.
  [[nodiscard]] std::uint32_t first_of_small() const {
    return static_cast<std::uint32_t>(std::countr_zero(first_));
  }
  [[nodiscard]] bool small_contains(std::uint32_t slot) const {
    return slot < kFirst && (first_ >> slot & 1U) != 0;
  }
  /// The lowest member above `slot`, or the lowest of all if there is none.
  [[nodiscard]] std::uint32_t after(std::uint32_t slot) const;
  /// The `index`-th member, counted from 0, ignoring `left_out`.
  [[nodiscard]] std::uint32_t nth_other(std::size_t index, std::uint32_t left_out) const {
    if (!further_.empty()) [[unlikely]] {
      return nth_of_many(index, left_out);
    }
    return nth_bit(without(first_, left_out), index);
  }
  /// Calls `visit(slot)` for every member except `left_out`, in ascending order.
  template <typename Visit>
  void visit_others(std::uint32_t left_out, Visit visit) const {
    for (std::uint64_t word = without(first_, left_out); word != 0; word &= word - 1) {
      visit(static_cast<std::uint32_t>(std::countr_zero(word)));
    }
    for (const std::uint32_t slot : further_) {
      if (slot != left_out) {
        visit(slot);
      }
    }
  }

 private:
  static constexpr std::uint32_t kFirst = 64;
  static constexpr std::uint64_t kFewEnd = 64 * 64;
  /// How many bits each of the first numbers has.
  static constexpr std::array<std::uint8_t, 64> kBitsOf = [] {
    std::array<std::uint8_t, 64> bits{};
    for (std::size_t i = 1; i < bits.size(); ++i) {
      bits.at(i) = static_cast<std::uint8_t>(bits.at(i / 2) + i % 2);
    }
    return bits;
  }();

  [[nodiscard]] static std::uint64_t without(std::uint64_t word, std::uint32_t slot) {
    return slot < kFirst ? word & ~(std::uint64_t{1} << slot) : word;
  }
  /// In registers: `std::popcount` is a function call if the processor may lack the instruction.
  [[nodiscard]] static std::size_t count_bits(std::uint64_t word) {
    if (word < kFewEnd) [[likely]] {
      return kBitsOf[word % 64] + std::size_t{kBitsOf[word / 64]};
    }
    word -= word >> 1U & 0x5555555555555555ULL;
    word = (word & 0x3333333333333333ULL) + (word >> 2U & 0x3333333333333333ULL);
    word = (word + (word >> 4U)) & 0x0F0F0F0F0F0F0F0FULL;
    return word * 0x0101010101010101ULL >> 56U;
  }
  /// The `index`-th set bit. No branch up to the fourth.
  [[nodiscard]] static std::uint32_t nth_bit(std::uint64_t word, std::size_t index) {
    const std::uint64_t second = word & (word - 1);
    const std::uint64_t third = second & (second - 1);
    const std::array<std::uint64_t, 4> from{word, second, third, third & (third - 1)};
    word = from[index & 3U];
    for (std::size_t i = index & ~std::size_t{3}; i > 0; --i) {
      word &= word - 1;
    }
    return static_cast<std::uint32_t>(std::countr_zero(word));
  }

  [[nodiscard]] bool contains_further(std::uint32_t slot) const;
  void insert_further(std::uint32_t slot);
  void erase_further(std::uint32_t slot);
  void insert_all_further(const ActorSet& others);
  void erase_all_further(const ActorSet& others);
  [[nodiscard]] std::uint32_t nth_of_many(std::size_t index, std::uint32_t left_out) const;

  std::uint64_t first_ = 0;  ///< slots 0 to 63
  /// Boost's vector stores its size, which a `std::vector` would compute at each decision.
  boost::container::flat_set<std::uint32_t> further_;
};

}  // namespace watchlab::sim
