#pragma once

#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <string_view>

#include "core/runtime/random_engine.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::runtime {

/// A stream of random numbers for one purpose, the same on every platform for the same seed. Not to
/// be shared between tasks. Costs little if few numbers are drawn, or none because nothing fails;
/// see `RandomEngine`.
class Random {
 public:
  Random(Runtime& runtime, std::string_view purpose) : engine_(runtime.seed_for(purpose)) {}

  /// Uniform in [0, 1).
  [[nodiscard]] double fraction() { return boost::random::uniform_01<double>()(engine_); }
  /// Uniform in [0, bound); `bound` at least 1.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) {
    return boost::random::uniform_int_distribution<std::uint64_t>(0, bound - 1)(engine_);
  }

 private:
  RandomEngine engine_;
};

}  // namespace watchlab::runtime
