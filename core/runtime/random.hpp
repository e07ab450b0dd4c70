#pragma once

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/runtime/runtime.hpp"

namespace watchlab::runtime {

/// A stream of random numbers for one purpose, the same on every platform for the same seed. Not to
/// be shared between tasks. The engine is made when the first number is drawn: it is large, and
/// many who own one never draw, because nothing fails.
class Random {
 public:
  Random(Runtime& runtime, std::string_view purpose) : seed_(runtime.seed_for(purpose)) {}

  /// Uniform in [0, 1).
  [[nodiscard]] double fraction() { return boost::random::uniform_01<double>()(engine()); }
  /// Uniform in [0, bound); `bound` at least 1.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) {
    return boost::random::uniform_int_distribution<std::uint64_t>(0, bound - 1)(engine());
  }

 private:
  using Engine = boost::random::mt19937_64;

  Engine& engine() {
    if (!engine_) {
      engine_ = std::make_unique<Engine>(seed_);
    }
    return *engine_;
  }

  std::uint64_t seed_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace watchlab::runtime
