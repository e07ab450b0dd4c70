#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

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

/// The seeds of a runtime's random streams; see `Runtime::seed_for`. Any thread may call it.
class SeedStreams {
 public:
  explicit SeedStreams(std::uint64_t seed) : seed_(seed) {}

  [[nodiscard]] std::uint64_t seed_for(std::string_view purpose) {
    const std::lock_guard lock(mutex_);
    auto known = asked_for_.find(purpose);
    if (known == asked_for_.end()) {
      known = asked_for_.emplace(purpose, 0).first;
    }
    const std::uint64_t stream = ThreadRandom::scramble(hash(purpose) + known->second++);
    return ThreadRandom::scramble(seed_ ^ stream);
  }

 private:
  /// FNV-1a: the same on every platform, which `std::hash` is not.
  static std::uint64_t hash(std::string_view text) {
    std::uint64_t bits = 0xcbf29ce484222325;
    for (const char character : text) {
      bits = (bits ^ static_cast<unsigned char>(character)) * 0x100000001b3;
    }
    return bits;
  }

  const std::uint64_t seed_;
  std::mutex mutex_;
  std::map<std::string, std::uint64_t, std::less<>> asked_for_;  ///< how often, by purpose
};

}  // namespace watchlab::runtime
