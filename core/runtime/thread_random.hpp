#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace watchlab::runtime {

/// Random numbers for a runtime's own choices: a seeded counter, scrambled (splitmix64). Any thread
/// may call it without a lock; which thread gets which number depends on the scheduler.
class ThreadRandom {
 public:
  explicit ThreadRandom(std::uint64_t seed) : state_(seed) {}

  [[nodiscard]] std::uint64_t next() {
    return scramble(state_.fetch_add(kStep, std::memory_order_relaxed) + kStep);
  }
  /// In [0, bound), with a bias too small to see for the bounds in use; `bound` at least 1.
  [[nodiscard]] std::size_t below(std::size_t bound) { return next() % bound; }

  static std::uint64_t scramble(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;

  std::atomic<std::uint64_t> state_;
};

}  // namespace watchlab::runtime
