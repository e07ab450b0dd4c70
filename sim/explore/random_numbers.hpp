#pragma once

#include <cstdint>

namespace watchlab::sim {

/// A small generator for strategies (Steele's SplitMix64): a few instructions per draw and no
/// setup, because a strategy starts afresh for every run of a few microseconds.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

  [[nodiscard]] std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31U);
  }
  /// In [0, bound); `bound` at least 1. The bias is below bound / 2^32.
  [[nodiscard]] std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((next() >> 32U) * bound) >> 32U);
  }
  /// Uniform in [0, 1).
  [[nodiscard]] double fraction() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace watchlab::sim
